// countpm estimate: a value never without its error, the same for every number of threads, and honest
// refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/estimate_report.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "tests/cli/run_json.hpp"

namespace countpm::test::estimate_test {
namespace {

using Json = nlohmann::json;
constexpr const char* board = "lattice:square:8x8";

Json estimate_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "estimate");
  return run_json(std::move(arguments));
}

/// With odd cycles, and no twins that would make its count easy.
std::string dense_graph(int n) {
  std::string text;
  for (int i = 1; i <= n; ++i) {
    for (int j = 1; j < i; ++j)
      if (i * j * 37 % 101 < 60) text += std::to_string(i) + ' ' + std::to_string(j) + '\n';
  }
  return text;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(EstimateCommand, WhatIsEasyIsCounted) {
  EXPECT_EQ(run({"estimate", board}).out, "12988816 exactly\n");
  EXPECT_EQ(run({"estimate", file_with("a x\nb x\n")}).out, "0 exactly\n");
  const Json value = estimate_json({board});
  EXPECT_EQ(value["exact_count"], "12988816");
  EXPECT_TRUE(value["estimate"].is_null());
}

TEST(EstimateCommand, AnEstimateComesWithItsError) {
  const Outcome outcome =
      run({"estimate", board, "--all-sampled", "--rel-error", "5%", "--report", "--exact-tail", "0"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find(" +- "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("(95% confidence, seed 1)"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("seed 1"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("interval"), std::string::npos) << outcome.err;
}

// One sample tells nothing of how far samples spread.
TEST(EstimateCommand, OfOneSampleTheErrorIsUnknown) {
  const std::vector<std::string> one{board, "--all-sampled", "--exact-tail", "0", "--samples", "1"};
  const Json block = estimate_json(one)["blocks"][0];
  EXPECT_TRUE(block["relative_error"].is_null()) << block;
  EXPECT_EQ(block["doubt"], "only 1 sample");
  std::vector<std::string> shown{"estimate", "--report"};
  shown.insert(shown.end(), one.begin(), one.end());
  EXPECT_NE(run(shown).err.find("standard error unknown"), std::string::npos);
}

/// The check with that name; null where there is none.
Json check_named(const Json& result, const std::string& name) {
  for (const Json& check : result["checks"]) {
    if (check["name"] == name) return check;
  }
  return nullptr;
}

TEST(EstimateCommand, ChecksAreListed) {
  const Json counted = estimate_json({board});
  EXPECT_EQ(check_named(counted, "parity")["ok"], true) << counted["checks"];
  const std::vector<std::string> sampled{board, "--all-sampled", "--rel-error", "5%", "--exact-tail", "0"};
  const Json bounds = check_named(estimate_json(sampled), "interval");
  EXPECT_EQ(bounds["ok"], true) << bounds;
  EXPECT_NE(bounds["detail"].get<std::string>().find("certainly within 10^"), std::string::npos) << bounds;
  const Json doubtful = estimate_json({board, "--all-sampled", "--sampler", "rasmussen", "--samples", "4"});
  ASSERT_TRUE(doubtful["estimate"]["doubt"].is_string()) << doubtful;
  EXPECT_TRUE(check_named(doubtful, "interval")["ok"].is_null()) << doubtful["checks"];
  const Json guaranteed =
      check_named(estimate_json({board, "--all-sampled", "--guarantee", "50%,0.3"}), "nesting bound");
  EXPECT_EQ(guaranteed["ok"], true) << guaranteed;
  EXPECT_NE(guaranteed["detail"].get<std::string>().find("certainly at least 2^"), std::string::npos);

  std::vector<std::string> shown = sampled;
  shown.insert(shown.begin(), "estimate");
  shown.emplace_back("--report");
  EXPECT_NE(run(shown).err.find("passed: interval"), std::string::npos);
  shown.back() = "--checks";
  EXPECT_NE(run(shown).err.find("check ok    interval: from 10^"), std::string::npos);
}

/// n x n, about half of its entries, none of which a rule takes out.
std::string dense_matrix(int n = 20) {
  std::string entries;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i != j && (i * 7 + j * 13 + i * j) % 5 < 2) continue;
      entries += std::to_string(i + 1) + ' ' + std::to_string(j + 1) + '\n';
      ++count;
    }
  }
  return "%%MatrixMarket matrix coordinate pattern general\n" + std::to_string(n) + ' ' + std::to_string(n) +
         ' ' + std::to_string(count) + '\n' + entries;
}

TEST(EstimateCommand, GpusDrawTheSameSamples) {
  const std::string file = file_with(dense_matrix());
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  for (const char* const prune : {"off", "on"}) {
    const auto draw = [&](const std::vector<std::string>& more) {
      std::vector<std::string> arguments{"estimate",   file,        "--all-sampled", "--sampler",
                                         "rasmussen+", "--prune",   prune,           "--exact-tail",
                                         "0",          "--samples", "5000",          "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const Outcome outcome = run(arguments, emulated);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return Json::parse(outcome.out);
    };
    const Json cpu = draw({"--device", "cpu"});
    const Json gpu = draw({"--device", "gpu"});
    const Json one = draw({"--gpus", "1"});
    EXPECT_EQ(cpu["device"], "cpu");
    EXPECT_EQ(gpu["device"], "gpu");
    EXPECT_EQ(cpu["estimate"], gpu["estimate"]);
    EXPECT_EQ(cpu["estimate"], one["estimate"]);
  }
}

TEST(EstimateCommand, GpusDrawTheSameDeterminantsAndPopulations) {
  const std::string file = file_with(dense_matrix());
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  for (const char* const sampler : {"--sampler=godsil-gutman", "--sampler=godsil-gutman-complex",
                                    "--sampler=godsil-gutman-quaternion", "--population=9"}) {
    const auto draw = [&](const char* device) {
      const Outcome outcome =
          run({"estimate", file, "--all-sampled", sampler, "--samples", "1000", "--json", device}, emulated);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return Json::parse(outcome.out);
    };
    const Json gpu = draw("--device=gpu");
    EXPECT_EQ(gpu["device"], "gpu");
    EXPECT_EQ(gpu["estimate"], draw("--device=cpu")["estimate"]);
    EXPECT_EQ(gpu["estimate"], draw("--gpus=1")["estimate"]);
  }
}

TEST(EstimateCommand, GpusDrawTheTrialsOfAGuarantee) {
  const std::string file = file_with(dense_matrix());
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  const auto draw = [&](const char* device) {
    const Outcome outcome =
        run({"estimate", file, "--all-sampled", "--guarantee", "0.2,0.1", "--json", "--device", device},
            emulated);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json gpu = draw("gpu");
  EXPECT_EQ(gpu["device"], "gpu");
  EXPECT_EQ(gpu["estimate"], draw("cpu")["estimate"]);
}

TEST(EstimateCommand, WhatGpusCannotDrawIsRefused) {
  const std::string file = file_with(dense_matrix());
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "1";
  const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
    arguments.insert(arguments.begin(), {"estimate", file, "--all-sampled"});
    const Outcome outcome = run(arguments, emulated);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"--device", "gpu", "--sampler", "boundary"}, "boundary has no form for GPUs");
  refused({"--device", "gpu", "--sampler", "scaling", "--exact-tail", "0", "--scale-steps", "100000"},
          "scaling so many entries would hold up a GPU for too long");
  refused({"--device", "gpu", "--sampler", "bethe", "--strata", "4"}, "strata have no form for GPUs");
  refused({"--gpus", "2", "--sampler", "rasmussen"}, "2 GPUs asked for, and there is 1");
  // Where nothing is asked for it is what a GPU can draw.
  const Outcome chosen =
      run({"estimate", "lattice:square:10x10", "--all-sampled", "--device", "gpu", "--json"}, emulated);
  EXPECT_EQ(chosen.code, 0) << chosen.err;
  EXPECT_EQ(Json::parse(chosen.out)["device"], "gpu");
  // Beside the CPU they are not refused, but told.
  const auto notes = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"estimate", file, "--json", "--samples", "70"});
    const Outcome outcome = run(arguments, emulated);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out)["notes"].dump();
  };
  EXPECT_NE(notes({"--all-sampled", "--gpus", "1", "--sampler", "boundary"}).find("boundary has no form"),
            std::string::npos);
  EXPECT_EQ(notes({"--all-sampled", "--gpus", "1", "--sampler", "population"}), "[]");
  EXPECT_NE(notes({"--gpus", "1"}).find("counted on the CPU"), std::string::npos);
  EXPECT_EQ(notes({"--all-sampled", "--gpus", "1", "--sampler", "rasmussen", "--exact-tail", "0"}), "[]");
  EXPECT_EQ(run({"estimate", file, "--device", "cpu", "--gpus", "1"}).code, 2);
}

