// Joint probabilities and covariances by samples, against exact ones.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/matchings/edge_pairs.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "tests/pipeline/sampled_inputs.hpp"
#include "tests/repeats.hpp"

namespace countpm::sampled_pairs_test {
namespace {

using testing::read;
using testing::with_seed;

using Places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Places all_pairs(std::size_t edges) {
  Places pairs;
  for (std::uint64_t e = 0; e < edges; ++e) {
    for (std::uint64_t f = 0; f < edges; ++f) pairs.emplace_back(e, f);
  }
  return pairs;
}

EdgeSampling sampling_by(const std::string& sampler) {
  EdgeSampling sampling;
  sampling.sampler = sampler;
  sampling.error = 0.02;
  sampling.time_limit_seconds = std::numeric_limits<double>::infinity();
  return sampling;
}

/// A hexagon, a ladder with odd cycles and weights, and a leaf: two pieces and a forced edge.
std::string pieces() {
  std::string text = "h0 h1 2\nh1 h2 1\nh2 h3 3\nh3 h4 1\nh4 h5 1\nh5 h0 1\nleaf end 7\nend h0 1\n";
  for (int k = 0; k < 4; ++k) {
    text += fmt::format("a{} b{} {}\n", k, k, k + 1);
    if (k < 3) text += fmt::format("a{} a{} 2\nb{} b{} 3\na{} b{} 1\n", k, k + 1, k, k + 1, k, k + 1);
  }
  return text;
}

/// A directed graph with loops: its cycle covers.
std::string arcs() {
  std::string text;
  for (int v = 0; v < 6; ++v)
    text += fmt::format("{} {}\n{} {}\n{} {}\n", v, v, v, (v + 1) % 6, v, (v + 2) % 6);
  return text;
}

struct Apart {
  int values = 0;
  int off = 0;         // by more than two standard errors
  double largest = 0;  // in standard errors
  void take(double found, double error, double exact) {
    if (error == 0) {
      EXPECT_NEAR(found, exact, 1e-12);
      return;
    }
    ++values;
    const double apart = std::abs(found - exact) / error;
    largest = std::max(largest, apart);
    if (apart > 2) ++off;
  }
};

void compare_pairs(const ReadResult& input, const std::string& sampler, std::uint64_t seed, Apart& apart) {
  const CountOptions options = with_seed(seed);
  const Marginals marginal = marginals(ReadResult(input), options);
  const Places pairs = all_pairs(marginal.probability.size());
  const std::vector<mpq_class> exact = pair_marginals(ReadResult(input), pairs, options);
  const SampledPairMarginals sampled =
      sampled_pair_marginals(ReadResult(input), pairs, options, sampling_by(sampler));
  EXPECT_EQ(sampled.doubt, "");
  EXPECT_EQ(sampled.goal_missed, "");
  ASSERT_EQ(sampled.pairs.size(), pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [e, f] = pairs[k];
    const PairShares& pair = sampled.pairs[k];
    const double joint = exact[k].get_d();
    apart.take(pair.joint, pair.joint_error, joint);
    apart.take(pair.covariance, pair.covariance_error,
               joint - marginal.probability[e] * marginal.probability[f]);
    EXPECT_NEAR(pair.covariance, pair.joint - sampled.probability[e] * sampled.probability[f], 1e-12);
    if (e != f) continue;
    EXPECT_EQ(pair.joint, sampled.probability[e]);
    EXPECT_EQ(pair.joint_error, sampled.error[e]);
  }
}

TEST(SampledPairMarginals, AreWithinTheirErrors) {
  const std::vector<ReadResult> inputs{read("lattice:square:4x4"), read(pieces(), true),
                                       read("lattice:triangular:3x4", false, "1/2")};
  Apart apart;
  for (const char* sampler : {"boundary", "bethe", "auto"}) {
    for (const ReadResult& input : inputs) {
      for (int seed = 1; seed <= testing::repeats(3); ++seed)
        compare_pairs(input, sampler, static_cast<std::uint64_t>(seed), apart);
    }
  }
  EXPECT_GE(apart.values, testing::fewest(4000));
  // Pairs of one input go together, so that their number is worth less than it is.
  EXPECT_LE(apart.off, 0.08 * apart.values) << apart.values;
  EXPECT_LE(apart.largest, 5.5);
}

TEST(SampledPairMarginals, HaveErrorsThatAreNotTooLarge) {
  // Of so many equal samples the errors are those of the binomial law.
  EdgeSampling sampling = sampling_by("boundary");
  sampling.samples = 4000;
  const ReadResult input = read("h0 h1\nh1 h2\nh2 h3\nh3 h4\nh4 h5\nh5 h0\n");
  const SampledPairMarginals sampled =
      sampled_pair_marginals(ReadResult(input), {{0, 2}, {0, 1}, {0, 3}}, with_seed(5), sampling);
  ASSERT_EQ(sampled.pairs.size(), 3U);
  const double wanted = std::sqrt(0.25 / 4000);
  EXPECT_NEAR(sampled.pairs[0].joint, 0.5, 5 * wanted);
  EXPECT_GT(sampled.pairs[0].joint_error, 0.9 * wanted);
  EXPECT_LT(sampled.pairs[0].joint_error, 1.2 * wanted);
  // The covariance p (1 - p) hardly depends on p where that is near 1/2.
  EXPECT_NEAR(sampled.pairs[0].covariance, 0.25, 0.002);
  EXPECT_LT(sampled.pairs[0].covariance_error, 0.2 * wanted);
  EXPECT_EQ(sampled.pairs[1].joint, 0);  // a common end
  EXPECT_EQ(sampled.pairs[1].joint_error, 0);
  EXPECT_NEAR(sampled.pairs[1].covariance, -0.25, 0.002);
  EXPECT_EQ(sampled.pairs[2].joint, 0);  // none apart, but nothing but samples says so
  EXPECT_GT(sampled.pairs[2].joint_error, 0);
}

TEST(SampledPairMarginals, AreTheSameDigitsForThreadsAndDoNotChangeTheEdges) {
  const ReadResult input = read(pieces(), true);
  EdgeSampling sampling = sampling_by("auto");
  sampling.samples = 500;
  const SampledMarginals alone = sampled_marginals(ReadResult(input), with_seed(3, 1), sampling);
  const Places pairs = all_pairs(alone.probability.size());
  const SampledPairMarginals one =
      sampled_pair_marginals(ReadResult(input), pairs, with_seed(3, 1), sampling);
  const SampledPairMarginals four =
      sampled_pair_marginals(ReadResult(input), pairs, with_seed(3, 4), sampling);
  EXPECT_EQ(one.probability, alone.probability);
  EXPECT_EQ(one.error, alone.error);
  ASSERT_EQ(one.pairs.size(), four.pairs.size());
  for (std::size_t k = 0; k < one.pairs.size(); ++k) {
    EXPECT_EQ(one.pairs[k].joint, four.pairs[k].joint);
    EXPECT_EQ(one.pairs[k].joint_error, four.pairs[k].joint_error);
    EXPECT_EQ(one.pairs[k].covariance, four.pairs[k].covariance);
    EXPECT_EQ(one.pairs[k].covariance_error, four.pairs[k].covariance_error);
  }
}

TEST(SampledPairMarginals, OfCycleCoversAreOfTailsAndHeads) {
  ReadOptions directed;
  directed.kind = GraphKind::directed;
  const ReadResult input = read_graph(Source::from_bytes(arcs()), directed);
  Apart apart;
  for (int seed = 1; seed <= testing::repeats(3); ++seed)
    compare_pairs(input, "auto", static_cast<std::uint64_t>(seed), apart);
  EXPECT_GE(apart.values, testing::fewest(300));
  EXPECT_LE(apart.largest, 5.5);
}

TEST(SampledPairMarginals, RefuseWhatTheyCannot) {
  EXPECT_THROW(sampled_pair_marginals(read("lattice:square:4x4"), {{0, 24}}, {}, {}), UsageError);
  EXPECT_THROW(sampled_pair_marginals(read("lattice:square:4x4:weights=-1,1", true), {{0, 1}}, {}, {}),
               UnableError);
  CountOptions maximum;
  maximum.matchings = MatchingSize::maximum;
  EXPECT_THROW(sampled_pair_marginals(read("lattice:square:4x4"), {{0, 1}}, maximum, {}), UsageError);
  const SampledPairMarginals none = sampled_pair_marginals(read("lattice:square:3x3"), {{0, 1}}, {}, {});
  EXPECT_TRUE(none.violator.has_value());
  EXPECT_TRUE(none.pairs.empty());
}

}  // namespace
}  // namespace countpm::sampled_pairs_test
