// pruned against the oracle, against ryser, with any shift and order, in every instruction set, and beyond 64
// rows.
#include "kernels/pruned/pruned.hpp"
#include "kernels/pruned/prefix_list.hpp"
#include "kernels/pruned/search/forecast.hpp"
#include "kernels/pruned/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "kernels/ryser/ryser.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/pruned/pruned_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

const Arithmetic two_primes = residues_modulo({first_prime, second_prime});

Residues shifted(const AnyBlock& block, const Arithmetic& arithmetic, const PrunedChoice& choice = {}) {
  return run_residues(*make_pruned_job(block, arithmetic, 1, choice), arithmetic);
}

TEST(Pruned, IntegersAgreeWithTheOracle) {
  expect_integers_agree(51, [](const AnyBlock& block, const Arithmetic& a) { return shifted(block, a); });
}

TEST(Pruned, RationalsAgreeWithTheOracle) {
  expect_rationals_agree(52, two_primes,
                         [](const AnyBlock& block, const Arithmetic& a) { return shifted(block, a); });
}

TEST(Pruned, AgreesWithRyserOnWiderBlocks) {
  Random random(53);
  for (int round = 0; round < 60; ++round) {
    const auto n = static_cast<Index>(12 + below(random, 8));
    const auto block =
        round % 4 == 0
            ? random_block<std::int64_t>(random, n, 0.3, false,
                                         [&] { return static_cast<std::int64_t>(below(random, 3)) - 3; })
            : random_pattern(random, n, 0.1 + 0.1 * static_cast<double>(below(random, 10)));
    ASSERT_EQ(shifted(block, two_primes),
              run_residues(*ryser_method().make_job(block, two_primes, {}), two_primes))
        << "round " << round << "\n"
        << text_of(block);
  }
}

/// The identity behind the method: x may be any vector of integers, and the columns come in any order.
TEST(Pruned, AnyShiftAndAnyOrderCountTheSame) {
  Random random(54);
  for (int round = 0; round < repeats(200); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 14));
    const auto block = random_block<std::int64_t>(
        random, n, 0.2 + 0.1 * static_cast<double>(below(random, 7)), true,
        [&] { return round % 2 == 0 ? std::int64_t{1} : static_cast<std::int64_t>(below(random, 7)) - 3; });
    const std::uint64_t reach = std::vector<std::uint64_t>{2, 10, 200, 40000}[below(random, 4)];
    PrunedChoice choice;
    choice.most_tail_columns = static_cast<unsigned>(below(random, 10));
    draw_order_and_shift(choice, random, n, reach);
    const mpq_class expected = permanent_by_states(block);
    const Arithmetic arithmetic = some_residues(random());
    ASSERT_EQ(shifted(block, arithmetic, choice), residues_of(expected, arithmetic))
        << "round " << round << " tail " << choice.most_tail_columns << "\n"
        << text_of(block);
  }
}

TEST(Pruned, EveryPathCountsTheSame) {
  Random random(55);
  for (int round = 0; round < repeats(60); ++round) {
    const auto n = static_cast<Index>(8 + below(random, 8));
    const bool wide = round % 2 == 1;
    const auto block = random_block<std::int64_t>(random, n, 0.4, round % 3 != 0, [&] {
      return static_cast<std::int64_t>(1 + below(random, wide ? 40 : 2));
    });
    const Residues expected = residues_of(permanent_by_states(block), two_primes);
    for (const LaneChoice lanes :
         {LaneChoice::scalar, LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512}) {
      if (!lanes_supported(lanes)) continue;
      PrunedChoice choice;
      choice.lanes = lanes;
      ASSERT_EQ(shifted(block, two_primes, choice), expected)
          << "round " << round << " lanes " << static_cast<int>(lanes) << "\n"
          << text_of(block);
    }
  }
}

