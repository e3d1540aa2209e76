#include "kernels/rook/rook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "graph/errors.hpp"
#include "kernels/rook/complement_graph.hpp"
#include "kernels/rook/order.hpp"
#include "kernels/rook/polynomials.hpp"
#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

/// The permanent with as many primes as it takes; -1 where the method cannot.
mpz_class count_by_rook(const AnyBlock& block, unsigned primes, int threads = 1) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(primes);
  if (rook_method().obstacle(block, arithmetic)) return -1;
  MethodOptions options;
  options.threads = threads;
  return join_residues(run_residues(*rook_method().make_job(block, arithmetic, options), arithmetic),
                       arithmetic.moduli, true);
}

mpz_class factorial(unsigned n) {
  mpz_class result;
  mpz_fac_ui(result.get_mpz_t(), n);
  return result;
}

/// Ones where `lacks` is false.
template <class Lacks>
Block<std::int64_t> all_but(Index n, const Lacks& lacks) {
  Block<std::int64_t> block;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (lacks(i, j)) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(1);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

// Every density, classes of columns, and rows c (J - B) with other entries in between.
TEST(Rook, AgreesWithTheOracle) {
  Random random(20261121);
  int counted = 0;
  for (int round = 0; round < repeats(2000); ++round) {
    const auto n = static_cast<Index>(below(random, 10));
    const double density = 0.4 + 0.1 * static_cast<double>(below(random, 7));
    const std::uint64_t kind = below(random, 4);
    auto block = random_block<std::int64_t>(random, n, density, below(random, 2) == 0, [&]() -> std::int64_t {
      if (kind == 0) return 1;
      if (kind == 1) return below(random, 4) == 0 ? static_cast<std::int64_t>(below(random, 9)) - 10 : 3;
      if (kind == 2) return -6;
      return below(random, 3) == 0 ? (std::int64_t{1} << 61) + 5 : 7;
    });
    const Arithmetic arithmetic = some_residues(random());
    if (rook_method().obstacle(block, arithmetic)) continue;
    ++counted;
    MethodOptions options;
    options.seed = random();
    options.threads = static_cast<int>(1 + below(random, 3));
    ASSERT_EQ(run_residues(*rook_method().make_job(block, arithmetic, options), arithmetic),
              residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
  EXPECT_GT(counted, repeats(1000));
}

TEST(Rook, RationalsAgreeWithTheOracle) {
  Random random(7);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < 300; ++round) {
    const mpq_class common = random_rational(random);
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.8, below(random, 2) == 0,
                                [&] { return below(random, 5) == 0 ? random_rational(random) : common; });
    if (rook_method().obstacle(block, arithmetic)) continue;
    ASSERT_EQ(run_residues(*rook_method().make_job(block, arithmetic, {}), arithmetic),
              residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

// Wider frontiers, orders from both sides, several threads, and a transpose that counts the same.
TEST(Rook, AgreesWithRyser) {
  Random random(4);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(10 + below(random, 9));
    const auto block = random_pattern(random, n, 0.6 + 0.05 * static_cast<double>(below(random, 8)));
    const Residues expected = run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic);
    for (const int threads : {1, 2, 8}) {
      if (rook_method().obstacle(block, arithmetic)) continue;
      MethodOptions options;
      options.threads = threads;
      options.seed = static_cast<std::uint64_t>(round) + static_cast<std::uint64_t>(threads);
      const auto job = rook_method().make_job(block, arithmetic, options);
      if (threads == 8) job->improve(0.001, StopSignal());
      ASSERT_EQ(run_residues(*job, arithmetic), expected) << "round " << round << "\n" << text_of(block);
    }
    Block<std::int64_t> turned;
    turned.matrix = transpose(block.matrix);
    if (rook_method().obstacle(turned, arithmetic)) continue;
    ASSERT_EQ(run_residues(*rook_method().make_job(turned, arithmetic, {}), arithmetic), expected)
        << "round " << round << "\n"
        << text_of(block);
  }
}

// Whatever the order, also senseless ones that finish many vertices at once.
TEST(Rook, AnyOrderGivesTheSameRookNumbers) {
  Random random(8);
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<Index>(2 + below(random, 9));
    const auto block =
        random_block<std::int64_t>(random, n, 0.5 + 0.1 * static_cast<double>(below(random, 5)), true,
                                   [&] { return static_cast<std::int64_t>(1 + below(random, 2)); });
    const ComplementGraph graph = complement_graph(block);
    std::vector<Index> order = RookOrder(graph, 1).best();
    std::vector<mpz_class> expected;
    for (int turn = 0; turn < 4; ++turn) {
      const RookPlan plan = plan_rooks(graph, order);
      for (const RookStep& step : plan.steps) {
        for (const RookTerm& term : step.terms) ASSERT_LT(term.shift, step.length);
      }
      RookRun run;
      run.plain = graph.plain;
      run.threads = 2;
      const std::vector<mpz_class> numbers = rook_numbers(plan, run);
      if (turn == 0) expected = numbers;
      ASSERT_EQ(numbers, expected) << "round " << round << " turn " << turn << "\n" << text_of(block);
      std::shuffle(order.begin(), order.end(), random);
    }
  }
}

TEST(Rook, Derangements) {
  for (const Index n :
       {Index{0}, Index{1}, Index{2}, Index{3}, Index{20}, Index{63}, Index{64}, Index{65}, Index{200}}) {
    mpz_class derangements = 1;  // D_n = n D_{n-1} + (-1)^n
    for (unsigned i = 1; i <= n; ++i) derangements = derangements * i + (i % 2 == 0 ? 1 : -1);
    const unsigned primes = 1 + static_cast<unsigned>(mpz_sizeinbase(factorial(n).get_mpz_t(), 2) / 60);
    const auto block = all_but(n, [](Index i, Index j) { return i == j; });
    if (n == 1 || n == 2) continue;  // no row is mostly ones
    EXPECT_EQ(count_by_rook(block, primes), derangements) << n;
    EXPECT_EQ(count_by_rook(all_but(n, [](Index, Index) { return false; }), primes), factorial(n)) << n;
  }
}

TEST(Rook, ThousandRows) {
  constexpr Index n = 1000;
  mpz_class derangements = 1;
  for (unsigned i = 1; i <= n; ++i) derangements = derangements * i + (i % 2 == 0 ? 1 : -1);
  EXPECT_EQ(count_by_rook(all_but(n, [](Index i, Index j) { return i == j; }), 143), derangements);
}

// J. Touchard, Sur un probleme de permutations, C. R. Acad. Sci. Paris 198 (1934):
// U_n = sum over k of (-1)^k 2n / (2n - k) binomial(2n - k, k) (n - k)!.
TEST(Rook, MenageNumbers) {
  for (const Index n : {Index{5}, Index{8}, Index{30}, Index{90}}) {
    mpq_class expected = 0;
    for (unsigned k = 0; k <= n; ++k) {
      mpz_class binomial;
      mpz_bin_uiui(binomial.get_mpz_t(), 2 * n - k, k);
      mpq_class term(binomial * factorial(n - k) * (2 * n), 2 * n - k);
      term.canonicalize();
      expected += k % 2 == 0 ? term : mpq_class(-term);
    }
    const auto block = all_but(n, [&](Index i, Index j) { return j == i || j == (i + 1) % n; });
    const unsigned primes = 1 + static_cast<unsigned>(mpz_sizeinbase(factorial(n).get_mpz_t(), 2) / 60);
    EXPECT_EQ(mpq_class(count_by_rook(block, primes)), expected) << n;
  }
}

// A Ferrers board of row lengths b_1 <= b_2 <= ... has prod (b_i - i + 1) full placements, and its rook
// numbers obey sum over k of r_k x (x - 1) ... (x - (n - k) + 1) = prod (x + b_i - i + 1). J. R. Goldman, J.
// T. Joichi, D. E. White, Rook theory I, Proc. AMS 52 (1975).
TEST(Rook, FerrersBoards) {
  Random random(12);
  for (int round = 0; round < 100; ++round) {
    const auto n = static_cast<Index>(1 + below(random, 12));
    std::vector<Index> length(n);
    for (Index& b : length) b = static_cast<Index>(below(random, n + std::uint64_t{1}));
    std::sort(length.begin(), length.end());
    ComplementGraph graph = complement_graph(all_but(n, [&](Index i, Index j) { return j < length[i]; }));
    const bool turned =
        std::any_of(graph.row_base.begin(), graph.row_base.end(), [](const mpz_class& c) { return c != 1; });
    if (turned) continue;  // a row with more than half of it on the board is its own base
    RookOrder order(graph, 1);
    order.anneal(50);
    const RookPlan plan = plan_rooks(graph, order.best());
    ASSERT_TRUE(rook_numbers_fit(plan));
    RookRun run;
    run.plain = graph.plain;
    const std::vector<mpz_class> numbers = rook_numbers(plan, run);
    for (long x = 0; x < 30; ++x) {
      mpz_class left = 0;
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        mpz_class falling = numbers[k];
        for (std::size_t m = 0; m + k < n; ++m) falling *= x - static_cast<long>(m);
        left += falling;
      }
      mpz_class right = 1;
      for (Index i = 0; i < n; ++i) right *= x + static_cast<long>(length[i]) - static_cast<long>(i);
      ASSERT_EQ(left, right) << "round " << round << " x " << x;
    }
  }
}

