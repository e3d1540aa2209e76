// The method as a whole: closed forms, forced branching, memory, wide jobs. (exact_methods.cpp and
// hafnian_test.cpp compare it with the definition in every arithmetic, as all methods.)
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

/// A bipartite block from a graph on a grid of cells: cells of one colour are rows, of the other columns.
Block<std::int64_t> lattice_block(const std::vector<Index>& sizes,
                                  const std::function<bool(const std::vector<Index>&)>& present) {
  std::vector<std::vector<Index>> cells(1);
  for (const Index size : sizes) {
    std::vector<std::vector<Index>> longer;
    for (const auto& cell : cells) {
      for (Index x = 0; x < size; ++x) {
        longer.push_back(cell);
        longer.back().push_back(x);
      }
    }
    cells = std::move(longer);
  }
  std::map<std::vector<Index>, Index> rows;
  std::map<std::vector<Index>, Index> columns;
  for (const auto& cell : cells) {
    if (!present(cell)) continue;
    const Index sum = std::accumulate(cell.begin(), cell.end(), Index{0});
    auto& side = sum % 2 == 0 ? rows : columns;
    side.emplace(cell, static_cast<Index>(side.size()));
  }
  Block<std::int64_t> block;
  block.matrix.rows = static_cast<Index>(rows.size());
  block.matrix.columns = static_cast<Index>(columns.size());
  std::vector<std::vector<Index>> entries(rows.size());
  for (const auto& [cell, row] : rows) {
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
      for (const int step : {-1, 1}) {
        auto other = cell;
        other[axis] += static_cast<Index>(step);
        const auto found = columns.find(other);
        if (found != columns.end()) entries[row].push_back(found->second);
      }
    }
  }
  for (auto& row : entries) {
    std::sort(row.begin(), row.end());
    for (const Index j : row) {
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(1);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}
Block<std::int64_t> grid(const std::vector<Index>& sizes) {
  return lattice_block(sizes, [](const std::vector<Index>&) { return true; });
}

Arithmetic enough_residues(double bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(static_cast<unsigned>(bits / 60) + 1);
  return arithmetic;
}

mpz_class count(const AnyBlock& block, double bits, const MethodOptions& options = {}) {
  const Arithmetic arithmetic = enough_residues(bits);
  const auto job = frontier_method().make_job(block, arithmetic, options);
  return join_residues(run_residues(*job, arithmetic), arithmetic.moduli, true);
}

TEST(Frontier, DominoTilings) {
  EXPECT_EQ(count(grid({8, 8}), 60), 12988816);
  // P. W. Kasteleyn's product formula for 12 x 12 and 20 x 20: OEIS A004003.
  EXPECT_EQ(count(grid({12, 12}), 100), mpz_class("53060477521960000"));
  EXPECT_EQ(count(grid({20, 20}), 300), mpz_class("1269984011256235834242602753102293934298576249856"));
  EXPECT_EQ(count(grid({4, 4, 4}), 60), 5051532105);  // OEIS A028454
}

// 2 x n: Fibonacci numbers. Long, with many residues and few states.
TEST(Frontier, Strips) {
  for (const Index n : {1U, 2U, 3U, 10U, 400U}) {
    mpz_class fibonacci;
    mpz_fib_ui(fibonacci.get_mpz_t(), n + 1);
    EXPECT_EQ(count(grid({2, n}), n + 2.0), fibonacci) << n;
  }
}

// Aztec diamonds: 2^(n (n + 1) / 2).
TEST(Frontier, AztecDiamonds) {
  for (const Index n : {1U, 2U, 5U, 8U}) {
    const auto inside = [n](const std::vector<Index>& cell) {
      const double x = std::fabs(cell[0] + 0.5 - n);
      const double y = std::fabs(cell[1] + 0.5 - n);
      return x + y <= n;
    };
    mpz_class expected = 1;
    expected <<= n * (n + 1) / 2;
    EXPECT_EQ(count(lattice_block({2 * n, 2 * n}, inside), n * n), expected) << n;
  }
}

TEST(Frontier, CompleteAndEmpty) {
  const auto constant = [](Index n, std::int64_t value) {
    return dense_block(std::vector<std::vector<std::int64_t>>(n, std::vector<std::int64_t>(n, value)), n);
  };
  EXPECT_EQ(count(constant(0, 1), 10), 1);
  EXPECT_EQ(count(constant(1, 7), 10), 7);
  EXPECT_EQ(count(constant(1, 0), 10), 0);
  EXPECT_EQ(count(constant(3, 0), 10), 0);
  mpz_class factorial;
  mpz_fac_ui(factorial.get_mpz_t(), 40);
  EXPECT_EQ(count(constant(40, 1), 160), factorial);  // one class on each side
  // K_2n: (2n - 1)!!
  for (const Index n : {2U, 4U, 10U}) {
    Block<std::int64_t> block = constant(n, 1);
    std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 1));
    for (Index i = 0; i < n; ++i) rows[i][i] = 0;
    block = dense_block(rows, n);
    block.general = true;
    mpz_class odd;
    mpz_2fac_ui(odd.get_mpz_t(), n - 1);
    EXPECT_EQ(count(block, 40), odd) << n;
  }
}