/// Eight leaves at once: products of 16 and 32 rows that do and do not fit 31 bits, few and many leaves,
/// signs, classes, and all rings.
TEST(Pruned, LargeAndSmallProductsOfManyRows) {
  Random random(61);
  for (int round = 0; round < repeats(24); ++round) {
    const auto n = static_cast<Index>(16 + below(random, 5));
    const std::uint64_t largest =
        std::vector<std::uint64_t>{1, 3, 7, 12}[static_cast<std::size_t>(round % 4)];
    const auto block = random_block<std::int64_t>(
        random, n, 0.2 + 0.1 * static_cast<double>(below(random, 3)), round % 3 != 0, [&] {
          const auto value = static_cast<std::int64_t>(1 + below(random, largest));
          return below(random, 8) == 0 ? -value : value;
        });
    for (const Arithmetic& arithmetic : {two_primes, wrap_around(64), wrap_around(128)}) {
      PrunedChoice scalar;
      scalar.lanes = LaneChoice::scalar;
      const Residues expected = shifted(block, arithmetic, scalar);
      if (arithmetic.moduli[0].prime != 0) {
        ASSERT_EQ(expected, run_residues(*ryser_method().make_job(block, arithmetic, {}), arithmetic));
      }
      for (const LaneChoice lanes : {LaneChoice::baseline, LaneChoice::avx2, LaneChoice::avx512}) {
        if (!lanes_supported(lanes)) continue;
        for (const std::int64_t off : {0, 40}) {
          // far from the middle hardly any row is zero, and the products are large
          PrunedChoice choice;
          choice.lanes = lanes;
          for (Index i = 0; off != 0 && i < n; ++i) choice.shift.push_back(i % 2 == 0 ? off : -off);
          if (off != 0 && round % 6 != 0) continue;
          ASSERT_EQ(shifted(block, arithmetic, choice), expected)
              << "round " << round << " lanes " << static_cast<int>(lanes) << " off " << off << "\n"
              << text_of(block);
        }
      }
    }
  }
}

TEST(Pruned, LanesAreAsWideAsTheSums) {
  // all ones: sums of n; n x n times w: sums of n w
  for (const auto& [weight, path] :
       {std::pair<std::int64_t, std::string>{1, "8-bit"}, {60, "16-bit"}, {50000, "whole"}}) {
    const Index n = 9;
    const auto block =
        dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, weight)), n);
    const auto job = make_pruned_job(block, two_primes, 1, {});
    EXPECT_NE(job->path().find(path), std::string::npos) << job->path();
    mpz_class expected = 1;
    for (unsigned k = 1; k <= n; ++k) expected *= k * mpz_class(static_cast<long>(weight));
    EXPECT_EQ(run_residues(*job, two_primes), residues_of(mpq_class(expected), two_primes));
  }
}

/// A column of m copies is what m columns are, in lanes (up to 62 copies in all) and beyond.
TEST(Pruned, ClassesCountLikeTheirCopies) {
  Random random(56);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(6 + below(random, 9));
    const auto block = random_block<std::int64_t>(
        random, n, 0.5, false, [&] { return static_cast<std::int64_t>(1 + below(random, 2)); });
    ASSERT_EQ(shifted(block, two_primes), shifted(expanded(block), two_primes)) << text_of(block);
  }
  expect_huge_multiplicity(two_primes, [](const AnyBlock& b, const Arithmetic& a) { return shifted(b, a); });
}

TEST(Pruned, TheTransposeCountsTheSame) {
  Random random(57);
  for (int round = 0; round < 60; ++round) {
    const auto block = random_integers(random, static_cast<Index>(1 + below(random, 9)), round % 2 == 0);
    PrunedChoice choice;
    choice.transposed = true;
    ASSERT_EQ(shifted(block, two_primes, choice), residues_of(permanent_by_states(block), two_primes))
        << text_of(block);
  }
}

/// Tridiagonal ones: Fibonacci; two diagonals round a cycle: two products.
TEST(Pruned, Bands) {
  for (const Index n : {Index{1}, Index{2}, Index{24}}) {
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    for (Index i = 0; i < n; ++i) {
      rows[i][i] = 1;
      if (i > 0) rows[i][i - 1] = rows[i - 1][i] = 1;
    }
    mpz_class fibonacci;
    mpz_fib_ui(fibonacci.get_mpz_t(), n + 1UL);
    for (const Arithmetic& arithmetic : {two_primes, wrap_around(64), wrap_around(128)})
      EXPECT_EQ(shifted(dense_block(rows, n), arithmetic), residues_of(mpq_class(fibonacci), arithmetic))
          << n;
  }
  Random random(58);
  for (const Index n : {Index{3}, Index{12}}) {
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    mpz_class product = 1;
    for (Index i = 0; i < n; ++i) {
      rows[i][i] = rows[i][(i + 1) % n] = static_cast<std::int64_t>(1 + below(random, 9));
      product *= static_cast<long>(rows[i][i]);
    }
    const mpq_class expected(mpz_class(2 * product));
    EXPECT_EQ(shifted(dense_block(rows, n), two_primes), residues_of(expected, two_primes)) << n;
  }
}