TEST(EstimateCommand, EverySamplerHoldsTheTruth) {
  for (const SamplerInfo& info : samplers()) {
    if (!info.walks) continue;
    for (const bool prune : {false, true}) {
      std::vector<std::string> arguments{
          board,    "--all-sampled", "--rel-error", "20%",       "--confidence",
          "0.9999", "--exact-tail",  "8",           "--sampler", std::string(info.name)};
      if (can_prune(info.kind)) arguments.insert(arguments.end(), {"--prune", prune ? "on" : "off"});
      const Json value = estimate_json(arguments);
      const Json& estimate = value["estimate"];
      const double truth = std::log10(12988816.0);
      EXPECT_TRUE(estimate["doubt"].is_null()) << info.name << estimate;
      EXPECT_LE(estimate["interval_log10"][0].get<double>(), truth) << info.name << prune;
      EXPECT_GE(estimate["interval_log10"][1].get<double>(), truth) << info.name << prune;
      EXPECT_LE(estimate["relative_error"].get<double>(), 0.2) << info.name;
      EXPECT_EQ(value["sampler"], info.name);
    }
  }
}

TEST(EstimateCommand, DeterminantsHoldTheTruth) {
  for (const char* name : {"godsil-gutman", "godsil-gutman-complex", "godsil-gutman-quaternion"}) {
    const std::vector<std::string> arguments{"lattice:square:6x6", "--all-sampled", "--sampler", name,
                                             "--confidence",       "0.9999",        "--seed",    "3"};
    std::vector<std::string> until = arguments;
    until.insert(until.end(), {"--rel-error", "40%", "--threads", "2"});
    const Json value = estimate_json(until);
    const Json& estimate = value["estimate"];
    const double truth = std::log10(6728.0);
    EXPECT_TRUE(estimate["doubt"].is_null()) << name << estimate;
    EXPECT_LE(estimate["interval_log10"][0].get<double>(), truth) << name;
    EXPECT_GE(estimate["interval_log10"][1].get<double>(), truth) << name;
    EXPECT_EQ(value["sampler"], name);
    std::vector<std::string> again = arguments;
    again.insert(again.end(), {"--samples", estimate["samples"].dump(), "--threads", "1"});
    EXPECT_EQ(estimate_json(again)["estimate"], estimate) << name;
    // Three samples are no estimate, and options of walks are refused.
    std::vector<std::string> few = arguments;
    few.insert(few.end(), {"--samples", "3"});
    EXPECT_TRUE(estimate_json(few)["estimate"]["doubt"].is_string()) << name;
    for (const char* option : {"--prune=on", "--exact-tail=5", "--strata=8"}) {
      std::vector<std::string> wrong = arguments;
      wrong.emplace_back(option);
      const Outcome outcome = run([&] {
        wrong.insert(wrong.begin(), "estimate");
        return wrong;
      }());
      EXPECT_EQ(outcome.code, 2) << outcome.err;
      EXPECT_NE(outcome.err.find("determinants"), std::string::npos) << outcome.err;
    }
  }
}

