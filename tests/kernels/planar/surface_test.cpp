// planar on Moebius strips, Klein bottles and any other closed surface: every matching's sign on random
// rotation systems, counts against enumeration, frontier and published formulas, edge uses and draws.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "graph/errors.hpp"
#include "graph/rotations.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/oracle/definition.hpp"
#include "kernels/planar/condensation/method.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/orientation/faces.hpp"
#include "kernels/planar/orientation/given_embedding.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "kernels/planar/orientation/surface_kasteleyn.hpp"
#include "kernels/planar/orientation/twisted_faces.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/planar/seam_elimination.hpp"
#include "kernels/polynomial_method.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/planar/planar_passes_testing.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/repeats.hpp"

namespace countpm::surface_test {
namespace {

using testing::repeats;

using namespace testing_support;

/// The count times the block's denominator.
mpz_class counted(const Method& method, const AnyBlock& block) {
  Arithmetic arithmetic;
  arithmetic.moduli =
      choose_primes(static_cast<unsigned>((log2_upper_bound(block) + 2) / 49) + 1, {denominator(block)}, 50);
  EXPECT_EQ(method.obstacle(block, arithmetic), std::nullopt);
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, {});
  Partial total = testing::sum_of_units(*job, arithmetic);
  multiply(total, from_factor(mpq_class(denominator(block)), arithmetic), arithmetic);
  return join_residues(std::get<Residues>(total), arithmetic.moduli, true);
}

void expect_as_frontier(const std::string& spec) {
  const AnyBlock block = lattice_block(spec);
  const mpz_class count = counted(planar_method(), block);
  EXPECT_EQ(count, counted(frontier_method(), block)) << spec;
  EXPECT_GE(prepare(planar_method(), block)->log2_bound(1), std::log2(std::abs(count.get_d()))) << spec;
}

/// The sign of a sequence of distinct numbers, by its inversions.
int inversion_sign(const std::vector<Index>& numbers) {
  int sign = 1;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (numbers[i] > numbers[j]) sign = -sign;
    }
  }
  return sign;
}

using Gaussian = std::complex<int>;

/// What a matching's term is multiplied by in the sum of all the Pfaffians, times 2^halvings.
Gaussian share_of(const std::vector<Index>& matching, const planar::BlockGraph& graph,
                  const planar::SurfaceTerms& surface) {
  Gaussian sum = 0;
  for (const planar::SurfaceTerm& term : surface.terms) {
    std::vector<Index> ends;
    Gaussian product(term.real, term.imaginary);
    for (const Index e : matching) {
      ends.push_back(graph.edges[e].a);
      ends.push_back(graph.edges[e].b);
      if (term.orientation[e] == 0) product *= -1;
      if (surface.times_i[e] != 0) product *= Gaussian(0, 1);
    }
    if (graph.bipartite) {  // the determinant: rows rise
      ends.clear();
      for (Index row = 0; row < graph.rows; ++row) {
        for (const Index e : matching) {
          if (graph.edges[e].a == row) ends.push_back(graph.edges[e].b);
        }
      }
    }
    sum += product * inversion_sign(ends);
  }
  return sum;
}

/// The edges of all perfect matchings.
std::vector<std::vector<Index>> matchings_of(const planar::BlockGraph& graph) {
  std::vector<std::vector<Index>> result;
  std::vector<Index> chosen;
  std::vector<bool> taken(graph.vertices, false);
  const std::function<void()> extend = [&] {
    const auto v = static_cast<Index>(std::find(taken.begin(), taken.end(), false) - taken.begin());
    if (v == graph.vertices) {
      result.push_back(chosen);
      return;
    }
    for (Index e = 0; e < graph.edges.size(); ++e) {
      const auto& [a, b, entry] = graph.edges[e];
      if ((a != v && b != v) || taken[a] || taken[b]) continue;
      taken[a] = taken[b] = true;
      chosen.push_back(e);
      extend();
      chosen.pop_back();
      taken[a] = taken[b] = false;
    }
  };
  extend();
  return result;
}

