// condensation against planar, frontier and sets of vertices; planar's and condensation's units run again
// another way.
#include "kernels/planar/condensation/condensation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/planar/condensation/method.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"

namespace countpm::condensation_test {
namespace {

using namespace testing_support;

constexpr ValueKind kinds[] = {ValueKind::ones, ValueKind::small_positive, ValueKind::small_signed,
                               ValueKind::large};

Residues run_all(const Job& job, const Arithmetic& arithmetic) {
  const StopSignal stop;
  Partial total = zero(arithmetic);
  for (std::uint64_t unit = job.units(); unit-- > 0;) add(total, job.run(unit, stop), arithmetic);
  return std::get<Residues>(total);
}

Arithmetic primes_for(const AnyBlock& block) {
  Arithmetic arithmetic;
  const auto count = static_cast<unsigned>((log2_upper_bound(block) + 2) / 49) + 1;
  arithmetic.moduli = choose_primes(count, {denominator(block)}, 50);
  return arithmetic;
}

/// The count times the block's denominator.
mpz_class counted(const Method& method, const AnyBlock& block) {
  const Arithmetic arithmetic = primes_for(block);
  EXPECT_EQ(method.obstacle(block, arithmetic), std::nullopt) << method.name();
  Partial total = run_all(*method.make_job(block, arithmetic, {}), arithmetic);
  multiply(total, from_factor(mpq_class(denominator(block)), arithmetic), arithmetic);
  return join_residues(std::get<Residues>(total), arithmetic.moduli, true);
}

planar::SignedMatrix signed_matrix_of(const AnyBlock& block) {
  planar::BlockGraph graph = planar::block_graph(block);
  planar::Orientation orientation =
      planar::kasteleyn_orientation(graph, planar::test_planarity(graph).embedding);
  return planar::signed_matrix(block, std::move(graph), std::move(orientation));
}

/// Two graphs that an edge joins: a bridge; or that share a vertex: a cut vertex.
EdgeList joined(const EdgeList& a, const EdgeList& b, bool by_bridge, Random& random) {
  EdgeList both = side_by_side(a, b);
  if (a.vertices == 0 || b.vertices == 0) return both;
  const Index left = random.below(a.vertices);
  const Index right = a.vertices + random.below(b.vertices);
  if (by_bridge) {
    both.edges.emplace_back(left, right);
    return both;
  }
  for (auto& [v, w] : both.edges) {
    if (v == right) v = left;
    if (w == right) w = left;
    if (v > right) --v;
    if (w > right) --w;
  }
  --both.vertices;
  return both;
}

/// Cycles inside each other, each joined to the next by a few edges that do not cross: faces within faces.
EdgeList nested_cycles(Index rings, Index around, Random& random) {
  EdgeList graph{rings * around, {}};
  for (Index ring = 0; ring < rings; ++ring) {
    for (Index k = 0; k < around; ++k) {
      graph.edges.emplace_back(ring * around + k, ring * around + (k + 1) % around);
      if (ring + 1 < rings && random.below(3) == 0)
        graph.edges.emplace_back(ring * around + k, (ring + 1) * around + k);
    }
  }
  return graph;
}

/// A board with some edges missing, the cells of one colour before those of the other. Precondition: an even
/// number.
EdgeList board_between_halves(Index rows, Index columns, Random& random) {
  EdgeList graph{rows * columns, {}};
  const auto number = [&](Index r, Index c) {
    const Index cell = r * columns + c;
    // Of cells 2k and 2k + 1 one is of each colour.
    const Index half = graph.vertices / 2;
    return (r + c) % 2 == 0 ? cell / 2 : half + cell / 2;
  };
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const auto join = [&](Index v) {
        if (random.below(20) != 0) graph.edges.push_back(std::minmax(number(r, c), v));
      };
      if (c + 1 < columns) join(number(r, c + 1));
      if (r + 1 < rows) join(number(r + 1, c));
    }
  }
  return graph;
}

constexpr Index graph_kinds = 8;
EdgeList random_graph_of_kind(Index kind, Random& random) {
  const Index vertices = 8 + random.below(14);
  switch (kind) {
    case 0:
      return random_triangulation(vertices, random);
    case 1:
      return random_outerplanar(vertices, random);
    case 2: {
      // A random tree has hardly ever a perfect matching: twins of its vertices give it one.
      EdgeList tree = random_tree(vertices, random);
      for (Index v = 0; v < vertices; ++v) tree.edges.emplace_back(v, vertices + v);
      tree.vertices *= 2;
      return tree;
    }
    case 3:
    case 4:
      return joined(random_triangulation(4 + random.below(7), random),
                    random_outerplanar(4 + random.below(7), random), kind == 3, random);
    case 5:
      return nested_cycles(2 + random.below(4), 3 + random.below(4), random);
    case 6:
      return side_by_side(nested_cycles(2, 4, random),
                          random_triangulation(2 * (2 + random.below(4)), random));
    default:
      return random_planar(vertices, random);
  }
}

