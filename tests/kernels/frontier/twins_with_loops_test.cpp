// Classes of twins whose members may stay alone: found as they are defined, counted as without them, with
// branches, in floating point, and in passes.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/passes/frontier_passes.hpp"
#include "kernels/frontier/tables/integer_column.hpp"
#include "kernels/frontier/tables/run_program.hpp"
#include "matching/general_twins.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::twins_with_loops_test {
namespace {

using namespace countpm::testing;

using Rows = std::vector<std::vector<mpq_class>>;

/// Copies of the vertices of a small graph, in any order, adjacent to each other where the small one has a
/// loop; of the copies of one, two loops at most are different.
Rows blown_up(Random& random, Index distinct, Index n, bool fractions) {
  const auto weight = [&] {
    return fractions ? random_rational(random) : mpq_class(below(random, 3) == 0 ? -1 : 1);
  };
  Rows core(distinct, std::vector<mpq_class>(distinct));
  std::vector<std::vector<mpq_class>> loops(distinct);
  for (Index a = 0; a < distinct; ++a) {
    for (Index b = 0; b <= a; ++b) {
      if (below(random, 3) != 0) core[a][b] = core[b][a] = weight();
    }
    loops[a] = {weight(), below(random, 3) == 0 ? weight() : mpq_class(0)};
    if (below(random, 3) == 0) loops[a][1] = core[a][a];
  }
  std::vector<Index> source(n);
  for (Index& s : source) s = static_cast<Index>(below(random, distinct));
  Rows rows(n, std::vector<mpq_class>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) rows[i][j] = core[source[i]][source[j]];
    rows[i][i] = loops[source[i]][below(random, 4) == 0 ? 1 : 0];
  }
  return rows;
}

Block<mpq_class> block_of(const Rows& rows) {
  Block<mpq_class> block = dense_block(rows, static_cast<Index>(rows.size()));
  block.general = block.monomers = true;
  return block;
}

mpq_class loop_hafnian(const Rows& rows, std::vector<bool>& taken, std::size_t from = 0) {
  while (from < rows.size() && taken[from]) ++from;
  if (from == rows.size()) return 1;
  mpq_class sum =
      rows[from][from] == 0 ? mpq_class(0) : rows[from][from] * loop_hafnian(rows, taken, from + 1);
  for (std::size_t j = from + 1; j < rows.size(); ++j) {
    if (taken[j] || rows[from][j] == 0) continue;
    taken[j] = true;
    sum += rows[from][j] * loop_hafnian(rows, taken, from + 1);
    taken[j] = false;
  }
  return sum;
}
mpq_class loop_hafnian(const Rows& rows) {
  std::vector<bool> taken(rows.size(), false);
  return loop_hafnian(rows, taken);
}

Residues run_exactly(const AnyBlock& block, const ClassGraph& graph, const Elimination& elimination,
                     const Arithmetic& arithmetic, RunStatistics* statistics = nullptr) {
  const auto columns = make_value_columns(block, arithmetic);
  const StopSignal never;
  return std::get<Residues>(run_program(make_program(graph, elimination), *columns, never, {}, statistics));
}

bool are_twins(const Rows& rows, Index i, Index j) {
  for (Index x = 0; x < rows.size(); ++x) {
    if (x != i && x != j && rows[i][x] != rows[j][x]) return false;
  }
  return rows[i][i] == rows[j][j];
}

TEST(TwinsWithLoops, ClassesAreThoseOfTheDefinition) {
  Random random(191);
  int together_and_adjacent = 0;
  for (int round = 0; round < repeats(300); ++round) {
    const auto n = static_cast<Index>(below(random, 12));
    const Rows rows = blown_up(random, static_cast<Index>(1 + below(random, 4)), n, round % 2 == 0);
    const Block<mpq_class> block = block_of(rows);
    const GeneralTwins twins = general_twins_with_loops(block.matrix);
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
        if (entry == GeneralTwins::no_entry) continue;
        ++together_and_adjacent;
        ASSERT_EQ(block.matrix.value[entry], rows[i][j]) << text_of(block);
      }
    }
    ASSERT_EQ(next, twins.classes);
  }
  EXPECT_GT(together_and_adjacent, repeats(300));
}