/// A perfect matching or a path, and most other edges.
planar::BlockGraph random_graph(bool bipartite, Index half, Index density, Random& random) {
  planar::BlockGraph graph;
  graph.bipartite = bipartite;
  graph.vertices = 2 * half;
  graph.rows = bipartite ? half : graph.vertices;
  for (Index a = 0; a < graph.rows; ++a) {
    for (Index b = bipartite ? half : a + 1; b < graph.vertices; ++b) {
      if (random.below(density) != 0 || b == a + (bipartite ? half : 1)) graph.edges.push_back({a, b, 0});
    }
  }
  return graph;
}

/// Edges in any order around the vertices, and any of them twisted: a surface, whatever it is.
planar::Embedding random_rotations(const planar::BlockGraph& graph, Random& random) {
  planar::Embedding result;
  result.start.push_back(0);
  for (Index v = 0; v < graph.vertices; ++v) {
    const auto first = static_cast<std::ptrdiff_t>(result.around.size());
    for (Index e = 0; e < graph.edges.size(); ++e) {
      if (graph.edges[e].a == v || graph.edges[e].b == v) result.around.push_back(e);
    }
    std::shuffle(result.around.begin() + first, result.around.end(), random);
    result.start.push_back(result.around.size());
  }
  const Index twists = random.below(3);  // none, or some
  for (Index e = 0; e < graph.edges.size(); ++e)
    result.twisted.push_back(twists != 0 && random.below(twists + 1) == 0 ? 1 : 0);
  return result;
}

// Every matching counts once: each by itself, so that no weights can hide what is wrong.
TEST(Surfaces, RandomRotations) {
  std::map<std::pair<std::size_t, bool>, int> seen;  // of how many terms, one-sided or not
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(6000); ++seed) {
    Random random(seed);
    const bool bipartite = random.below(2) == 0;
    const Index half = 1 + random.below(4);
    const planar::BlockGraph graph = random_graph(bipartite, half, 2 + random.below(3), random);
    const planar::Embedding embedding = random_rotations(graph, random);
    if (planar::spanning_forest(graph).components != 1) continue;
    const std::size_t corners = graph.vertices + planar::trace_twisted_faces(graph, embedding).count;
    if (corners + planar::most_loops < graph.edges.size() + 2) continue;
    const std::vector<Index> matching = planar::one_perfect_matching(graph);
    if (matching.empty()) continue;
    const planar::SurfaceTerms surface = planar::surface_terms(graph, embedding, matching);
    ASSERT_EQ(surface.terms.size(), std::size_t{1} << (graph.edges.size() + 2 - corners));
    ASSERT_NE(surface.terms[0].real, 0);
    const bool one_sided = std::count(surface.times_i.begin(), surface.times_i.end(), 1) != 0;
    for (const std::vector<Index>& each : matchings_of(graph)) {
      ASSERT_EQ(share_of(each, graph, surface), Gaussian(1 << surface.halvings)) << "seed " << seed;
      ++seen[{surface.terms.size(), one_sided}];
    }
  }
  // Sphere; projective plane; torus, Klein bottle; three crosscaps; two handles, four crosscaps; and so on.
  for (const auto& [terms, one_sided] : {std::pair<std::size_t, bool>{1, false},
                                         {2, true},
                                         {4, false},
                                         {4, true},
                                         {8, true},
                                         {16, false},
                                         {16, true},
                                         {32, true},
                                         {64, false},
                                         {64, true},
                                         {128, true},
                                         {256, false},
                                         {256, true}}) {
    EXPECT_GT((seen[{terms, one_sided}]), 0) << terms << one_sided;
  }
}

// 71, 7 and 104 are from an enumeration in Python.
TEST(Surfaces, SmallMoebiusStrips) {
  EXPECT_EQ(counted(planar_method(), lattice_block("moebius:4x5")), 252);
  EXPECT_EQ(counted(planar_method(), lattice_block("moebius:3x6")), 104);
}

