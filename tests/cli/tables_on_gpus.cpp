// Tables of frontier that do not fit one GPU, on the command line: on several emulated GPUs, and in the
// host's memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

/// 92,378 values at once, where rows are eliminated one after the other.
std::string all_but_the_diagonal() {
  std::string edges;
  for (int row = 0; row < 18; ++row) {
    for (int column = 0; column < 18; ++column) {
      if (row != column) edges += fmt::format("r{} c{}\n", row, column);
    }
  }
  return file_with(edges);
}
constexpr const char* derangements = "2355301661033953\n";  // of 18, OEIS A000166

Outcome run_on_gpus(const std::string& gpus, std::vector<std::string> arguments) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = gpus;
  for (const char* option : {"--method", "frontier", "--device", "gpu", "--order", "rows"})
    arguments.emplace_back(option);
  return run(arguments, emulated);
}

nlohmann::json plan_on_gpus(const std::string& gpus, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "explain");
  arguments.emplace_back("--json");
  return nlohmann::json::parse(run_on_gpus(gpus, std::move(arguments)).out)["blocks"][0]["methods"][0];
}

TEST(TablesOnGpus, LieOnSeveralTogether) {
  const std::vector<std::string> arguments{all_but_the_diagonal(), "--gpu-memory", "450K"};
  const Outcome count = run_on_gpus("4", arguments);
  EXPECT_EQ(count.out, derangements) << count.err;
  const auto plan = plan_on_gpus("4", arguments);
  EXPECT_EQ(plan["gpus_together"], 2);
  EXPECT_EQ(plan["waiting_bytes"], 0);
  EXPECT_NE(plan["plan"].get<std::string>().find("each table on 2 GPUs together"), std::string::npos) << plan;
}

// One GPU has no other beside it.
TEST(TablesOnGpus, WaitInHostMemory) {
  const std::string input = all_but_the_diagonal();
  const std::vector<std::string> arguments{input, "--gpu-memory", "300K"};
  const Outcome count = run_on_gpus("1", arguments);
  EXPECT_EQ(count.out, derangements) << count.err;
  const auto plan = plan_on_gpus("1", arguments);
  EXPECT_EQ(plan["gpus_together"], 1);
  EXPECT_GT(plan["waiting_bytes"], 0);
  EXPECT_GE(plan["memory_bytes"], plan["waiting_bytes"]);
  EXPECT_NE(plan["plan"].get<std::string>().find("wait in host memory"), std::string::npos) << plan;
  const Outcome refused =
      run_on_gpus("1", {input, "--gpu-memory", "10K", "--time-limit", "2s"});  // a tenth is searched
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("emulated GPU has memory for"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace countpm::test
