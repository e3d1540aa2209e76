// Classes of adjacent twins in general graphs: found as they are defined, counted as without them, drawn and
// forecast. Complete graphs and their like are small then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/order/elimination_cost.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "matching/general_twins.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::adjacent_twins_test {
namespace {

using namespace countpm::testing;

template <class Value>
using Rows = std::vector<std::vector<Value>>;

template <class Value>
Block<Value> general_block(const Rows<Value>& rows) {
  Block<Value> block = dense_block(rows, static_cast<Index>(rows.size()));
  block.general = true;
  return block;
}

/// Vertices are copies of those of a small graph, in any order; the copies of one are adjacent to each other
/// where its diagonal has a value.
template <class Value, class Weight>
Rows<Value> blown_up(Random& random, Index distinct, Index n, const Weight& weight) {
  Rows<Value> core(distinct, std::vector<Value>(distinct));
  for (Index a = 0; a < distinct; ++a) {
    for (Index b = 0; b <= a; ++b) {
      if (below(random, 3) != 0) core[a][b] = core[b][a] = weight();
    }
  }
  std::vector<Index> source(n);
  for (Index& s : source) s = static_cast<Index>(below(random, distinct));
  Rows<Value> rows(n, std::vector<Value>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      if (i != j) rows[i][j] = core[source[i]][source[j]];
    }
  }
  return rows;
}

Rows<std::int64_t> blown_up_integers(Random& random, Index distinct, Index n) {
  const bool weighted = below(random, 2) == 0;
  return blown_up<std::int64_t>(
      random, distinct, n, [&] { return weighted ? static_cast<std::int64_t>(below(random, 7)) - 3 : 1; });
}

Block<std::int64_t> complete_graph(Index n) {
  Rows<std::int64_t> rows(n, std::vector<std::int64_t>(n, 1));
  for (Index i = 0; i < n; ++i) rows[i][i] = 0;
  return general_block(rows);
}

mpq_class hafnian(const Rows<mpq_class>& rows, std::vector<bool>& taken) {
  const auto from = static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
  if (from == rows.size()) return 1;
  taken[from] = true;
  mpq_class sum = 0;
  for (std::size_t j = from + 1; j < rows.size(); ++j) {
    if (taken[j] || rows[from][j] == 0) continue;
    taken[j] = true;
    sum += rows[from][j] * hafnian(rows, taken);
    taken[j] = false;
  }
  taken[from] = false;
  return sum;
}

Residues run_exactly(const AnyBlock& block, const ClassGraph& graph, const Elimination& elimination,
                     const Arithmetic& arithmetic, const RunOptions& options = {},
                     RunStatistics* statistics = nullptr) {
  const auto columns = make_value_columns(block, arithmetic);
  const StopSignal never;
  return std::get<Residues>(
      run_program(make_program(graph, elimination), *columns, never, options, statistics));
}

bool are_twins(const Rows<std::int64_t>& rows, Index i, Index j) {
  for (Index x = 0; x < rows.size(); ++x) {
    if (x != i && x != j && rows[i][x] != rows[j][x]) return false;
  }
  return true;
}

TEST(AdjacentTwins, ClassesAreThoseOfTheDefinition) {
  Random random(91);
  Index adjacent = 0;
  Index apart = 0;
  for (int round = 0; round < repeats(900); ++round) {
    const auto n = static_cast<Index>(below(random, 14));
    const Rows<std::int64_t> rows = blown_up_integers(random, static_cast<Index>(1 + below(random, 6)), n);
    const Block<std::int64_t> block = general_block(rows);
    const GeneralTwins twins = general_twins(block.matrix);
    ASSERT_EQ(twins.class_of.size(), n);
    ASSERT_EQ(twins.inside.size(), twins.classes);
    Index next = 0;
    for (Index i = 0; i < n; ++i) {
      ASSERT_LE(twins.class_of[i], next);
      if (twins.class_of[i] == next) ++next;
      for (Index j = 0; j < i; ++j) {
        const bool together = twins.class_of[i] == twins.class_of[j];
        ASSERT_EQ(together, are_twins(rows, i, j)) << i << ' ' << j << '\n' << text_of(block);
        if (!together) continue;
        const std::uint64_t entry = twins.inside[twins.class_of[i]];
        ASSERT_EQ(entry == GeneralTwins::no_entry, rows[i][j] == 0) << text_of(block);
        ++(rows[i][j] == 0 ? apart : adjacent);
        if (entry != GeneralTwins::no_entry) {
          ASSERT_EQ(block.matrix.value[entry], rows[i][j]) << text_of(block);
        }
      }
    }
    ASSERT_EQ(next, twins.classes);
  }
  EXPECT_GT(adjacent, repeats(900U));
  EXPECT_GT(apart, repeats(900U));
}

