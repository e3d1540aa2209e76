// nearly-planar: against the hafnian by sets and frontier, on planar graphs with edges and vertices added.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/competitor.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/planar/crossings/branch_sum.hpp"
#include "kernels/planar/crossings/curves.hpp"
#include "kernels/planar/crossings/disjoint_sets.hpp"
#include "kernels/planar/crossings/method.hpp"
#include "kernels/planar/crossings/separate_sum.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/polynomial_method.hpp"
#include "kernels/support/plan_text.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/repeats.hpp"

namespace countpm::nearly_planar_test {
namespace {

using namespace testing_support;
using testing::repeats;

constexpr ValueKind kinds[] = {ValueKind::ones, ValueKind::small_positive, ValueKind::small_signed,
                               ValueKind::large};

Arithmetic enough_primes(const AnyBlock& block) {
  Arithmetic arithmetic;
  arithmetic.moduli =
      choose_primes(static_cast<unsigned>((log2_upper_bound(block) + 2) / 49) + 1, {denominator(block)}, 50);
  return arithmetic;
}

/// The count times the block's denominator.
mpz_class counted(const Method& method, const AnyBlock& block) {
  const Arithmetic arithmetic = enough_primes(block);
  EXPECT_EQ(method.obstacle(block, arithmetic), std::nullopt);
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, {});
  EXPECT_TRUE(std::isfinite(job->log2_work()));
  Partial total = testing::sum_of_units(*job, arithmetic);
  multiply(total, from_factor(mpq_class(denominator(block)), arithmetic), arithmetic);
  return join_residues(std::get<Residues>(total), arithmetic.moduli, true);
}

void add_edge(EdgeList& graph, Index a, Index b) {
  const std::pair<Index, Index> edge = std::minmax(a, b);
  if (a != b && std::find(graph.edges.begin(), graph.edges.end(), edge) == graph.edges.end())
    graph.edges.push_back(edge);
}

/// Edges between random vertices, and vertices with random neighbours.
EdgeList with_additions(EdgeList graph, Index edges, Index apexes, Random& random) {
  for (auto& [a, b] : graph.edges) {
    if (a > b) std::swap(a, b);
  }
  for (Index k = 0; k < edges && graph.vertices > 1; ++k)
    add_edge(graph, random.below(graph.vertices), random.below(graph.vertices));
  for (; apexes > 0; --apexes) {
    const Index apex = graph.vertices++;
    for (Index k = random.below(8); k > 0; --k) add_edge(graph, apex, random.below(graph.vertices));
  }
  return graph;
}

/// Vertices of `rows` x `columns`, those of one colour first; the other half follows.
EdgeList grid(Index rows, Index columns) {
  EdgeList graph{rows * columns, {}};
  const auto number = [&](Index r, Index c) {
    const Index at = r * columns + c;
    return at / 2 + ((r + c) % 2 == 0 ? 0 : graph.vertices / 2);
  };
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      if (r + 1 < rows) add_edge(graph, number(r, c), number(r + 1, c));
      if (c + 1 < columns) add_edge(graph, number(r, c), number(r, c + 1));
    }
  }
  return graph;
}

TEST(NearlyPlanar, RandomGraphsAgainstSetsOfVertices) {
  int positive = 0;
  for (int seed = 1; seed <= repeats(600); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList graph =
        with_additions(random_planar(random.below(15), random), random.below(6), random.below(3), random);
    const SparsePattern pattern = graph_of(graph.vertices, graph.edges);
    const auto integers = with_symmetric_values<std::int64_t>(pattern, kinds[seed % 4], random);
    const mpq_class expected = hafnian(integers);
    positive += expected != 0 ? 1 : 0;
    ASSERT_EQ(mpq_class(counted(nearly_planar_method(), general_block(integers))), expected)
        << "seed " << seed << "\n"
        << show(integers);
    const auto rationals = with_symmetric_values<mpq_class>(pattern, ValueKind::small_signed, random);
    const AnyBlock fractions = general_block(rationals);
    ASSERT_EQ(mpq_class(counted(nearly_planar_method(), fractions)),
              hafnian(rationals) * denominator(fractions))
        << "seed " << seed << "\n"
        << show(rationals);
  }
  EXPECT_GT(positive, repeats(100));
}

