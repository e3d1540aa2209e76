// ln Z as a goal, replicates, weights in a file, ratios and sampled edge probabilities, from the command
// line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/run_json.hpp"

namespace countpm::test::ratios_test {
namespace {

using Json = nlohmann::json;
constexpr const char* board = "lattice:square:8x8";
const double ln_of_board = std::log(12988816.0);

TEST(LogError, IsShownAndInJson) {
  const std::vector<std::string> ask{"estimate", board, "--all-sampled", "--log-error", "0.02"};
  const Outcome outcome = run(ask);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("ln Z 16.")) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with("(standard error, seed 1)\n")) << outcome.out;
  const Json json = run_json(ask);
  const double error = json["ln_z"]["standard_error"];
  EXPECT_LE(error, 0.02);
  EXPECT_NEAR(json["ln_z"]["value"], ln_of_board, 4 * error);
  EXPECT_NEAR(json["ln_z"]["per_vertex"], json["ln_z"]["value"].get<double>() / 64, 1e-12);
  EXPECT_TRUE(json["replicates"].empty());
  EXPECT_TRUE(json["spread"].is_null());
  EXPECT_TRUE(json["goal_met"]);
  EXPECT_EQ(run({"estimate", board, "--log-error", "0.01", "--rel-error", "1%"}).code, 2);
  EXPECT_EQ(run({"estimate", board, "--log-error", "0.5"}).code, 2);
  EXPECT_EQ(run({"estimate", board, "--log-error", "0.01", "--guarantee", "0.1,0.1"}).code, 2);
}

TEST(LogError, ThatTheTimeLimitForbidsIsReported) {
  const Json json = Json::parse(run_within(0.3, {"estimate", board, "--all-sampled", "--exact-tail", "0",
                                                 "--sampler", "scaling+", "--log-error", "1e-6", "--json"})
                                    .out);
  EXPECT_FALSE(json["goal_met"]);
  EXPECT_EQ(json["goal_missed"]["log_error"], 1e-6);
  EXPECT_TRUE(json["goal_missed"]["relative_error"].is_null());
  EXPECT_TRUE(json["goal_missed"]["text"].get<std::string>().starts_with(
      "the goal of a standard error of 1e-06 in ln Z was not reached: it is "))
      << json["goal_missed"];
}

TEST(Replicates, AreInTheReportAndInJson) {
  const std::vector<std::string> ask{"estimate",  board,   "--all-sampled", "--samples", "300",
                                     "--sampler", "bethe", "--replicates",  "4"};
  const Json json = run_json(ask);
  ASSERT_EQ(json["replicates"].size(), 4U);
  EXPECT_EQ(json["estimate"]["samples"], 1200);
  EXPECT_EQ(json["replicates"][0]["seed"], 1);
  EXPECT_FALSE(json["spread"]["contradicts"]);
  std::vector<std::string> report(ask);
  report.emplace_back("--report");
  const Outcome outcome = run(report);
  EXPECT_NE(outcome.err.find("replicates  4 independent estimates: ln Z spread by "), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("run 4"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("weights     effective sample size "), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"estimate", board, "--replicates", "2", "--checkpoint", "x.journal"}).code, 2);
}

TEST(LogWeights, AreInAFile) {
  const std::string file = (std::filesystem::temp_directory_path() / "countpm_log_weights.csv").string();
  std::filesystem::remove(file);
  const std::vector<std::string> ask{"estimate",  board,   "--all-sampled", "--samples", "100",
                                     "--sampler", "bethe", "--log-weights", file};
  EXPECT_EQ(run(ask).code, 0);
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  const std::vector<std::string> lines = lines_of(text.str());
  ASSERT_EQ(lines.size(), 101U);
  EXPECT_TRUE(lines[0].starts_with("replicate,block,sample,ln_weight")) << lines[0];
  EXPECT_TRUE(lines[100].starts_with("1,1,99,1")) << lines[100];
  EXPECT_EQ(run(ask).code, 2);  // the file is there
  std::filesystem::remove(file);
}

TEST(RatioTo, IsExactOrHasAnError) {
  const std::string hot = file_with("a b 2\nb c 3\nc d 5\nd a 7\n");
  const std::string cold = file_with("a b 2\nb c 3\nc d 5\nd a 1\n");
  EXPECT_EQ(run({"estimate", hot, "--ratio-to", cold, "--weights"}).out, "31/13 exactly\n");
  const Json json =
      run_json({"estimate", hot, "--ratio-to", cold, "--weights", "--all-sampled", "--log-error", "0.05"});
  EXPECT_TRUE(json["exact"].is_null());
  EXPECT_NEAR(json["ln"], std::log(31.0 / 13), 4 * json["ln_standard_error"].get<double>());
  EXPECT_LE(json["ln_standard_error"], 0.05);
  EXPECT_EQ(run({"estimate", hot, "--ratio-to", cold, "--replicates", "2"}).code, 2);
  EXPECT_EQ(run({"estimate", hot, "--ratio-to", board}).code, 2);  // other vertices
}

