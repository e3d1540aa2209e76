#pragma once
// Estimates on ranks that are threads here, for tests.
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
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
  Post& post = given != nullptr ? *given : own_post;
  std::vector<std::thread> others;
  for (int rank = 1; rank < ranks; ++rank) {
    others.emplace_back([&, rank] {
      QueueChannel channel(post, rank);
      Asked own = asked;
      own.count.channel = &channel;
      own.count.checkpoint = {};
      own.count.interrupted = {};
      if (change) change(rank, own);
      follow_to_end(channel, [&] {
        if (own.estimate.replicates > 1) follow_questions({}, own.count, own.estimate);
        follow_estimate(own.source, {}, own.count, own.estimate);
      });
    });
  }
  QueueChannel channel(post, 0);
  Asked own = asked;
  own.count.channel = &channel;
  if (change) change(0, own);
  EstimateResult result;
  std::exception_ptr failure;
  try {
    result = estimate(own.source, {}, own.count, own.estimate);
  } catch (...) {
    failure = std::current_exception();
  }
  end_ranks(channel);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace countpm::testing