TEST(NearlyPlanar, RandomMatricesAgainstSetsOfVertices) {
  int positive = 0;
  for (int seed = 1; seed <= repeats(600); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList planar = random_planar(2 * random.below(9), random);
    const EdgeList graph = between_halves(with_additions(planar, random.below(10), 0, random));
    const auto values =
        with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges), kinds[seed % 4], random);
    const mpq_class expected = hafnian(values);
    positive += expected != 0 ? 1 : 0;
    ASSERT_EQ(mpq_class(counted(nearly_planar_method(), bipartite_block_of(values))), expected)
        << "seed " << seed << "\n"
        << show(values);
  }
  EXPECT_GT(positive, repeats(60));
}

// Curves cross many edges, and each other.
TEST(NearlyPlanar, LatticesWithLongEdgesAgainstFrontier) {
  for (int seed = 1; seed <= repeats(24); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList lattice = grid(6, 6 + random.below(3));
    const EdgeList graph = with_additions(lattice, 2 + random.below(5), 0, random);
    const EdgeList halves = between_halves(graph);
    const auto general =
        with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges), kinds[seed % 4], random);
    const auto bipartite =
        with_symmetric_values<std::int64_t>(graph_of(halves.vertices, halves.edges), kinds[seed % 4], random);
    for (const AnyBlock& block :
         {AnyBlock(general_block(general)), AnyBlock(bipartite_block_of(bipartite))}) {
      const mpz_class count = counted(frontier_method(), block);
      ASSERT_EQ(counted(nearly_planar_method(), block), count) << "seed " << seed;
      const double bits = static_cast<double>(mpz_sizeinbase(count.get_mpz_t(), 2));
      ASSERT_LE(bits - 1, prepare(nearly_planar_method(), block)->log2_bound(1)) << "seed " << seed;
    }
  }
}

AnyBlock crossed_lattice() {
  Random random(7);
  EdgeList graph = grid(6, 6);
  while (graph.edges.size() < 60 + 12) {
    const Index a = random.below(18);
    add_edge(graph, a, 18 + random.below(18));
  }
  return bipartite_block_of(with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                                ValueKind::small_positive, random));
}

// A share of the sets at a time, and again by other curves.
TEST(NearlyPlanar, UnitsAreTheSameByOtherCurves) {
  const AnyBlock block = crossed_lattice();
  const Arithmetic arithmetic = enough_primes(block);
  const std::unique_ptr<Job> job = nearly_planar_method().make_job(block, arithmetic, {});
  ASSERT_GT(job->units(), 4U);
  Arithmetic one;
  one.moduli = {arithmetic.moduli.back()};
  const std::unique_ptr<Job> again = job->with_moduli_subset(one);
  ASSERT_EQ(again->units(), job->units());
  const StopSignal never;
  int different = 0;
  for (std::uint64_t unit = 0; unit < job->units(); ++unit) {
    const auto residues = std::get<Residues>(job->run(unit, never));
    ASSERT_EQ(std::get<Residues>(again->run(unit, never)).residue[0], residues.residue.back()) << unit;
    different += residues.residue.back() != 0 ? 1 : 0;
  }
  EXPECT_GT(different, 2);
  EXPECT_EQ(counted(nearly_planar_method(), block), counted(frontier_method(), block));
}