/// A diagonal: rows spread over several blocks of lanes, one leaf.
TEST(Pruned, DiagonalsBeyondOneRegister) {
  for (const Index n : {Index{63}, Index{64}, Index{65}, Index{128}, Index{129}, Index{200}}) {
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
    for (Index i = 0; i < n; ++i) rows[i][(7 * i + 3) % n] = 1;
    const bool permutation = n % 7 != 0;
    EXPECT_EQ(shifted(dense_block(rows, n), two_primes),
              residues_of(mpq_class(permutation ? 1 : 0), two_primes))
        << n;
  }
}

/// Several registers a node, and found in good time: cycles with chords, of 66 to 135 rows.
TEST(Pruned, SparseBeyond64Rows) {
  Random random(64);
  for (int round = 0; round < 12; ++round) {
    const auto n = static_cast<Index>(66 + below(random, 70));
    const ChordedCycle cycle = chorded_cycle(random, n, round % 3 == 0 ? -3 : 1);
    const auto job = pruned_method().make_job(cycle.block, two_primes, {});
    ASSERT_LT(job->log2_work(), 22) << "round " << round << " n " << n;
    EXPECT_EQ(run_residues(*job, two_primes), residues_of(permanent_by_states(cycle.band), two_primes))
        << "round " << round << " n " << n;
  }
}

/// Two rows: no node before the tail, and still a rate that says so.
TEST(Pruned, TinyBlocksAreQuick) {
  const auto job = pruned_method().make_job(dense_block<std::int64_t>({{1, 1}, {0, 1}}, 2), two_primes, {});
  EXPECT_GT(best_rate(*job, 1000), 1000);
}

/// Many units: backwards, from several threads at once, and twice, they are what they are.
TEST(Pruned, UnitsInAnyOrderFromAnyThread) {
  Random random(59);
  const auto block = random_pattern(random, 30, 0.4);
  const auto job = make_pruned_job(block, two_primes, 1, {});
  const StopSignal never;
  job->improve(0.05, never);
  ASSERT_GT(job->units(), 1U);
  const Residues expected = run_residues(*ryser_method().make_job(block, two_primes, {}), two_primes);
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    std::vector<Partial> sums(threads, zero(two_primes));
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t) {
      workers.emplace_back([&, t] {
        for (std::uint64_t unit = job->units(); unit-- > 0;) {
          if (unit % threads == t) add(sums[t], job->run(unit, never), two_primes);
        }
      });
    }
    for (auto& worker : workers) worker.join();
    for (unsigned t = 1; t < threads; ++t) add(sums[0], sums[t], two_primes);
    EXPECT_EQ(std::get<Residues>(sums[0]), expected) << threads;
  }
}

TEST(Pruned, UnitsRunAgainByAnotherCode) {
  Random random(62);
  const StopSignal never;
  Arithmetic mixed = residues_modulo({first_prime, 3});
  mixed.moduli.push_back({0, 64});
  for (int round = 0; round < 4; ++round) {
    const auto block = round < 2 ? random_pattern(random, 28, 0.4) : random_integers(random, 12, false);
    for (const Arithmetic& arithmetic : {two_primes, wrap_around(128), mixed}) {
      if (sanitized && round < 2 && arithmetic.moduli.size() == 2) continue;  // seconds each
      for (const LaneChoice lanes : {LaneChoice::automatic, LaneChoice::avx2, LaneChoice::baseline}) {
        if (!lanes_supported(lanes) || (lanes != LaneChoice::automatic && round != 0)) continue;
        PrunedChoice choice;
        choice.lanes = lanes;
        const auto job = make_pruned_job(block, arithmetic, 1, choice);
        if (round % 2 == 1) job->improve(0.01, never);
        if (round < 2) {
          EXPECT_GT(job->units(), 1U);
        }
        expect_units_again(*job, arithmetic);
      }
    }
  }
}

