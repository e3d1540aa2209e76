// Ranks that die while others go on, which are threads here: what they had is done by others, once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <random>

#include "src/api/entries.hpp"
#include "src/count/follow_count.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/words/count_words.hpp"
#include "tests/pipeline/estimate_ranks.hpp"

namespace countpm::lost_ranks_test {
namespace {

using testing::Died;
using testing::on_all_ranks;
using testing::Post;

Source dense(unsigned rows, unsigned seed) {
  std::minstd_rand random(seed);
  std::string text;
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < rows; ++j) text += i == j || (random() >> 8) % 5 < 3 ? "1 " : "0 ";
    text += '\n';
  }
  return Source::from_bytes(text, "matrix.dense");
}

CountOptions one_thread() {
  CountOptions options;
  options.method = "ryser";
  options.threads = 1;
  return options;
}

CountResult count_on(Post& post, const Source& source, const CountOptions& options) {
  return on_all_ranks(
      post,
      [&](Channel& channel) {
        CountOptions own = options;
        own.channel = &channel;
        return count(source, {}, own);
      },
      [&](Channel& channel) {
        CountOptions own = options;
        own.channel = &channel;
        own.checkpoint = {};
        follow(source, {}, own);
      });
}

TEST(LostRanks, WhatTheyHadIsCountedByTheOthers) {
  const Source source = dense(27, 5);
  const std::string expected = count(source, {}, one_thread()).count;
  for (const std::map<int, int>& doomed : {std::map<int, int>{{2, 1}}, {{1, 1}, {2, 1}, {3, 1}}}) {
    Post post(4);
    post.doomed = doomed;
    const CountResult result = count_on(post, source, one_thread());
    EXPECT_EQ(result.count, expected);
    EXPECT_EQ(result.ranks, 4);
    EXPECT_EQ(post.lost.size(), doomed.size());
    EXPECT_EQ(result.lost_ranks, static_cast<int>(doomed.size()));
    const std::string text = words::method_text(result);
    EXPECT_NE(text.find("on the first of 4 ranks, of which "), std::string::npos) << text;
    EXPECT_NE(text.find(doomed.size() == 1 ? "1 was lost" : fmt::format("{} were lost", doomed.size())),
              std::string::npos)
        << text;
  }
}

TEST(LostRanks, TheDoubleCheckAndTheAuditGoOnWithoutThem) {
  const Source source = dense(27, 6);
  CountOptions options = one_thread();
  const std::string expected = count(source, {}, options).count;
  options.double_check = true;
  options.audit_share = 0.1;
  Post post(3);
  post.doomed = {{1, 1}};
  const CountResult result = count_on(post, source, options);
  EXPECT_EQ(result.count, expected);
  EXPECT_EQ(result.lost_ranks, 1);
  ASSERT_TRUE(result.audit);
}

TEST(LostRanks, AreInTheCheckpointWhichGoesOn) {
  const std::string folder = ::testing::TempDir();
  const std::string file = folder + "countpm-lost-ranks.dense";
  std::ofstream(file) << dense(27, 7).bytes;
  const Source source = Source::from_argument(file);
  CountOptions options = one_thread();
  const std::string expected = count(source, {}, options).count;
  options.checkpoint.file = folder + "countpm-lost-ranks.journal";
  std::remove(options.checkpoint.file.c_str());
  {
    // Rank 0 leads: without it the others end. It has given work to one of them.
    Post post(3);
    post.doomed = {{0, 2}};
    EXPECT_THROW(count_on(post, source, options), Died);
  }
  options.checkpoint.resume = true;
  Post post(3);
  post.doomed = {{2, 1}};
  EXPECT_EQ(count_on(post, source, options).count, expected);
  const JournalStatus status = journal_status(options.checkpoint.file);
  EXPECT_EQ(status.count, expected);
  EXPECT_GE(status.lost_ranks, 1U);  // of the second session, and maybe of the first
  std::remove(options.checkpoint.file.c_str());
  std::remove(file.c_str());
}

TEST(LostRanks, TheSamplesOfAnEstimateAreDrawnByTheOthers) {
  for (const bool guarantee : {false, true}) {
    testing::Asked asked =
        guarantee ? testing::guaranteed(false) : testing::asked_of("lattice:square:12x12", 3000);
    const nlohmann::json expected = testing::figures(testing::alone(asked));
    Post post(4);
    post.doomed = {{1, 1}, {3, 2}};
    const EstimateResult result = testing::on_ranks(4, asked, {}, &post);
    EXPECT_EQ(testing::figures(result), expected);
    // Where rank 3 is slow there is no second piece left for it.
    EXPECT_TRUE(post.lost.contains(1));
    EXPECT_EQ(result.lost_ranks, static_cast<int>(post.lost.size()));
  }
}

TEST(LostRanks, TheRangesOfDrawsAreDoneByTheOthers) {
  const Source source = Source::from_argument("lattice:square:10x10");
  SampleOptions sampled;
  sampled.count = 400;
  const auto drawn = [&](Channel* channel) {
    CountOptions own = one_thread();
    own.method = "auto";
    own.channel = channel;
    std::string lines;
    sample_matchings(source, {}, own, sampled,
                     [&](const std::vector<std::pair<std::string, std::string>>& pairs) {
                       for (const auto& [from, to] : pairs) lines += fmt::format("{}-{} ", from, to);
                       lines += '\n';
                       return true;
                     });
    return lines;
  };
  const std::string expected = drawn(nullptr);
  Post post(4);
  post.doomed = {{1, 1}, {2, 1}};
  EXPECT_EQ(on_all_ranks(
                post, [&](Channel& channel) { return drawn(&channel); },
                [&](Channel& channel) {
                  CountOptions own = one_thread();
                  own.method = "auto";
                  own.channel = &channel;
                  follow_sample(source, {}, own, sampled);
                }),
            expected);
  EXPECT_EQ(post.lost.size(), 2U);
}

/// After a job whose rank died rank 0 waits for the others alone, and so at the end.
TEST(LostRanks, TheJobsAfterGoOn) {
  testing::Asked asked = testing::asked_of("lattice:square:10x10", 500);
  asked.estimate.replicates = 3;
  const nlohmann::json expected = testing::figures(testing::alone(asked));
  Post post(3);
  post.doomed = {{2, 1}};
  const EstimateResult result = testing::on_ranks(3, asked, {}, &post);
  EXPECT_EQ(testing::figures(result), expected);
  EXPECT_EQ(result.lost_ranks, 1);
}

}  // namespace
}  // namespace countpm::lost_ranks_test