TEST(EstimateCommand, ThreadsChangeNothing) {
  const std::vector<std::string> arguments{board, "--all-sampled", "--rel-error", "4%",           "--seed",
                                           "9",   "--sampler",     "scaling+",    "--exact-tail", "8"};
  std::vector<std::string> more = arguments;
  more.insert(more.end(), {"--threads", "3"});
  std::vector<std::string> less = arguments;
  less.insert(less.end(), {"--threads", "1"});
  const Json one = estimate_json(less)["estimate"];
  EXPECT_EQ(one, estimate_json(more)["estimate"]);
  const std::string drawn = one["samples"].dump();
  EXPECT_EQ(one, estimate_json({board, "--all-sampled", "--samples", drawn, "--seed", "9", "--sampler",
                                "scaling+", "--exact-tail", "8"})["estimate"]);
  EXPECT_NE(one["log10"], estimate_json({board, "--all-sampled", "--samples", drawn, "--seed", "8",
                                         "--sampler", "scaling+", "--exact-tail", "8"})["estimate"]["log10"]);
}

TEST(EstimateCommand, PopulationsAreTheSameOnAnyThread) {
  const auto drawn = [](const std::string& threads, const std::string& seed) {
    const Json value = estimate_json({board, "--all-sampled", "--rel-error", "2%", "--population", "20",
                                      "--threads", threads, "--seed", seed});
    EXPECT_EQ(value["sampler"], "population");
    return value["estimate"];
  };
  const Json one = drawn("1", "3");
  EXPECT_EQ(one, drawn("2", "3"));
  EXPECT_NE(one["log10"], drawn("1", "4")["log10"]);
  EXPECT_LE(one["relative_error"].get<double>(), 0.02);
  EXPECT_NEAR(one["log10"].get<double>(), std::log10(12988816.0), 0.02);
}

