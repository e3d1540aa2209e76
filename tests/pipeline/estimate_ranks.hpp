#pragma once
// Estimates on ranks that are threads here, for tests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "graph/errors.hpp"
#include "src/estimate/estimate.hpp"
#include "src/estimate/follow_estimate.hpp"
#include "src/report/json_text.hpp"
#include "src/series/follow_questions.hpp"
#include "tests/pipeline/queue_ranks.hpp"

namespace countpm::testing {

struct Asked {
  Source source;
  CountOptions count;
  EstimateOptions estimate;
};

inline Asked asked_of(const std::string& input, std::uint64_t samples = 0) {
  Asked asked{Source::from_argument(input), {}, {}};
  asked.count.threads = 1;
  asked.count.seed = 7;
  asked.estimate.all_sampled = true;
  asked.estimate.samples = samples;
  asked.estimate.relative_error = 0.05;
  return asked;
}

/// The trials of a guarantee of one block: coins where there are many ones, bets where there are few.
inline Asked guaranteed(bool coins) {
  constexpr int n = 44;
  std::minstd_rand random(3);
  std::string text;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int offset = (j - i + n) % n;
      const bool circulant = offset == 0 || offset == 3 || offset == 7 || offset == 18 || offset == 29;
      const bool dense = i == j || (random() >> 8 & 1U) != 0;
      text += (coins ? dense : circulant) ? "1 " : "0 ";
    }
    text += '\n';
  }
  Asked asked = asked_of("");
  asked.source = Source::from_bytes(text, "matrix.txt");
  // Some tenths of a second.
  asked.estimate.guarantee = coins ? GuaranteeGoal{0.03, 0.05} : GuaranteeGoal{0.1, 0.05};
  asked.estimate.time_limit_seconds = std::numeric_limits<double>::infinity();
  return asked;
}

/// All that the samples say; not who drew them, nor how long that took.
inline nlohmann::json figures(const EstimateResult& result) {
  nlohmann::json all = nlohmann::json::parse(json_text(result));
  for (nlohmann::json& block : all["blocks"]) {
    block.erase("seconds");
    if (!block["second"].is_null()) block["second"].erase("seconds");
  }
  return {{"estimate", all["estimate"]}, {"blocks", all["blocks"]}, {"sampler", all["sampler"]}};
}

inline EstimateResult alone(const Asked& asked) {
  return estimate(asked.source, {}, asked.count, asked.estimate);
}

using Change = std::function<void(int rank, Asked& asked)>;

/// An estimate on that many ranks; `change` makes a rank differ. Throws what rank 0 throws.
inline EstimateResult on_ranks(int ranks, const Asked& asked, const Change& change = {},
                               Post* given = nullptr) {
  Post own_post(ranks);
  const auto asked_by = [&](Channel& channel) {
    Asked own = asked;
    own.count.channel = &channel;
    if (channel.rank() != 0) {
      own.count.checkpoint = {};
      own.count.interrupted = {};
    }
    if (change) change(channel.rank(), own);
    return own;
  };
  return on_all_ranks(
      given != nullptr ? *given : own_post, [&](Channel& channel) { return alone(asked_by(channel)); },
      [&](Channel& channel) {
        const Asked own = asked_by(channel);
        if (own.estimate.replicates > 1) follow_questions({}, own.count, own.estimate);
        follow_estimate(own.source, {}, own.count, own.estimate);
      });
}

/// Interrupts the estimate on three ranks once rank 0 has given samples away, and goes on from its checkpoint
/// on two ranks and by itself, to what is expected. journal: the checkpoint's name, in a folder for tests.
inline void expect_to_go_on(Asked asked, const nlohmann::json& expected, const std::string& journal) {
  asked.count.checkpoint.file = ::testing::TempDir() + journal;
  std::remove(asked.count.checkpoint.file.c_str());
  Post post(3);
  asked.count.interrupted = [&post] {
    const std::lock_guard lock(post.mutex);
    return post.sent["draw"] > 0;
  };
  try {
    on_ranks(3, asked, {}, &post);
  } catch (const InterruptedError&) {
  }
  asked.count.interrupted = {};
  asked.count.checkpoint.resume = true;
  EXPECT_EQ(figures(on_ranks(2, asked)), expected);
  EXPECT_EQ(figures(alone(asked)), expected);
  std::remove(asked.count.checkpoint.file.c_str());
}

inline bool has_check(const EstimateResult& result, const std::string& name) {
  return std::any_of(result.checks.begin(), result.checks.end(),
                     [&](const Check& check) { return check.name == name; });
}

}  // namespace countpm::testing
