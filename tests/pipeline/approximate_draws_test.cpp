// Matchings drawn by weighted samples, against the exact law.
#include "src/matchings/approximate_draws.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "graph/lattices/lattice.hpp"
#include "tests/pipeline/sampled_inputs.hpp"
#include "tests/pipeline/trap.hpp"
#include "tests/repeats.hpp"

namespace countpm::approximate_draws_test {
namespace {

using testing::read;
using testing::with_seed;

using Matching = std::vector<std::pair<Index, Index>>;

struct Drawn {
  std::vector<Matching> matchings;
  DrawnApproximately said;
};

Drawn draw(const ReadResult& input, const std::string& sampler, std::uint64_t count,
           const CountOptions& options) {
  SampleOptions samples;
  samples.count = count;
  Drawn drawn;
  drawn.said = sample_approximately(ReadResult(input), options, sampler, samples, [&](const auto& edges) {
    drawn.matchings.emplace_back();
    for (const Edge& edge : edges) drawn.matchings.back().emplace_back(edge.from, edge.to);
    return true;
  });
  EXPECT_EQ(drawn.said.draws, drawn.matchings.size());
  return drawn;
}

/// A graph with odd cycles, weights of 1 to 5, a bridge and an edge that all have.
std::string weighted_ladder() {
  std::string text;
  for (int k = 0; k < 4; ++k) {
    text += fmt::format("a{} b{} {}\n", k, k, k % 5 + 1);
    if (k < 3) text += fmt::format("a{} a{} 2\nb{} b{} 3\na{} b{} 1\n", k, k + 1, k, k + 1, k, k + 1);
  }
  return text + "leaf end 7\nend a0 1\n";
}

std::string weighted_matrix() {
  return "%%MatrixMarket matrix coordinate integer general\n4 4 11\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n2 3 1\n"
         "3 2 1\n3 3 5\n3 4 2\n4 3 4\n4 4 1\n4 1 2\n";
}

/// How far edges' shares are from their probabilities, in variances, added up.
struct Apart {
  double variances = 0;
  int edges = 0;
};

/// Every edge is there as often as its exact probability says, but for chance and a hundredth.
Apart expect_shares(const ReadResult& input, const std::string& sampler, std::uint64_t count,
                    std::uint64_t seed) {
  const Marginals exact = marginals(ReadResult(input), with_seed(seed));
  const Drawn drawn = draw(input, sampler, count, with_seed(seed));
  EXPECT_EQ(drawn.said.doubt, "") << sampler;
  EXPECT_LT(drawn.said.off, 0.1) << sampler;
  const bool two_sides = input.graph.kind == GraphKind::bipartite;
  const auto key_of = [two_sides](Index u, Index v) {
    return two_sides ? std::pair(u, v) : std::pair(std::min(u, v), std::max(u, v));
  };
  std::map<std::pair<Index, Index>, double> times;
  for (const Matching& matching : drawn.matchings) {
    for (const auto& [u, v] : matching) times[key_of(u, v)] += 1;
  }
  const auto number = static_cast<double>(count);
  Apart apart;
  for (std::size_t e = 0; e < exact.edge.size(); ++e) {
    const auto [u, v] = exact.edge[e];
    if (u == v && !two_sides) continue;  // a vertex alone
    const double p = exact.probability[e];
    const double share = times[key_of(u, v)] / number;
    const double variance = p * (1 - p) / number;
    EXPECT_NEAR(share, p, 5.5 * std::sqrt(variance) + 6 / number + 0.01)
        << sampler << " " << u << " " << v << " seed " << seed;
    if (p == 0 || p == 1) {
      EXPECT_EQ(share, p);
    } else {
      apart.variances += (share - p) * (share - p) / variance;
      ++apart.edges;
    }
  }
  return apart;
}

TEST(ApproximateDraws, HaveTheSharesOfTheExactLaw) {
  const std::vector<ReadResult> inputs{read(weighted_ladder(), true), read(weighted_matrix(), true),
                                       read("lattice:triangular:3x4", false, "1/2"),
                                       read("lattice:cubic:2x3x4"), read("lattice:square:6x6")};
  for (const char* sampler : {"annealed", "bethe", "boundary"}) {
    Apart all;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const Apart one = expect_shares(inputs[k], sampler, testing::repeats(1500), k);
      all.variances += one.variances;
      all.edges += one.edges;
    }
    // Edges of one input go together: 1 is expected, and 0.2 the noise.
    EXPECT_LT(all.variances, 1.9 * all.edges) << sampler << " " << all.edges;
  }
}

// Of 36 matchings none is met more often than others: an error of a tenth of all chances would show.
TEST(ApproximateDraws, AreAsLikelyAsOneAnother) {
  const ReadResult square = read("lattice:square:4x4");
  const auto count = testing::repeats<std::uint64_t>(12000);
  for (const char* sampler : {"annealed", "bethe"}) {
    std::map<Matching, double> times;
    for (const Matching& matching : draw(square, sampler, count, with_seed(7)).matchings)
      times[matching] += 1;
    const double expected = static_cast<double>(count) / 36;
    double chi_square = (36 - static_cast<double>(times.size())) * expected;
    for (const auto& [matching, number] : times)
      chi_square += (number - expected) * (number - expected) / expected;
    EXPECT_EQ(times.size(), 36U);
    EXPECT_LT(chi_square, 35 + 6 * std::sqrt(70.0)) << sampler;
  }
}

// Most matchings have links, all or none; and a ring has two, which are apart everywhere.
TEST(ApproximateDraws, OfAnnealingAreOfBothKinds) {
  expect_shares(read(testing::Trap(5, 1).text()), "annealed", testing::repeats(300), 3);
  std::string ring;
  constexpr int size = 60;
  for (int v = 0; v < size; ++v) ring += fmt::format("{} {} {}\n", v, (v + 1) % size, v == 0 ? 3 : 1);
  expect_shares(read(ring, true), "annealed", testing::repeats(1500), 4);
}

TEST(ApproximateDraws, DependOnSeedAndNumberAlone) {
  const ReadResult input = read(weighted_ladder() + "p q\nq r\nr s\ns p\np r\n", true);
  for (const char* sampler : {"annealed", "bethe"}) {
    const Drawn one = draw(input, sampler, 9, with_seed(1, 1));
    const Drawn four = draw(input, sampler, 9, with_seed(1, 4));
    EXPECT_EQ(one.matchings, four.matchings);
    EXPECT_EQ(one.said.samples, four.said.samples);
    EXPECT_EQ(one.said.effective_samples, four.said.effective_samples);
    EXPECT_EQ(one.said.off, four.said.off);
    EXPECT_EQ(one.said.sampler, sampler);
    Drawn few = draw(input, sampler, 4, with_seed(1));
    EXPECT_EQ(few.matchings, std::vector<Matching>(one.matchings.begin(), one.matchings.begin() + 4));
    EXPECT_NE(draw(input, sampler, 9, with_seed(2)).matchings, one.matchings);
  }
  EXPECT_EQ(draw(input, "annealed", 0, with_seed(1)).said.samples, 0U);
}

TEST(ApproximateDraws, RefuseWhatTheyCannotDraw) {
  const auto refused = [](const ReadResult& input, const std::string& sampler) {
    return draw(input, sampler, 1, with_seed(1));
  };
  EXPECT_THROW(refused(read("lattice:square:4x4:weights=-1,1", true), "annealed"), UnableError);
  EXPECT_THROW(refused(read("lattice:square:4x4"), "scaling"), UnableError);
  EXPECT_THROW(refused(read("lattice:square:4x4"), "anealed"), UsageError);
  const Drawn none = refused(read("lattice:square:3x3"), "annealed");
  EXPECT_TRUE(none.matchings.empty());
  EXPECT_EQ(none.said.sampler, "");
  CountOptions interrupted = with_seed(1);
  interrupted.interrupted = [] { return true; };
  EXPECT_THROW(draw(read("lattice:cubic:4x4x4"), "annealed", 1000, interrupted), InterruptedError);
  CountOptions late = with_seed(1);
  late.time_limit_seconds = 0.3;
  EXPECT_THROW(draw(read("lattice:cubic:6x6x6"), "annealed", 100000, late), UnableError);
}

}  // namespace
}  // namespace countpm::approximate_draws_test