MethodOptions with_memory_for(std::uint64_t states) {
  MethodOptions options;
  options.memory_bytes = (std::uint64_t{1} << 20) + 16 * states;
  return options;
}

TEST(Frontier, BranchesWhereMemoryIsShort) {
  Random random(81);
  std::uint64_t most_units = 0;
  for (int round = 0; round < (testing::sanitized ? 12 : 45); ++round) {
    const auto n = static_cast<Index>(8 + below(random, 4));
    Block<std::int64_t> block;
    mpz_class expected;
    if (round % 3 == 0) {
      block = random_graph(random, n - n % 2, 0.6);
      expected = hafnian_by_definition(block);
    } else if (round % 3 == 1) {
      block = block_of_twins(random, 6, n);
      expected = mpz_class(permanent_by_states(block));
    } else {
      block = random_pattern(random, n, 0.5);
      expected = mpz_class(permanent_by_states(block));
    }
    const Arithmetic arithmetic = residues_modulo({first_prime});
    const auto job = frontier_method().make_job(block, arithmetic, with_memory_for(20 + below(random, 100)));
    most_units = std::max(most_units, job->units());
    if (job->units() > 1) {
      EXPECT_TRUE(job->runs_on_all_threads());
    }
    ASSERT_EQ(run_residues(*job, arithmetic), residues_of(mpq_class(expected), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
    // In floating point: within the error, and that small.
    Arithmetic rounded;
    rounded.kind = Arithmetic::Kind::floating;
    rounded.precision = Precision::plain;
    const auto floating_job = frontier_method().make_job(block, rounded, with_memory_for(60));
    Partial sum = zero(rounded);
    const StopSignal never;
    for (std::uint64_t unit = 0; unit < floating_job->units(); ++unit) {
      add(sum, floating_job->run(unit, never), rounded);
    }
    const auto& ball = std::get<Ball>(sum);
    EXPECT_LE(std::fabs(ball.re.to_double() - expected.get_d()), ball.error.to_double() * 1.001 + 1e-300);
    mpz_class positive = 0;
    if (round % 3 != 0) positive = expected;
    if (positive > 0) {
      EXPECT_LE(ball.error.to_double(), 1e-12 * positive.get_d());
    }
  }
  EXPECT_GT(most_units, 10U);
}

TEST(Frontier, BranchesNeedNoMoreThanTheLimit) {
  Random random(84);
  const auto block = random_pattern(random, 14, 0.4);
  int branched = 0;
  for (std::uint64_t k = 0; k < testing::repeats<std::uint64_t>(300); ++k) {
    MethodOptions options = with_memory_for(40 + k);
    options.memory_bytes += k * 5 % 16;
    const auto job = frontier_method().make_job(block, wrap_around(64), options);
    if (job->units() == 1) continue;
    ++branched;
    EXPECT_LE(job->bytes_shared(), options.memory_bytes) << k;
  }
  EXPECT_GT(branched, 5);
}

TEST(Frontier, TheOrderThatIsAskedForIsUsed) {
  // A random tree's line graph is wide for a line and narrow for a tree.
  Random random(85);
  Block<std::int64_t> block;
  const Index n = 80;
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n, 0));
  for (Index v = 0; v < n; ++v) {
    rows[v][v] = 1;
    if (v > 0) rows[v][below(random, v)] = rows[below(random, v)][v] = 1;
  }
  block = dense_block(rows, n);
  const auto described = [&](OrderKind kind) {
    MethodOptions options;
    options.order = kind;
    const auto job = frontier_method().make_job(block, wrap_around(64), options);
    const StopSignal never;
    job->improve(0.05, never);
    return job->describe();
  };
  EXPECT_NE(described(OrderKind::tree).find("a tree with"), std::string::npos);
  for (const OrderKind kind : {OrderKind::rows, OrderKind::columns, OrderKind::annealing})
    EXPECT_NE(described(kind).find("eliminated in a line"), std::string::npos);
  EXPECT_NE(described(OrderKind::rows), described(OrderKind::columns));
}

TEST(Frontier, BranchesFitAndSoDoesTheirList) {
  Random random(84);
  std::size_t most_paths = 0;
  for (int round = 0; round < repeats(20); ++round) {
    OrderSearch search(class_graph(random_pattern(random, 20, 0.2)), 1);
    const ClassGraph& graph = search.graph();
    const Elimination& elimination = search.best();
    const double allowed = forecast_elimination(graph, elimination).log2_peak_bytes_states - 0.8;
    constexpr std::uint64_t any = ~std::uint64_t{0};
    const auto plan = plan_branches(graph, elimination, allowed, 32, any);  // so few are all looked at
    if (!plan || plan->paths.front().empty()) continue;  // empty: no matching, no choice was left
    const std::vector<BranchPath>& paths = plan->paths;
    most_paths = std::max(most_paths, paths.size());
    for (const BranchPath& path : paths) {
      const BranchGraph branch = branch_graph(graph, elimination, path);
      EXPECT_LE(forecast_elimination(branch.graph, branch.elimination).log2_peak_bytes_states, allowed);
    }
    EXPECT_FALSE(plan_branches(graph, elimination, allowed, paths.size() - 1, any));
    EXPECT_FALSE(plan_branches(graph, elimination, allowed, 32, paths.size() * sizeof(BranchPath)));
  }
  EXPECT_GT(most_paths, 2U);
}

