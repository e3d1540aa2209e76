// Edge probabilities and ratios by samples, against exact ones.
#include "src/matchings/sampled_marginals.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "graph/lattices/lattice.hpp"
#include "src/matchings/integration.hpp"
#include "tests/pipeline/sampled_inputs.hpp"
#include "tests/repeats.hpp"

namespace countpm::sampled_marginals_test {
namespace {

using testing::read;
using testing::with_seed;

/// A graph with odd cycles and weights of 1 to 5, and a leaf that forces an edge.
std::string weighted_ladder() {
  std::string text;
  for (int k = 0; k < 8; ++k) {
    text += fmt::format("a{} b{} {}\n", k, k, k % 5 + 1);
    if (k < 7) text += fmt::format("a{} a{} 2\nb{} b{} 3\na{} b{} 1\n", k, k + 1, k, k + 1, k, k + 1);
  }
  return text + "leaf end 7\nend a0 1\n";
}

struct Compared {
  int edges = 0;
  int off = 0;         // by more than two standard errors
  double largest = 0;  // in standard errors
};

void compare(const ReadResult& input, const std::string& sampler, std::uint64_t seed, Compared& compared) {
  const CountOptions options = with_seed(seed);
  const Marginals exact = marginals(ReadResult(input), options);
  EdgeSampling sampling;
  sampling.sampler = sampler;
  sampling.error = 0.02;
  sampling.time_limit_seconds = std::numeric_limits<double>::infinity();
  const SampledMarginals sampled = sampled_marginals(ReadResult(input), options, sampling);
  ASSERT_EQ(sampled.probability.size(), exact.probability.size());
  ASSERT_EQ(sampled.error.size(), exact.probability.size());
  EXPECT_EQ(sampled.edge, exact.edge);
  EXPECT_EQ(sampled.doubt, "");
  EXPECT_EQ(sampled.goal_missed, "");
  for (std::size_t e = 0; e < exact.probability.size(); ++e) {
    const double apart = std::abs(sampled.probability[e] - exact.probability[e]);
    EXPECT_LE(sampled.error[e], 0.02);
    if (sampled.error[e] == 0) {
      EXPECT_EQ(apart, 0) << e;
      continue;
    }
    ++compared.edges;
    compared.largest = std::max(compared.largest, apart / sampled.error[e]);
    if (apart > 2 * sampled.error[e]) ++compared.off;
  }
}

TEST(SampledMarginals, AreWithinTheirErrors) {
  const std::vector<ReadResult> inputs{read("lattice:square:6x6"), read(weighted_ladder(), true),
                                       read("lattice:triangular:4x4", false, "1/2"),
                                       read("lattice:cubic:2x3x4")};
  Compared compared;
  for (const char* sampler : {"boundary", "bethe", "auto"}) {
    for (const ReadResult& input : inputs) {
      for (int seed = 1; seed <= testing::repeats(9); ++seed)
        compare(input, sampler, static_cast<std::uint64_t>(seed), compared);
    }
  }
  EXPECT_GE(compared.edges, testing::fewest(4000));
  // Edges of one input go together, so that their number is worth less than it is.
  EXPECT_LE(compared.off, 0.08 * compared.edges) << compared.edges;
  EXPECT_LE(compared.largest, 5.5);
}

TEST(SampledMarginals, AreTheSameDigitsForAnyNumberOfThreads) {
  EdgeSampling sampling;
  sampling.error = 0.01;
  const ReadResult input = read("lattice:triangular:6x6");
  const SampledMarginals one = sampled_marginals(ReadResult(input), with_seed(3, 1), sampling);
  const SampledMarginals four = sampled_marginals(ReadResult(input), with_seed(3, 4), sampling);
  EXPECT_EQ(one.probability, four.probability);
  EXPECT_EQ(one.error, four.error);
  EXPECT_EQ(one.samples, four.samples);
  sampling.samples = 100;
  const SampledMarginals few = sampled_marginals(ReadResult(input), with_seed(3, 3), sampling);
  EXPECT_EQ(few.samples, 100U);
  double sum = 0;
  for (const double p : few.probability) sum += p;
  EXPECT_NEAR(sum, 18, 1e-9);  // every vertex has one partner
}

TEST(SampledMarginals, SayWhatTheyCannot) {
  EXPECT_THROW(sampled_marginals(read("lattice:square:4x4:weights=-1,1", true), {}, {}), UnableError);
  EdgeSampling sampling;
  sampling.error = 0.7;
  EXPECT_THROW(sampled_marginals(read("lattice:square:4x4"), {}, sampling), UsageError);
  sampling = {};
  sampling.sampler = "scaling";
  EXPECT_THROW(sampled_marginals(read("lattice:square:4x4"), {}, sampling), UnableError);
  const SampledMarginals none = sampled_marginals(read("lattice:square:3x3"), {}, {});
  EXPECT_TRUE(none.violator.has_value());
  EXPECT_TRUE(none.probability.empty());
}

EstimateOptions sampled(double ln_error) {
  EstimateOptions options;
  options.all_sampled = true;
  options.ln_error = ln_error;
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  return options;
}

TEST(Ratio, IsExactWhereBothAreEasy) {
  const RatioResult result =
      ratio(read("lattice:square:6x6:weights=2,3", true), read("lattice:square:6x6"), {}, {});
  ASSERT_TRUE(result.exact.has_value());
  const Value first = count(read("lattice:square:6x6:weights=2,3", true), {}).value;
  EXPECT_EQ(*result.exact, mpq_class(std::get<mpz_class>(first), 6728));
  EXPECT_EQ(result.ln_error, 0);
  EXPECT_EQ(*ratio(read("a b\nc d\na d\n"), read("a b\nc d\nb c\n"), {}, {}).exact, 1);
}

TEST(Ratio, OfSamplesIsWithinItsErrorAndStopsThere) {
  struct Case {
    ReadResult a;
    ReadResult b;
  };
  const std::string ladder = weighted_ladder();
  const std::string square = "lattice:square:6x6";
  const std::vector<Case> cases{
      {read(square + ":weights=1.5,1", true), read(square)},
      {read(ladder, true), read(ladder)},  // without its weights
      // Each has edges that the other has not.
      {read(ladder + "a0 b3 4\n", true), read(ladder + "a2 b7 1\na5 b1 6\n", true)},
  };
  int runs = 0;
  int off = 0;
  for (const Case& one : cases) {
    const RatioResult exact = ratio(ReadResult(one.a), ReadResult(one.b), {}, EstimateOptions{});
    ASSERT_TRUE(exact.exact.has_value());
    const double truth = exact.ln;
    for (int seed = 1; seed <= testing::repeats(30); ++seed) {
      const RatioResult result = ratio(ReadResult(one.a), ReadResult(one.b),
                                       with_seed(static_cast<std::uint64_t>(seed)), sampled(0.03));
      EXPECT_EQ(result.doubt, "");
      EXPECT_FALSE(result.exact.has_value());
      EXPECT_GT(result.samples, 0U);
      EXPECT_LE(result.ln_error, 0.03);
      ++runs;
      if (std::abs(result.ln - truth) > 2 * result.ln_error) ++off;
    }
  }
  EXPECT_LE(off, 0.05 * runs + 4 * std::sqrt(0.05 * 0.95 * runs)) << runs;
}

TEST(Ratio, IsTheSameDigitsForThreadsAndKnowsWhatNeedsNoSample) {
  const ReadResult a = read("lattice:square:8x8:weights=1.5,1", true);
  const ReadResult b = read("lattice:square:8x8");
  const RatioResult one = ratio(ReadResult(a), ReadResult(b), with_seed(1, 1), sampled(0.02));
  const RatioResult four = ratio(ReadResult(a), ReadResult(b), with_seed(1, 4), sampled(0.02));
  EXPECT_EQ(one.ln, four.ln);
  EXPECT_EQ(one.ln_error, four.ln_error);
  const RatioResult twice =
      ratio(read("lattice:square:8x8:weights=2,2", true), ReadResult(b), {}, sampled(0.02));
  EXPECT_NEAR(twice.ln, 32 * std::log(2.0), 1e-12);
  EXPECT_EQ(twice.samples, 0U);
  EXPECT_EQ(twice.ln_error, 0);
}

TEST(Ratio, RefusesWhatHasNone) {
  EXPECT_THROW(ratio(read("a b\n"), read("a c\n"), {}, {}), InputError);
  EXPECT_THROW(ratio(read("a b\n"), read("a b\nc d\n"), {}, {}), InputError);
  const ReadResult star = read("a b\na c\na d\n");
  const ReadResult path = read("a b\nb c\nc d\n");
  EXPECT_THROW(ratio(ReadResult(path), ReadResult(star), {}, {}), UnableError);
  EXPECT_THROW(ratio(ReadResult(path), ReadResult(star), {}, sampled(0.1)), UnableError);
  EXPECT_EQ(*ratio(ReadResult(star), ReadResult(path), {}, {}).exact, 0);
  EXPECT_EQ(ratio(ReadResult(star), ReadResult(path), {}, sampled(0.1)).ln,
            -std::numeric_limits<double>::infinity());
}

// Matchings of the one sum are rare in the other: samples of both would say nothing.
TEST(Ratio, OfSumsFarApartIsDrawnSumBySum) {
  const ReadResult a = read("lattice:square:8x8:weights=4,1", true);
  const ReadResult b = read("lattice:square:8x8");
  const double truth = ratio(ReadResult(a), ReadResult(b), {}, EstimateOptions{}).ln;
  for (int seed = 1; seed <= testing::repeats(6); ++seed) {
    const auto own = static_cast<std::uint64_t>(seed);
    const RatioResult result = ratio(ReadResult(a), ReadResult(b), with_seed(own), sampled(0.02));
    EXPECT_TRUE(result.apart);
    EXPECT_EQ(result.doubt, "");
    EXPECT_EQ(result.goal_missed, "");
    EXPECT_LE(result.ln_error, 0.02);
    EXPECT_NEAR(result.ln, truth, 5 * result.ln_error) << seed;
    EXPECT_LT(result.low, truth + 3 * result.ln_error);
    EXPECT_GT(result.high, truth - 3 * result.ln_error);
    if (seed > 1) continue;
    EXPECT_EQ(ratio(ReadResult(a), ReadResult(b), with_seed(own, 4), sampled(0.02)).ln, result.ln);
  }
  // Near each other, what both have in common makes no error.
  EXPECT_FALSE(
      ratio(read("lattice:square:8x8:weights=1.01,1", true), ReadResult(b), {}, sampled(0.02)).apart);
}

ReadResult read_letters(const std::string& spec) {
  ReadOptions options;
  options.letters = true;
  options.weights = true;
  return read_graph(Source::from_argument(spec), options);
}

LetterRange range_of(const mpq_class& from, const mpq_class& to) {
  return {'x', from, to};
}

TEST(Integration, IsTheRatioOfBothEnds) {
  const ReadResult square = read_letters("lattice:square:6x6:weights=x,1");
  const auto counted = [&](const std::string& spec) {
    return mpq_class(std::get<mpz_class>(count(read(spec, true), {}).value));
  };
  const RatioResult up = integrate(square, range_of(1, 4), {}, EstimateOptions{});
  ASSERT_TRUE(up.exact.has_value());
  EXPECT_EQ(*up.exact, counted("lattice:square:6x6:weights=4,1") / 6728);
  EXPECT_EQ(*integrate(square, range_of(4, 1), {}, EstimateOptions{}).exact * *up.exact, 1);
  // Every matching has as many edges of weight x^-1 as the square has, but for 18 in all.
  const ReadResult inverse = read_letters("lattice:square:6x6:weights=1,x^-1");
  mpq_class factor = 1;
  for (int k = 0; k < 18; ++k) factor *= 4;
  EXPECT_EQ(*integrate(inverse, range_of(1, 4), {}, EstimateOptions{}).exact, *up.exact / factor);
  const SamplingForecast forecast = explain_integral(square, range_of(1, 4), {}, sampled(0.05));
  EXPECT_FALSE(forecast.counted);
  EXPECT_FALSE(forecast.pieces.empty());
  for (const PieceForecast& piece : forecast.pieces) EXPECT_GT(piece.samples, 0U);
}

TEST(Integration, RefusesWhatHasNoSuchLetter) {
  const ReadResult two = read_letters("lattice:square:4x4:weights=x,y");
  EXPECT_THROW(integrate(two, range_of(1, 4), {}, {}), UsageError);
  EXPECT_THROW(integrate(read("lattice:square:4x4"), range_of(1, 4), {}, {}), UsageError);
  const ReadResult square = read_letters("lattice:square:4x4:weights=x,1");
  EXPECT_THROW(integrate(square, {'y', 1, 4}, {}, {}), UsageError);
  EXPECT_THROW(integrate(square, range_of(0, 4), {}, {}), UsageError);
  for (const char* text : {"", "x", "x=1", "x=1:", "x=:1", "x=1:-2", "x=0:1", "x=1:2i", "x=1:2:3", "xy=1:2"})
    EXPECT_THROW(letter_range(text), UsageError) << text;
  const LetterRange range = letter_range("z=1/2:2.5");
  EXPECT_EQ(range.letter, 'z');
  EXPECT_EQ(range.from, mpq_class(1, 2));
  EXPECT_EQ(range.to, mpq_class(5, 2));
}

// Intervals hold as often as they say, whichever way the samples are drawn.
TEST(LongIntegration, IntervalsHold) {
  struct Case {
    std::string spec;
    mpq_class to;
    bool apart;  // so far that samples of both say nothing; else either way may be taken
  };
  const std::vector<Case> cases{{"lattice:square:8x8:weights=x,1", 4, true},
                                {"lattice:cubic:2x4x4:weights=x,1,1", 3, true},
                                {"lattice:cubic:2x4x4:weights=x,1,1", mpq_class(26, 25), false},
                                {"lattice:triangular:5x6:weights=x,1,1", 3, true}};
  int shown = 0;
  int held = 0;
  for (const Case& one : cases) {
    const ReadResult graph = read_letters(one.spec);
    EstimateOptions easy;
    easy.exact_below_seconds = 60;
    const RatioResult exact = integrate(graph, range_of(1, one.to), {}, easy);
    ASSERT_TRUE(exact.exact.has_value()) << one.spec;
    for (int seed = 1; seed <= testing::repeats(90); ++seed) {
      const RatioResult result =
          integrate(graph, range_of(1, one.to), with_seed(static_cast<std::uint64_t>(seed)), sampled(0.03));
      EXPECT_TRUE(result.apart || !one.apart) << one.spec << " " << seed;
      EXPECT_LE(result.ln_error, 0.03);
      if (!result.doubt.empty()) continue;
      ++shown;
      if (result.low <= exact.ln && exact.ln <= result.high) ++held;
    }
  }
  EXPECT_GE(shown, testing::fewest(300));
  EXPECT_GE(held, 0.95 * shown - 4 * std::sqrt(0.95 * 0.05 * shown)) << shown;
}

}  // namespace
}  // namespace countpm::sampled_marginals_test
