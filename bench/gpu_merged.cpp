// Goal (one H200): merged in fewer cycles a subset than ryser's kernel at every density from 0.5 on, n = 36
// and 40; predicted in docs/performance.md (2026-11-23). Medians of TURNS; at n = 40 merged runs a quarter of
// its units and ryser an eighth, and seconds are those of all. The last unit is compared with the CPU's
// residues (exit 4 where they differ).
//   bench_gpu_merged [TURNS]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/cuda/device_job.hpp"
#include "kernels/dense/merged.hpp"
#include "kernels/dense/merged_columns.hpp"
#include "kernels/dense/merged_device_layout.hpp"
#include "kernels/exact/exact_walk.hpp"
#include "kernels/exact/ryser.hpp"

namespace {

using namespace countpm;

/// Seconds of a whole count, by the median of `turns` runs of a part of its units, set-up left out.
double seconds_of(const Job& job, DeviceJob& device, std::uint64_t part, int turns) {
  const StopSignal never;
  const std::uint64_t units = std::max<std::uint64_t>(job.units() / part, 1);
  device.run(0, 1, never);  // loads the kernel
  std::vector<double> seconds;
  for (int turn = 0; turn < turns; ++turn) {
    const double start = bench::wall_seconds();
    device.run(0, units, never);
    seconds.push_back(bench::wall_seconds() - start);
  }
  return bench::median(seconds) * static_cast<double>(job.units()) / static_cast<double>(units);
}

/// What the kernel is compiled for, and its instructions a subset.
std::string layout_of(const Job& job, const Block<std::int64_t>& block) {
  const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
  const SubsetPlan plan = subset_plan_from(job.plan(), columns.multiplicity);
  const auto layout = merged::choose_device_layout(columns, plan, row_divisors(columns, plan.shift));
  if (!layout) return "none | | ";
  return fmt::format("{}, {} + 2 + {} | {:.1f} | {:.1f}", layout->shape.columns(), layout->shape.low_factors,
                     layout->shape.high_factors, layout->instructions, layout->fp64);
}

int run(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 3;
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  const StopSignal never;
  bool right = true;
  fmt::print(
      "\n| n | density | columns, factors | instructions a subset | of them FP64 | predicted, s | merged, s "
      "| subsets/s "
      "| cycles a subset and multiprocessor | ryser, s | ryser / merged | last unit as on the CPU |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Index n : {Index{36}, Index{40}}) {
    for (const double density : {0.5, 0.8, 1.0}) {
      const auto block = bench::random_block(n, density);
      Arithmetic arithmetic;
      arithmetic.moduli = choose_primes(3);
      const auto job = merged_method().make_job(block, arithmetic, {});
      const auto device = job->on_device(*gpu);
      const double seconds = seconds_of(*job, *device, n < 40 ? 1 : 4, turns);
      const std::uint64_t last = job->units() - 1;
      const bool same =
          std::get<Residues>(device->run(last, last + 1, never)) == std::get<Residues>(job->run(last, never));
      right = right && same;
      const auto plain = ryser_method().make_job(block, arithmetic, {});
      const double plain_seconds = seconds_of(*plain, *plain->on_device(*gpu), n < 40 ? 1 : 8, turns);
      const double subsets = std::exp2(job->log2_work());
      fmt::print("| {} | {} | {} | {:.4f} | {:.4f} | {:.3e} | {:.2f} | {:.4f} | {:.2f} | {} |\n", n, density,
                 layout_of(*job, block), subsets / job->nominal_device_rate(*gpu), seconds, subsets / seconds,
                 gpu->multiprocessors * gpu->clock_ghz * 1e9 * seconds / subsets, plain_seconds,
                 plain_seconds / seconds, same ? "yes" : "NO");
      std::fflush(stdout);
    }
  }
  return right ? 0 : 4;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