TEST(Surfaces, AgainstEnumeration) {
  int strips = 0;
  int bottles = 0;
  for (int r = 2; r <= 6; ++r) {
    for (int c = 3; c <= 8; ++c) {
      if (r * c % 2 != 0 || r * c > 30) continue;
      const std::string size = std::to_string(r) + "x" + std::to_string(c);
      for (const std::string weights : {"", ":weights=2,-3", ":weights=-1/2,5"}) {
        for (const std::string family : {"moebius:", "klein:"}) {
          if (family == "klein:" && r < 3) continue;
          const AnyBlock block = lattice_block(fmt::format("{}{}{}", family, size, weights));
          if (!std::holds_alternative<planar::Terms>(planar::oriented_terms(block))) continue;
          const Block<mpq_class> rational = as_rational(block);
          EXPECT_EQ(counted(planar_method(), block), total_of(all_matchings(rational)) * denominator(block))
              << family << size << weights;
          ++(family == "klein:" ? bottles : strips);
        }
      }
    }
  }
  EXPECT_GE(strips, 30);
  EXPECT_GE(bottles, 12);
}

TEST(Surfaces, AgainstFrontier) {
  for (const char* const spec :
       {"moebius:10x10", "moebius:9x12", "moebius:8x11:weights=3,-1/7", "moebius:7x10:weights=-5,2",
        "moebius:2x30", "klein:8x8", "klein:7x8", "klein:8x7:weights=1,-1", "klein:6x9:weights=-2/3,5",
        "moebius:8x8:remove=r2c1+r4c4", "klein:8x8:remove=r0c0+r0c1", "moebius:9x7:remove=r4c3"})
    expect_as_frontier(spec);
}

TEST(Surfaces, ByCondensation) {
  for (const char* const spec : {"moebius:6x7:weights=2,-3", "klein:6x6:weights=1/2,3"}) {
    const AnyBlock block = lattice_block(spec);
    EXPECT_EQ(counted(condensation_method(), block), counted(planar_method(), block)) << spec;
  }
}

// W. T. Lu, F. Y. Wu, Phys. Lett. A 259 (1999) 108.
TEST(Surfaces, PublishedFormulas) {
  const auto ln_of = [](int rows, int columns, bool closed) {
    double sum = 0;
    for (int m = 1; m <= rows / 2; ++m) {
      for (int n = 1; n <= columns / 2; ++n) {
        const double across = std::sin((4 * n - 1) * std::numbers::pi / (2 * columns));
        const double down = closed ? std::sin((2 * m - 1) * std::numbers::pi / rows)
                                   : std::cos(m * std::numbers::pi / (rows + 1));
        sum += std::log(4 * across * across + 4 * down * down);
      }
    }
    return sum;
  };
  for (const auto& [rows, columns] : {std::pair{6, 8}, {8, 6}, {12, 10}, {20, 16}, {14, 24}}) {
    const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
    const double moebius = std::log(counted(planar_method(), lattice_block("moebius:" + size)).get_d());
    EXPECT_NEAR(moebius, ln_of(rows, columns, false), 1e-9) << size;
    const double klein = std::log(counted(planar_method(), lattice_block("klein:" + size)).get_d());
    EXPECT_NEAR(klein, ln_of(rows, columns, true), 1e-9) << size;
  }
}

/// Vertices with new numbers, and random weights of either sign.
AnyBlock shuffled_lattice(Index rows, Index columns, bool closed, Random& random) {
  EdgeList graph{rows * columns, {}};
  const auto at = [columns](Index r, Index c) { return r * columns + c; };
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      if (c + 1 < columns) graph.edges.emplace_back(at(r, c), at(r, c + 1));
      if (r + 1 < rows || closed) graph.edges.emplace_back(at(r, c), at((r + 1) % rows, c));
    }
    graph.edges.emplace_back(at(r, columns - 1), at(rows - 1 - r, 0));
  }
  graph = thinned_and_shuffled(graph, 1.0, random);
  return general_block(with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                           ValueKind::small_signed, random));
}

TEST(Surfaces, RandomValuesOnShuffledLattices) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(40); ++seed) {
    Random random(seed);
    const Index rows = 5 + random.below(3);
    const Index columns = rows % 2 == 0 ? 5 + random.below(3) : 6;
    const AnyBlock block = shuffled_lattice(rows, columns, random.below(2) == 0, random);
    ASSERT_EQ(counted(planar_method(), block), counted(frontier_method(), block)) << "seed " << seed;
  }
}

