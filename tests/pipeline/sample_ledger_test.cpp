// Samples as a journal keeps them: exact to the last bit, and nothing damaged is believed.
#include "src/journal/sample_ledger.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <random>
#include <stdexcept>

#include "src/estimate/estimate.hpp"
#include "src/journal/journal.hpp"

namespace countpm {
namespace {

DrawnSamples some_samples(std::uint64_t seed, std::int64_t spread) {
  std::mt19937_64 random(seed);
  DrawnSamples drawn;
  drawn.goal = 500;
  drawn.seconds = 0.1 * static_cast<double>(seed);
  for (int k = 0; k < 300; ++k) {
    const double mantissa = k % 7 == 0 ? 0 : std::ldexp(static_cast<double>(random() >> 11), -50);
    drawn.moments.add({mantissa, static_cast<std::int64_t>(random() % (2 * spread)) - spread});
  }
  return drawn;
}

/// Of trials with hits of 2^-8.
DrawnSamples some_hits() {
  DrawnSamples drawn;
  drawn.goal = 90000;
  drawn.moments.samples = 70000;
  drawn.moments.nonzero = 31;
  drawn.share_bits = 8;
  drawn.hits = {{1, 20}, {7, 10}, {256, 1}};
  return drawn;
}

void expect_same(const SampleMoments& a, const SampleMoments& b) {
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.nonzero, b.nonzero);
  EXPECT_EQ(a.sum, b.sum);
  EXPECT_EQ(a.squares, b.squares);
  EXPECT_EQ(a.cubes, b.cubes);
  EXPECT_EQ(a.largest.mantissa, b.largest.mantissa);
  EXPECT_EQ(a.largest.exponent, b.largest.exponent);
  EXPECT_EQ(a.histogram, b.histogram);
}

TEST(SampleRecord, ComesBackBitForBit) {
  for (const std::int64_t spread : {1, 40, 3000}) {
    const DrawnSamples drawn = some_samples(static_cast<std::uint64_t>(spread), spread);
    const SampleRecord back = parse_samples(samples_text({4, drawn}));
    EXPECT_EQ(back.sampling, 4U);
    EXPECT_EQ(back.drawn.goal, drawn.goal);
    EXPECT_EQ(back.drawn.seconds, drawn.seconds);
    expect_same(back.drawn.moments, drawn.moments);
  }
  DrawnSamples huge;
  huge.moments.add({1.5, 500'000});  // 10^150,000
  huge.moments.add({1.25, -500'000});
  expect_same(parse_samples(samples_text({0, huge})).drawn.moments, huge.moments);
  DrawnSamples trials;
  trials.moments.samples = 1000;
  trials.moments.nonzero = 383;
  expect_same(parse_samples(samples_text({0, trials})).drawn.moments, trials.moments);
  EXPECT_EQ(parse_samples(samples_text({0, trials})).drawn.share_bits, 0U);
  const DrawnSamples back = parse_samples(samples_text({0, some_hits()})).drawn;
  expect_same(back.moments, some_hits().moments);
  EXPECT_EQ(back.share_bits, 8U);
  EXPECT_EQ(back.hits, some_hits().hits);
}

TEST(SampleRecord, WhatDoesNotAddUpIsNone) {
  const std::string sound = samples_text({0, some_samples(1, 40)});
  EXPECT_NO_THROW(parse_samples(sound));
  const auto changed_of = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    return changed_of(sound, from, to);
  };
  const std::string hits = samples_text({0, some_hits()});
  EXPECT_NO_THROW(parse_samples(hits));
  for (const std::string& text :
       {changed_of(hits, "[7,10]", "[7,9]"), changed_of(hits, "[1,20]", "[0,20]"),
        changed_of(hits, "[256,1]", "[257,1]"), changed_of(hits, "\"share_bits\":8", "\"share_bits\":80"),
        changed_of(hits, "\"hits\"", "\"bits\""), changed_of(hits, "\"nonzero\":31", "\"nonzero\":30")})
    EXPECT_ANY_THROW(parse_samples(text)) << text;
  for (const std::string& text :
       {changed("\"samples\":300", "\"samples\":30"), changed("\"nonzero\":2", "\"nonzero\":1"),
        changed("\"sums\":[[\"", "\"sums\":[[\"-"), changed("\"sums\":[[\"", "\"sums\":[[\"g"),
        changed("\"largest\":[\"0x", "\"largest\":[\"-0x"), changed("\"bins\":[[", "\"bins\":[[9"),
        changed("\"goal\"", "\"goat\""), std::string("{}"), std::string("[]")})
    EXPECT_ANY_THROW(parse_samples(text)) << text;
}

TEST(SampleRecord, WeightsAreThoseOfTheSum) {
  SampleBatch batch;
  batch.range = {5, 9};
  for (const double sample : {1.0, 0.125, 0.0, 3.0}) {
    batch.moments.add({sample, 0});
    batch.ln_weights.push_back(std::log(sample));
  }
  const std::string sound = batch_text(batch);
  const SampleBatch back = parse_batch(sound);
  EXPECT_EQ(back.ln_weights, batch.ln_weights);
  EXPECT_EQ(back.range.first, 5U);
  const auto with = [&](const std::vector<double>& weights) {
    SampleBatch other = batch;
    other.ln_weights = weights;
    return batch_text(other);
  };
  const double none = -std::numeric_limits<double>::infinity();
  const double three = std::log(3.0);
  for (const std::vector<double>& weights : std::vector<std::vector<double>>{
           {0, std::log(0.125), none}, {0, none, none, three}, {0, 0, none, three}, {none, none, none, none}})
    EXPECT_ANY_THROW(parse_batch(with(weights))) << with(weights);
}

TEST(SampleJournal, TheLongestRecordCounts) {
  JournalHeader header;
  header.version = version();
  header.id = std::string(32, 'a');
  header.estimate = {7, "500 samples"};
  header.blocks.emplace_back();
  header.blocks[0].sampled = {{0, "f", 5, 9, "rasmussen"}};
  const DrawnSamples few = some_samples(2, 40);
  DrawnSamples more = few;
  more.moments.join(some_samples(3, 40).moments);
  const std::string text = header_lines(header) + samples_line(header, {0, more}) +
                           samples_line(header, {0, few}) + samples_line(header, {1, more});
  const Journal journal = parse_journal(text, "test");
  ASSERT_EQ(journal.drawn.size(), 1U);
  expect_same(journal.drawn[0].moments, more.moments);
  EXPECT_EQ(journal.damaged_lines, 1U);  // a block that is not there
  ASSERT_TRUE(journal.header.estimate);
  EXPECT_EQ(journal.header.estimate->goal, "500 samples");
  EXPECT_EQ(journal.header.samplings().at(0)->sampler, "rasmussen");
}

/// What the command line cannot even ask for.
TEST(SampleJournal, AnotherEstimateIsRefused) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("countpm-other-" + std::to_string(std::random_device()())))
          .string();
  const Source board = Source::from_argument("lattice:square:6x6");
  CountOptions count_options;
  count_options.checkpoint.file = file;
  EstimateOptions options;
  options.all_sampled = true;
  options.samples = 100;
  options.sampler.kind = SamplerKind::scaling;
  const EstimateResult first = estimate(board, {}, count_options, options);
  ASSERT_TRUE(first.estimate);
  count_options.checkpoint.resume = true;
  EXPECT_EQ(estimate(board, {}, count_options, options).estimate->log10, first.estimate->log10);
  const auto refused = [&](const CountOptions& other_count, const EstimateOptions& other, const char* why) {
    try {
      estimate(board, {}, other_count, other);
      FAIL() << why;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  EstimateOptions other = options;
  other.samples = 101;
  refused(count_options, other, "101 samples");
  other = options;
  other.guarantee = GuaranteeGoal{};
  refused(count_options, other, "a guarantee of 0.1,0.05");
  other = options;
  other.sampler.kind = SamplerKind::rasmussen;
  refused(count_options, other, "samples by rasmussen");
  other = options;
  other.sampler.scale_steps = 5;
  refused(count_options, other, "5 sweeps");
  CountOptions reseeded = count_options;
  reseeded.seed = 2;
  refused(reseeded, options, "seed 2");
  EXPECT_THROW(count(board, {}, count_options), UsageError);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace countpm