TEST(Sampled, ProbabilitiesHaveErrors) {
  const Outcome outcome = run({"marginals", "lattice:square:4x4", "--sampled", "--samples", "400", "--csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 25U);
  EXPECT_TRUE(lines[0].starts_with("from,to,probability,error"));
  EXPECT_TRUE(lines[1].starts_with("r0c0,r0c1,0.")) << lines[1];
  const Json json = run_json({"marginals", "lattice:square:4x4", "--sampled", "--edge-error", "3%"});
  EXPECT_TRUE(json["sampled"]["doubt"].is_null());
  for (const Json& edge : json["edges"]) EXPECT_LE(std::stod(edge[3].get<std::string>()), 0.0301);
  for (const char* option : {"--exact", "--digits=3"})
    EXPECT_EQ(run({"marginals", "lattice:square:4x4", "--sampled", option}).code, 2) << option;
  EXPECT_EQ(run({"marginals", "lattice:square:4x4", "--samples", "10"}).code, 2);
}

TEST(Explain, OfARatioForetellsWhatItDraws) {
  const std::vector<std::string> ask{"estimate",    "lattice:square:8x8:weights=1.01,1",
                                     "--ratio-to",  board,
                                     "--weights",   "--all-sampled",
                                     "--log-error", "0.02"};
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
  explained.erase(std::find(explained.begin(), explained.end(), "--all-sampled"));
  EXPECT_EQ(run_json(explained)["counted"], true);
  explained.insert(explained.end(), {"--checkpoint", "x.journal"});
  EXPECT_EQ(run(explained).code, 2);
}

TEST(Integrate, IsALogarithmWithItsError) {
  const std::string spec = "lattice:square:8x8:weights=x,1";
  const std::vector<std::string> ask{"estimate", spec, "--integrate", "x=1:4"};
  EXPECT_EQ(run(ask).out, "ln Z(x=4) - ln Z(x=1): 31.0016535727, both counted\n");
  std::vector<std::string> sampled(ask);
  sampled.insert(sampled.end(), {"--all-sampled", "--log-error", "0.02"});
  const Json json = run_json(sampled);
  EXPECT_NEAR(json["ln"], 31.0016535727, 5 * json["ln_standard_error"].get<double>());
  EXPECT_LE(json["ln_standard_error"], 0.02);
  EXPECT_EQ(json["apart"], true);
  EXPECT_TRUE(run(sampled).out.ends_with(" (standard error, seed 1)\n"));
  sampled.emplace_back("--explain");
  const Json forecast = run_json(sampled);
  ASSERT_EQ(forecast["pieces"].size(), 2U);
  EXPECT_EQ(forecast["pieces"][0]["of"], spec);
  EXPECT_EQ(forecast["pieces"][1]["of"], spec + " at x=1");
  for (const char* value : {"x=1", "x=0:1", "y=1:2", "1:4"})
    EXPECT_EQ(run({"estimate", spec, "--integrate", value}).code, 2) << value;
  EXPECT_EQ(run({"estimate", spec, "--integrate", "x=1:4", "--ratio-to", board}).code, 2);
}

TEST(Signed, IsNeverShownWithoutWhatCancels) {
  const std::string spec = "lattice:triangular:6x6:weights=1,1,-1/2";
  const Json exact = run_json({"estimate", spec, "--signed", "--exact-below", "1m"});
  EXPECT_EQ(exact["exact"].get<std::string>() + "\n", run({spec}).out);
  EXPECT_TRUE(exact["mean_sign"].is_null());
  const std::vector<std::string> ask{"estimate", spec, "--signed", "--all-sampled", "--samples", "2000"};
  const Outcome outcome = run(ask);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" +- "), std::string::npos) << outcome.out;
  EXPECT_TRUE(outcome.err.starts_with("countpm: mean sign 1.00")) << outcome.err;
  EXPECT_EQ(run(ask).out, outcome.out);
  const Json json = run_json(ask);
  for (const char* key : {"version",
                          "input",
                          "problem",
                          "complex",
                          "exact",
                          "sum",
                          "mean_sign",
                          "standard_error",
                          "interval_reach",
                          "relative_error",
                          "told_from_zero",
                          "absolute",
                          "confidence",
                          "doubt",
                          "sampler",
                          "samples",
                          "effective_samples",
                          "pareto_k",
                          "second",
                          "goal_missed",
                          "seed",
                          "threads",
                          "seconds",
                          "notes",
                          "warnings"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json.size(), 25U);
  EXPECT_EQ(json["told_from_zero"], true);
  const double sign = json["mean_sign"]["value"];
  const double sum = sign * std::exp(json["absolute"]["ln"].get<double>());
  const double truth = std::stod(run({spec}).out);
  EXPECT_EQ(truth > 0, sum > 0);
  EXPECT_EQ(run_json({"estimate", "lattice:triangular:4x4:weights=1,1,(0,1)", "--signed", "--all-sampled",
                      "--samples", "200"})["mean_sign"]["value"]
                .size(),
            2U);
  std::vector<std::string> reported(ask);
  reported.emplace_back("--report");
  const Outcome report = run(reported);
  for (const char* head : {"absolute ", "mean sign ", "weights ", "sampler "})
    EXPECT_NE(report.err.find(head), std::string::npos) << head << report.err;
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--explain"},
                                             {"--checkpoint", "x"},
                                             {"--ratio-to", spec},
                                             {"--guarantee", "0.1,0.1"},
                                             {"--monomers"},
                                             {"--sampler", "population"},
                                             {"--replicates", "2"}}) {
    std::vector<std::string> refused(ask);
    refused.insert(refused.end(), more.begin(), more.end());
    EXPECT_EQ(run(refused).code, 2) << more.front();
  }
}

