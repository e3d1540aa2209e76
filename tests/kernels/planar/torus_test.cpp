// planar on a torus: against frontier, published counts, and what its parts promise.
#include <gtest/gtest.h>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/frontier/frontier.hpp"
#include "kernels/planar/orientation/faces.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "kernels/planar/orientation/torus_kasteleyn.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/polynomial_method.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/run_units.hpp"

namespace countpm {
namespace {

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

/// The graph as it is, whatever the sides' sizes.
AnyBlock general_lattice_block(const std::string& spec) {
  const Graph graph = lattice_graph(spec);
  Edges edges;
  for (const auto& edge : graph.edges) edges.emplace_back(edge.from, edge.to);
  return general_block(with_ones(graph_of(graph.left_labels.size(), edges)));
}

void expect_as_frontier(const std::string& spec) {
  const AnyBlock block = lattice_block(spec);
  const mpz_class count = counted(planar_method(), block);
  EXPECT_EQ(count, counted(frontier_method(), block)) << spec;
  EXPECT_GE(prepare(planar_method(), block)->log2_bound(1), std::log2(std::abs(count.get_d()))) << spec;
}

// P. W. Kasteleyn, Physica 27 (1961) 1209, gives the formula; OEIS A212800 the numbers.
TEST(Torus, PublishedCounts) {
  EXPECT_EQ(counted(planar_method(), lattice_block("torus:6x6")), 90176);
  EXPECT_EQ(counted(planar_method(), lattice_block("torus:8x8")), 311853312);
}

TEST(Torus, SquareLatticesAgainstFrontier) {
  for (int r = 5; r <= 8; ++r) {
    for (int c = r; c <= 9; ++c) {
      if (r * c % 2 == 0) expect_as_frontier("torus:" + std::to_string(r) + "x" + std::to_string(c));
    }
  }
}

/// Perfect matchings of rows x columns of a square lattice that is closed across, by the transfer matrix:
/// T_st for sets s, t of columns whose vertex is matched upwards, downwards; `down` is a vertical edge's
/// weight, across 1.
class TransferMatrix {
 public:
  TransferMatrix(unsigned columns, std::uint64_t down) : columns_(columns), down_(down) {}

  std::uint64_t cylinder(unsigned rows) const { return power(rows, 0)[0]; }
  std::uint64_t torus(unsigned rows) const {
    std::uint64_t trace = 0;
    for (unsigned s = 0; s < 1U << columns_; ++s) trace += power(rows, s)[s];
    return trace;
  }

 private:
  /// The ways to match a cycle's vertices that are in `free` along the cycle.
  std::uint64_t across(unsigned free) const {
    const unsigned all = (1U << columns_) - 1;
    if (free == all) return columns_ % 2 == 0 ? 2 : 0;
    unsigned start = 0;
    while ((free >> start & 1U) != 0) ++start;
    unsigned run = 0;
    for (unsigned k = 1; k <= columns_; ++k) {
      if ((free >> (start + k) % columns_ & 1U) != 0) {
        ++run;
      } else {
        if (run % 2 != 0) return 0;
        run = 0;
      }
    }
    return 1;
  }

  std::vector<std::uint64_t> power(unsigned rows, unsigned from) const {
    const unsigned all = (1U << columns_) - 1;
    std::vector<std::uint64_t> ways(all + 1, 0);
    ways[from] = 1;
    for (unsigned row = 0; row < rows; ++row) {
      std::vector<std::uint64_t> next(all + 1, 0);
      for (unsigned s = 0; s <= all; ++s) {
        if (ways[s] == 0) continue;
        const unsigned rest = all & ~s;
        for (unsigned t = rest;; t = (t - 1) & rest) {
          std::uint64_t factor = across(rest & ~t);
          for (unsigned k = 0; factor != 0 && k < columns_; ++k) factor *= (t >> k & 1U) != 0 ? down_ : 1;
          next[t] += ways[s] * factor;
          if (t == 0) break;
        }
      }
      ways = std::move(next);
    }
    return ways;
  }