// Triangulations, outerplanar graphs, trees, bridges, cut vertices, nested faces, disconnected graphs, with
// weights.
TEST(Condensation, RandomPlanarGraphsAgainstPlanarAndFrontier) {
  int nonzero[graph_kinds] = {};
  int bipartite = 0;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    Random random(seed);
    const auto kind = static_cast<Index>(seed % graph_kinds);
    const bool halves = seed % 5 == 0;
    const EdgeList graph = halves
                               ? board_between_halves(2 * (1 + random.below(3)), 3 + random.below(4), random)
                               : thinned_and_shuffled(random_graph_of_kind(kind, random),
                                                      random.below(3) == 0 ? 0.9 : 1.0, random);
    const auto values = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                            kinds[random.below(4)], random);
    const AnyBlock block = halves ? AnyBlock(bipartite_block_of(values)) : AnyBlock(general_block(values));
    const mpz_class expected = counted(frontier_method(), block);
    ASSERT_EQ(counted(planar_method(), block), expected) << "seed " << seed << "\n" << show(values);
    ASSERT_EQ(counted(condensation_method(), block), expected) << "seed " << seed << "\n" << show(values);
    if (expected == 0) continue;
    ++nonzero[kind];
    bipartite += halves ? 1 : 0;
  }
  for (Index kind = 0; kind < graph_kinds; ++kind) EXPECT_GT(nonzero[kind], 5) << kind;
  EXPECT_GT(bipartite, 20);
}

TEST(Condensation, RationalWeights) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(2 * random.below(8), random);
    const auto values = with_symmetric_values<mpq_class>(graph_of(graph.vertices, graph.edges),
                                                         ValueKind::small_signed, random);
    const AnyBlock block = general_block(values);
    ASSERT_EQ(mpq_class(counted(condensation_method(), block)), hafnian(values) * denominator(block))
        << "seed " << seed << "\n"
        << show(values);
  }
}

// Modulo 3 a third of all pivots vanish, in some lanes and not in others.
TEST(Condensation, ResiduesModuloSmallPrimes) {
  Arithmetic arithmetic;
  for (const std::uint64_t prime : {3, 5, 7, 11, 13, 101, 257, 10007, 65537, 3, 3, 2147483647})
    arithmetic.moduli.push_back({prime, 0});
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    EdgeList graph = random_planar(2 * random.below(9), random);
    if (seed % 2 == 0) graph = between_halves(graph);
    const auto values = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                            ValueKind::small_signed, random);
    const AnyBlock block =
        seed % 2 == 0 ? AnyBlock(bipartite_block_of(values)) : AnyBlock(general_block(values));
    const mpz_class expected(hafnian(values).get_num());
    const std::unique_ptr<Job> job = condensation_method().make_job(block, arithmetic, {});
    const Residues residues = run_all(*job, arithmetic);
    for (std::size_t k = 0; k < arithmetic.moduli.size(); ++k) {
      const std::uint64_t prime = arithmetic.moduli[k].prime;
      ASSERT_EQ(static_cast<std::uint64_t>(residues.residue[k]), mpz_fdiv_ui(expected.get_mpz_t(), prime))
          << "seed " << seed << " modulo " << prime << "\n"
          << show(values);
    }
  }
}

TEST(Condensation, BothLaneCodesAgree) {
  if (!processor_has(InstructionSet::avx512)) GTEST_SKIP() << "no AVX-512 IFMA here";
  const StopSignal stop;
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : choose_primes(planar::most_lanes, {}, 50)) primes.push_back(modulus.prime);
  for (const char* const spec : {"square:6x9:weights=2,-3", "triangular:4x5", "hexagon:3x4x2"}) {
    const planar::SignedMatrix matrix = signed_matrix_of(lattice_block(spec));
    const auto lanes = planar::condensation(matrix, planar::avx512_lanes(), primes, stop);
    for (std::size_t k = 0; k < primes.size(); ++k)
      EXPECT_EQ(lanes[k], planar::condensation(matrix, planar::portable_lanes(), {primes[k]}, stop)[0])
          << spec;
  }
}

TEST(Condensation, KnownCounts) {
  EXPECT_EQ(counted(condensation_method(), lattice_block("square:8x8")), 12988816);
  EXPECT_EQ(counted(condensation_method(), lattice_block("aztec:7")), mpz_class(1) << 28);
  EXPECT_EQ(counted(condensation_method(), lattice_block("hexagon:3x3x3")), 980);  // P. A. MacMahon
  EXPECT_EQ(counted(condensation_method(), lattice_block("torus:6x6")), 90176);    // OEIS A212800
  EXPECT_EQ(counted(condensation_method(), Block<std::int64_t>{}), 1);
  EXPECT_EQ(counted(condensation_method(), lattice_block("triangular-torus:4x5")),
            counted(planar_method(), lattice_block("triangular-torus:4x5")));
}