TEST(EstimateCommand, PopulationsWithinReason) {
  for (const char* members : {"0", "-1", "1048577", "x", "1.5"})
    EXPECT_EQ(run({"estimate", board, "--population", members}).code, 2) << members;
  for (const char* option : {"--prune=on", "--exact-tail=5"}) {
    EXPECT_EQ(run({"estimate", board, "--population", "9", option}).code, 2) << option;
    EXPECT_EQ(run({"estimate", board, "--sampler", "population", option}).code, 2) << option;
  }
  EXPECT_EQ(estimate_json({board, "--all-sampled", "--samples", "9", "--prune=on"})["sampler"], "scaling+");
  EXPECT_EQ(estimate_json({board, "--all-sampled", "--samples", "9", "--scale-steps=3"})["sampler"],
            "scaling+");
  EXPECT_EQ(estimate_json({board, "--all-sampled", "--samples", "9", "--exact-tail=5"})["sampler"], "bethe");
  for (const char* prune : {"--prune=on", "--prune=off"}) {
    const Outcome refused = run({"estimate", board, "--sampler", "bethe", prune});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--prune is for other samplers"), std::string::npos) << refused.err;
  }
  const Outcome outcome = run({"estimate", "lattice:cubic:6x6x6", "--all-sampled", "--sampler", "population",
                               "--population", "1000000", "--memory-limit", "100M"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("a smaller --population"), std::string::npos) << outcome.err;
}

TEST(EstimateCommand, SaysWhereItCannotBeTrusted) {
  const Json value = estimate_json({"lattice:square:20x20", "--all-sampled", "--samples", "40", "--sampler",
                                    "rasmussen", "--exact-tail", "0"});
  const Json& estimate = value["estimate"];
  EXPECT_TRUE(estimate["doubt"].is_string());
  EXPECT_TRUE(estimate["relative_error"].is_null());
  EXPECT_EQ(estimate["samples"], 40);
  const double truth = std::log10(1.269984011256235834e+48);  // counted by frontier and by planar
  EXPECT_LE(estimate["interval_log10"][0].get<double>(), truth);
  EXPECT_GE(estimate["interval_log10"][1].get<double>(), truth);
  const Outcome text = run({"estimate", "lattice:square:20x20", "--all-sampled", "--samples", "40",
                            "--sampler", "rasmussen", "--exact-tail", "0", "--report"});
  EXPECT_TRUE(text.out.starts_with("no estimate, from ") || text.out.starts_with("about ")) << text.out;
  EXPECT_NE(text.err.find("doubt"), std::string::npos) << text.err;
}

TEST(EstimateCommand, NeverShowsWhatTheCertifiedBoundsExclude) {
  std::string ones;
  for (int row = 0; row < 12; ++row) ones += "1 1 1 1 1 1 1 1 1 1 1 1\n";
  // Bregman-Minc's bound and the capacity are 12! but for rounding; five samples are not.
  const std::vector<std::string> arguments{file_with(ones), "--format",      "dense",     "--all-sampled",
                                           "--sampler",     "godsil-gutman", "--samples", "5"};
  const Json estimate = estimate_json(arguments)["estimate"];
  const double truth = std::log10(479001600.0);
  EXPECT_NEAR(estimate["log10"].get<double>(), truth, 1e-6);
  EXPECT_GT(std::abs(estimate["samples_log10"].get<double>() - truth), 0.05);
  EXPECT_LE(estimate["interval_log10"][0], estimate["log10"]);
  EXPECT_GE(estimate["interval_log10"][1], estimate["log10"]);
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "estimate");
  words.emplace_back("--report");
  const Outcome outcome = run(words);
  EXPECT_TRUE(outcome.out.starts_with("about 4.8e+08, from 4.7e+08 to 4.8e+08")) << outcome.out;
  EXPECT_NE(outcome.err.find("outside of the certified bounds"), std::string::npos) << outcome.err;
}