TEST(AdjacentTwins, AnyEliminationCountsAsTheDefinitionDoes) {
  Random random(92);
  int with_inner = 0;
  for (int round = 0; round < repeats(900); ++round) {
    const auto n = static_cast<Index>(below(random, 13));
    const auto block = general_block(blown_up_integers(random, static_cast<Index>(1 + below(random, 5)), n));
    const ClassGraph graph = class_graph(block);
    with_inner += graph.inner.empty() ? 0 : 1;
    const Arithmetic arithmetic = some_residues(random());
    const Residues expected = residues_of(mpq_class(hafnian_by_definition(block)), arithmetic);
    for (const Elimination& elimination :
         {linear_elimination(graph, random), random_elimination(graph, random)}) {
      RunOptions options;
      options.code = below(random, 2) == 0 ? MergeCode::best : MergeCode::portable;
      options.join = below(random, 2) == 0 ? JoinCode::best : JoinCode::sorted;
      options.threads = static_cast<int>(1 + below(random, 2));
      RunStatistics statistics;
      ASSERT_EQ(run_exactly(block, graph, elimination, arithmetic, options, &statistics), expected)
          << "round " << round << '\n'
          << text_of(block) << '\n'
          << text_of(elimination);
      const EliminationForecast forecast = forecast_elimination(graph, elimination);
      ASSERT_LE(std::log2(static_cast<double>(std::max<std::uint64_t>(statistics.peak_states, 1))),
                forecast.log2_peak_states + 1e-9)
          << "round " << round << '\n'
          << text_of(block) << '\n'
          << text_of(elimination);
    }
  }
  EXPECT_GT(with_inner, repeats(450));
}

TEST(AdjacentTwins, RationalAndRoundedWeights) {
  Random random(93);
  const Arithmetic exact = residues_modulo({first_prime, second_prime});
  for (int round = 0; round < repeats(300); ++round) {
    const auto n = static_cast<Index>(2 * below(random, 5));
    const auto rows = blown_up<mpq_class>(random, static_cast<Index>(1 + below(random, 4)), n,
                                          [&] { return random_rational(random); });
    const Block<mpq_class> block = general_block(rows);
    const ClassGraph graph = class_graph(block);
    std::vector<bool> taken(n, false);
    const mpq_class expected = hafnian(rows, taken);
    const Elimination elimination = random_elimination(graph, random);
    ASSERT_EQ(run_exactly(block, graph, elimination, exact), residues_of(expected, exact))
        << text_of(block) << '\n'
        << text_of(elimination);
    Arithmetic rounded;
    rounded.kind = Arithmetic::Kind::floating;
    rounded.precision = round % 2 == 0 ? Precision::plain : Precision::double_double;
    const auto columns = make_value_columns(block, rounded);
    const StopSignal never;
    const Ball ball = std::get<Ball>(run_program(make_program(graph, elimination), *columns, never, {}));
    mpq_class centre;
    mpq_class error;
    mpfr_get_q(centre.get_mpq_t(), ball.re.get());
    mpfr_get_q(error.get_mpq_t(), ball.error.get());
    ASSERT_LE(abs(centre - expected), error) << text_of(block) << '\n' << text_of(elimination);
    ASSERT_LE(error, abs(expected) * mpq_class(1, 1000000) + mpq_class(1)) << text_of(block);
  }
}