TEST(Condensation, WorkAndMemoryAreThoseOfTheDenseMatrix) {
  Arithmetic one;
  one.moduli = choose_primes(1, {}, 50);
  const auto job = condensation_method().make_job(lattice_block("square:20x20"), one, {});
  // 200 rows: 2 (199^2 + 198^2 + ...) multiplications
  EXPECT_NEAR(std::exp2(job->log2_work()), 2.0 * 199 * 200 * 399 / 6, 1);
  EXPECT_GE(job->bytes_per_thread(), 200U * 200 * 64);
  EXPECT_GT(best_rate(*job, 1e5), 1e5);
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(0, stop), Stopped);
}

TEST(Condensation, RefusesWhatPlanarRefuses) {
  Arithmetic wrap;
  wrap.moduli = {{0, 64}};
  EXPECT_NE(condensation_method().obstacle(lattice_block("square:4x4"), wrap), std::nullopt);
  EXPECT_NE(
      condensation_method().obstacle(lattice_block("cubic:3x3x4"), primes_for(lattice_block("square:4x4"))),
      std::nullopt);
}

double ln_of(const mpq_class& value) {
  const auto ln = [](const mpz_class& integer) {
    long exponent = 0;
    const double mantissa = std::abs(mpz_get_d_2exp(&exponent, integer.get_mpz_t()));
    return std::log(mantissa) + static_cast<double>(exponent) * std::numbers::ln2;
  };
  return ln(value.get_num()) - ln(value.get_den());
}

TEST(LogCondensation, RandomGraphsAgainstExactCounts) {
  const StopSignal stop;
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    EdgeList graph = random_planar(2 * (1 + random.below(8)), random);
    if (seed % 2 == 0) graph = between_halves(graph);
    const auto values = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                            kinds[seed % 3 == 0 ? 1 : 0], random);
    const mpq_class expected = hafnian(values);
    if (expected == 0) continue;
    ++seen;
    const AnyBlock block =
        seed % 2 == 0 ? AnyBlock(bipartite_block_of(values)) : AnyBlock(general_block(values));
    const planar::LogDeterminant log = planar::log_condensation(signed_matrix_of(block), {}, stop);
    ASSERT_LE(std::abs(log.ln - ln_of(expected)), log.error + 1e-14) << "seed " << seed << "\n"
                                                                     << show(values);
    ASSERT_LT(log.error, 1e-8) << "seed " << seed << "\n" << show(values);
  }
  EXPECT_GT(seen, 50);
}

TEST(LogCondensation, WeightsFarApartAndMemory) {
  const StopSignal stop;
  const planar::SignedMatrix matrix = signed_matrix_of(lattice_block("aztec:6:weights=1000000000000,1/1000"));
  const planar::LogDeterminant log = planar::log_condensation(matrix, {}, stop);
  EXPECT_NEAR(log.ln, 21 * std::log(1e24), std::max(log.error, 1e-9));
  EXPECT_THROW(planar::log_condensation(matrix, {1, 1000}, stop), UnableError);
}

/// Every unit of the job again, by Job::with_moduli_subset, modulo all primes and modulo the last of each
/// unit alone.
void expect_same_units(const Method& method, const std::string& spec) {
  const AnyBlock block = lattice_block(spec);
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(19, {denominator(block)}, 50);
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, {});
  ASSERT_EQ(job->units(), 3U) << spec;
  const StopSignal stop;
  const std::unique_ptr<Job> again = job->with_moduli_subset(arithmetic);
  ASSERT_NE(again, nullptr) << spec;
  ASSERT_EQ(again->units(), job->units()) << spec;
  int nonzero = 0;
  for (std::uint64_t unit = 0; unit < job->units(); ++unit) {
    const auto first = std::get<Residues>(job->run(unit, stop));
    EXPECT_EQ(std::get<Residues>(again->run(unit, stop)), first) << spec << " unit " << unit;
    for (const std::size_t k : {std::size_t{unit * 8}, std::size_t{18}}) {
      Arithmetic alone = arithmetic;
      alone.moduli = {arithmetic.moduli[k]};
      const std::unique_ptr<Job> one = job->with_moduli_subset(alone);
      ASSERT_EQ(one->units(), job->units()) << spec;
      EXPECT_EQ(std::get<Residues>(one->run(unit, stop)).residue[0], first.residue[k])
          << spec << " unit " << unit;
      nonzero += first.residue[k] != 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(nonzero, 4) << spec;
}

TEST(UnitsAgain, PlanesAndTori) {
  for (const char* const spec :
       {"square:12x13", "triangular:6x7", "hexagon:4x4x4:weights=1,2,1/3", "torus:6x9",
        "torus:6x5:weights=2,-1", "triangular-torus:5x6", "honeycomb-torus:5x5"}) {
    expect_same_units(planar_method(), spec);
    expect_same_units(condensation_method(), spec);
  }
}

TEST(UnitsAgain, RefuseOtherPrimes) {
  Arithmetic some;
  some.moduli = choose_primes(2, {}, 50);
  Arithmetic other;
  other.moduli = choose_primes(1, {}, 61);
  EXPECT_THROW(planar_method().make_job(lattice_block("square:4x4"), some, {})->with_moduli_subset(other),
               std::invalid_argument);
}

}  // namespace
}  // namespace countpm::condensation_test