TEST(EstimateCommand, OptionsOfAnotherSamplerAreRefused) {
  const auto refused = [&](std::vector<std::string> arguments, const std::string& why) {
    arguments.insert(arguments.begin(), {"estimate", board});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  // Whatever their values: those that are taken where nothing is given, too.
  for (const char* sampler : {"bethe", "rasmussen+", "population", "godsil-gutman"}) {
    refused({"--sampler", sampler, "--scale-steps", "3"}, "does not scale");
    refused({"--sampler", sampler, "--scale-steps", "4"}, "does not scale");
    refused({"--sampler", sampler, "--scale-interval", "2"}, "does not scale");
  }
  for (const char* option : {"--prune=on", "--prune=off", "--exact-tail=0", "--exact-tail=3", "--strata=1"}) {
    refused({"--sampler", "population", option}, "keeps states, not walks");
    refused({"--sampler", "godsil-gutman", option}, "takes determinants");
    refused({"--population", "9", option}, "one of these options must go");
  }
  refused({"--sampler", "bethe", "--prune", "off"}, "--prune is for other samplers");
  EXPECT_EQ(run({"estimate", "lattice:square:4x4", "--sampler", "bethe", "--prune", "auto"}).code, 0);
  for (const char* sampler : {"bethe", "scaling+", "godsil-gutman"})
    refused({"--sampler", sampler, "--population", "9"}, "keeps no population");
  refused({"--population", "9", "--scale-steps", "3"}, "one of these options must go");
  for (const char* option : {"--strata=4", "--population=9", "--exact-tail=4"})
    refused({"--guarantee", "0.1,0.1", option}, "contradict each other");
}

TEST(EstimateCommand, KeysOfTheJson) {
  const Json value = estimate_json({board, "--all-sampled", "--samples", "100"});
  EXPECT_EQ(keys_of(value),
            (std::vector<std::string>{
                "blocks",           "checks",      "degree",       "device",  "estimate",   "exact_count",
                "goal_met",         "goal_missed", "ground_state", "input",   "ln_z",       "lost_ranks",
                "maximum_matching", "notes",       "problem",      "ranks",   "reductions", "replicates",
                "sampler",          "seconds",     "spread",       "threads", "version",    "violator",
                "warnings",         "weighted"}));
  EXPECT_EQ(keys_of(value["estimate"]),
            (std::vector<std::string>{"assumes", "confidence", "doubt", "effective_samples", "estimate",
                                      "guarantee", "interval", "interval_log10", "largest_share", "log10",
                                      "moved", "nonzero", "pareto_k", "pareto_k_means", "relative_error",
                                      "samples", "samples_log10", "seed", "unseen"}));
  EXPECT_TRUE(value["estimate"]["guarantee"].is_null());
  EXPECT_EQ(keys_of(value["blocks"][0]),
            (std::vector<std::string>{"doubt", "edges", "effective_samples", "exact", "general",
                                      "largest_share", "log10", "method", "nonzero", "pareto_k", "population",
                                      "relative_error", "rows", "samples", "second", "seconds"}));
  EXPECT_EQ(value["estimate"]["samples"], 100);
  EXPECT_EQ(value["estimate"]["seed"], 1);
  EXPECT_TRUE(value["exact_count"].is_null());
  EXPECT_TRUE(value["blocks"][0]["population"]["guess"].is_null());
  const Json cubic =
      estimate_json({"lattice:cubic:4x6x6", "--sampler", "population", "--samples", "10", "--all-sampled"});
  const Json population = cubic["blocks"][0]["population"];
  EXPECT_EQ(keys_of(population), (std::vector<std::string>{"guess", "states"}));
  EXPECT_EQ(keys_of(population["guess"]),
            (std::vector<std::string>{"factors", "kept", "pilot_states", "seconds", "states",
                                      "variance_after", "variance_before"}));
  EXPECT_LT(population["guess"]["variance_after"], population["guess"]["variance_before"]);
}

TEST(EstimateCommand, WeightsAreSampledWhereTheyCanBe) {
  const std::string weighted =
      file_with("a x 1/2\na y 3\na z 1\nb x 1\nb y 1.5\nb z 4\nc x 2\nc y 1\nc z 7\n");  // 3 x 3: 50.25
  const Json value = estimate_json({weighted, "--weights", "--all-sampled", "--no-rule", "double",
                                    "--no-rule", "forbert-marx-3", "--exact-tail", "0", "--rel-error", "2%"});
  ASSERT_FALSE(value["estimate"].is_null()) << value;
  // per = 1/2 (1.5*7 + 4*1) + 3 (1*7 + 4*2) + 1 (1*1 + 1.5*2)
  EXPECT_NEAR(value["estimate"]["log10"].get<double>(), std::log10(7.25 + 45 + 4), 0.02);
  const std::string negative = file_with("a x -1\na y 3\nb x 1\nb y 2\n");
  EXPECT_EQ(run({"estimate", negative, "--weights"}).out, "1 exactly\n");
}

TEST(EstimateCommand, WhatCannotBeSampledIsRefused) {
  const Outcome general =
      run({"estimate", file_with(dense_graph(60)), "--all-sampled", "--guarantee", "0.1,0.1"});
  EXPECT_EQ(general.code, 3) << general.out;
  EXPECT_NE(general.err.find("odd cycles"), std::string::npos) << general.err;
  EXPECT_EQ(general.out, "");
  const Outcome confidence = run({"estimate", board, "--confidence", "0.3"});
  EXPECT_EQ(confidence.code, 2);
  EXPECT_NE(confidence.err.find("above 0.5"), std::string::npos) << confidence.err;
}

TEST(EstimateCommand, OnLimitCountFallsBackAndSaysSo) {
  const std::vector<std::string> hard{"lattice:square:10x10", "--method", "ryser", "--no-rule", "double"};
  EXPECT_EQ(run_within(2, hard).code, 3);
  std::vector<std::string> fallback = hard;
  fallback.insert(fallback.end(), {"--on-limit", "estimate"});
  const Outcome outcome = run_within(2, fallback);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("estimating instead of counting: "), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out.find("258584046368"), std::string::npos);
  EXPECT_NE(outcome.out.find("confidence, seed 1)"), std::string::npos) << outcome.out;
  EXPECT_EQ(run({board, "--on-limit", "estimate"}).out, "12988816\n");
}

