// countpm estimate --guarantee: what it says, what it refuses, and that it is the same everywhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <random>

#include "tests/cli/run_binary.hpp"
#include "tests/repeats.hpp"

namespace countpm::test::guarantee_test {
namespace {

using Json = nlohmann::json;
constexpr const char* board = "lattice:square:8x8";
constexpr double board_count = 12988816;

Outcome guarantee(std::vector<std::string> arguments, const std::string& goal = "0.1,0.05") {
  arguments.insert(arguments.begin(), "estimate");
  arguments.insert(arguments.end(), {"--guarantee", goal});
  return run(arguments);
}

Json guarantee_json(std::vector<std::string> arguments, const std::string& goal = "0.1,0.05") {
  arguments.emplace_back("--json");
  const Outcome outcome = guarantee(std::move(arguments), goal);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

/// A bipartite graph of density 0.5 as an edge list with weights.
std::string random_graph(int n, unsigned seed, int most_weight = 1) {
  std::minstd_rand random(seed);
  std::string text;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto drawn = static_cast<unsigned>(random() >> 8);
      if ((drawn & 1U) != 0 || i == j)
        text += fmt::format("r{} c{} {}\n", i, j, 1 + (drawn >> 1) % static_cast<unsigned>(most_weight));
    }
  }
  return text;
}

// What can be counted is; else the refusal says what estimates it.
TEST(GuaranteeCommand, RefusesMonomersAndOddCycles) {
  EXPECT_EQ(guarantee({"lattice:square:4x4", "--monomers"}).out, "10012 exactly\n");
  for (const auto& [arguments, why] :
       {std::pair<std::vector<std::string>, std::string>{{"lattice:square:4x4", "--monomers"},
                                                         "its vertices may stay alone"},
        {{"lattice:triangular:4x4"}, "it has odd cycles"}}) {
    std::vector<std::string> sampled = arguments;
    sampled.emplace_back("--all-sampled");
    const Outcome outcome = guarantee(sampled);
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_NE(outcome.err.find(why + ", and a guarantee is for perfect matchings of bipartite graphs"),
              std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.err.find("'countpm estimate' without --guarantee"), std::string::npos) << outcome.err;
  }
}

TEST(GuaranteeCommand, SaysWhatItGuarantees) {
  const Outcome outcome = guarantee({board, "--all-sampled", "--report"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(" within a factor 1 +- 0.1, guaranteed with probability 0.95 (seed 1)\n"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.err.find("successes in "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("seed 1"), std::string::npos) << outcome.err;
  EXPECT_EQ(guarantee({board}).out, "12988816 exactly\n");
  EXPECT_EQ(guarantee({file_with("a x\nb x\n")}).out, "0 exactly\n");
  EXPECT_EQ(guarantee({file_with("a x\nb x\nb y\n"), "--all-sampled"}).out, "1 exactly\n");
}

// What is printed is what is guaranteed: its digits take less than their share of EPS.
TEST(GuaranteeCommand, PrintsEnoughDigits) {
  for (const char* const goal : {"0.9,0.05", "0.1,0.05", "0.04,0.2"}) {
    const auto run_with = [&](const char* more) {
      return run({"estimate", board, "--all-sampled", "--guarantee", goal, more});
    };
    const double printed = std::stod(run_with("--quiet").out);
    const double log10 = Json::parse(run_with("--json").out)["estimate"]["log10"].get<double>();
    const double epsilon = std::stod(goal);
    EXPECT_LE(std::abs(printed / std::pow(10, log10) - 1), 1e-4 * std::log1p(epsilon)) << goal;
  }
}

TEST(GuaranteeCommand, KeysOfTheJson) {
  const Json value = guarantee_json({board, "--all-sampled", "--seed", "7"}, "20%,1%");
  const Json& estimate = value["estimate"];
  EXPECT_EQ(estimate["guarantee"], (Json{{"epsilon", 0.2}, {"delta", 0.01}}));
  EXPECT_EQ(estimate["confidence"], 0.99);
  EXPECT_EQ(estimate["seed"], 7);
  EXPECT_EQ(value["sampler"], "rejection");
  EXPECT_EQ(value["blocks"][0]["method"], "rejection");
  EXPECT_GT(estimate["samples"].get<double>(), estimate["nonzero"].get<double>());
  EXPECT_NEAR(std::pow(10, estimate["log10"].get<double>()) / board_count, 1, 0.2);
  const double width =
      estimate["interval_log10"][1].get<double>() - estimate["interval_log10"][0].get<double>();
  EXPECT_NEAR(width, std::log10(1.2 / 0.8), 1e-9);
}

TEST(GuaranteeCommand, TheSameForAnyNumberOfThreads) {
  const std::string hard = file_with(random_graph(48, 5));
  Json one = guarantee_json({hard, "--as", "bipartite", "--all-sampled", "--threads", "1"});
  for (const char* threads : {"2", "5"}) {
    const Json other = guarantee_json({hard, "--as", "bipartite", "--all-sampled", "--threads", threads});
    EXPECT_EQ(one["estimate"], other["estimate"]) << threads;
  }
  const Json seed = guarantee_json({hard, "--as", "bipartite", "--all-sampled", "--seed", "2"});
  EXPECT_NE(one["estimate"]["log10"], seed["estimate"]["log10"]);
}

// Two blocks share the goal; a forced guarantee on each alone would be looser.
TEST(GuaranteeCommand, BlocksShareTheGoal) {
  const auto estimated = [](const std::vector<const char*>& blocks) {
    std::string text;
    for (const char* block : blocks) {
      for (int i = 0; i < 9; ++i) {
        for (int j = 0; j < 9; ++j) text += fmt::format("{}r{} {}c{}\n", block, i, block, j);
      }
    }
    std::vector<std::string> arguments{file_with(text), "--as", "bipartite", "--all-sampled"};
    for (const char* rule : {"twins", "double", "forbert-marx-3", "forbert-marx-4"})
      arguments.insert(arguments.end(), {"--no-rule", rule});
    return guarantee_json(arguments, "0.02,0.05");
  };
  const Json one = estimated({"u"});
  const Json two = estimated({"u", "v"});
  ASSERT_EQ(two["blocks"].size(), 2U) << two;
  // Half of epsilon, and half of delta.
  for (const Json& block : two["blocks"])
    EXPECT_GT(block["samples"].get<int>(), one["blocks"][0]["samples"].get<int>());
  EXPECT_NEAR(two["estimate"]["log10"].get<double>(), 2 * std::log10(362880.0), std::log10(1.02));
}

TEST(GuaranteeCommand, WeightsBeyondOne) {
  const std::string weighted = file_with(random_graph(14, 6, 1000));
  const Outcome exact = run({weighted, "--as", "bipartite", "--weights"});
  ASSERT_EQ(exact.code, 0) << exact.err;
  const Json value =
      guarantee_json({weighted, "--as", "bipartite", "--weights", "--all-sampled"}, "0.05,0.001");
  EXPECT_NEAR(std::pow(10, value["estimate"]["log10"].get<double>()) / std::stod(exact.out), 1, 0.05);
  // What exact methods count may be negative; what is sampled may not.
  const std::string negative = file_with(random_graph(60, 7) + "r0 extra -5\nextra2 c0 1\nextra2 extra 1\n");
  const Outcome refused =
      guarantee({negative, "--as", "bipartite", "--weights", "--time-limit", "1", "--exact-below", "0.01"});
  EXPECT_EQ(refused.code, 3) << refused.out << refused.err;
}

TEST(GuaranteeCommand, WhatTakesTooLongIsRefusedWithThePrediction) {
  const Outcome refused =
      guarantee({"lattice:square:12x12", "--all-sampled", "--time-limit", "10"}, "0.0001,0.01");
  EXPECT_EQ(refused.code, 3) << refused.out << refused.err;
  EXPECT_EQ(refused.out, "");
  // Under sanitizers the second is over before bounds are fitted.
  if (!countpm::testing::sanitized) {
    EXPECT_NE(refused.err.find("is predicted to take"), std::string::npos) << refused.err;
  }
  EXPECT_NE(refused.err.find("--time-limit"), std::string::npos) << refused.err;
  const Outcome rare = guarantee({"lattice:square:24x24", "--all-sampled", "--time-limit", "2"});
  EXPECT_EQ(rare.code, 3) << rare.out << rare.err;
  EXPECT_EQ(rare.out, "");
}

// 383 million successes: without a limit nothing but a signal ends them.
TEST(GuaranteeCommand, StopsAtASignal) {
  Wiring wiring;
  wiring.signals = {{1.5, SIGINT}};
  const std::vector<std::string> arguments{"estimate",      file_with(random_graph(40, 8)),
                                           "--as",          "bipartite",
                                           "--all-sampled", "--guarantee",
                                           "0.0001,0.05",   "--time-limit",
                                           "none"};
  const Outcome outcome = run(arguments, wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_LT(outcome.seconds, patience);
}

TEST(GuaranteeCommand, BadGoalsAreRefused) {
  for (const char* goal : {"0,1", "1.5,.1", "x", "", ".1", ".1,", ",.1", ".1,.2,.3", "-0.1,0.1", ".1,0",
                           "nan,.1", "0.1,1", "1e-9,.1", "0.000001,.1", ".1,0.0000001"}) {
    const Outcome outcome = guarantee({board}, goal);
    EXPECT_EQ(outcome.code, 2) << goal << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << goal;
  }
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--samples", "5"},
                                                {"--rel-error", "1%"},
                                                {"--confidence", "0.9"},
                                                {"--sampler", "rasmussen"},
                                                {"--prune", "on"},
                                                {"--scale-interval", "2"},
                                                {"--scale-steps", "2"},
                                                {"--exact-tail", "3"}}) {
    std::vector<std::string> arguments{board};
    arguments.insert(arguments.end(), other.begin(), other.end());
    const Outcome outcome = guarantee(arguments);
    EXPECT_EQ(outcome.code, 2) << other.front();
    EXPECT_NE(outcome.err.find("contradict"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(run({board, "--guarantee", "0.1,0.1"}).code, 2);
}

}  // namespace
}  // namespace countpm::test::guarantee_test