  unsigned columns_;
  std::uint64_t down_;
};

TEST(Torus, TransferMatrices) {
  for (const unsigned columns : {3U, 5U, 6U, 7U}) {
    for (unsigned rows = columns == 3 ? 6 : 5; rows <= 9; ++rows) {
      if (rows * columns % 2 != 0) continue;
      const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
      EXPECT_EQ(counted(planar_method(), lattice_block("torus:" + size)),
                mpz_class(TransferMatrix(columns, 1).torus(rows)))
          << size;
      if (rows * columns > 42) continue;
      EXPECT_EQ(counted(planar_method(), lattice_block("torus:" + size + ":weights=1,3")),
                mpz_class(TransferMatrix(columns, 3).torus(rows)))
          << size << " with weights";
    }
  }
}

TEST(Cylinders, TransferMatrices) {
  for (unsigned columns = 3; columns <= 8; ++columns) {
    for (unsigned rows = 1; rows <= 9; ++rows) {
      if (rows * columns % 2 != 0) continue;
      const std::string size = std::to_string(rows) + "x" + std::to_string(columns);
      EXPECT_EQ(counted(planar_method(), lattice_block("cylinder:" + size)),
                mpz_class(TransferMatrix(columns, 1).cylinder(rows)))
          << size;
    }
  }
}

TEST(Torus, ThreeAcrossAndLong) {
  for (const char* const size : {"3x6", "3x8", "3x10", "8x3"})
    expect_as_frontier("torus:" + std::string(size));
}

TEST(Torus, WeightsOfEitherSign) {
  for (const char* const weights : {"2,3", "1,-1", "-2,5", "1/3,7", "-3,-3"}) {
    for (const char* const size : {"5x6", "6x6", "6x7", "8x6"})
      expect_as_frontier("torus:" + std::string(size) + ":weights=" + weights);
  }
}

TEST(Torus, HoneycombsAgainstFrontier) {
  for (int r = 4; r <= 6; ++r) {
    for (int c = r; c <= 7; ++c)
      expect_as_frontier("honeycomb-torus:" + std::to_string(r) + "x" + std::to_string(c));
  }
  expect_as_frontier("honeycomb-torus:5x5:weights=1,2,3");
  expect_as_frontier("honeycomb-torus:4x6:weights=-1,2,1/5");
}

TEST(Torus, TriangularLatticesAgainstFrontier) {
  for (const char* const spec : {"4x4", "4x5", "5x6", "6x6", "4x7", "6x7:weights=1,2,-3"})
    expect_as_frontier("triangular-torus:" + std::string(spec));
}

// Faces of two lengths. V. Elser, C. Zeng, Phys. Rev. B 48 (1993) 13647: 2^(N/3 + 1) for N sites of a kagome
// lattice on a torus.
TEST(Torus, FacesOfTwoLengths) {
  for (const char* const spec : {"square-octagon-torus:3x3", "square-octagon-torus:3x4:weights=2,1,3",
                                 "kagome-torus:4x5:weights=1,2,3", "kagome-torus:5x6:remove=r0c0a+r2c1b"})
    expect_as_frontier(spec);
  EXPECT_EQ(counted(planar_method(), lattice_block("kagome-torus:4x4")), mpz_class(1) << 17);
  EXPECT_EQ(counted(planar_method(), lattice_block("kagome-torus:20x21")), mpz_class(1) << 421);
}

TEST(Torus, VerticesRemoved) {
  for (const char* const removed : {"r0c0+r0c1", "r1c1+r3c4", "r0c0+r0c3+r3c0+r3c3", "r2c2+r4c5"})
    expect_as_frontier("torus:6x8:remove=" + std::string(removed));
}

// The edge opposite to the ends that are left of a kagome lattice's triangle is in no perfect matching:
// without it one neighbour of its ends lies on no short cycle.
TEST(Torus, KagomeLatticesWithoutADimer) {
  const std::string spec = "kagome-torus:5x6:remove=r1c1a+r1c1b";
  expect_as_frontier(spec);
  const Graph graph = lattice_graph(spec);
  const std::string one_end = "r2c0b";
  const std::string other_end = "r2c1a";
  Edges edges;
  for (const Edge& edge : graph.edges) {
    const std::string from = graph.left_labels.label(edge.from);
    const std::string to = graph.left_labels.label(edge.to);
    if (std::minmax(from, to) != std::minmax(one_end, other_end)) edges.emplace_back(edge.from, edge.to);
  }
  ASSERT_EQ(edges.size() + 1, graph.edges.size());
  const AnyBlock block = general_block(with_ones(graph_of(graph.left_labels.size(), edges)));
  EXPECT_EQ(counted(planar_method(), block), counted(planar_method(), lattice_block(spec)));
}

// Every vertex turned and numbered at random: nothing but the edges tells the lattice.
TEST(Torus, RandomValuesOnShuffledLattices) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const Index rows = 5 + random.below(2);
    const Index columns = rows % 2 == 0 ? 5 + random.below(3) : 6;
    EdgeList graph{rows * columns, {}};
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < columns; ++c) {
        graph.edges.emplace_back(r * columns + c, r * columns + (c + 1) % columns);
        graph.edges.emplace_back(r * columns + c, (r + 1) % rows * columns + c);
      }
    }
    graph = thinned_and_shuffled(graph, 1.0, random);
    const AnyBlock block = general_block(with_symmetric_values<std::int64_t>(
        graph_of(graph.vertices, graph.edges), ValueKind::small_signed, random));
    ASSERT_EQ(counted(planar_method(), block), counted(frontier_method(), block)) << "seed " << seed;
  }
}

