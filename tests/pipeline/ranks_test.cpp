// A count on several ranks, which are threads here, and their messages queues.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "src/api/entries.hpp"
#include "src/count/follow_count.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/machine/channel.hpp"
#include "tests/pipeline/queue_ranks.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::on_all_ranks;
using testing::Post;
using testing::QueueChannel;

using Change = std::function<void(int rank, CountOptions& options, Source& source)>;

/// Counts on that many ranks; `change` makes a rank differ. Throws what rank 0 throws.
CountResult count_on(int ranks, const Source& source, const CountOptions& options, const Change& change = {},
                     const ReadOptions& read = {}, int* runs = nullptr) {
  Post post(ranks);
  struct Asked {
    CountOptions options;
    Source source;
  };
  const auto asked_by = [&](Channel& channel) {
    Asked own{options, source};
    own.options.channel = &channel;
    if (channel.rank() != 0) own.options.checkpoint = {};
    if (change) change(channel.rank(), own.options, own.source);
    return own;
  };
  CountResult result = on_all_ranks(
      post,
      [&](Channel& channel) {
        const Asked own = asked_by(channel);
        return count(own.source, read, own.options);
      },
      [&](Channel& channel) {
        const Asked own = asked_by(channel);
        follow(own.source, read, own.options);
      });
  if (runs != nullptr) *runs = post.sent["run"];
  return result;
}

/// A random 0/1 matrix with a full diagonal, as dense text; weights: decimals.
Source matrix(unsigned rows, unsigned percent, std::uint64_t seed, bool weights = false) {
  std::string text;
  std::uint64_t state = seed;
  const auto random = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33;
  };
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < rows; ++j) {
      const bool one = i == j || random() % 100 < percent;
      text += one ? (weights ? "1." + std::to_string(random() % 1000) : "1") : "0";
      text += j + 1 < rows ? ' ' : '\n';
    }
  }
  return Source::from_bytes(text, "matrix.dense");
}

CountOptions options_of(const std::string& method) {
  CountOptions options;
  options.method = method;
  options.threads = 1;
  return options;
}

TEST(Ranks, CountAsOneDoesByEveryMethod) {
  struct Case {
    const char* method;
    unsigned rows;
    unsigned percent;
  };
  int all_runs = 0;
  // Those that take long enough to be shared; frontier is one unit.
  for (const Case& c : {Case{"ryser", 25, 60}, Case{"sparyser", 23, 40}, Case{"skipper", 23, 30},
                        Case{"pruned", 29, 35}, Case{"frontier", 23, 30}}) {
    SCOPED_TRACE(c.method);
    const Source source = matrix(c.rows, c.percent, 5);
    const CountOptions options = options_of(c.method);
    const std::string expected = count(source, {}, options).count;
    for (const int ranks : {2, 4}) {
      int runs = 0;
      const CountResult result = count_on(ranks, source, options, {}, {}, &runs);
      EXPECT_EQ(result.count, expected);
      all_runs += runs;
      EXPECT_EQ(result.ranks, ranks);
    }
  }
  EXPECT_GT(all_runs, 0);
}

/// A line for every coefficient, after the letters' exponents.
std::string polynomial_text(const CountResult& result) {
  std::string text;
  for (const mpq_class& one : result.coefficients) text += one.get_str() + "\n";
  if (!result.polynomial) return text;
  for (const PolynomialTerm& term : result.polynomial->terms) {
    for (const std::int64_t exponent : term.exponents) text += std::to_string(exponent) + " ";
    text += term.coefficient.get_str() + "\n";
  }
  return text;
}

// At points; as one number, of a board with monomers; and the monomers' own letter.
TEST(Ranks, CountPolynomialsAsOneDoes) {
  struct Case {
    const char* lattice;
    const char* monomers;
    bool shared;
  };
  for (const Case& c :
       {Case{"lattice:square:28x30:weights=x,1", "", true},
        Case{"lattice:square:10x10:weights=x,2/3*y^-1", "", false},
        Case{"lattice:square:6x6:weights=x,-1", "1/2", false}, Case{"lattice:square:10x8", "t", false}}) {
    SCOPED_TRACE(c.lattice);
    const Source source = Source::from_argument(c.lattice);
    ReadOptions read;
    read.monomers = c.monomers;
    CountOptions options = options_of("auto");
    options.double_check = !c.shared;
    ReadOptions letters = read;
    letters.letters = true;
    const std::string expected = polynomial_text(count(source, letters, options));
    for (const int ranks : {2, 3}) {
      if (ranks == 2 && (testing::sanitized || c.shared)) continue;  // seconds
      int runs = 0;
      EXPECT_EQ(polynomial_text(count_on(ranks, source, options, {}, read, &runs)), expected);
      EXPECT_TRUE(runs > 0 || !c.shared);
    }
  }
}

TEST(Ranks, AnAuditIsOfTheUnitsOfAllOfThem) {
  const Source source = matrix(26, 60, 5);
  CountOptions options = options_of("ryser");
  const std::string expected = count(source, {}, options).count;
  options.audit_share = 0.2;
  int runs = 0;
  const CountResult result = count_on(3, source, options, {}, {}, &runs);
  EXPECT_EQ(result.count, expected);
  EXPECT_GT(runs, 0);
  ASSERT_TRUE(result.audit);
  EXPECT_GE(static_cast<double>(result.audit->units), 0.2 * static_cast<double>(result.audit->of));
  EXPECT_GT(result.audit->of, 0U);
}

TEST(Ranks, FloatingSumsAreTheSameToTheLastDigit) {
  const Source source = matrix(22, 60, 6, true);
  ReadOptions read;
  read.weights = true;
  const CountOptions options = options_of("ryser");
  EXPECT_EQ(count_on(3, source, options, {}, read).count, count(source, read, options).count);
}

