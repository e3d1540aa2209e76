// The tables: any valid elimination of a block, linear or with joins, in any arithmetic, with any number of
// threads and either code, gives the block's count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/errors.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/kernels/oracle.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using namespace countpm::testing;

Residues run_exactly(const AnyBlock& block, const ClassGraph& graph, const Elimination& elimination,
                     const Arithmetic& arithmetic, const RunOptions& options = {}) {
  const auto columns = make_value_columns(block, arithmetic);
  const StopSignal never;
  return std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, options));
}

template <class Value>
void check_random_eliminations(const Block<Value>& block, const mpq_class& expected, Random& random) {
  const Arithmetic arithmetic = some_residues(random());
  const bool merge_twins = below(random, 4) != 0;
  const ClassGraph graph = class_graph(block, merge_twins);
  const std::vector<Elimination> eliminations{linear_elimination(graph, random),
                                              random_elimination(graph, random),
                                              random_elimination(graph, random)};
  for (const Elimination& elimination : eliminations) {
    RunOptions options;
    options.code = below(random, 2) == 0 ? MergeCode::best : MergeCode::portable;
    options.join = below(random, 2) == 0 ? JoinCode::best : JoinCode::sorted;
    options.threads = static_cast<int>(1 + below(random, 2));
    ASSERT_EQ(run_exactly(block, graph, elimination, arithmetic, options), residues_of(expected, arithmetic))
        << text_of(block) << "\n"
        << text_of(elimination);
  }
}

// Told without the columns, which take entries times moduli.
TEST(FrontierProgram, BytesOfAState) {
  const AnyBlock real = oracle::pattern_block(3, [](Index, Index) { return true; });
  const AnyBlock complex = oracle::make_block<ComplexRational>(2, 2, [](Index, Index) {
    return ComplexRational{1, 2};
  });
  std::vector<std::pair<AnyBlock, Arithmetic>> cases;
  for (std::uint64_t seed = 0; seed < 6; ++seed) cases.emplace_back(real, some_residues(seed));
  for (const Precision precision :
       {Precision::plain, Precision::kahan, Precision::double_double, Precision::mpfr}) {
    Arithmetic rounded;
    rounded.kind = Arithmetic::Kind::floating;
    rounded.precision = precision;
    rounded.bits = 200;
    cases.emplace_back(real, rounded);
    cases.emplace_back(complex, rounded);
  }
  for (const auto& [block, arithmetic] : cases) {
    double bytes = 0;
    const auto columns = make_value_columns(block, arithmetic);
    for (const auto& column : columns->columns()) bytes += static_cast<double>(column->bytes_per_state());
    EXPECT_EQ(bytes_a_state(block, arithmetic), bytes);
  }
}

TEST(FrontierProgram, AnyEliminationOfIntegers) {
  Random random(51);
  for (int round = 0; round < repeats(1500) && !HasFailure(); ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    SCOPED_TRACE(round);
    check_random_eliminations(block, permanent_by_states(block), random);
  }
}