TEST(Torus, EmbeddingsHaveEulersCharacteristic) {
  for (const char* const spec : {"torus:5x5", "torus:9x12", "honeycomb-torus:4x4", "honeycomb-torus:7x9",
                                 "triangular-torus:5x7", "kagome-torus:5x5", "square-octagon-torus:4x5"}) {
    const planar::BlockGraph graph = planar::block_graph(lattice_block(spec));
    const auto embedding = planar::short_cycle_embedding(graph, planar::Surface::torus);
    ASSERT_TRUE(embedding) << spec;
    EXPECT_EQ(graph.vertices + planar::trace_faces(graph, *embedding).count(), graph.edges.size()) << spec;
  }
}

TEST(ShortCycles, FindEmbeddingsOfLatticesInThePlane) {
  for (const char* const spec :
       {"square:2x9", "square:12x13", "cylinder:6x8", "honeycomb:1x1", "honeycomb:5x7", "triangular:6x7",
        "hexagon:3x4x5", "aztec:6", "square:9x8:remove=r4c4+r4c5+r0c0"}) {
    const planar::BlockGraph graph = planar::block_graph(general_lattice_block(spec));
    const auto embedding = planar::short_cycle_embedding(graph, planar::Surface::plane);
    ASSERT_TRUE(embedding) << spec;
    EXPECT_NO_THROW(planar::kasteleyn_orientation(graph, *embedding)) << spec;
    EXPECT_FALSE(planar::short_cycle_embedding(graph, planar::Surface::torus)) << spec;
  }
}

TEST(Torus, RefusesWhatIsNone) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(2, {}, 50);
  for (const char* const spec : {"torus:4x4", "torus:4x8", "cubic:3x3x4"}) {
    const AnyBlock block = lattice_block(spec);
    EXPECT_NE(planar_method().obstacle(block, arithmetic), std::nullopt) << spec;
  }
  const planar::BlockGraph plane = planar::block_graph(lattice_block("square:6x6"));
  EXPECT_FALSE(planar::short_cycle_embedding(plane, planar::Surface::torus));
  const auto rotations = planar::test_planarity(plane).embedding;
  EXPECT_THROW(planar::torus_terms(plane, rotations, planar::one_perfect_matching(plane)), CheckError);
}

TEST(Torus, NoPerfectMatching) {
  EXPECT_EQ(counted(planar_method(), lattice_block("torus:5x5")), 0);
}

}  // namespace
}  // namespace countpm