TEST(NearlyPlanar, PlansAreKept) {
  const AnyBlock block = crossed_lattice();
  const Arithmetic arithmetic = enough_primes(block);
  const std::unique_ptr<Job> job = nearly_planar_method().make_job(block, arithmetic, {});
  const auto with_plan = [&](const std::string& plan) {
    MethodOptions options;
    options.plan = plan;
    return nearly_planar_method().make_job(block, arithmetic, options);
  };
  EXPECT_EQ(with_plan(job->plan())->units(), job->units());
  EXPECT_EQ(with_plan(job->plan())->plan(), job->plan());
  for (const char* plan : {"", "edges 1 2 3", "edges 1 2 3; decided 0", "edges 1 1; decided 0",
                           "edges 100; decided 0", "edges; decided 1", "decided 0"})
    EXPECT_THROW(with_plan(plan), PlanError) << plan;
}

// Sets that share eliminations, and each by itself.
TEST(NearlyPlanar, BothSumsOverTheSetsAgree) {
  constexpr std::uint64_t prime = 1000003;
  int nonzero = 0;
  for (int seed = 1; seed <= repeats(90); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList graph =
        with_additions(grid(4, 4 + random.below(4)), 1 + random.below(6), 2 * random.below(2), random);
    const bool bipartite = seed % 2 == 0;
    const EdgeList kept = bipartite ? between_halves(graph) : graph;
    const auto values =
        with_symmetric_values<std::int64_t>(graph_of(kept.vertices, kept.edges), kinds[seed % 4], random);
    const AnyBlock block = bipartite ? AnyBlock(bipartite_block_of(values)) : AnyBlock(general_block(values));
    const planar::BlockGraph whole = planar::block_graph(block);
    const auto part = std::get<planar::PlanarPart>(planar::planar_part(whole));
    const planar::Curves curves = planar::draw_curves(whole, part, 1);
    const planar::SignedMatrix matrix = planar::signed_matrix(block, whole, curves.orientation);
    const planar::BranchPlan plan = planar::branch_plan(whole, part, curves, {}, 1);
    const planar::FrontTree tree = planar::dissection_tree(whole);
    const StopSignal never;
    const auto shared =
        planar::branch_sum(matrix, part, curves, plan, {}, planar::portable_lanes(), {prime}, never, nullptr);
    const auto separate = planar::separate_sum(matrix, part, curves, plan.order, tree, {},
                                               planar::portable_lanes(), {prime}, never, nullptr);
    ASSERT_EQ(shared, separate) << "seed " << seed << "\n" << show(values);
    nonzero += shared[0] != 0 && !part.crossing.empty() ? 1 : 0;
  }
  EXPECT_GE(nonzero, testing::fewest(18));
}

// Modulo 3 a third of all pivots vanish, in some lanes and not in others.
TEST(NearlyPlanar, ResiduesModuloSmallPrimes) {
  Arithmetic arithmetic;
  for (const std::uint64_t prime : {3, 5, 7, 11, 13, 101, 257, 10007, 3, 3, 3})
    arithmetic.moduli.push_back({prime, 0});
  for (int seed = 1; seed <= repeats(120); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList graph =
        with_additions(random_planar(2 * random.below(8), random), random.below(6), 0, random);
    const auto values = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                            ValueKind::small_signed, random);
    const mpz_class expected(hafnian(values).get_num());
    const std::unique_ptr<Job> job = nearly_planar_method().make_job(general_block(values), arithmetic, {});
    const auto total = std::get<Residues>(testing::sum_of_units(*job, arithmetic));
    for (std::size_t k = 0; k < arithmetic.moduli.size(); ++k) {
      const std::uint64_t prime = arithmetic.moduli[k].prime;
      ASSERT_EQ(static_cast<std::uint64_t>(total.residue[k]), mpz_fdiv_ui(expected.get_mpz_t(), prime))
          << "seed " << seed << " modulo " << prime << "\n"
          << show(values);
    }
  }
}

