// What random matchings would take, before they are drawn: a line of the report, refusals, --explain.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"

namespace countpm::sample_forecast_test {
namespace {

using test::Outcome;
using test::run;
using test::Wiring;

nlohmann::json explained(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "sample");
  arguments.insert(arguments.end(), {"--explain", "--json"});
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return nlohmann::json::parse(outcome.out);
}

nlohmann::json method_of(const nlohmann::json& piece, const std::string& name) {
  for (const auto& method : piece["methods"])
    if (method["method"] == name) return method;
  ADD_FAILURE() << "no method " << name << " in " << piece;
  return {};
}

TEST(SampleForecast, ALineBeforeTheDraws) {
  const Outcome outcome = run({"sample", "lattice:square:6x6", "--count", "3", "--report"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(outcome.err.starts_with("forecast    3 perfect matchings by frontier, predicted to take "))
      << outcome.err;
  EXPECT_EQ(run({"sample", "lattice:square:6x6"}).err, "") << "nobody asked";
  EXPECT_EQ(run({"sample", "lattice:square:6x6", "--count", "3"}).out, outcome.out) << "the draws stay";
}

TEST(SampleForecast, BeyondTheTimeLimitIsRefusedAtOnce) {
  const Outcome outcome =
      run({"sample", "lattice:cubic:4x4x4", "--count", "1000000000000", "--time-limit", "1h"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_TRUE(outcome.out.empty());
  EXPECT_NE(outcome.err.find("predicted to take "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("and the time limit is 1 h"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--sampler "), std::string::npos) << "what else there is: " << outcome.err;
}

TEST(SampleForecast, BeyondTheMemoryIsRefusedAtOnce) {
  const Outcome outcome =
      run({"sample", "lattice:cubic:6x6x6", "--memory-limit", "1G", "--time-limit", "none"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("predicted to need "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("the limit is "), std::string::npos) << outcome.err;
}

TEST(SampleForecast, ManyDrawsTakeLong) {
  // Each takes its time, however short.
  const Outcome outcome =
      run({"sample", "lattice:square:8x8", "--count", "1000000000000", "--time-limit", "10m"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("predicted to take "), std::string::npos) << outcome.err;
  const Outcome aztec = run({"sample", "lattice:aztec:50", "--count", "100000000000", "--time-limit", "10m"});
  EXPECT_EQ(aztec.code, 3) << aztec.err;
}

TEST(SampleForecast, ExplainShowsEveryMethodOfEachPiece) {
  const nlohmann::json json = explained({"lattice:square:8x8", "--count", "7", "--seed", "4"});
  EXPECT_EQ(json["question"], "random matchings");
  EXPECT_EQ(json["draws"], 7);
  EXPECT_EQ(json["seed"], 4);
  EXPECT_EQ(json["exact"], true);
  EXPECT_EQ(json["feasible"], true);
  ASSERT_EQ(json["pieces"].size(), 1U);
  EXPECT_EQ(json["pieces"][0]["rows"], 32);
  EXPECT_EQ(method_of(json["pieces"][0], "frontier")["chosen"], true);
  EXPECT_EQ(method_of(json["pieces"][0], "planar")["chosen"], false);
  EXPECT_GT(method_of(json["pieces"][0], "planar")["seconds"].get<double>(), 0);
  EXPECT_EQ(json["seconds"], method_of(json["pieces"][0], "frontier")["seconds"]);

  const nlohmann::json cubic = explained({"lattice:cubic:4x4x4"});
  EXPECT_TRUE(method_of(cubic["pieces"][0], "planar")["seconds"].is_null());
  EXPECT_NE(method_of(cubic["pieces"][0], "planar")["obstacle"].get<std::string>().find("not planar"),
            std::string::npos);
}

TEST(SampleForecast, ExplainOfWhatIsOutOfReachNamesAnotherWay) {
  const std::vector<std::string> cubic{"lattice:cubic:6x6x10", "--memory-limit", "1G"};
  const nlohmann::json json = explained(cubic);
  EXPECT_EQ(json["feasible"], false);
  ASSERT_TRUE(json["approximate"].is_object());
  EXPECT_TRUE(json["approximate"]["obstacle"].is_null()) << json["approximate"];
  EXPECT_GT(json["approximate"]["seconds"].get<double>(), 0);
  EXPECT_GT(json["approximate"]["trials"].get<int>(), 0);
  std::vector<std::string> text = cubic;
  text.insert(text.begin(), "sample");
  text.emplace_back("--explain");
  const Outcome outcome = run(text);
  EXPECT_NE(outcome.out.find("otherwise   approximately, --sampler "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("refused: beyond the memory limit of "), std::string::npos) << outcome.out;
}

TEST(SampleForecast, ExplainOfASampler) {
  const nlohmann::json json = explained({"lattice:square:6x6", "--count", "20", "--sampler", "annealed"});
  EXPECT_EQ(json["exact"], false);
  EXPECT_TRUE(json["pieces"].empty());
  EXPECT_EQ(json["approximate"]["sampler"], "annealed");
  EXPECT_EQ(json["seconds"], json["approximate"]["seconds"]);
}

TEST(SampleForecast, ExplainWhereThereIsNothingToDraw) {
  EXPECT_FALSE(explained({"lattice:square:3x3"})["violator"].is_null());
  EXPECT_EQ(explained({"lattice:square:4x4", "--count", "0"})["seconds"], 0);
  const nlohmann::json edge = explained({"lattice:square:1x2"});
  EXPECT_TRUE(edge["pieces"].empty());
  EXPECT_EQ(edge["feasible"], true);
  const nlohmann::json aztec = explained({"lattice:aztec:30", "--count", "2"});
  EXPECT_EQ(method_of(aztec["pieces"][0], "shuffling")["chosen"], true);
}

TEST(SampleForecast, ExplainDrawsNothing) {
  for (const char* option : {"--csv", "--report", "--svg", "--heights"}) {
    std::vector<std::string> arguments{"sample", "lattice:square:4x4", "--explain", option};
    if (std::string(option) == "--svg" || std::string(option) == "--heights") arguments.emplace_back("never");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_NE(outcome.err.find("exclude each other"), std::string::npos) << outcome.err;
  }
}

TEST(SampleForecast, NegativeWeightsAreRefusedAsBefore) {
  Wiring wiring;
  wiring.input = "a b -1\nc d 1\na d 1\nc b 1\n";
  EXPECT_EQ(run({"sample", "-", "--weights", "--as", "bipartite", "--explain"}, wiring).code, 3);
}

}  // namespace
}  // namespace countpm::sample_forecast_test