// Weights so large that the sums outgrow 64, then 128 bits: narrow, widening and modular tables.
TEST(Rook, EveryWidthOfNumbers) {
  Random random(3);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime, 4611686018427387847ULL});
  for (unsigned bits = 1; bits < 40; bits += 2) {
    const auto n = static_cast<Index>(9);
    const std::int64_t common = std::int64_t{1} << bits;
    const auto block = random_block<std::int64_t>(random, n, 0.9, true, [&]() -> std::int64_t {
      if (below(random, 6) != 0) return common - 1;
      return static_cast<std::int64_t>(below(random, static_cast<std::uint64_t>(2 * common))) - common;
    });
    if (rook_method().obstacle(block, arithmetic)) continue;
    const auto job = rook_method().make_job(block, arithmetic, {});
    EXPECT_EQ(job->runs_on_all_threads(), job->units() == 1);
    ASSERT_EQ(run_residues(*job, arithmetic), residues_of(permanent_by_states(block), arithmetic))
        << text_of(block);
  }
}

TEST(Rook, KnownMatrices) {
  for (const auto& [name, value] :
       {std::pair{"random/er_n30_p90.mtx", "17325370307961785965165289728338"},
        std::pair{"random/er_n32_p90.mtx", "13868330229632667185925921140619288"}}) {
    const auto block = shared_matrix(name);
    if (!block) GTEST_SKIP() << "no ../shared";
    EXPECT_EQ(count_by_rook(*block, 2, 2), mpz_class(value)) << name;
  }
}