TEST(Pruned, TellsItsPlan) {
  Random random(63);
  const StopSignal never;
  const auto small = make_pruned_job(random_pattern(random, 8, 0.5), two_primes, 1, {});
  EXPECT_NE(small->describe().find(" products, not searched"), std::string::npos) << small->describe();
  const auto job = make_pruned_job(random_pattern(random, 30, 0.4), two_primes, 1, {});
  EXPECT_NE(job->describe().find("1 round of search"), std::string::npos) << job->describe();
  // A round takes milliseconds: less than that is saved up.
  job->improve(1e-5, never);
  EXPECT_NE(job->describe().find("1 round of search"), std::string::npos) << job->describe();
  const auto searched = [&] { return job->describe().find(" rounds of search") != std::string::npos; };
  for (int k = 0; k < 400 && !searched(); ++k) job->improve(0.05, never);
  EXPECT_NE(job->describe().find(" rounds of search"), std::string::npos) << job->describe();
  EXPECT_EQ(job->describe().find("the transpose") != std::string::npos, job->transposed());
}

TEST(Pruned, SearchChangesTheWorkAndNotTheCount) {
  Random random(60);
  const auto block = random_pattern(random, 26, 0.3);
  const Residues expected = run_residues(*ryser_method().make_job(block, two_primes, {}), two_primes);
  const StopSignal never;
  for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL}) {
    PrunedChoice choice;
    choice.threads = static_cast<unsigned>(seed);
    const auto job = make_pruned_job(block, two_primes, seed, choice);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(run_residues(*job, two_primes), expected) << seed;
      const auto forecast = job->forecast();
      const auto actual = job->measure(0, job->units());
      EXPECT_GT(forecast.visits / actual.visits, 0.8) << seed;
      EXPECT_LT(forecast.visits / actual.visits, 1.25) << seed;
      job->improve(0.02, never);
    }
  }
}

TEST(PrunedSearch, ChainsAreDeterministicAndBetterOnTheWhole) {
  Random random(64);
  double gain = 0;
  for (int round = 0; round < 3; ++round) {
    const auto block = random_pattern(random, 36, 0.3);
    const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
    const auto plan_by = [&](unsigned chains) {
      PrunedSearch search(columns, 9, 5, chains);
      search.round();
      search.round();
      return search.plan();
    };
    const auto log2_visits = [&](const PrunedPlan<std::int64_t>& plan) {
      return forecast_tree(make_prune_tree(columns, plan), 2000, 7).log2_visits;
    };
    const auto plan = plan_by(4);
    if (round == 0) {
      const auto again = plan_by(4);
      EXPECT_EQ(plan.order, again.order);
      EXPECT_EQ(plan.shift, again.shift);
    }
    gain += log2_visits(plan_by(1)) - log2_visits(plan);
  }
  EXPECT_GT(gain, 0);
}

// Any stretch of the units has about its share of the work: what rates and ETAs are taken from.
TEST(Pruned, UnitsInARowHaveTheirShareOfTheWork) {
  Random random(61);
  const auto job = make_pruned_job(random_pattern(random, 30, 0.4), two_primes, 1, {});
  const std::uint64_t units = job->units();
  ASSERT_GE(units, 16U);
  const double listing = job->measure(0, 0).visits;
  const auto all = job->measure(0, units);
  for (std::uint64_t part = 0; part < 4; ++part) {
    const auto share = job->measure(part * units / 4, (part + 1) * units / 4);
    EXPECT_NEAR(share.leaves / all.leaves, 0.25, 0.08) << part;
    EXPECT_NEAR((share.visits - listing) / (all.visits - listing), 0.25, 0.08) << part;
  }
}

/// As the nominal rate says, of one core.
double predicted_seconds(const Job& job) {
  return std::exp2(job.log2_work()) / job.nominal_rate();
}

