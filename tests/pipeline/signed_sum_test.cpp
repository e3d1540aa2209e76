// Sums with signs and phases by samples: right on average, with errors that hold, and told from 0 where they
// can be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "graph/errors.hpp"
#include "src/matchings/signed_sum.hpp"
#include "src/matchings/signed_tally.hpp"
#include "tests/repeats.hpp"

namespace countpm::signed_sum_test {
namespace {

using Complex = std::complex<double>;
using Random = std::mt19937_64;

ReadResult read(const std::string& argument) {
  ReadOptions options;
  options.weights = true;
  return read_graph(Source::from_argument(argument), options);
}

ReadResult read_text(const std::string& text, GraphKind kind) {
  ReadOptions options;
  options.weights = true;
  options.format = Format::edge_list;
  options.kind = kind;
  return read_graph(Source::from_bytes(text, "edges"), options);
}

EstimateOptions sampled(std::uint64_t samples, SamplerKind kind = SamplerKind::bethe) {
  EstimateOptions options;
  options.all_sampled = true;
  options.samples = samples;
  options.sampler.kind = kind;
  return options;
}

CountOptions with_seed(std::uint64_t seed, int threads = 2) {
  CountOptions options;
  options.seed = seed;
  options.threads = threads;
  return options;
}

Complex value_of(const SignedSum& sum) {
  return std::exp(sum.ln_absolute) * sum.mean_sign;
}

Complex counted(const ReadResult& graph) {
  const Value value = count(ReadResult(graph), CountOptions{}).value;
  if (const auto* integer = std::get_if<mpz_class>(&value)) return integer->get_d();
  if (const auto* fraction = std::get_if<mpq_class>(&value)) return fraction->get_d();
  if (const auto* real = std::get_if<RealBall>(&value)) return real->middle;
  return std::get<ComplexBall>(value).middle;
}

/// A cycle of 2n vertices with chords, of random weights.
std::string random_graph(Random& random, int n, bool complex) {
  std::string text;
  const auto weight = [&] {
    const int re = static_cast<int>(random() % 7) + 1;
    const char* sign = random() % 3 == 0 ? "-" : "";
    return complex ? fmt::format("({}{},{})", sign, re, static_cast<int>(random() % 5))
                   : fmt::format("{}{}", sign, re);
  };
  for (int v = 0; v < 2 * n; ++v) {
    for (const int step : {1, 2, 5}) text += fmt::format("{} {} {}\n", v, (v + step) % (2 * n), weight());
  }
  return text;
}

void expect_right_on_average(const ReadResult& graph, const SamplerKind kind) {
  const Complex truth = counted(graph);
  Complex sum = 0;
  double variance = 0;
  const int seeds = testing::repeats(24);
  for (int seed = 1; seed <= seeds; ++seed) {
    const SignedSum one = signed_sum(graph, with_seed(static_cast<std::uint64_t>(seed)), sampled(400, kind));
    sum += value_of(one);
    variance += std::pow(one.error * std::exp(one.ln_absolute), 2);
    EXPECT_TRUE(one.exact.empty());
  }
  const double error = std::sqrt(variance) / seeds;
  EXPECT_LT(std::abs(sum / static_cast<double>(seeds) - truth), 4.5 * error) << graph.info.path;
}

TEST(SignedSum, IsRightOnAverage) {
  Random random(1);
  expect_right_on_average(read("lattice:triangular:4x4:weights=1,1,-1"), SamplerKind::bethe);
  expect_right_on_average(read("lattice:triangular:6x6:weights=1,1,-1/2"), SamplerKind::boundary);
  expect_right_on_average(read("lattice:cubic:2x3x4:weights=1,-2,3"), SamplerKind::bethe);
  expect_right_on_average(read_text(random_graph(random, 6, false), GraphKind::undirected),
                          SamplerKind::bethe);
  expect_right_on_average(read_text(random_graph(random, 6, false), GraphKind::directed), SamplerKind::bethe);
  expect_right_on_average(read_text(random_graph(random, 6, true), GraphKind::directed),
                          SamplerKind::boundary);
  expect_right_on_average(read_text(random_graph(random, 6, true), GraphKind::undirected),
                          SamplerKind::bethe);
}

// Two components, and an edge that every matching has.
TEST(SignedSum, PiecesAndForcedEdgesMultiply) {
  const std::string ring = "{0}a {0}b -1\n{0}b {0}c 2\n{0}c {0}d 3\n{0}d {0}a -5\n";
  std::string text = "u v -7\n";
  for (const char* name : {"x", "y"}) text += fmt::format(fmt::runtime(ring), name);
  const ReadResult graph = read_text(text, GraphKind::undirected);
  // (-1 * 3 + 2 * -5)^2 * -7.
  EXPECT_EQ(signed_sum(graph, {}, EstimateOptions{}).exact, "-1183");
  const SignedSum sum = signed_sum(graph, with_seed(1), sampled(1000));
  EXPECT_NEAR(value_of(sum).real(), -1183, 4.5 * sum.error * std::exp(sum.ln_absolute));
  EXPECT_NEAR(sum.mean_sign.real(), -1, 1e-12);  // all matchings have that sign
  EXPECT_TRUE(sum.differs_from_zero());
}

TEST(SignedSum, SaysWhatCancels) {
  // Two matchings, 1 and -1 but for little.
  const ReadResult even = read_text("a b 1\nb c 1\nc d 1\nd a -1.001\n", GraphKind::undirected);
  const SignedSum sum = signed_sum(even, with_seed(1), sampled(400));
  EXPECT_FALSE(sum.differs_from_zero());
  EXPECT_NEAR(std::exp(sum.ln_absolute), 2.001, 0.1);
  EXPECT_LT(std::abs(sum.mean_sign), 4 * sum.sign_error);
  EXPECT_NEAR(sum.sign_error, 1 / std::sqrt(400.0), 0.02);
  const SignedSum steady = signed_sum(read("lattice:square:6x6"), with_seed(1), sampled(400));
  EXPECT_NEAR(steady.mean_sign.real(), 1, 1e-12);
  EXPECT_LE(steady.error, 1.01 * steady.absolute_error);
}

TEST(SignedSum, ReachesItsGoalOrSaysWhy) {
  const ReadResult graph = read("lattice:triangular:6x6:weights=1,1,-1/2");
  EstimateOptions options = sampled(0);
  options.relative_error = 0.1;
  const SignedSum sum = signed_sum(graph, with_seed(2), options);
  EXPECT_EQ(sum.goal_missed, "");
  EXPECT_LE(sum.half_width, 0.1 * std::abs(sum.mean_sign));
  EXPECT_LT(std::abs(value_of(sum) - counted(graph)), 3 * sum.half_width * std::exp(sum.ln_absolute));
  options.ln_error = 0.05;
  EXPECT_LE(signed_sum(graph, with_seed(2), options).error, 0.05 * std::abs(sum.mean_sign) * 1.2);
  options.ln_error = 1e-7;
  std::string missed;
  // A busy machine may spend the first limit before there are samples.
  for (options.time_limit_seconds = 0.3; options.time_limit_seconds < 100 && missed.empty();
       options.time_limit_seconds *= 4) {
    try {
      missed = signed_sum(graph, with_seed(2), options).goal_missed;
    } catch (const UnableError& error) {
      EXPECT_NE(std::string(error.what()).find("time limit"), std::string::npos) << error.what();
    }
  }
  EXPECT_NE(missed.find("time limit"), std::string::npos) << missed;
}

TEST(SignedSum, IsTheSameForAnyThreads) {
  const ReadResult graph = read("lattice:triangular:6x6:weights=1,(0,1),-1/2");
  const SignedSum one = signed_sum(graph, with_seed(3, 1), sampled(500));
  for (const int threads : {2, 5}) {
    const SignedSum other = signed_sum(graph, with_seed(3, threads), sampled(500));
    EXPECT_EQ(other.mean_sign, one.mean_sign);
    EXPECT_EQ(other.ln_absolute, one.ln_absolute);
    EXPECT_EQ(other.error, one.error);
  }
  EXPECT_TRUE(one.complex);
}

TEST(SignedSum, WhatIsRefused) {
  EstimateOptions options = sampled(10);
  options.guarantee = GuaranteeGoal{};
  const ReadResult graph = read("lattice:square:4x4:weights=1,-1");
  EXPECT_THROW(signed_sum(graph, {}, options), UsageError);
  options = sampled(10, SamplerKind::population);
  EXPECT_THROW(signed_sum(graph, {}, options), UsageError);
  CountOptions kept;
  kept.checkpoint.file = "x";
  EXPECT_THROW(signed_sum(graph, kept, sampled(10)), UsageError);
  EXPECT_EQ(signed_sum(read("lattice:square:3x3:weights=1,-1"), {}, sampled(10)).exact, "0");
}

// Of a normal law the interval holds 95 % of the time; what may be missed makes it wider.
TEST(LongSignedSum, IntervalsHold) {
  const ReadResult graph = read("lattice:triangular:6x6:weights=1,1,-1/2");
  const double truth = counted(graph).real();
  int held = 0;
  const int seeds = testing::repeats(360);
  for (int seed = 1; seed <= seeds; ++seed) {
    const SignedSum sum = signed_sum(graph, with_seed(static_cast<std::uint64_t>(seed)), sampled(300));
    const double unit = std::exp(sum.ln_absolute);
    held += std::abs(value_of(sum).real() - truth) <= sum.half_width * unit ? 1 : 0;
  }
  EXPECT_GE(held, 0.93 * seeds - 3);
}

TEST(SignedTally, JoinsToTheSumsOfAll) {
  Random random(3);
  std::vector<std::pair<double, Complex>> samples;
  constexpr int number = 100;
  samples.reserve(number);
  for (int k = 0; k < number; ++k)
    samples.emplace_back(std::normal_distribution<double>(700, 3)(random),
                         std::polar(1.0, std::uniform_real_distribution<double>(0, 6)(random)));
  SignedTally whole;
  SignedTally parts;
  SignedTally part;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    whole.add(samples[k].first, samples[k].second);
    part.add(samples[k].first, samples[k].second);
    if (k % 7 != 6 && k + 1 != samples.size()) continue;
    parts.join(part);
    part = {};
  }
  const SignedMean a = signed_mean(whole);
  const SignedMean b = signed_mean(parts);
  EXPECT_LT(std::abs(a.sign - b.sign), 1e-12);
  EXPECT_NEAR(a.variance, b.variance, 1e-12);
  EXPECT_NEAR(a.sign_variance, b.sign_variance, 1e-12);
  EXPECT_EQ(a.weight.log_mean, b.weight.log_mean);
  whole.add(-std::numeric_limits<double>::infinity(), 1);
  EXPECT_EQ(whole.moments.samples, 101U);
}

}  // namespace
}  // namespace countpm::signed_sum_test