// What is predicted is what is added.
TEST(Rook, WorkIsPredictedExactly) {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const auto block = random_pattern(random, static_cast<Index>(8 + below(random, 12)), 0.8);
    const ComplementGraph graph = complement_graph(block);
    const RookOrder order(graph, 1);
    const RookPlan plan = plan_rooks(graph, order.best());
    RookRun run;
    run.plain = graph.plain;
    rook_numbers(plan, run);
    EXPECT_EQ(static_cast<double>(run.added) + 1, rook_additions(plan)) << round;
  }
}

TEST(Rook, Obstacles) {
  const Arithmetic arithmetic = residues_modulo({first_prime});
  Random random(1);
  EXPECT_TRUE(rook_method().obstacle(random_pattern(random, 20, 0.2), arithmetic));
  EXPECT_FALSE(rook_method().obstacle(random_pattern(random, 20, 0.9), arithmetic));
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  EXPECT_TRUE(rook_method().obstacle(random_pattern(random, 20, 0.9), floating));
  EXPECT_TRUE(rook_method().obstacle(dense_block<ComplexRational>({{ComplexRational{1, 1}}}, 1), arithmetic));
}

TEST(Rook, AnyBlockHasAFinitePrediction) {
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const Index n : {Index{60}, Index{100}, Index{400}}) {
    Random random(n);
    const auto job = rook_method().make_job(random_pattern(random, n, 0.7), arithmetic, {});
    EXPECT_TRUE(std::isfinite(job->log2_work()));
    EXPECT_GT(job->log2_work(), 30);
    EXPECT_GT(job->nominal_rate(), 0);
    EXPECT_GT(job->measured_rate(0.001), 0);
    EXPECT_GT(job->bytes_per_thread() + job->bytes_shared(), std::uint64_t{1} << 30);
  }
}

TEST(Rook, ObeysStopSignalAndMemory) {
  const auto block = shared_matrix("random/er_n48_p90.mtx");
  if (!block) GTEST_SKIP() << "no ../shared";
  const Arithmetic arithmetic = residues_modulo({first_prime});
  MethodOptions options;
  options.threads = 2;
  const auto job = rook_method().make_job(*block, arithmetic, options);
  StopSignal stop;
  std::thread later([&] {
    while (stop.share_reported() == 0) std::this_thread::yield();
    stop.request();
  });
  EXPECT_THROW(job->run(0, stop), Stopped);
  later.join();
  options.memory_bytes = job->bytes_shared() / 16;
  const auto cut = rook_method().make_job(*block, arithmetic, options);
  EXPECT_GT(cut->units(), 16U);
  EXPECT_LE(cut->bytes_shared(), options.memory_bytes);
  options.memory_bytes = 1 << 10;
  EXPECT_THROW(rook_method().make_job(*block, arithmetic, options)->run(0, StopSignal()), UnableError);
}