/// The terms' determinants together, and one by one.
void expect_seam_as_terms(const planar::Terms& terms, const std::string& what) {
  const StopSignal stop;
  const auto seam = planar::SeamElimination::of(terms, std::numeric_limits<double>::infinity());
  if (terms.size() < 2) return;
  ASSERT_TRUE(seam) << what;
  const planar::FrontTree tree =
      planar::front_tree(terms[0].matrix.graph, planar::dissection_order(terms[0].matrix.graph));
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : choose_primes(3, {}, 50)) primes.push_back(modulus.prime);
  for (const std::uint64_t prime : primes) {
    const auto together = seam->determinants(planar::portable_lanes(), {prime}, stop);
    ASSERT_EQ(together.size(), terms.size());
    for (std::size_t t = 0; t < terms.size(); ++t)
      ASSERT_EQ(together[t],
                planar::determinant(terms[t].matrix, tree, planar::portable_lanes(), {prime}, stop))
          << what << ", term " << t;
  }
}

TEST(Seams, OfLattices) {
  for (const char* const spec :
       {"moebius:6x6", "moebius:6x7", "moebius:7x6", "moebius:5x8:weights=2,-3", "klein:6x6",
        "klein:7x6:weights=1/2,3", "klein:6x7", "moebius:8x8:remove=r2c1+r4c4", "moebius:20x20"}) {
    const planar::Terms terms = std::get<planar::Terms>(planar::oriented_terms(lattice_block(spec)));
    ASSERT_TRUE(planar::SeamElimination::of(terms, std::numeric_limits<double>::infinity())) << spec;
    expect_seam_as_terms(terms, spec);
  }
}

// Values of either sign, singular matrices too.
TEST(Seams, OfRandomRotations) {
  int compared = 0;
  int of_two_sides = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(3000); ++seed) {
    Random random(seed);
    const bool bipartite = random.below(3) != 0;
    const Index half = 2 + random.below(4);
    planar::BlockGraph graph = random_graph(bipartite, half, 2 + random.below(3), random);
    const planar::Embedding embedding = random_rotations(graph, random);
    if (planar::spanning_forest(graph).components != 1) continue;
    const std::size_t corners = graph.vertices + planar::trace_twisted_faces(graph, embedding).count;
    if (corners + planar::most_loops < graph.edges.size() + 2) continue;
    const std::vector<Index> matching = planar::one_perfect_matching(graph);
    if (matching.empty()) continue;
    const planar::SurfaceTerms surface = planar::surface_terms(graph, embedding, matching);
    planar::SignedMatrix matrix;
    matrix.graph = graph;
    for (const int value : {1, -1, 2, 5}) matrix.values.emplace_back(value);
    for (std::size_t e = 0; e < graph.edges.size(); ++e)
      matrix.value_of.push_back(random.below(seed % 2 == 0 ? 2 : 4));
    planar::make_imaginary(matrix, surface.times_i);
    planar::Terms terms;
    for (const planar::SurfaceTerm& term : surface.terms) {
      terms.push_back({matrix, term.real});
      terms.back().matrix.orientation = term.orientation;
      terms.back().loops = surface.loops;
      terms.back().form = term.form;
    }
    if (graph.bipartite) ++of_two_sides;
    ++compared;
    ASSERT_NO_FATAL_FAILURE(expect_seam_as_terms(terms, "seed " + std::to_string(seed)));
  }
  EXPECT_GT(of_two_sides, 0);
  EXPECT_GT(compared, of_two_sides);
}