// A path takes members of a class together, too.
TEST(AdjacentTwins, BranchesAddUp) {
  Random random(94);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  int inner_choices = 0;
  for (int round = 0; round < repeats(200); ++round) {
    const auto n = static_cast<Index>(2 + 2 * below(random, 5));
    const auto block = general_block(blown_up_integers(random, static_cast<Index>(1 + below(random, 4)), n));
    const ClassGraph graph = class_graph(block);
    const Elimination elimination = linear_elimination(graph, random);
    std::vector<Index> classes;
    std::vector<Index> members = graph.multiplicity;
    for (std::uint64_t k = below(random, 4); k > 0; --k) {
      const auto v = static_cast<Index>(below(random, graph.classes()));
      if (members[v] == 0) continue;
      --members[v];
      classes.push_back(v);
    }
    const auto plan = branches_over(graph, classes, 10000, std::uint64_t{1} << 30);
    ASSERT_TRUE(plan);
    const auto columns = make_value_columns(block, arithmetic);
    Partial sum = zero(arithmetic);
    for (const BranchPath& path : plan->paths) {
      const BranchGraph branch = branch_graph(graph, elimination, path);
      Partial term = run_exactly(block, branch.graph, branch.elimination, arithmetic);
      for (const BranchChoice& choice : path) {
        inner_choices += choice.v == choice.u ? 1 : 0;
        multiply(term, columns->factor(block, choice.entry, choice.ways), arithmetic);
      }
      add(sum, term, arithmetic);
    }
    const mpz_class expected = hafnian_by_definition(block);
    ASSERT_EQ(std::get<Residues>(sum), residues_of(mpq_class(expected), arithmetic)) << text_of(block);
  }
  EXPECT_GE(inner_choices, testing::fewest(90));
}

TEST(AdjacentTwins, CompleteGraphsAreOneClass) {
  const StopSignal never;
  for (const Index n : {2U, 4U, 7U, 10U, 40U, 100U, 300U}) {
    const auto block = complete_graph(n);
    const ClassGraph graph = class_graph(block);
    ASSERT_EQ(graph.classes(), 1U);
    EXPECT_EQ(graph.multiplicity[0], n);
    mpz_class expected = n % 2 == 0 ? 1 : 0;
    for (Index k = 1; n % 2 == 0 && k < n; k += 2) expected *= k;
    const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
    MethodOptions options;
    const auto job = frontier_method().make_job(block, arithmetic, options);
    ASSERT_EQ(job->units(), 1U);
    EXPECT_LT(job->log2_work(), std::log2(4.0 * n));
    EXPECT_EQ(std::get<Residues>(job->run(0, never)), residues_of(mpq_class(expected), arithmetic)) << n;
  }
}

// Three parts of 12 with all edges between them, with and without those within the first two; a pentagon of
// cliques of 4; the forecast is within four times what is done.
TEST(AdjacentTwins, BlowUpsCountAsWithoutClasses) {
  const auto graph_of = [](Index parts, Index size, const auto& adjacent) {
    Rows<std::int64_t> rows(parts * size, std::vector<std::int64_t>(parts * size));
    for (Index i = 0; i < parts * size; ++i) {
      for (Index j = 0; j < parts * size; ++j) rows[i][j] = i != j && adjacent(i / size, j / size) ? 1 : 0;
    }
    return general_block(rows);
  };
  const std::vector<Block<std::int64_t>> blocks{
      graph_of(3, 6, [](Index a, Index b) { return a != b; }),
      graph_of(3, 6, [](Index a, Index b) { return a != b || a < 2; }),
      graph_of(5, 4, [](Index a, Index b) { return a == b || (a + 1) % 5 == b || (b + 1) % 5 == a; })};
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const auto& block : blocks) {
    const OrderSearch merged(class_graph(block), 1);
    const OrderSearch apart(class_graph(block, false), 1);
    EXPECT_LE(merged.graph().classes(), 5U);
    RunStatistics statistics;
    EXPECT_EQ(run_exactly(block, merged.graph(), merged.best(), arithmetic, {}, &statistics),
              run_exactly(block, apart.graph(), apart.best(), arithmetic));
    const double log2_moves = std::log2(static_cast<double>(statistics.moves));
    EXPECT_NEAR(merged.forecast().log2_transitions, log2_moves, 2);
  }
}

// Vertices that stay to the end have the places within blocks.
TEST(AdjacentTwins, BlocksStayFull) {
  const Index n = 20;
  const ClassGraph graph = class_graph(complete_graph(n), false);
  const Program program = make_program(graph, rows_in_order(graph));
  ASSERT_EQ(program.rounds.size(), n - std::size_t{1});  // the last vertex is closed by then
  for (Index r = 1; r < program.rounds.size(); ++r) {
    const Field own = program.rounds[r].streams.front().changes.front().field;
    EXPECT_EQ(own.offset<6, r + 7> n) << r;
  }
}

}  // namespace
}  // namespace countpm::adjacent_twins_test