TEST(Frontier, SaysWhatItNeedsWhereNothingFits) {
  Random random(82);
  const auto block = random_pattern(random, 60, 0.4);
  const auto options = with_memory_for(100);
  const auto job = frontier_method().make_job(block, wrap_around(64), options);
  EXPECT_EQ(job->units(), 1U);
  EXPECT_GT(job->bytes_shared(), options.memory_bytes);
}

TEST(Frontier, ImprovingChangesNoCount) {
  Random random(83);
  const StopSignal never;
  for (int round = 0; round < 8; ++round) {
    const auto n = static_cast<Index>(14 + below(random, 8));
    const auto block = random_pattern(random, n, 3.0 / n);
    const Arithmetic arithmetic = wrap_around(64);
    const auto job = frontier_method().make_job(block, arithmetic, {});
    const Residues before = run_residues(*job, arithmetic);
    const double work = job->log2_work();
    job->improve(0.02, never);
    EXPECT_LE(job->log2_work(), work);
    EXPECT_EQ(run_residues(*job, arithmetic), before) << "round " << round << "\n" << text_of(block);
    EXPECT_EQ(before, residues_of(permanent_by_states(block), arithmetic));
  }
}

TEST(Frontier, WideJobsUseTheirThreads) {
  Random random(84);
  const auto block = random_pattern(random, 23, 0.5);
  const Arithmetic arithmetic = wrap_around(128);
  std::vector<Residues> results;
  for (const int threads : {1, 2, 5, 8}) {
    MethodOptions options;
    options.threads = threads;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    ASSERT_TRUE(job->runs_on_all_threads());
    EXPECT_GT(job->bytes_shared(), 1U << 20);
    EXPECT_LE(job->speed_up(threads), threads);
    results.push_back(run_residues(*job, arithmetic));
  }
  for (const Residues& other : results) EXPECT_EQ(other, results[0]);
}

// The same units one by one, in line or cut into branches, by other code.
TEST(Frontier, RunsAgainInAnotherArithmetic) {
  Random random(86);
  const StopSignal never;
  std::uint64_t most_units = 0;
  for (int round = 0; round < 12; ++round) {
    const auto block = random_pattern(random, static_cast<Index>(9 + below(random, 4)), 0.5);
    const Arithmetic both = residues_modulo({first_prime, second_prime});
    const Arithmetic second = residues_modulo({second_prime});
    const auto options = round % 2 == 0 ? MethodOptions{} : with_memory_for(40 + below(random, 100));
    const auto job = frontier_method().make_job(block, both, options);
    job->improve(0.005, never);
    const auto again = job->with_moduli_subset(second);
    ASSERT_NE(again, nullptr);
    EXPECT_FALSE(again->improvable());
    EXPECT_EQ(again->describe(), job->describe());
    ASSERT_EQ(again->units(), job->units());
    most_units = std::max(most_units, job->units());
    for (std::uint64_t unit = 0; unit < job->units(); ++unit) {
      ASSERT_EQ(std::get<Residues>(again->run(unit, never)).residue.at(0),
                std::get<Residues>(job->run(unit, never)).residue.at(1))
          << "round " << round << ", unit " << unit << "\n"
          << text_of(block);
    }
  }
  EXPECT_GT(most_units, 10U);
}

TEST(Frontier, DescribesItsPlan) {
  Random random(87);
  const auto strip = grid({2, 10});
  const auto line = frontier_method().make_job(strip, wrap_around(64), {});
  const std::string text = line->describe();
  EXPECT_NE(text.find(" states at the widest, a frontier of "), std::string::npos) << text;
  EXPECT_NE(text.find(" classes, "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" joins") || text.ends_with(" join") || text.ends_with("eliminated in a line"))
      << text;
  EXPECT_EQ(text.find("branches"), std::string::npos) << text;
  const auto job =
      frontier_method().make_job(random_pattern(random, 12, 0.5), wrap_around(64), with_memory_for(50));
  ASSERT_GT(job->units(), 1U);
  EXPECT_NE(job->describe().find(std::to_string(job->units()) + " branches"), std::string::npos)
      << job->describe();
}

TEST(Frontier, StopsInsideALargeStep) {
  Random random(85);
  const auto block = random_pattern(random, 28, 0.6);
  const auto job = frontier_method().make_job(block, wrap_around(64), {});
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(0, stop), Stopped);
}

}  // namespace
}  // namespace countpm