/// A block with the rotations beside it.
AnyBlock drawn(AnyBlock block, const planar::BlockGraph& graph, const planar::Embedding& embedding) {
  Rotations rotations;
  rotations.start = embedding.start;
  for (Index v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t k = embedding.start[v]; k < embedding.start[v + std::size_t{1}]; ++k) {
      const planar::BlockGraph::Edge& edge = graph.edges[embedding.around[k]];
      rotations.neighbour.push_back(edge.a == v ? edge.b : edge.a);
      rotations.twisted.push_back(embedding.twisted[embedding.around[k]]);
    }
  }
  std::visit([&](auto& one) { one.rotations = std::make_shared<const Rotations>(std::move(rotations)); },
             block);
  return block;
}

/// Values small and large, of either sign, integers and fractions.
mpq_class random_value(Random& random) {
  mpq_class value(1 + random.below(4));
  if (random.below(3) == 0) value += mpq_class(mpz_class(random.below(1U << 20)) << 20);
  if (random.below(4) == 0) value /= 1 + random.below(6);
  return random.below(3) == 0 ? mpq_class(-value) : value;
}

AnyBlock random_block(const planar::BlockGraph& graph, Random& random) {
  Block<mpq_class> block;
  block.general = !graph.bipartite;
  const Index rows = graph.bipartite ? graph.rows : graph.vertices;
  std::vector<std::map<Index, mpq_class>> row(rows);
  for (const auto& [a, b, entry] : graph.edges) {
    const mpq_class value = random_value(random);
    row[a][graph.bipartite ? b - graph.rows : b] = value;
    if (!graph.bipartite) row[b][a] = value;
  }
  block.matrix.rows = block.matrix.columns = rows;
  for (const auto& one : row) {
    for (const auto& [column, value] : one) {
      block.matrix.column.push_back(column);
      block.matrix.value.push_back(value);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

// Any rotation system of any graph gives its count, or a refusal by its genus.
TEST(GivenSurfaces, AgainstDefinition) {
  std::map<std::pair<std::uint64_t, bool>, int> seen;  // of how many loops, orientable or not
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(400); ++seed) {
    Random random(seed);
    const planar::BlockGraph shape =
        random_graph(random.below(2) == 0, 2 + random.below(3), 2 + random.below(2), random);
    const AnyBlock bare = random_block(shape, random);
    const planar::BlockGraph graph = planar::block_graph(bare);
    if (planar::spanning_forest(graph).components != 1) continue;
    const AnyBlock block = drawn(bare, graph, random_rotations(graph, random));
    const RotationSurface surface = surface_of(*rotations_of(block));
    ASSERT_EQ(
        surface.loops,
        graph.edges.size() + 2 - graph.vertices -
            planar::trace_twisted_faces(graph, planar::given_embedding(graph, *rotations_of(block))).count);
    if (surface.loops > planar::most_loops) {
      const auto refusal = std::get<Refusal>(planar::oriented_terms(block));
      ASSERT_NE(refusal.text.find(surface.orientable ? "up to 4 is" : "up to 8 are"), std::string::npos);
      continue;
    }
    ASSERT_EQ(counted(planar_method(), block), counted(definition_method(), bare)) << "seed " << seed;
    ASSERT_EQ(counted(condensation_method(), block), counted(definition_method(), bare)) << "seed " << seed;
    ++seen[{surface.loops, surface.orientable}];
  }
  if (repeats<std::uint64_t>(400) < 100) return;  // too few to see every surface
  for (std::uint64_t loops = 1; loops <= planar::most_loops; ++loops) EXPECT_GT((seen[{loops, false}]), 0);
  for (std::uint64_t loops = 2; loops <= planar::most_loops; loops += 2) EXPECT_GT((seen[{loops, true}]), 0);
}

TEST(GivenSurfaces, UsesAndDrawsAgainstEnumeration) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(60); ++seed) {
    Random random(seed);
    const planar::BlockGraph shape = random_graph(random.below(2) == 0, 3, 3, random);
    const AnyBlock bare = random_block(shape, random);
    const planar::BlockGraph graph = planar::block_graph(bare);
    if (planar::spanning_forest(graph).components != 1) continue;
    const AnyBlock block = drawn(bare, graph, random_rotations(graph, random));
    if (PlanarPasses::obstacle(block)) continue;
    const Block<mpq_class>& rational = std::get<Block<mpq_class>>(block);
    ASSERT_NO_FATAL_FAILURE(expect_uses(rational, all_matchings(rational), 0, compared)) << "seed " << seed;
  }
  EXPECT_GT(compared, 0);
}

