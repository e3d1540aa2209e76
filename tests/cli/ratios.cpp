// What depends on time: a goal that the time limit forbids, and a forecast against what is drawn then.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_json.hpp"

namespace countpm::test::ratios_test {
namespace {

using Json = nlohmann::json;
constexpr const char* board = "lattice:square:8x8";

TEST(LogError, ThatTheTimeLimitForbidsIsReported) {
  const Json json = Json::parse(run_within(0.3, {"estimate", board, "--all-sampled", "--exact-tail", "0",
                                                 "--sampler", "scaling+", "--ln-error", "1e-6", "--json"})
                                    .out);
  EXPECT_FALSE(json["goal_met"]);
  EXPECT_EQ(json["goal_missed"]["ln_error"], 1e-6);
  EXPECT_TRUE(json["goal_missed"]["relative_error"].is_null());
  EXPECT_TRUE(json["goal_missed"]["text"].get<std::string>().starts_with(
      "the goal of a standard error of 1e-06 in ln Z was not reached: it is "))
      << json["goal_missed"];
}

TEST(Explain, OfARatioForetellsWhatItDraws) {
  const std::vector<std::string> ask{"estimate",   "lattice:square:8x8:weights=1.01,1",
                                     "--ratio-to", board,
                                     "--weights",  "--all-sampled",
                                     "--ln-error", "0.02"};
  std::vector<std::string> explained(ask);
  explained.emplace_back("--explain");
  const Json forecast = run_json(explained);
  const Json result = run_json(ask);
  EXPECT_EQ(forecast["question"], "ratio");
  EXPECT_EQ(forecast["counted"], false);
  ASSERT_EQ(forecast["pieces"].size(), 1U);
  const Json& piece = forecast["pieces"][0];
  EXPECT_EQ(piece["rows"], 32);
  EXPECT_EQ(piece["edges"], 112);
  EXPECT_EQ(piece["sampler"], result["sampler"]);
  EXPECT_EQ(piece["second"]["sampler"], result["second"]["sampler"]);
  // The goal is within reach of the trials, or they foretell it.
  EXPECT_GT(piece["samples"].get<double>(), 0.4 * result["samples"].get<double>());
  EXPECT_LT(piece["samples"].get<double>(), 2.5 * result["samples"].get<double>());
  EXPECT_TRUE(piece["doubt"].is_null());
  EXPECT_EQ(forecast["feasible"], true);
  EXPECT_FALSE(forecast.contains("ratio"));  // nothing is said of the number
}

}  // namespace
}  // namespace countpm::test::ratios_test
