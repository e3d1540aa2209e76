// Goals on one NVIDIA H200 and its host (EPS 0.1, DELTA 0.05): density 0.5 0.2 s each; density 0.2, n = 30,
// 40, 50, 60: 1, 1, 3, 15 s. Whole runs with all threads, with and without GPUs, medians of RUNS; then trials
// a second on the GPU alone, of which some must be the CPU's (exit 4 where they are not). Markdown tables.
//   bench_gpu_guarantee [RUNS]
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "bench/guarantee_matrices.hpp"
#include "kernels/estimate/guarantee/rejection_trials.hpp"
#include "src/estimate/estimate.hpp"

namespace {

using namespace countpm;

constexpr double most_seconds = 20;  // of a run, by prediction

struct Run {
  std::string seconds;  // or why there are none
  std::string how;
  double log10 = 0;
};

Run median_run(const bench::GuaranteeRow& row, int runs, int threads, const char* device) {
  CountOptions count_options;
  count_options.threads = threads;
  EstimateOptions options;
  options.guarantee = GuaranteeGoal{0.1, 0.05};
  options.time_limit_seconds = most_seconds;
  options.device = device;
  std::vector<double> seconds;
  EstimateResult result;
  try {
    for (int run = 0; run < runs; ++run) {
      count_options.seed = static_cast<std::uint64_t>(run) + 1;
      const std::string text = bench::matrix_text(row.ones);
      const double begin = bench::wall_seconds();
      result = estimate(Source::from_bytes(text), {}, count_options, options);
      seconds.push_back(bench::wall_seconds() - begin);
    }
  } catch (const std::exception& error) {
    return {"refused", error.what(), 0};
  }
  const bool drawn = result.estimate.has_value();
  return {fmt::format("{:.3f}", bench::median(seconds)),
          drawn ? fmt::format("{} trials, {}", result.estimate->samples, result.device) : "exact",
          drawn ? result.estimate->log10 : result.exact_log10};
}

Block<std::int64_t> block_of(const bench::GuaranteeRow& row) {
  const auto n = static_cast<Index>(row.ones.size());
  return bench::block_of_cells(n, [&](Index i, Index j) -> std::int64_t {
    const std::vector<int>& ones = row.ones[i];
    return std::binary_search(ones.begin(), ones.end(), static_cast<int>(j)) ? 1 : 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 3;
  if (runs < 1) {
    fmt::print(stderr, "usage: bench_gpu_guarantee [RUNS]\n");
    return 2;
  }
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  const int threads = static_cast<int>(std::thread::hardware_concurrency());
  const std::vector<bench::GuaranteeRow> table = bench::guarantee_rows();
  fmt::print(
      "\n{} threads\n\n| matrix | goal, s | cpu, s | auto, s | how | log10 |\n|---|---|---|---|---|---|\n",
      threads);
  for (const bench::GuaranteeRow& row : table) {
    const Run cpu = median_run(row, runs, threads, "cpu");
    const Run any = median_run(row, runs, threads, "auto");
    fmt::print("| {} | {} | {} | {} | {} | {:.5f} |\n", row.name,
               row.gpu_goal > 0 ? fmt::format("{}", row.gpu_goal) : std::string(), cpu.seconds, any.seconds,
               any.how, any.log10);
    std::fflush(stdout);
  }
  fmt::print(
      "\nThe GPU alone; seconds for the trials of 383 successes at the predicted rate.\n\n"
      "| matrix | one success in | trials/s | seconds | as on the CPU |\n|---|---|---|---|---|\n");
  const StopSignal never;
  bool right = true;
  for (const bench::GuaranteeRow& row : table) {
    if (row.name.starts_with("block") || row.name.starts_with("3")) continue;
    const RejectionTrials trials(block_of(row), 1, 0);
    const double rate = trials.expected_rate(4096, never);
    const auto device = trials.on_device(*gpu);
    std::uint64_t count = device->few();
    device->successes(0, count, never);  // loads the kernel
    std::vector<double> speeds;
    while (speeds.size() < 5) {
      const double begin = bench::wall_seconds();
      device->successes(0, count, never);
      const double seconds = bench::wall_seconds() - begin;
      if (seconds < 0.1) {
        count *= 2;
        speeds.clear();
      } else {
        speeds.push_back(static_cast<double>(count) / seconds);
      }
    }
    const double speed = bench::median(speeds);
    const std::uint64_t few = 200'000;
    const bool equal = device->successes(7, few, never) == trials.successes(7, few, never);
    right = right && equal;
    fmt::print("| {} | {:.3g} | {:.3g} | {:.4f} | {} |\n", row.name, 1 / rate, speed, 383 / rate / speed,
               equal ? "yes" : "NO");
    std::fflush(stdout);
  }
  return right ? 0 : 4;
}