TEST(GivenSurfaces, OtherRotationsAreRefused) {
  Random random(1);
  const planar::BlockGraph graph = random_graph(false, 3, 9, random);
  const AnyBlock block = drawn(random_block(graph, random), graph, random_rotations(graph, random));
  Rotations rotations = *rotations_of(block);
  EXPECT_NO_THROW(planar::given_embedding(graph, rotations));
  rotations.twisted[0] ^= 1;
  EXPECT_THROW(planar::given_embedding(graph, rotations), CheckError);
  rotations.twisted[0] ^= 1;
  rotations.neighbour[0] = rotations.neighbour[1];
  EXPECT_THROW(planar::given_embedding(graph, rotations), CheckError);
}

TEST(Surfaces, PrimesMustHaveARootOfMinusOne) {
  Arithmetic arithmetic;
  arithmetic.moduli = {{1009, 0}, {1000003, 0}};
  EXPECT_NE(planar_method().obstacle(lattice_block("moebius:6x6"), arithmetic), std::nullopt);
  EXPECT_EQ(planar_method().obstacle(lattice_block("torus:6x6"), arithmetic), std::nullopt);
}

TEST(SurfacePasses, UsesAgainstEnumeration) {
  int compared = 0;
  for (const char* spec :
       {"moebius:4x5", "moebius:4x6", "moebius:3x6", "klein:5x4", "klein:4x6", "klein:5x6", "moebius:5x6",
        "moebius:4x5:weights=1,-1", "moebius:3x8:weights=2,-3/2", "klein:5x6:weights=-1,1/3"}) {
    const AnyBlock block = lattice_block(spec);
    if (PlanarPasses::obstacle(block)) continue;  // four across
    const Block<mpq_class> rational = as_rational(block);
    ASSERT_NO_FATAL_FAILURE(expect_uses(rational, all_matchings(rational), 0, compared)) << spec;
  }
  EXPECT_GE(compared, 6);
}

TEST(SurfacePasses, UsesAgainstFrontier) {
  for (const char* spec :
       {"moebius:8x8", "moebius:7x8", "klein:7x8", "klein:6x7:weights=2,1/3", "moebius:8x9:remove=r2c1+r4c4"})
    ASSERT_NO_FATAL_FAILURE(expect_uses_of_frontier(lattice_block(spec), spec));
}

TEST(SurfaceDraws, ByChiSquare) {
  for (const char* spec : {"moebius:3x6", "moebius:4x5", "moebius:3x6:weights=3,1", "moebius:2x7"}) {
    const Block<mpq_class> block = as_rational(lattice_block(spec));
    const Matchings matchings = all_matchings(block);
    for (const std::size_t small : {0, 4, 96}) expect_fair_draws(block, matchings, small, repeats(600), spec);
  }
}

TEST(SurfaceDraws, LargeLatticesAreMatched) {
  const StopSignal stop;
  for (const char* spec : {"moebius:16x16", "moebius:15x16", "klein:12x12", "klein:11x12"}) {
    const AnyBlock block = lattice_block(spec);
    PlanarPasses passes(block, {~std::uint64_t{0}, 2});
    const auto draws = passes.draw(3, 1, 0, 2, stop);
    ASSERT_EQ(draws.size(), 2U);
    EXPECT_NE(draws[0], draws[1]) << spec;
    const auto& matrix = std::get<Block<std::int64_t>>(block).matrix;
    const bool general = is_general(block);
    for (const PairList& pairs : draws) {
      ASSERT_EQ(pairs.size(), matrix.rows / (general ? 2U : 1U));
      std::vector<int> used(matrix.rows, 0);
      for (const auto& [a, b] : pairs) {
        if (general) ++used[a];
        ++used[b];
      }
      EXPECT_EQ(std::count(used.begin(), used.end(), 1), std::ssize(used)) << spec;
    }
  }
}

}  // namespace
}  // namespace countpm::surface_test