TEST(TwinsWithLoops, AnyEliminationCountsAsTheDefinitionDoes) {
  Random random(192);
  int both = 0;
  for (int round = 0; round < repeats(400); ++round) {
    const auto n = static_cast<Index>(below(random, 11));
    const Rows rows = blown_up(random, static_cast<Index>(1 + below(random, 4)), n, round % 2 == 0);
    const Block<mpq_class> block = block_of(rows);
    const ClassGraph graph = class_graph(block);
    for (Index v = 0; v < graph.classes(); ++v) both += graph.has_inner(v) && graph.has_loop(v) ? 1 : 0;
    const Arithmetic exact = residues_modulo({first_prime, second_prime});
    const mpq_class expected = loop_hafnian(rows);
    for (const Elimination& elimination :
         {linear_elimination(graph, random), random_elimination(graph, random)}) {
      RunStatistics statistics;
      ASSERT_EQ(run_exactly(block, graph, elimination, exact, &statistics), residues_of(expected, exact))
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
    const StopSignal never;
    const Program line = make_program(graph, linear_elimination(graph, random));
    const Arithmetic many = residues_modulo({first_prime, second_prime, 4611686018427387847ULL, 10007});
    ASSERT_EQ(std::get<Residues>(run_program(line, *make_integer_columns(block, many), never, {})),
              residues_of(expected, many))
        << "round " << round << '\n'
        << text_of(block);
    Arithmetic rounded;
    rounded.kind = Arithmetic::Kind::floating;
    rounded.precision = round % 2 == 0 ? Precision::plain : Precision::double_double;
    const auto columns = make_value_columns(block, rounded);
    const Ball ball = std::get<Ball>(
        run_program(make_program(graph, random_elimination(graph, random)), *columns, never, {}));
    mpq_class centre;
    mpq_class error;
    mpfr_get_q(centre.get_mpq_t(), ball.re.get());
    mpfr_get_q(error.get_mpq_t(), ball.error.get());
    ASSERT_LE(abs(centre - expected), error) << text_of(block);
    ASSERT_LE(error, abs(expected) * mpq_class(1, 1000000) + mpq_class(1)) << text_of(block);
  }
  EXPECT_GT(both, repeats(200));
}

TEST(TwinsWithLoops, BranchesAddUp) {
  Random random(193);
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  int alone = 0;
  for (int round = 0; round < repeats(150); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 9));
    const Rows rows = blown_up(random, static_cast<Index>(1 + below(random, 3)), n, false);
    const Block<mpq_class> block = block_of(rows);
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
        alone += choice.u == no_index ? 1 : 0;
        multiply(term, columns->factor(block, choice.entry, choice.ways), arithmetic);
      }
      add(sum, term, arithmetic);
    }
    ASSERT_EQ(std::get<Residues>(sum), residues_of(loop_hafnian(rows), arithmetic)) << text_of(block);
  }
  EXPECT_GT(alone, repeats(100));
}

/// The share of every entry: with it the sum over what the other vertices do.
mpq_class share_of(const Rows& rows, Index i, Index j, const mpq_class& total) {
  std::vector<bool> taken(rows.size(), false);
  taken[i] = taken[j] = true;
  return rows[i][j] * loop_hafnian(rows, taken) / total;
}

TEST(TwinsWithLoops, UsesOfEdgesAndLoops) {
  Random random(194);
  const StopSignal never;
  int compared = 0;
  for (int round = 0; round < repeats(150); ++round) {
    const auto n = static_cast<Index>(1 + below(random, 8));
    const Rows rows = blown_up(random, static_cast<Index>(1 + below(random, 3)), n, round % 2 == 0);
    const mpq_class total = loop_hafnian(rows);
    if (total == 0) continue;
    const Block<mpq_class> block = block_of(rows);
    ClassLines lines;
    const ClassGraph graph = class_graph(block, true, &lines);
    FrontierPasses passes(block, graph, lines, linear_elimination(graph, random), {});
    const EdgeUses found = passes.edge_uses(never);
    for (Index i = 0; i < n; ++i) {
      for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::size_t{1}]; ++k) {
        mpq_class share(found.uses[found.place[k]], passes.total(never) * found.pairs[k]);
        share.canonicalize();
        ASSERT_EQ(share, share_of(rows, i, block.matrix.column[k], total)) << text_of(block) << "entry " << k;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, testing::fewest(1000));
}

TEST(TwinsWithLoops, CompleteGraphsAreOneClass) {
  const StopSignal never;
  const Arithmetic arithmetic = residues_modulo({first_prime, second_prime});
  for (const Index n : {1U, 2U, 3U, 10U, 41U, 90U}) {
    const Block<mpq_class> block = block_of(Rows(n, std::vector<mpq_class>(n, 1)));
    ASSERT_EQ(class_graph(block).classes(), 1U);
    // OEIS A000085: involutions.
    mpz_class before = 1;
    mpz_class expected = 1;
    for (Index k = 2; k <= n; ++k) {
      const mpz_class next = expected + (k - 1) * before;
      before = expected;
      expected = next;
    }
    const auto job = frontier_method().make_job(block, arithmetic, {});
    EXPECT_LT(job->log2_work(), std::log2(8.0 * n));
    EXPECT_EQ(std::get<Residues>(job->run(0, never)), residues_of(mpq_class(expected), arithmetic)) << n;
  }
}

}  // namespace
}  // namespace countpm::twins_with_loops_test