// Dense weighted matrices: row sums are hardly ever zero, and below each visit are up to 512 products of
// several words, which the prediction must not leave out.
TEST(Pruned, PredictsProductsAsWellAsVisits) {
  constexpr double least_product_seconds = 2e-9;  // of 16 sums and more, whatever the processor
  Random random(62);
  const auto digit = [&] { return 1 + static_cast<std::int64_t>(below(random, 9)); };
  for (const double density : {0.3, 0.5, 0.7, 0.9, 1.0}) {
    const auto block = random_block<std::int64_t>(random, 16, density, true, digit);
    const auto job = make_pruned_job(block, two_primes, 1, {});
    const auto counted = job->measure(0, job->units());
    EXPECT_NEAR(job->forecast().leaves / counted.leaves, 1, 0.1) << density;
    EXPECT_GT(predicted_seconds(*job), counted.leaves * least_product_seconds) << density;
  }
}

TEST(Pruned, IsPreferredOnlyWhereSomethingIsPruned) {
  Random random(63);
  const auto digit = [&] { return 1 + static_cast<std::int64_t>(below(random, 9)); };
  const auto predicted_ratio = [](const AnyBlock& block) {
    return predicted_seconds(*make_pruned_job(block, two_primes, 1, {})) /
           predicted_seconds(*ryser_method().make_job(block, two_primes, {}));
  };
  EXPECT_GT(predicted_ratio(random_block<std::int64_t>(random, 20, 0.9, true, digit)), 1);
  EXPECT_GT(predicted_ratio(random_block<std::int64_t>(random, 28, 0.5, true, digit)), 1);
  EXPECT_LT(predicted_ratio(random_pattern(random, 32, 0.2)), 1);
}

TEST(Pruned, PrefixesAreDealtOnceEach) {
  for (const std::size_t count : {1U, 2U, 3U, 12U, 1000U, 65536U}) {
    PrefixList list;
    list.levels = 1;
    list.count = count;
    for (Index k = 0; k < count; ++k) list.digits.push_back(k);
    list.choose_step();
    std::vector<Index> dealt;
    for (std::size_t k = 0; k < count; ++k) dealt.push_back(*list.dealt(k));
    std::sort(dealt.begin(), dealt.end());
    EXPECT_EQ(dealt, list.digits);
  }
}

TEST(Pruned, StopsAndForecastsWhateverTheBlock) {
  for (const Index n : {Index{0}, Index{1}, Index{64}, Index{65}, Index{100}, Index{600}}) {
    Random random(n);
    const auto job = pruned_method().make_job(random_pattern(random, n, 0.05), two_primes, {});
    EXPECT_TRUE(std::isfinite(job->log2_work()));
    EXPECT_GE(job->log2_work(), 0);
    EXPECT_LE(job->units(), 65536U);
    EXPECT_GT(job->nominal_rate(), 0);
    EXPECT_GT(job->measured_rate(0.001), 0);
  }
  Random random(5);
  const auto job = pruned_method().make_job(random_pattern(random, 100, 0.5), two_primes, {});
  EXPECT_GT(job->log2_work(), 60);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(job->units() / 3, stop), Stopped);
  EXPECT_THROW(job->improve(10, stop), Stopped);
}

TEST(Pruned, RefusesFloatingPoint) {
  Arithmetic floating;
  floating.kind = Arithmetic::Kind::floating;
  const auto reason = pruned_method().obstacle(Block<mpq_class>{}, floating);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->text.find("ryser"), std::string::npos);
}

TEST(LongPruned, KnownCounts) {
  for (const auto& [name, count] : {std::pair{"random/er_n24_p50.mtx", "22071412730536766"},
                                    {"random/er_n48_p12.mtx", "78557311480190"},
                                    {"random/er_n48_p15.mtx", "12724692539485737778"},
                                    {"random/er_n40_p20.mtx", "23195040936846588920"}}) {
    const auto block = shared_matrix(name);
    if (!block) GTEST_SKIP() << "no ../shared";
    const auto job = make_pruned_job(*block, two_primes, 1, {});
    const StopSignal never;
    job->improve(0.5, never);
    EXPECT_EQ(run_residues(*job, two_primes), residues_of(mpq_class(count), two_primes)) << name;
  }
}

}  // namespace
}  // namespace countpm
