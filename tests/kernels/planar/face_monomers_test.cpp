// planar with monomers on one face: counts, edge uses and draws against enumeration, and what is refused.
#include "kernels/planar/orientation/face_monomers.hpp"

#include <gtest/gtest.h>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/method.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"
#include "tests/kernels/planar/planar_passes_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::face_monomers_test {
namespace {

using testing::repeats;

using namespace testing_support;

/// Loops are edges from a vertex to itself.
Block<mpq_class> block_with_loops(Index vertices, const Edges& edges, Random& random, bool negative) {
  std::vector<std::pair<Index, Index>> both;
  for (const auto& [a, b] : edges) {
    both.emplace_back(a, b);
    if (a != b) both.emplace_back(b, a);
  }
  const SparsePattern pattern = pattern_of(vertices, vertices, both);
  Block<mpq_class> block = general_block(with_symmetric_values<mpq_class>(
      pattern, negative ? ValueKind::small_signed : ValueKind::small_positive, random));
  block.monomers = true;
  return block;
}

/// A vertex of a random planar graph taken away: its neighbours are on one face. Some of them, or all, may
/// stay alone.
Block<mpq_class> random_face_block(Random& random, Index most, bool negative) {
  const EdgeList graph = random_planar(1 + random.below(most), random);
  const Index gone = graph.vertices - 1;
  const bool some = random.below(3) == 0;
  Edges edges;
  for (const auto& [a, b] : graph.edges) {
    if (a != gone && b != gone) edges.emplace_back(a, b);
    if ((a == gone) != (b == gone) && (!some || random.below(2) == 0))
      edges.emplace_back(std::min(a, b), std::min(a, b));
  }
  return block_with_loops(gone, edges, random, negative);
}

/// Times the block's denominator.
mpz_class count_of(const Method& method, const AnyBlock& block) {
  Arithmetic arithmetic;
  constexpr unsigned bits = 50;
  arithmetic.moduli = choose_primes(static_cast<unsigned>((log2_upper_bound(block) + 2) / (bits - 1)) + 1,
                                    {denominator(block)}, bits);
  EXPECT_EQ(method.obstacle(block, arithmetic), std::nullopt);
  const std::unique_ptr<Job> job = method.make_job(block, arithmetic, {});
  Partial total = zero(arithmetic);
  const StopSignal stop;
  for (std::uint64_t unit = 0; unit < job->units(); ++unit) add(total, job->run(unit, stop), arithmetic);
  multiply(total, from_factor(mpq_class(denominator(block)), arithmetic), arithmetic);
  return join_residues(std::get<Residues>(total), arithmetic.moduli, true);
}

TEST(FaceMonomers, RandomGraphsAgainstEnumeration) {
  int with_alone = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(300); ++seed) {
    Random random(seed);
    const Block<mpq_class> block = random_face_block(random, 13, seed % 2 == 0);
    const mpq_class expected = total_of(all_matchings(block)) * denominator(AnyBlock(block));
    for (const char* method : {"planar", "condensation"})
      ASSERT_EQ(mpq_class(count_of(method_named(method), block)), expected) << method << ", seed " << seed;
    with_alone += expected != 0 ? 1 : 0;
  }
  EXPECT_GT(with_alone, repeats(300) / 2);
}

// Loops anywhere: what is not refused is right, and both happens.
TEST(FaceMonomers, LoopsAnywhere) {
  int refused = 0;
  int counted = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(300); ++seed) {
    Random random(seed);
    EdgeList graph = random_planar(4 + random.below(7), random);
    const Index loops = random.below(6);
    for (Index k = 0; k < loops; ++k) {
      const Index v = random.below(graph.vertices);
      if (std::find(graph.edges.begin(), graph.edges.end(), std::pair(v, v)) == graph.edges.end())
        graph.edges.emplace_back(v, v);
    }
    const Block<mpq_class> block = block_with_loops(graph.vertices, graph.edges, random, true);
    if (std::holds_alternative<Refusal>(planar::with_monomer_path(block))) {
      ++refused;
      continue;
    }
    ++counted;
    ASSERT_EQ(mpq_class(count_of(method_named("planar"), block)),
              total_of(all_matchings(block)) * denominator(AnyBlock(block)))
        << "seed " << seed;
  }
  EXPECT_GT(refused, repeats(300) / 20);
  EXPECT_GT(counted, repeats(300) / 3);
}