// Cut into branches that fit a tiny memory: within it, the same count, whatever the threads; plain tables and
// such with weights, numbers of 64 and 128 bits and residues, rows of base 0.
TEST(Rook, TinyMemoryIsObeyed) {
  Random random(21);
  int cut = 0;
  int modular = 0;
  int unable = 0;
  for (int round = 0; round < std::max(8, repeats(16)); ++round) {
    const auto n = static_cast<Index>(14 + below(random, 4));
    const std::int64_t common = round % 4 == 3 ? (std::int64_t{1} << 40) - 1 : 1 + round % 3;
    const bool some_sparse_rows = round % 5 == 0;
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    for (Index i = 0; i < n; ++i) {
      const bool sparse = some_sparse_rows && i % 4 == 0;
      for (auto& entry : rows[i]) {
        const bool usual = below(random, 10) >= 3;
        entry = usual == sparse ? 0 : common;
        if (!usual && round % 2 == 1) entry = static_cast<std::int64_t>(below(random, 5)) - 2;
      }
    }
    const auto block = dense_block(rows, n);
    const Arithmetic arithmetic =
        round % 2 == 0 ? residues_modulo({first_prime, second_prime}) : some_residues(random());
    if (rook_method().obstacle(block, arithmetic)) continue;
    const Residues expected = run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic);
    MethodOptions options;
    const auto whole = rook_method().make_job(block, arithmetic, options);
    const std::uint64_t bytes =
        whole->runs_on_all_threads() ? whole->bytes_shared() : whole->bytes_per_thread() - 4096;
    for (const std::uint64_t part : {std::uint64_t{2}, std::uint64_t{4}}) {
      options.memory_bytes = bytes / part;
      std::optional<std::uint64_t> units;
      for (const int threads : {1, 2, 3, 8}) {
        if (sanitized && threads != 1 && threads != 3) continue;
        options.threads = threads;
        const auto job = rook_method().make_job(block, arithmetic, options);
        if (job->bytes_shared() > options.memory_bytes || !job->runs_on_all_threads()) {
          ++unable;
          continue;
        }
        if (job->units() > 1) ++cut;
        if (job->units() > 1 && common > 3) ++modular;
        ASSERT_EQ(job->units(), units.value_or(job->units()));
        units = job->units();
        ASSERT_EQ(run_residues(*job, arithmetic), expected) << "round " << round << " part " << part << "\n"
                                                            << text_of(block);
        if (threads == 1 && job->units() > 1) {
          expect_units_again(*job, arithmetic);
          EXPECT_NE(job->describe().find(fmt::format("{} branches", job->units())), std::string::npos)
              << job->describe();
        }
      }
    }
  }
  EXPECT_GT(cut, repeats(40));
  EXPECT_GT(modular, repeats(4));
  EXPECT_LT(unable, cut);
}

TEST(Rook, UnitsRunAgainByResidues) {
  Random random(22);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < 20; ++round) {
    const std::int64_t common = round % 2 == 0 ? 1 : (std::int64_t{1} << 50) + 3;
    const auto block = random_block<std::int64_t>(random, 10, 0.8, true, [&] { return common; });
    const auto job = rook_method().make_job(block, arithmetic, {});
    if (round % 2 == 0) {
      EXPECT_EQ(job->units(), 1U);
    }
    expect_units_again(*job, arithmetic);
    EXPECT_NE(job->describe().find(" states at the widest"), std::string::npos) << job->describe();
  }
}

// Two orders, and the transpose.
TEST(LongRook, Random44By44) {
  const auto block = shared_matrix("random/er_n44_p90.mtx");
  if (!block) GTEST_SKIP() << "no ../shared";
  Block<std::int64_t> turned;
  turned.matrix = transpose(block->matrix);
  const mpz_class expected("42928905342911619895995450319833522175131785987637756");
  EXPECT_EQ(count_by_rook(*block, 4, 2), expected);
  EXPECT_EQ(count_by_rook(turned, 4, 1), expected);
}

}  // namespace
}  // namespace countpm
