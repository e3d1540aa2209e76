// countpm compare: docs/estimate.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/csv_lines.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

constexpr const char* head =
    "input,exact,exact_log10,exact_method,exact_seconds,sampler,samples,drawn,nonzero,log10,ratio,relative_"
    "error,confidence,low_log10,high_log10,held,doubt,seed,seconds,samples_log10,moved,seconds_for_percent,"
    "device";

TEST(Compare, EverySamplerAtEverySize) {
  const Outcome outcome = run({"compare", "lattice:square:8x8", "--sizes", "50,1000", "--csv", "--exact-tail",
                               "0", "--population", "20", "--seed", "5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = csv_lines(outcome.out);
  const std::vector<std::string> samplers{"rasmussen",
                                          "rasmussen+",
                                          "scaling",
                                          "scaling+",
                                          "bethe",
                                          "population",
                                          "godsil-gutman",
                                          "godsil-gutman-complex",
                                          "godsil-gutman-quaternion",
                                          "boundary",
                                          "annealed"};
  ASSERT_EQ(lines.size(), 1 + 2 * samplers.size());
  EXPECT_EQ(lines[0], head);
  for (std::size_t k = 0; k < 2 * samplers.size(); ++k) {
    const auto cells = cells_of(lines[k + 1]);
    ASSERT_EQ(cells.size(), 23U) << lines[k + 1];
    EXPECT_EQ(cells[1], "12988816");
    EXPECT_EQ(cells[5], samplers[k / 2]);
    EXPECT_EQ(cells[6], k % 2 == 0 ? "50" : "1000");
    EXPECT_EQ(cells[7], cells[6]);
    const double exact = std::log10(12988816.0);
    EXPECT_NEAR(std::stod(cells[2]), exact, 1e-12);
    if (cells[9].empty()) continue;  // every sample was zero
    EXPECT_NEAR(std::stod(cells[10]), std::pow(10, std::stod(cells[9]) - exact), 1e-9);
    const bool inside = std::stod(cells[13]) <= exact && exact <= std::stod(cells[14]);
    EXPECT_EQ(cells[15], inside ? "yes" : "no") << lines[k + 1];
    EXPECT_EQ(cells[17], "5");
  }
  // It is the estimate that `estimate` draws.
  const Outcome one = run({"estimate", "lattice:square:8x8", "--sampler", "scaling", "--samples", "1000",
                           "--all-sampled", "--exact-tail", "0", "--seed", "5", "--json"});
  EXPECT_NEAR(nlohmann::json::parse(one.out)["estimate"]["log10"].get<double>(),
              std::stod(cells_of(lines[6])[9]), 1e-13);
}

TEST(Compare, ATableForPeople) {
  const std::string coronene = COUNTPM_SOURCE_DIR "/data/molecules/coronene.edgelist";
  const Outcome outcome =
      run({"compare", "lattice:square:8x8", coronene, "--samplers", "scaling+", "--sizes", "100"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_TRUE(lines[0].ends_with("; seed 1")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("# 12988816 exactly, by ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("sampler ")) << lines[2];
  EXPECT_TRUE(lines[3].starts_with("scaling+ ")) << lines[3];
  EXPECT_TRUE(lines[5].starts_with("# 20 exactly, by ")) << lines[5];
  // The exact tail takes all of it: no error but double's rounding, and the interval holds.
  EXPECT_NE(lines[7].find(" 1.00000 "), std::string::npos) << lines[7];
  EXPECT_NE(lines[7].find(" yes "), std::string::npos) << lines[7];
}

TEST(Compare, SeveralSeedsAreACoverageTest) {
  const std::vector<std::string> ask{
      "compare", "lattice:square:8x8", "--samplers", "scaling+", "--sizes", "400", "--seeds",
      "12",      "--exact-tail",       "0"};
  const auto lines = lines_of(run(ask).out);
  ASSERT_EQ(lines.size(), 16U);
  EXPECT_TRUE(lines[15].starts_with("# scaling+, 400 samples: of 12 seeds 12 intervals are shown, and 1"))
      << lines[15];
  std::vector<std::string> machine(ask);
  machine.emplace_back("--json");
  const auto objects = lines_of(run(machine).out);
  ASSERT_EQ(objects.size(), 13U);
  const auto first = nlohmann::json::parse(objects[0]);
  EXPECT_EQ(first["estimate"]["seed"], 1);
  EXPECT_GT(first["seconds_for_percent"], first["seconds"]);  // 400 samples say less than 1 %
  const auto all = nlohmann::json::parse(objects[12])["coverage"];
  EXPECT_EQ(all["seeds"], 12);
  EXPECT_GE(all["held"], 9);
  EXPECT_GT(all["probability"], 0.001);
}

TEST(Compare, BeyondTheLimitsThereIsNoRatio) {
  const Outcome outcome = run({"compare", "lattice:cubic:6x6x6", "--time-limit", "1", "--samplers",
                               "rasmussen+", "--sizes", "20", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 1U);
  const auto object = nlohmann::json::parse(lines[0]);
  EXPECT_TRUE(object["exact"].is_null());
  EXPECT_NE(object["refusal"].get<std::string>().find("time limit"), std::string::npos);
  EXPECT_TRUE(object["ratio"].is_null());
  EXPECT_TRUE(object["held"].is_null());
  EXPECT_EQ(object["samples"], 20);
}

TEST(Compare, NothingToSample) {
  const Outcome tree = run({"compare", "lattice:square:2x10", "lattice:square:3x3", "--json"});
  ASSERT_EQ(tree.code, 0) << tree.err;
  const auto lines = lines_of(tree.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(nlohmann::json::parse(lines[0])["exact"]["count"], "89");
  EXPECT_EQ(nlohmann::json::parse(lines[1])["exact"]["count"], "0");
  EXPECT_TRUE(nlohmann::json::parse(lines[1])["sampler"].is_null());
  EXPECT_NE(run({"compare", "lattice:square:2x10"}).out.find("nothing to sample: the reductions"),
            std::string::npos);
}

TEST(Compare, OddCyclesGoToTheSamplersThatTakeThem) {
  const std::string fullerene = COUNTPM_SOURCE_DIR "/data/molecules/C60.edgelist";
  const Outcome odd = run({"compare", fullerene, "--sizes", "300", "--json"});
  EXPECT_EQ(odd.code, 0) << odd.err;
  const auto lines = lines_of(odd.out);
  const std::vector<std::string> samplers{"bethe", "boundary", "annealed"};
  ASSERT_EQ(lines.size(), samplers.size()) << odd.out;
  for (std::size_t k = 0; k < samplers.size(); ++k) {
    const auto line = nlohmann::json::parse(lines[k]);
    EXPECT_EQ(line["sampler"], samplers[k]);
    EXPECT_EQ(line["exact"]["count"], "12500");
    EXPECT_EQ(line["held"], true) << line;
  }
  EXPECT_EQ(odd.err, "");
  const Outcome asked =
      run({"compare", COUNTPM_SOURCE_DIR "/data/molecules/C60.edgelist", "--samplers", "scaling"});
  EXPECT_EQ(asked.code, 3);
  EXPECT_NE(asked.err.find("the sampler scaling is for bipartite graphs"), std::string::npos) << asked.err;
}

TEST(Compare, WhatCannotBeSampledIsToldAndTheOthersGoOn) {
  // A circulant graph with odd cycles, beyond exact counting.
  std::string edges;
  for (int vertex = 0; vertex < 80; ++vertex) {
    for (const int jump : {1, 2, 5, 9, 14, 20, 27})
      edges += fmt::format("{} {}\n", vertex, (vertex + jump) % 80);
  }
  const std::string odd = file_with(edges);
  const Outcome outcome = run({"compare", odd, "lattice:square:6x6", "--sizes", "10", "--samplers",
                               "rasmussen", "--time-limit", "1"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_NE(outcome.err.find(odd), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("# 6728 exactly"), std::string::npos) << outcome.out;
}

TEST(Compare, DeterminantsAreLeftOutWhereTheyHaveTooManyRows) {
  const std::vector<std::string> ask{"compare", "lattice:square:48x48", "--sizes", "1",
                                     "--csv",   "--time-limit",         "3"};
  std::vector<std::string> quick = ask;
  quick.insert(quick.end(), {"--prune", "off"});
  const Outcome all = run(quick);
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.err.find("godsil-gutman left out: a block of 1148 rows is beyond"), std::string::npos)
      << all.err;
  for (const std::string name : {"rasmussen", "rasmussen+", "scaling", "scaling+", "bethe", "population",
                                 "boundary", "annealed"}) {  // a slow machine may leave the last ones no time
    const bool drawn = all.out.find("," + name + ",") != std::string::npos;
    const bool out_of_time = all.err.find(name + " left out: the time limit") != std::string::npos;
    EXPECT_NE(drawn, out_of_time) << name << "\n" << all.out << all.err;
  }
  std::vector<std::string> named = ask;
  named.insert(named.end(), {"--samplers", "godsil-gutman"});
  const Outcome refused = run(named);
  EXPECT_EQ(refused.code, 3) << refused.out;
  EXPECT_NE(refused.err.find("1024"), std::string::npos) << refused.err;
}

TEST(Compare, OnGpusAsAsked) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  std::vector<std::string> ask{"compare",  "lattice:square:6x6", "--sizes",  "70", "--csv",
                               "--method", "frontier",           "--device", "gpu"};
  std::vector<std::string> named = ask;
  named.insert(named.end(), {"--samplers", "rasmussen+", "--strata", "4"});
  const Outcome refused = run(named, emulated);
  EXPECT_EQ(refused.code, 3) << refused.out;
  EXPECT_NE(refused.err.find("strata have no form for GPUs"), std::string::npos) << refused.err;
  const Outcome outcome = run(ask, emulated);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = csv_lines(outcome.out);
  ASSERT_EQ(lines.size(), 10U) << outcome.out;
  for (std::size_t k = 1; k < lines.size(); ++k) EXPECT_EQ(cells_of(lines[k]).back(), "gpu") << lines[k];
  EXPECT_NE(outcome.out.find(",population,"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("boundary left out: "), std::string::npos) << outcome.err;
}

TEST(Compare, SaysWhatTheCertifiedBoundsMoved) {
  std::string ones;
  for (int row = 0; row < 12; ++row) ones += "1 1 1 1 1 1 1 1 1 1 1 1\n";
  const std::vector<std::string> ask{"compare",    file_with(ones), "--format", "dense",
                                     "--samplers", "godsil-gutman", "--sizes",  "5"};
  const auto with = [&](const std::string& option) {
    std::vector<std::string> words = ask;
    words.push_back(option);
    return run(words).out;
  };
  const auto cells = cells_of(csv_lines(with("--csv")).at(1));
  EXPECT_EQ(cells[20], "yes");
  EXPECT_GT(std::abs(std::stod(cells[19]) - std::stod(cells[9])), 0.05);
  const auto object = nlohmann::json::parse(with("--json"));
  EXPECT_EQ(object["estimate"]["moved"], true);
  EXPECT_EQ(object["device"], "cpu");
  EXPECT_NE(run(ask).out.find("moved to a certified bound from "), std::string::npos);
  const Outcome steady =
      run({"compare", "lattice:square:6x6", "--samplers", "scaling+", "--sizes", "5", "--json"});
  EXPECT_EQ(nlohmann::json::parse(steady.out)["estimate"]["moved"], false);
}

TEST(Compare, EverySamplerHasItsColour) {
  const std::string file = file_with("");
  const Outcome outcome =
      run({"compare", "lattice:square:4x6", "--sizes", "10,20", "--svg", file, "--overwrite"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::ifstream in(file);
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(svg.find("godsil-gutman-quaternion"), std::string::npos);
}

TEST(Compare, Mistakes) {
  EXPECT_EQ(run({"compare"}).code, 2);
  EXPECT_EQ(run({"compare", "-", "-"}).code, 2);
  EXPECT_EQ(run({"compare", "lattice:square:4x4", "--sizes", "10,"}).code, 2);
  EXPECT_EQ(run({"compare", "lattice:square:4x4", "--sizes", "0"}).code, 2);
  EXPECT_EQ(run({"compare", "lattice:square:4x4", "--sizes", "10,x"}).code, 2);
  const Outcome name = run({"compare", "lattice:square:4x4", "--samplers", "scaling+,rasmusen"});
  EXPECT_EQ(name.code, 2);
  EXPECT_NE(name.err.find("did you mean 'rasmussen'"), std::string::npos) << name.err;
  EXPECT_EQ(run({"compare", "lattice:square:4x4", "--rel-error", "1%"}).code, 2);
  const Outcome none =
      run({"compare", "lattice:square:4x4", "--samplers", "rasmussen,bethe", "--population", "9", "--csv"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_NE(none.err.find("--population is an option of none of these samplers"), std::string::npos)
      << none.err;
  const Outcome confidence = run({"compare", "lattice:square:4x4", "--confidence", "0.4", "--csv"});
  EXPECT_EQ(confidence.code, 2);
  EXPECT_EQ(confidence.out, "");
  EXPECT_EQ(run({"compare", "lattice:square:4x4", "/no/such/file", "--sizes", "10"}).code, 2);
}

TEST(Compare, StopsOnCtrlC) {
  Wiring wiring;
  wiring.signals = {{0.2, 2}};
  wiring.after_lines = 2;
  const Outcome outcome = run({"compare", "lattice:square:12x12", "--samplers", "scaling", "--sizes",
                               "10,100000000", "--exact-tail", "0", "--csv"},
                              wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U) << outcome.out;
}

}  // namespace
}  // namespace countpm::test
