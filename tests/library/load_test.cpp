// How busy the machine is with other programs, and machines that are assumed.
#include "src/machine/load.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "graph/errors.hpp"
#include "src/library/advanced.hpp"
#include "src/machine/assume.hpp"

namespace countpm::test::load_test {
namespace {

/// A folder with a /proc/stat of so many ticks.
void write_stat(const std::string& root, int user, int idle) {
  std::filesystem::create_directories(root + "/proc");
  std::ofstream(root + "/proc/stat") << "cpu  " << user << " 0 0 " << idle << " 0 0 0 0 0 0\ncpu0 1 2 3 4\n";
}

TEST(MachineLoad, IsWhatOthersKeepBusy) {
  const std::string root = (std::filesystem::temp_directory_path() / "countpm-load-test").string();
  write_stat(root, 100, 100);
  const LoadMeter meter(root);
  EXPECT_FALSE(meter.since().has_value());  // too soon to know
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  write_stat(root, 175, 125);
  const auto load = meter.since();
  ASSERT_TRUE(load.has_value());
  EXPECT_EQ(load->cores, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  // Three quarters of all cores, less what this process, which sleeps, has used.
  EXPECT_LE(load->busy, 0.75 * load->cores);
  EXPECT_GE(load->busy, 0.75 * load->cores - 0.5);
  EXPECT_FALSE(LoadMeter(root + "/none").since().has_value());
  std::filesystem::remove_all(root);
}

TEST(AssumedMachines, AreParsedAndChecked) {
  const AssumedMachine some = parse_assumed("machines=8,gpu=h200,gpus=4");
  EXPECT_EQ(some.gpu, "h200");
  EXPECT_EQ(some.gpus, 4);
  EXPECT_EQ(some.machines, 8);
  EXPECT_EQ(some.threads, 0);
  EXPECT_EQ(assumed_gpus(some).size(), 4U);
  EXPECT_EQ(assumed_gpus(some)[3].name, "NVIDIA H200");
  EXPECT_EQ(assumed_text(some), "8 machines, each with 4 NVIDIA H200 and this machine's cores");
  EXPECT_EQ(assumed_text(parse_assumed("threads=64")), "a machine with 64 threads as fast as one here");
  for (const char* wrong :
       {"", "gpu", "gpu=", "gpu=a100", "machines=0", "machines=-1", "machines=x", "threads=1e3", "gpus=2",
        "gpu=h200,", "gpu=h200,gpus=65", "threads=1025", "speed=2"})
    EXPECT_THROW(parse_assumed(wrong), UsageError) << wrong;
}

TEST(AssumedMachines, ForecastWithTheirRates) {
  const Input board(Source::from_argument("lattice:square:9x10"));
  Options options;
  options.method = "ryser";  // many units
  options.device = "cpu";    // a GPU of this machine would do the most
  const auto log10_seconds = [&](const AssumedMachine& assumed) {
    const Explanation explanation = explain(board, options, assumed);
    EXPECT_EQ(explanation.blocks.size(), 1U);
    return explanation.log10_total_seconds;
  };
  AssumedMachine threads;
  threads.threads = 2;
  AssumedMachine more = threads;
  more.threads = 64;
  // The rate is measured each time, beside whatever runs: no more than a factor of a few is certain.
  EXPECT_LT(log10_seconds(more), log10_seconds(threads) - std::log10(4.0));
  options.device = "auto";
  AssumedMachine gpu;
  gpu.gpu = "h200";
  const Explanation on_gpu = explain(board, options, gpu);
  ASSERT_EQ(on_gpu.blocks.size(), 1U);
  EXPECT_EQ(on_gpu.assumed.gpu, "h200");
  gpu.gpu = "h2000";
  EXPECT_THROW(explain(board, options, gpu), UsageError);
  // Nothing can be counted on what is not there.
  CountOptions counting;
  counting.assumed = more;
  EXPECT_THROW(count(Source::from_argument("lattice:square:4x4"), ReadOptions(), counting), UsageError);
}

}  // namespace
}  // namespace countpm::test::load_test