TEST(NearlyPlanar, TheBoundIsNoSmallerThanTheCount) {
  int compared = 0;
  for (int seed = 1; seed <= repeats(60); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList graph = with_additions(grid(4, 4), random.below(6), 2 * random.below(2), random);
    const auto values =
        with_symmetric_values<mpq_class>(graph_of(graph.vertices, graph.edges), kinds[seed % 3], random);
    const AnyBlock block = general_block(values);
    const mpq_class count = hafnian(values) * denominator(block);
    if (count == 0) continue;
    ++compared;
    const double bound = prepare(nearly_planar_method(), block)->log2_bound(1);
    ASSERT_LE(std::log2(std::abs(count.get_d())), bound + 1e-9) << "seed " << seed << "\n" << show(values);
    ASSERT_LE(bound, log2_upper_bound(block) + 12) << "seed " << seed;
  }
  EXPECT_GT(compared, repeats(30));
}

TEST(NearlyPlanar, NoCrossingEdgesWhereThereAreNone) {
  const auto part_of = [](const std::string& spec) {
    return std::get<planar::PlanarPart>(planar::planar_part(planar::block_graph(lattice_block(spec))));
  };
  EXPECT_TRUE(part_of("square:6x7").crossing.empty());
  EXPECT_EQ(counted(nearly_planar_method(), lattice_block("square:8x8")), 12988816);
  // K5 and K3,3 have one each.
  EXPECT_EQ(part_of("torus:3x4").graph.edges.size() + part_of("torus:3x4").crossing.size(), 24U);
}

TEST(NearlyPlanar, RefusesWhatIsFarFromPlanar) {
  Random random(1);
  const SparsePattern pattern = random_graph(60, 0.5, random);
  const auto values = with_symmetric_values<std::int64_t>(pattern, ValueKind::ones, random);
  const AnyBlock block = general_block(values);
  const auto obstacle = nearly_planar_method().obstacle(block, enough_primes(block));
  ASSERT_TRUE(obstacle.has_value());
  EXPECT_EQ(obstacle->kind, RefusalKind::structure);
  EXPECT_NE(obstacle->text.find("far from planar"), std::string::npos) << obstacle->text;
}

/// A cycle of 2 k vertices, every other one joined to a vertex inside, the rest to one outside: all faces
/// have four sides. Each half of the vertices has one colour.
EdgeList quadrangulation(Index k) {
  EdgeList graph{2 * k + 2, {}};
  for (Index i = 0; i < k; ++i) {
    for (const Index b : {k + 1 + i, k + 1 + (i + k - 1) % k, 2 * k + 1}) add_edge(graph, i, b);
    add_edge(graph, k, k + 1 + i);
  }
  return graph;
}

// Triangulations and quadrangulations have no room for an edge more: each that is added leaves one out.
TEST(NearlyPlanar, LeastSetsAreNoMoreThanAreFound) {
  int said = 0;
  for (int seed = 1; seed <= repeats(90); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const bool bipartite = seed % 3 == 0;
    EdgeList graph =
        bipartite ? quadrangulation(3 + random.below(8)) : random_triangulation(8 + random.below(20), random);
    graph = with_additions(std::move(graph), random.below(9), bipartite ? 0 : seed % 2, random);
    if (bipartite) graph = between_halves(graph);
    const auto values =
        with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges), ValueKind::ones, random);
    const planar::BlockGraph whole = bipartite ? planar::block_graph(bipartite_block_of(values))
                                               : planar::block_graph(general_block(values));
    const auto part = std::get<planar::PlanarPart>(planar::planar_part(whole));
    const double least = planar::least_sets(whole);
    ASSERT_LE(least, static_cast<double>(part.sets)) << "seed " << seed << "\n" << show(values);
    said += least > 1 ? 1 : 0;
  }
  EXPECT_GT(said, repeats(30));
}