TEST(EstimateReport, DoubtsAreInTheLine) {
  EstimateResult result;
  result.estimate.emplace();
  Estimate& estimate = *result.estimate;
  estimate.log10 = 40.5;
  estimate.samples_log10 = 40.5;
  estimate.low_log10 = 39;
  estimate.high_log10 = 44;
  estimate.confidence = 0.95;
  estimate.seed = 7;
  estimate.doubt = "few";
  EXPECT_EQ(app::estimate_line(result), "about 3e+40, from 1.0e+39 to 1.0e+44 (95% confidence, seed 7)\n");
  // One digit may lie outside of the interval, two do not.
  estimate.low_log10 = 40 + std::log10(3.1);
  EXPECT_EQ(app::estimate_line(result), "about 3.2e+40, from 3.1e+40 to 1.0e+44 (95% confidence, seed 7)\n");
  estimate.low_log10 = 39;
  estimate.log10 = estimate.samples_log10 = 40 + std::log10(8.6);
  estimate.high_log10 = 40 + std::log10(8.69);
  EXPECT_EQ(app::estimate_line(result), "about 8.6e+40, from 1.0e+39 to 8.7e+40 (95% confidence, seed 7)\n");
  estimate.samples_log10 = 40.5;
  estimate.high_log10 = 44;
  estimate.log10 = 39;  // moved to the end, and shown as that is
  EXPECT_EQ(app::estimate_line(result), "about 1.0e+39, from 1.0e+39 to 1.0e+44 (95% confidence, seed 7)\n");
  estimate.log10 = -std::numeric_limits<double>::infinity();
  estimate.samples_log10 = estimate.log10;
  EXPECT_EQ(app::estimate_line(result), "no estimate, from 1.0e+39 to 1.0e+44 (95% confidence, seed 7)\n");
}

// What is claimed is never less than what was found.
TEST(EstimateReport, ErrorsAreRoundedUp) {
  EstimateResult result;
  Estimate& estimate = result.estimate.emplace();
  estimate.confidence = 0.95;
  const auto claimed = [&](double error) {
    estimate.relative_error = error;
    const std::string line = app::estimate_line(result);
    const std::size_t at = line.find("+- ") + 3;
    return line.substr(at, line.find(" (") - at);
  };
  EXPECT_EQ(claimed(0.0974045), "9.8%");
  EXPECT_EQ(claimed(0.10043), "11%");
  EXPECT_EQ(claimed(0.0999), "10%");
  EXPECT_EQ(claimed(0.01), "1%");
  EXPECT_EQ(claimed(0.0098), "0.98%");
  EXPECT_EQ(claimed(0.00012), "0.012%");
  EXPECT_EQ(claimed(2.31), "240%");
}

}  // namespace
}  // namespace countpm::test::estimate_test