TEST(FrontierProgram, AnyEliminationOfRationals) {
  Random random(52);
  for (int round = 0; round < repeats(200) && !HasFailure(); ++round) {
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
    const ClassGraph graph = class_graph(block);
    ASSERT_EQ(run_exactly(block, graph, random_elimination(graph, random), arithmetic),
              residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

// Twins on both sides: copies of the lines of a small matrix.
TEST(FrontierProgram, AnyEliminationOfTwins) {
  Random random(53);
  for (int round = 0; round < repeats(600) && !HasFailure(); ++round) {
    const auto block = block_of_twins(random, static_cast<Index>(1 + below(random, 4)),
                                      static_cast<Index>(1 + below(random, 9)));
    SCOPED_TRACE(round);
    check_random_eliminations(block, permanent_by_states(block), random);
  }
}

TEST(FrontierProgram, AnyEliminationOfGeneralGraphs) {
  Random random(54);
  for (int round = 0; round < repeats(600) && !HasFailure(); ++round) {
    const auto n = static_cast<Index>(below(random, 15));
    const auto block = random_graph(random, n, 0.15 + 0.1 * static_cast<double>(below(random, 7)));
    SCOPED_TRACE(round);
    check_random_eliminations(block, mpq_class(hafnian_by_definition(block)), random);
  }
}

// To n = 24, where the oracle by rows is still quick.
TEST(FrontierProgram, LargerSparseBlocks) {
  Random random(55);
  for (int round = 0; round < repeats(40) && !HasFailure(); ++round) {
    const auto n = static_cast<Index>(14 + below(random, 11));
    const auto block = random_pattern(random, n, 2.6 / n);
    SCOPED_TRACE(round);
    check_random_eliminations(block, permanent_by_states(block), random);
  }
}

// A comb of one-edge teeth forced badly: every tooth's far end first is easy, every near end stays in the
// frontier, so that the keys are as wide as the comb is long.
TEST(FrontierProgram, KeysOfEveryWidth) {
  for (const Index n : {40U, 70U, 130U, 200U, 260U, 520U, 1030U, 2000U}) {
    // Row i: columns i and i + 1 (a path of 2n vertices with n - 1 extra edges): a bidiagonal matrix.
    Block<std::int64_t> block;
    block.matrix.rows = block.matrix.columns = n;
    for (Index i = 0; i < n; ++i) {
      for (const Index j : {i, i + 1}) {
        if (j >= n) continue;
        block.matrix.column.push_back(j);
        block.matrix.value.push_back(j == i ? 3 : 5);
      }
      block.matrix.row_start.push_back(block.matrix.column.size());
    }
    const ClassGraph graph = class_graph(block);
    // Rows from the last up have forced choices, and every column leaves at once; the other way round, two
    // states a step. Here: a table for every row, joined from the last to the first.
    Elimination joins;
    for (Index i = 0; i < n; ++i) {
      joins.steps.push_back({EliminationStep::Kind::push, no_index});
      joins.steps.push_back({EliminationStep::Kind::eliminate, i});
    }
    for (Index i = 1; i < n; ++i) joins.steps.push_back({EliminationStep::Kind::join, no_index});
    for (Index i = 0; i < n; ++i) joins.steps.push_back({EliminationStep::Kind::eliminate, n + i});
    const Program program = make_program(graph, joins);
    EXPECT_EQ(program.key_bits, n - 1);  // column 0 leaves with its only row
    const Arithmetic arithmetic = residues_modulo({first_prime, 10007});
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), 3, n);
    EXPECT_EQ(run_exactly(block, graph, joins, arithmetic), residues_of(mpq_class(power), arithmetic)) << n;
  }
}

TEST(FrontierProgram, WiderThanAllKeysIsRefused) {
  const Index n = most_key_bits + 1;
  Block<std::int64_t> block;
  block.matrix.rows = block.matrix.columns = n;
  Elimination elimination;
  for (Index i = 0; i < n; ++i) {
    block.matrix.column.push_back(i);
    block.matrix.value.push_back(1);
    block.matrix.row_start.push_back(i + std::uint64_t{1});
  }
  // One row more that all columns touch keeps them open.
  block.matrix.rows = n + 1;
  block.matrix.columns = n + 1;
  for (Index j = 0; j <= n; ++j) {
    block.matrix.column.push_back(j);
    block.matrix.value.push_back(1);
  }
  block.matrix.row_start.push_back(block.matrix.column.size());
  elimination.steps.push_back({EliminationStep::Kind::push, no_index});
  const ClassGraph graph = class_graph(block);
  for (Index v = 0; v < graph.classes(); ++v)
    elimination.steps.push_back({EliminationStep::Kind::eliminate, v});
  const Arithmetic arithmetic = wrap_around(64);
  EXPECT_THROW(run_exactly(block, graph, elimination, arithmetic), UnableError);
}

TEST(FrontierProgram, RefusesEliminationsOfOtherGraphs) {
  Random random(57);
  const auto block = random_pattern(random, 6, 0.7);
  const ClassGraph graph = class_graph(block, false);
  Elimination elimination = linear_elimination(graph, random);
  make_program(graph, elimination);
  Elimination missing = elimination;
  missing.steps.pop_back();
  EXPECT_THROW(make_program(graph, missing), std::invalid_argument);
  Elimination twice = elimination;
  twice.steps.push_back(twice.steps.back());
  EXPECT_THROW(make_program(graph, twice), std::invalid_argument);
  Elimination two_tables = elimination;
  two_tables.steps.insert(two_tables.steps.end() - 3, {EliminationStep::Kind::push, no_index});
  two_tables.steps.push_back({EliminationStep::Kind::join, no_index});
  EXPECT_THROW(make_program(graph, two_tables), std::invalid_argument);
  EXPECT_THROW(make_program(graph, {}), std::invalid_argument);
}

// Large enough for many stretches: the same residues and the same rounding for any number of threads.
TEST(FrontierProgram, ThreadsDoNotMatter) {
  Random random(58);
  const auto block = random_pattern(random, 22, 0.4);
  const ClassGraph graph = class_graph(block);
  const Elimination elimination = rows_in_order(graph);
  const Program program = make_program(graph, elimination);
  const Arithmetic exact = residues_modulo({first_prime});
  Arithmetic rounded;
  rounded.kind = Arithmetic::Kind::floating;
  rounded.precision = Precision::plain;
  const StopSignal never;
  std::vector<Partial> exacts;
  std::vector<Ball> balls;
  for (const int threads : {1, 3, 8}) {
    for (const MergeCode code : {MergeCode::best, MergeCode::portable}) {
      if (threads == 8 && (testing::sanitized || code == MergeCode::portable)) continue;
      RunOptions options;
      options.threads = threads;
      options.code = code;
      RunStatistics statistics;
      const auto residues = make_value_columns(block, exact);
      exacts.push_back(run_program(program, *residues, never, options, &statistics));
      EXPECT_GT(statistics.peak_states, 1U << 19);  // or else there was one stretch only
      if (code == MergeCode::portable && threads != 3) continue;
      const auto doubles = make_value_columns(block, rounded);
      balls.push_back(std::get<Ball>(run_program(program, *doubles, never, options)));
    }
  }
  for (const Partial& other : exacts) EXPECT_EQ(std::get<Residues>(other), std::get<Residues>(exacts[0]));
  for (const Ball& other : balls) {
    EXPECT_EQ(mpfr_cmp(other.re.get(), balls[0].re.get()), 0);
    EXPECT_EQ(mpfr_cmp(other.error.get(), balls[0].error.get()), 0);
  }
  // Against another order.
  const Elimination other = random_linear_rows(graph, random);
  EXPECT_EQ(run_exactly(block, graph, other, exact), std::get<Residues>(exacts[0]));
}

/// Two tables of so many rows each, joined; then the other rows.
Elimination joined_rows(const ClassGraph& graph, Index left, Index right) {
  using Kind = EliminationStep::Kind;
  Elimination result;
  for (Index v = 0; v < graph.classes(); ++v) {
    if (v == 0 || v == left) result.steps.push_back({Kind::push, no_index});
    result.steps.push_back({Kind::eliminate, v});
    if (v + 1 == left + right) result.steps.push_back({Kind::join, no_index});
  }
  return result;
}

// Joins of a large table with a small one (streams) and with a large one (pairs), in several stretches or
// buckets: as a line has it, with the same residues and the same rounding for any number of threads.
TEST(FrontierProgram, LargeJoins) {
  Random random(61);
  struct Case {
    Index n, left, right;
    bool twins;
  };
  Arithmetic rounded;
  rounded.kind = Arithmetic::Kind::floating;
  rounded.precision = Precision::plain;
  const Arithmetic exact = residues_modulo({first_prime});
  const StopSignal never;
  for (const Case& now : {Case{17, 7, 2, false}, Case{17, 2, 7, false}, Case{13, 4, 4, false},
                          Case{14, 6, 6, false}, Case{18, 6, 2, true}, Case{16, 4, 4, true}}) {
    SCOPED_TRACE(::testing::Message() << now.n << " rows, " << now.left << " and " << now.right);
    Block<std::int64_t> block =
        now.twins ? block_of_twins(random, 14, now.n) : random_pattern(random, now.n, 0.6);
    const ClassGraph graph = class_graph(block);
    ASSERT_GE(graph.row_classes, now.left + now.right);
    const Program program = make_program(graph, joined_rows(graph, now.left, now.right));
    const Residues line = run_exactly(block, graph, rows_in_order(graph), exact);
    std::vector<Ball> balls;
    for (const JoinCode join : {JoinCode::best, JoinCode::sorted}) {
      balls.clear();
      for (const int threads : {1, 3}) {
        RunOptions options;
        options.threads = threads;
        options.join = join;
        const auto residues = make_value_columns(block, exact);
        EXPECT_EQ(std::get<Residues>(run_program(program, *residues, never, options)), line);
        const auto doubles = make_value_columns(block, rounded);
        balls.push_back(std::get<Ball>(run_program(program, *doubles, never, options)));
      }
      for (const Ball& other : balls) {
        EXPECT_EQ(mpfr_cmp(other.re.get(), balls[0].re.get()), 0);
        EXPECT_EQ(mpfr_cmp(other.error.get(), balls[0].error.get()), 0);
      }
    }
  }
}

TEST(FrontierProgram, StaysWithinItsMemory) {
  Random random(59);
  const auto block = random_pattern(random, 20, 0.4);
  const ClassGraph graph = class_graph(block);
  const Program program = make_program(graph, rows_in_order(graph));
  const StopSignal never;
  RunStatistics statistics;
  const Arithmetic arithmetic = wrap_around(128);
  const auto columns = make_value_columns(block, arithmetic);
  const Partial free = run_program(program, *columns, never, {}, &statistics);
  EXPECT_GT(statistics.peak_bytes, statistics.peak_states * 20);
  RunOptions options;
  options.memory_bytes = statistics.peak_bytes;
  EXPECT_EQ(std::get<Residues>(run_program(program, *columns, never, options)), std::get<Residues>(free));
  options.memory_bytes = statistics.peak_bytes / 2;
  EXPECT_THROW(run_program(program, *columns, never, options), UnableError);
}

TEST(FrontierProgram, StopsWhenAsked) {
  Random random(60);
  const auto block = random_pattern(random, 24, 0.4);
  const ClassGraph graph = class_graph(block);
  const auto columns = make_value_columns(block, wrap_around(64));
  StopSignal stop;
  stop.request();
  EXPECT_THROW(run_program(make_program(graph, rows_in_order(graph)), *columns, stop, {}), Stopped);
}

}  // namespace
}  // namespace countpm