TEST(NearlyPlanar, SearchesNoFurtherThanItsLimits) {
  EdgeList graph = grid(8, 8);
  for (const auto& [a, b] : {std::pair<Index, Index>{0, 63}, {3, 60}}) add_edge(graph, a, b);
  Random random(1);
  const auto values = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                          ValueKind::small_positive, random);
  const planar::BlockGraph whole = planar::block_graph(general_block(values));
  const auto sets = std::get<planar::PlanarPart>(planar::planar_part(whole)).sets;
  ASSERT_GT(sets, 1U);
  const auto found = [&](const planar::PartLimits& limits) {
    return std::holds_alternative<planar::PlanarPart>(planar::planar_part(whole, limits));
  };
  EXPECT_TRUE(found({0, sets}));  // two dozen tests are enough
  EXPECT_FALSE(found({0, sets - 1}));
  EXPECT_FALSE(found({1e9, sets - 1}));
  // A block with fewer edges than planar graphs may have is not said to have more.
  const auto at_once = planar::planar_part(whole, {0, 0});
  ASSERT_TRUE(std::holds_alternative<Refusal>(at_once));
  EXPECT_EQ(std::get<Refusal>(at_once).text, "others count it sooner than a planar part is found");
  // Forty long edges are not, and no time helps.
  const EdgeList many = with_additions(grid(12, 12), 40, 0, random);
  const auto ones =
      with_symmetric_values<std::int64_t>(graph_of(many.vertices, many.edges), ValueKind::ones, random);
  const auto refusal = planar::planar_part(planar::block_graph(general_block(ones)), {0, planar::most_sets});
  ASSERT_TRUE(std::holds_alternative<Refusal>(refusal));
  EXPECT_EQ(std::get<Refusal>(refusal).kind, RefusalKind::structure);
}

// Whatever the time that others leave it: the same count or a refusal.
TEST(NearlyPlanar, InCompetitionAgainstFrontier) {
  int counts = 0;
  for (int seed = 1; seed <= repeats(36); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const EdgeList graph = with_additions(grid(6, 6), random.below(9), 2 * random.below(2), random);
    const auto values =
        with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges), kinds[seed % 4], random);
    const AnyBlock block = general_block(values);
    const auto prepared = prepare(nearly_planar_method(), block);
    dynamic_cast<Competitor&>(*prepared).compete_with(std::ldexp(1e-6, seed % 12), 1 + seed % 2);
    prepared->log2_bound(1);
    const Arithmetic arithmetic = enough_primes(block);
    if (prepared->obstacle(arithmetic)) continue;
    const std::unique_ptr<Job> job = prepared->make_job(arithmetic, {});
    Partial total = testing::sum_of_units(*job, arithmetic);
    ASSERT_EQ(join_residues(std::get<Residues>(total), arithmetic.moduli, true),
              counted(frontier_method(), block))
        << "seed " << seed;
    ++counts;
  }
  EXPECT_GE(counts, testing::fewest(5));
}

TEST(DisjointSets, PathsStarsAndSingleEdges) {
  planar::BlockGraph graph;
  graph.bipartite = false;
  graph.rows = graph.vertices = 20;
  const auto sets = [&](const std::vector<std::pair<Index, Index>>& edges, std::uint64_t most) {
    graph.edges.clear();
    std::vector<Index> numbers;
    for (const auto& [a, b] : edges) {
      numbers.push_back(static_cast<Index>(graph.edges.size()));
      graph.edges.push_back({a, b, 0});
    }
    return planar::disjoint_sets(graph, numbers, most);
  };
  using Counts = std::vector<std::uint64_t>;
  EXPECT_EQ(sets({}, 100), (Counts{1}));
  EXPECT_EQ(sets({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, 100), (Counts{1, 2, 3, 5, 8, 13}));
  EXPECT_EQ(sets({{0, 1}, {0, 2}, {0, 3}, {0, 4}}, 100), (Counts{1, 2, 3, 4, 5}));
  EXPECT_EQ(sets({{0, 1}, {2, 3}, {4, 5}, {6, 7}}, 100), (Counts{1, 2, 4, 8, 16}));
  EXPECT_GT(sets({{0, 1}, {2, 3}, {4, 5}, {6, 7}}, 6).back(), 6U);
}

}  // namespace
}  // namespace countpm::nearly_planar_test