TEST(Ranks, TheDoubleCheckIsSharedToo) {
  CountOptions options = options_of("sparyser");
  options.double_check = true;
  const Source source = matrix(22, 40, 7);
  const CountResult result = count_on(3, source, options);
  bool checked = false;
  for (const Check& check : result.checks)
    checked = checked || (check.name == "double-check" && check.ran && check.ok);
  EXPECT_TRUE(checked);
}

TEST(Ranks, DifferInThreadsAndGpus) {
  CountOptions options = options_of("pruned");
  const Source source = matrix(28, 35, 8);
  const std::string expected = count(source, {}, options).count;
  EXPECT_EQ(count_on(3, source, options,
                     [](int rank, CountOptions& own, Source&) {
                       own.threads = rank + 1;
                       own.device = rank == 1 ? "gpu" : "cpu";
                       own.emulated_gpus = 3;
                     })
                .count,
            expected);
}

TEST(Ranks, ZeroNeedsNobody) {
  const Source source = Source::from_bytes("1 1 1\n0 0 1\n0 0 1\n", "matrix.dense");
  EXPECT_EQ(count_on(3, source, options_of("auto")).count, "0");
}

TEST(Ranks, AnotherInputIsRefused) {
  try {
    count_on(2, matrix(28, 60, 9), options_of("ryser"), [](int rank, CountOptions&, Source& source) {
      if (rank == 1) source = matrix(28, 60, 10);
    });
    FAIL() << "another input was not refused";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("another than rank 0's"), std::string::npos) << error.what();
  }
}

TEST(Ranks, WhatOneRankCannotDoEndsTheCount) {
  try {
    count_on(3, matrix(27, 60, 9), options_of("ryser"), [](int rank, CountOptions& own, Source&) {
      if (rank == 2) own.gpus = 64;  // no machine has so many
    });
    FAIL() << "a rank without its GPU was not refused";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 2"), std::string::npos) << error.what();
  }
}

/// Messages are read as files are: what cannot be is said, and nothing is done with it.
TEST(Ranks, WhatARankMakesUpIsRefused) {
  const std::string deep = "ready\n" + std::string(100000, '[');
  for (const std::string& message :
       {std::string("ready\n"), std::string("ready\n{"), std::string("ready\n[]"), std::string("ready\n{}"),
        deep, std::string(R"(ready
{"phase":1,"slots":-1,"lead":0.1,"rate":1})"),
        std::string(R"(ready
{"phase":1,"slots":1,"lead":1e300,"rate":1})"),
        std::string(R"(ready
{"phase":1,"slots":1,"lead":0.1,"rate":null})"),
        std::string("results\nrubbish"), std::string("failed\n{}"), std::string("hello")}) {
    Post post(2);
    post.queues[0].push_back({1, message});
    QueueChannel channel(post, 0);
    CountOptions options;
    options.method = "ryser";
    options.channel = &channel;
    EXPECT_THROW(count(matrix(27, 60, 5), {}, options), CheckError) << message.substr(0, 60);
  }
  // And of rank 0.
  for (const std::string& message : {std::string("plan\nrubbish"), std::string("phase\n{}")}) {
    Post post(2);
    post.queues[1].push_back({0, message});
    post.queues[1].push_back({0, "end\n"});
    QueueChannel channel(post, 1);
    CountOptions options;
    options.channel = &channel;
    const Source source = matrix(12, 60, 5);
    follow_to_end(channel, [&] { follow(source, {}, options); });
    ASSERT_FALSE(post.queues[0].empty()) << message;
    EXPECT_TRUE(post.queues[0].front().text.starts_with("failed")) << post.queues[0].front().text;
    EXPECT_EQ(post.queues[0].back().text, "bye\n");
  }
}

TEST(Ranks, AnInterruptedRankInterruptsAll) {
  std::atomic<bool> interrupted{false};
  CountOptions options = options_of("ryser");
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  EXPECT_THROW(count_on(3, matrix(44, 60, 11), options,
                        [&](int rank, CountOptions& own, Source&) {
                          if (rank == 1) own.interrupted = [&] { return interrupted.exchange(true); };
                        }),
               InterruptedError);
}

TEST(Ranks, TheTimeLimitStopsAllAndTheCheckpointIsGoneOnWithAlone) {
  const std::string folder = ::testing::TempDir();
  const std::string file = folder + "countpm-ranks.dense";
  std::ofstream(file) << matrix(27, 60, 12).bytes;
  CountOptions options = options_of("ryser");
  const std::string expected = count(Source::from_argument(file), {}, options).count;
  options.checkpoint.file = folder + "countpm-ranks.journal";
  const auto done = [&] {
    return std::filesystem::exists(options.checkpoint.file) ? journal_status(options.checkpoint.file).done
                                                            : 0;
  };
  std::remove(options.checkpoint.file.c_str());
  // A busy machine takes longer to the first unit.
  for (options.time_limit_seconds = 0.25; options.time_limit_seconds < 60 && done() == 0;
       options.time_limit_seconds *= 2) {
    std::remove(options.checkpoint.file.c_str());
    try {
      count_on(2, Source::from_argument(file), options);
    } catch (const UnableError& error) {
      if (done() > 0) {
        EXPECT_NE(std::string(error.what()).find("countpm resume"), std::string::npos) << error.what();
      }
    }
  }
  EXPECT_GT(done(), 0);
  options.time_limit_seconds = 3600;
  options.checkpoint.resume = true;
  EXPECT_EQ(count(Source::from_argument(file), {}, options).count, expected);
  std::remove(options.checkpoint.file.c_str());
  std::remove(file.c_str());
}

}  // namespace
}  // namespace countpm