TEST(Explain, SaysThatTheTimeLimitIsTooShort) {
  const Json forecast = run_json({"estimate", "lattice:square:8x8:weights=1.5,1", "--ratio-to", board,
                                  "--weights", "--all-sampled", "--log-error", "1e-6", "--explain"});
  EXPECT_EQ(forecast["feasible"], false);
  EXPECT_GT(forecast["seconds"], 60);
  const Outcome never = run({"marginals", "lattice:cubic:4x4x4", "--sampled", "--sampler", "bethe",
                             "--edge-error", "0.0001%", "--explain"});
  EXPECT_NE(never.out.find("the time limit of 1 min ends the samples before the goal"), std::string::npos)
      << never.out;
}

TEST(Explain, OfSampledProbabilities) {
  const std::vector<std::string> ask{"marginals", "lattice:cubic:4x4x4", "--sampled", "--samples",
                                     "500",       "--sampler",           "bethe"};
  std::vector<std::string> explained(ask);
  explained.emplace_back("--explain");
  const Json forecast = run_json(explained);
  EXPECT_EQ(forecast["question"], "edge probabilities");
  EXPECT_EQ(forecast["pieces"][0]["samples"], 500);
  EXPECT_EQ(forecast["pieces"][0]["sampler"], "bethe");
  EXPECT_TRUE(forecast["pieces"][0]["second"].is_null());  // a sampler that was asked for stands alone
  EXPECT_FALSE(forecast.contains("edges"));
  EXPECT_EQ(run({"marginals", board, "--explain"}).code, 2);
}

TEST(Explain, OfAnEstimateAndAComparison) {
  const Json estimate = run_json({"estimate", board, "--all-sampled", "--sampler", "scaling+", "--exact-tail",
                                  "0", "--rel-error", "5%", "--explain"});
  EXPECT_EQ(estimate["question"], "count");
  EXPECT_EQ(estimate["pieces"][0]["sampler"], "scaling+");
  EXPECT_GT(estimate["pieces"][0]["samples"], 500);
  EXPECT_EQ(run_json({"estimate", board, "--explain"})["counted"], true);
  EXPECT_EQ(run({"estimate", board, "--explain", "--guarantee", "10%,5%"}).code, 2);
  const Json comparison =
      run_json({"compare", board, "--samplers", "scaling+,bethe", "--sizes", "100,1000", "--explain"});
  EXPECT_EQ(comparison["counted"], true);
  ASSERT_EQ(comparison["pieces"].size(), 4U);
  EXPECT_EQ(comparison["pieces"][1]["sampler"], "scaling+");
  EXPECT_EQ(comparison["pieces"][1]["samples"], 1000);
  EXPECT_GT(comparison["pieces"][1]["seconds"], 0);
  const Json left_out =
      run_json({"compare", "lattice:triangular:4x4", "--samplers", "scaling+", "--explain"});
  EXPECT_FALSE(left_out["pieces"][0]["obstacle"].is_null());
  EXPECT_TRUE(left_out["pieces"][0]["samples"].is_null());
}

}  // namespace
}  // namespace countpm::test::ratios_test