/// rows x columns, a loop at every vertex, or on the rim alone.
Block<std::int64_t> board(Index rows, Index columns, bool rim) {
  std::vector<std::pair<Index, Index>> entries;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const Index v = r * columns + c;
      const bool inside = r > 0 && r + 1 < rows && c > 0 && c + 1 < columns;
      if (!rim || !inside) entries.emplace_back(v, v);
      if (c + 1 < columns) entries.insert(entries.end(), {{v, v + 1}, {v + 1, v}});
      if (r + 1 < rows) entries.insert(entries.end(), {{v, v + columns}, {v + columns, v}});
    }
  }
  Block<std::int64_t> block;
  static_cast<SparsePattern&>(block.matrix) = pattern_of(rows * columns, rows * columns, entries);
  block.matrix.value.assign(block.matrix.entries(), 1);
  block.general = block.monomers = true;
  return block;
}

TEST(FaceMonomers, LaddersAndPaths) {
  // OEIS A030186: matchings of the 2 x n grid; A000045: of paths.
  const int ladders[] = {2, 7, 22, 71, 228, 733, 2356, 7573};
  const int paths[] = {1, 2, 3, 5, 8, 13, 21, 34};
  for (Index n = 2; n <= 8; ++n) {
    EXPECT_EQ(count_of(method_named("planar"), board(2, n, false)), ladders[n - 1]) << n;
    EXPECT_EQ(count_of(method_named("planar"), board(1, n, false)), paths[n - 1]) << n;
  }
  const auto refused = planar::with_monomer_path(board(3, 3, false));
  ASSERT_TRUE(std::holds_alternative<Refusal>(refused));
  EXPECT_NE(std::get<Refusal>(refused).text.find("on one face"), std::string::npos);
  EXPECT_TRUE(std::holds_alternative<AnyBlock>(planar::with_monomer_path(board(3, 3, true))));
}

TEST(FaceMonomers, UsesAgainstEnumeration) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(300); ++seed) {
    Random random(seed);
    const Block<mpq_class> block = random_face_block(random, 11, seed % 2 == 0);
    ASSERT_NO_FATAL_FAILURE(expect_uses(block, all_matchings(block), seed, compared));
  }
  EXPECT_GT(compared, repeats(300) / 2);
  ASSERT_NO_FATAL_FAILURE(expect_uses_of_frontier(board(5, 6, true), "5 x 6"));
  ASSERT_NO_FATAL_FAILURE(expect_uses_of_frontier(board(7, 5, true), "7 x 5"));
}

TEST(FaceMonomers, DrawsByChiSquare) {
  for (std::uint64_t seed = 1; seed <= repeats<std::uint64_t>(8); ++seed) {
    Random random(seed);
    const Block<mpq_class> block = random_face_block(random, 10, false);
    const Matchings matchings = all_matchings(block);
    if (total_of(matchings) == 0) continue;
    PlanarPasses passes(block, {});
    const StopSignal stop;
    constexpr std::uint64_t draws = 500;
    const auto drawn = passes.draw(3, 0, 0, draws, stop);
    const auto mates = [&](std::uint64_t k) {
      std::vector<Index> mate(block.size(), no_index);
      for (const auto& [a, b] : drawn[k]) {
        mate[a] = b;
        mate[b] = a;
      }
      return mate;
    };
    expect_fair(matchings, draws, mates, "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace countpm::face_monomers_test
