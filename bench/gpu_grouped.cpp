// Goal (one H200): grouped in fewer cycles a subset than ryser's kernel at every density from 0.5 on, n = 36
// and 40. Medians of TURNS; at n = 40 an eighth of the units
// is run, and seconds are those of all. Counts of n = 36 are compared with ryser's, at n = 40 the last unit
// with the CPU's residues (exit 4 where they differ). Then the rates of every shape of the kernel at n = 36,
// set-up left out.
//   bench_gpu_grouped [TURNS]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/grouped/columns.hpp"
#include "kernels/grouped/gpu/form.hpp"
#include "kernels/grouped/grouped.hpp"
#include "kernels/ryser/ryser.hpp"
#include "kernels/subsets/prefix_batches.hpp"

namespace {

using namespace countpm;

struct Timed {
  double seconds;  // of a whole count
  Partial sum;     // of the units that were run
};

/// The median of `turns` runs of a part of the units, set-up left out.
Timed timed(const Job& job, DeviceJob& device, std::uint64_t part, int turns) {
  const StopSignal never;
  const std::uint64_t units = std::max<std::uint64_t>(job.units() / part, 1);
  device.run(0, 1, never);  // loads the kernel
  Timed result{};
  std::vector<double> seconds;
  for (int turn = 0; turn < turns; ++turn) {
    const double start = bench::wall_seconds();
    result.sum = device.run(0, units, never);
    seconds.push_back(bench::wall_seconds() - start);
  }
  result.seconds = bench::median(seconds) * static_cast<double>(job.units()) / static_cast<double>(units);
  return result;
}

std::string name_of(const grouped::Shape& shape) {
  return fmt::format("{}, {} + 2 + {}{}", shape.columns(), shape.low_factors, shape.high_factors,
                     shape.split ? " split" : "");
}

/// A job's columns and plan, as grouped's kernel takes them.
struct Setting {
  IntegerColumns<std::int64_t> columns;
  SubsetPlan plan;
  std::vector<std::int64_t> divisors;

  Setting(const Job& job, const Block<std::int64_t>& block)
      : columns(std::get<IntegerColumns<std::int64_t>>(integer_columns(block))),
        plan(subset_plan_from(job.plan(), columns.multiplicity)),
        divisors(row_divisors(columns, plan.form)) {}
};

double cycles(const GpuInfo& gpu, double subsets, double seconds) {
  return gpu.multiprocessors * gpu.clock_ghz * 1e9 * seconds / subsets;
}

void print_shapes(const GpuInfo& gpu, const Arithmetic& arithmetic, int turns) {
  fmt::print(
      "\n| n | density | columns, factors | instructions a subset | of them FP64 | cycles a subset and "
      "multiprocessor | instructions a cycle |\n|---|---|---|---|---|---|---|\n");
  const StopSignal never;
  constexpr Index n = 36;
  for (const double density : {0.5, 0.8, 1.0}) {
    const auto block = bench::random_block(n, density);
    const auto job = grouped_method().make_job(block, arithmetic, {});
    const Setting setting(*job, block);
    const auto inner = static_cast<unsigned>(setting.plan.inner.size());
    gray::Prefixes<std::int64_t> prefixes;
    gray::for_each_batch(setting.columns, setting.plan, inner, 0, std::min<std::uint64_t>(job->units(), 512),
                         [&](const gray::Prefixes<std::int64_t>& batch) { prefixes = batch; });
    const double subsets = std::ldexp(static_cast<double>(prefixes.size()), static_cast<int>(inner));
    for (const grouped::Shape& shape : grouped::shapes) {
      const auto layout =
          grouped::choose_device_layout(setting.columns, setting.plan, setting.divisors, shape);
      if (!layout) continue;
      const auto walker = grouped::make_walker(
          gpu, grouped::walk_of(*layout, setting.columns, setting.plan, setting.divisors));
      walker->sum(prefixes, never);
      std::vector<double> seconds;
      for (int turn = 0; turn < turns; ++turn) {
        const double start = bench::wall_seconds();
        walker->sum(prefixes, never);
        seconds.push_back(bench::wall_seconds() - start);
      }
      const double a_subset = cycles(gpu, subsets, bench::median(seconds));
      fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.3f} | {:.1f} |\n", n, density, name_of(shape),
                 layout->instructions, layout->fp64, a_subset, layout->instructions / a_subset);
      std::fflush(stdout);
    }
  }
}

int run(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 3;
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  const StopSignal never;
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(3);
  bool right = true;
  fmt::print(
      "\n| n | density | columns, factors | instructions a subset | of them FP64 | predicted, s | merged, s "
      "| subsets/s "
      "| cycles a subset and multiprocessor | instructions a cycle | ryser, s | ryser / merged | same "
      "residues |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Index n : {Index{36}, Index{40}}) {
    for (const double density : {0.5, 0.8, 1.0}) {
      const auto block = bench::random_block(n, density);
      const auto job = grouped_method().make_job(block, arithmetic, {});
      const auto device = job->on_device(*gpu);
      const std::uint64_t part = n < 40 ? 1 : 8;
      const Timed ours = timed(*job, *device, part, turns);
      const auto plain_job = ryser_method().make_job(block, arithmetic, {});
      const Timed plain = timed(*plain_job, *plain_job->on_device(*gpu), part, turns);
      const std::uint64_t last = job->units() - 1;
      const Partial here = part == 1 ? ours.sum : device->run(last, last + 1, never);
      const Partial there = part == 1 ? plain.sum : job->run(last, never);
      const bool same = std::get<Residues>(here) == std::get<Residues>(there);
      right = right && same;
      const double seconds = ours.seconds;
      const double subsets = std::exp2(job->log2_work());
      const Setting setting(*job, block);
      const auto layout = grouped::choose_device_layout(setting.columns, setting.plan, setting.divisors);
      if (!layout) throw std::logic_error("no layout for a job that has run");
      fmt::print(
          "| {} | {} | {} | {:.1f} | {:.1f} | {:.4f} | {:.4f} | {:.3e} | {:.3f} | {:.1f} | {:.4f} | {:.2f} | "
          "{} |\n",
          n, density, name_of(layout->shape), layout->instructions, layout->fp64,
          subsets / job->nominal_device_rate(*gpu), seconds, subsets / seconds,
          cycles(*gpu, subsets, seconds), layout->instructions / cycles(*gpu, subsets, seconds),
          plain.seconds, plain.seconds / seconds, same ? "yes" : "NO");
      std::fflush(stdout);
    }
  }
  print_shapes(*gpu, arithmetic, turns);
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
