// One frontier table over several ranks, which are threads here, and their messages queues.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <thread>

#include "src/api/entries.hpp"
#include "src/count/follow_count.hpp"
#include "src/machine/channel.hpp"
#include "tests/pipeline/queue_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm::spread_ranks_test {
namespace {

using namespace countpm::testing;

using Change = std::function<void(int rank, CountOptions& options)>;

CountResult count_on(Post& post, const Source& source, const CountOptions& options, const Change& change = {},
                     bool weights = false) {
  ReadOptions read;
  read.weights = weights;
  const auto options_of = [&](Channel& channel) {
    CountOptions own = options;
    own.channel = &channel;
    if (channel.rank() != 0) own.checkpoint = {};
    if (change) change(channel.rank(), own);
    return own;
  };
  return on_all_ranks(
      post, [&](Channel& channel) { return count(source, read, options_of(channel)); },
      [&](Channel& channel) { follow(source, read, options_of(channel)); });
}

/// Dense, so that branches cost much; weights: small integers.
Source matrix(unsigned rows, std::uint64_t seed, bool weights = false) {
  std::string text;
  std::uint64_t state = seed;
  const auto random = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33U;
  };
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < rows; ++j) {
      const bool one = i == j || random() % 100 < 80;
      text += one ? (weights ? std::to_string(1 + random() % 9) : "1") : "0";
      text += j + 1 < rows ? ' ' : '\n';
    }
  }
  return Source::from_bytes(text, "matrix.dense");
}

/// Of a rank: less than the table takes, modulo a prime of 31 bits, too; three have enough.
CountOptions little_memory() {
  CountOptions options;
  options.method = "frontier";
  options.order = OrderKind::greedy;  // the same plan however long anything takes
  options.threads = 1;
  options.memory_limit_bytes = 2200000;
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  return options;
}

std::string plan_text(const CountResult& result) {
  std::string text;
  for (const BlockReport& block : result.blocks) text += block.plan + "\n";
  return text;
}

/// An interruption that comes while the ranks share a table: what the first part says waits until then.
class Interruption {
 public:
  void come_in(Post& post) {
    post.change = [this](int, std::string& text) {
      if (!text.starts_with("part\n")) return;
      shared_ = true;
      for (int k = 0; k < 60000 && !heard_; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
  }
  /// For CountOptions::interrupted of one rank.
  std::function<bool()> asked() {
    return [this] {
      if (shared_) heard_ = true;
      return shared_.load();
    };
  }
  bool heard() const { return heard_; }

 private:
  std::atomic<bool> shared_{false};
  std::atomic<bool> heard_{false};
};

TEST(SpreadRanks, CountAsOneDoes) {
  for (const bool weights : {false, true}) {
    const Source source = matrix(19, 5, weights);
    CountOptions alone = little_memory();
    alone.memory_limit_bytes = 0;
    ReadOptions read;
    read.weights = weights;
    const std::string expected = count(source, read, alone).count;
    for (const int ranks : {3, 5}) {
      if (testing::sanitized && (ranks == 3) == weights) continue;
      SCOPED_TRACE(ranks);
      Post post(ranks);
      CountOptions options = little_memory();
      if (weights) options.memory_limit_bytes = 1950000;
      const CountResult result = count_on(post, source, options, {}, weights);
      EXPECT_EQ(result.count, expected);
      EXPECT_EQ(result.ranks, ranks);
      EXPECT_GT(post.sent["spread"], 0);
      EXPECT_GT(post.sent["part"], 0);
      EXPECT_NE(plan_text(result).find("spread over " + std::to_string(ranks) + " ranks"), std::string::npos)
          << plan_text(result);
    }
  }
}

// The rank that has the least says how much each may hold.
TEST(SpreadRanks, TheLeastMemoryCounts) {
  const Source source = matrix(19, 6);
  CountOptions alone = little_memory();
  alone.memory_limit_bytes = 0;
  const std::string expected = count(source, {}, alone).count;
  Post post(4);
  const CountResult result = count_on(post, source, little_memory(), [](int rank, CountOptions& own) {
    if (rank != 2) own.memory_limit_bytes = 2600000;
    if (rank == 2) own.memory_limit_bytes = 2000000;
  });
  EXPECT_EQ(result.count, expected);
  EXPECT_EQ(post.sent["room?"], 3);
  EXPECT_GT(post.sent["spread"], 0);
  EXPECT_NE(plan_text(result).find("spread over 4 ranks, 0.001"), std::string::npos) << plan_text(result);
}

TEST(SpreadRanks, DamagedPartsAreNoticed) {
  for (const bool cut : {false, true}) {
    Post post(3);
    std::atomic<int> parts{0};
    post.change = [&](int from, std::string& text) {
      if (from != 1 || !text.starts_with("part\n") || ++parts != 7) return;
      if (cut) {
        text.resize(text.find('\n', 5) + 9);
      } else {
        text.back() = static_cast<char>(text.back() ^ 1);
      }
    };
    EXPECT_THROW(count_on(post, matrix(19, 7), little_memory()), CheckError);
    EXPECT_GE(parts.load(), 7);
  }
}

TEST(SpreadRanks, ALostRankEndsTheCountOfAll) {
  Post post(3);
  int parts = 0;
  post.change = [&](int from, const std::string& text) {
    if (from != 1 || !text.starts_with("part\n") || ++parts != 3) return;
    post.lost.insert(1);
    throw Died();
  };
  try {
    count_on(post, matrix(19, 7), little_memory());
    ADD_FAILURE() << "a table without a part of it";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1 was lost"), std::string::npos) << error.what();
  }
  EXPECT_EQ(parts, 3);
}

TEST(SpreadRanks, AnInterruptedRankInterruptsAll) {
  for (const int rank : {0, 1}) {
    Post post(3);
    Interruption interruption;
    interruption.come_in(post);
    const auto interrupt = [&](int at, CountOptions& own) {
      if (at == rank) own.interrupted = interruption.asked();
    };
    EXPECT_THROW(count_on(post, matrix(19, 8), little_memory(), interrupt), InterruptedError);
    EXPECT_TRUE(interruption.heard());
  }
}

// A journal of a table that all ranks share is gone on with by one that has the memory, or by more ranks.
TEST(SpreadRanks, OneWithTheMemoryGoesOnAlone) {
  const std::string folder = ::testing::TempDir();
  const std::string file = folder + "countpm-spread-ranks.dense";
  std::ofstream(file) << matrix(19, 9).bytes;
  const Source source = Source::from_argument(file);
  CountOptions options = little_memory();
  options.memory_limit_bytes = 0;
  const std::string expected = count(source, {}, options).count;
  CountOptions little = little_memory();
  little.checkpoint.file = folder + "countpm-spread-ranks.journal";
  for (const int ranks : {1, 2, 4}) {
    std::remove(little.checkpoint.file.c_str());
    Post post(3);
    Interruption interruption;
    interruption.come_in(post);
    const auto interrupt = [&](int rank, CountOptions& own) {
      if (rank == 0) own.interrupted = interruption.asked();
    };
    EXPECT_THROW(count_on(post, source, little, interrupt), InterruptedError);
    options.checkpoint.file = little.checkpoint.file;
    options.checkpoint.resume = true;
    if (ranks == 1) {
      EXPECT_EQ(count(source, {}, options).count, expected);
    } else {
      Post again(ranks);
      EXPECT_EQ(count_on(again, source, options).count, expected);
      EXPECT_GT(again.sent["spread"], 0);
    }
  }
  std::remove(little.checkpoint.file.c_str());
  std::remove(file.c_str());
}

}  // namespace
}  // namespace countpm::spread_ranks_test
