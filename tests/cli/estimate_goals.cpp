// What estimates say of what they were asked for and did not reach.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_json.hpp"

namespace countpm::test::estimate_goals {
namespace {

using Json = nlohmann::json;
constexpr const char* small_board = "lattice:square:8x8";

Json estimate_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "estimate");
  return run_json(std::move(arguments));
}

TEST(EstimateGoals, InPlaceOfACountKeepsToTheLimitAndIsPlainWhereItIsExact) {
  // By a method that is slow at it a count is beyond the limit, and so it is for the estimate: sampled.
  const std::string file = file_with(complete_bipartite(44));
  const Outcome sampled =
      run_within(1, {file, "--method", "ryser", "--no-rule", "twins", "--on-limit", "estimate"});
  EXPECT_EQ(sampled.code, 0) << sampled.err;
  EXPECT_EQ(sampled.out.find("exactly"), std::string::npos) << sampled.out;
  EXPECT_LT(sampled.seconds, patience);
}

TEST(EstimateGoals, AMissedGoalIsReported) {
  const std::vector<std::string> ask{
      "lattice:square:8x8", "--all-sampled", "--exact-tail", "0", "--error", "1e-6"};
  std::vector<std::string> command{"estimate"};
  command.insert(command.end(), ask.begin(), ask.end());
  const Outcome outcome = run_within(0.5, command);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" +- "), std::string::npos) << outcome.out;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("countpm: the goal of 0.0001% was not reached: the error is "))
      << outcome.err;
  EXPECT_NE(outcome.err.find(" after the time limit of "), std::string::npos) << outcome.err;
  command.emplace_back("--quiet");
  EXPECT_EQ(run_within(0.5, command).err, "");
  command.back() = "--json";
  const Json value = Json::parse(run_within(0.5, command).out);
  EXPECT_EQ(value["goal_met"], false);
  EXPECT_EQ(value["goal_missed"]["because"], "time limit");
  EXPECT_EQ(value["goal_missed"]["relative_error"], 1e-6);
  EXPECT_EQ(value["notes"].back(), value["goal_missed"]["text"]);

  const Json met = estimate_json({small_board, "--all-sampled", "--exact-tail", "0", "--error", "5%"});
  EXPECT_EQ(met["goal_met"], true);
  EXPECT_TRUE(met["goal_missed"].is_null()) << met;
  EXPECT_EQ(estimate_json({small_board})["goal_met"], true);  // counted
}

TEST(EstimateGoals, MissingSamplesAreReported) {
  const Json value = Json::parse(run_within(0.5, {"estimate", small_board, "--all-sampled", "--exact-tail",
                                                  "0", "--samples", "1000000000", "--json"})
                                     .out);
  EXPECT_EQ(value["goal_met"], false);
  EXPECT_EQ(value["goal_missed"]["samples"], 1000000000);
  EXPECT_TRUE(value["goal_missed"]["relative_error"].is_null());
  EXPECT_GT(value["goal_missed"]["advised_seconds"], 1) << value["goal_missed"];
}

}  // namespace
}  // namespace countpm::test::estimate_goals
