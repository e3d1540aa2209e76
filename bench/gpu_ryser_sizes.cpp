// ryser's kernels for exactly n rows, compiled by NVRTC, against those that are built in for 40 and 48 rows:
// goal on one NVIDIA H200: n = 41 at least 1.15 times as fast. 2^34 subsets of one matrix of density 0.5
// each, medians of 3, a Markdown table; both sums must be the same (exit 4 where they are not).
//   bench_gpu_ryser_sizes
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>

#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/cuda/runtime_compiler.hpp"
#include "kernels/exact/ryser_source.hpp"

namespace {

using namespace countpm;
using gray::Places;

constexpr unsigned walked = 20;
constexpr std::uint64_t log2_prefixes = 14;

struct Timing {
  double making = 0;  // of the walker: compilation, where there is any
  double seconds = 0;
  mpz_class sum;
};

Timing time_of(const GpuInfo& gpu, const gray::Walk<std::int64_t>& walk,
               const gray::Prefixes<std::int64_t>& prefixes, const gray::IntegerLimits& limits,
               const Places& places) {
  const StopSignal never;
  Timing timing;
  double start = bench::wall_seconds();
  const auto walker = make_integer_walker(gpu, walk, limits, places);
  timing.making = bench::wall_seconds() - start;
  walker->sum(prefixes, never);
  std::vector<double> seconds;
  for (int turn = 0; turn < 3; ++turn) {
    start = bench::wall_seconds();
    timing.sum = walker->sum(prefixes, never);
    seconds.push_back(bench::wall_seconds() - start);
  }
  timing.seconds = bench::median(seconds);
  return timing;
}

/// Whether both sums are the same.
bool report(const GpuInfo& gpu, unsigned rows) {
  std::mt19937_64 random(rows);
  gray::Walk<std::int64_t> walk{rows, walked, {}};
  gray::Prefixes<std::int64_t> prefixes;
  for (unsigned k = 0; k < rows * walked; ++k) walk.deltas.push_back(static_cast<std::int64_t>(random() % 2));
  for (std::uint64_t p = 0; p < std::uint64_t{1} << log2_prefixes; ++p) {
    for (unsigned i = 0; i < rows; ++i)
      prefixes.starts.push_back(static_cast<std::int64_t>(random() % 9) - 12);
    prefixes.minuses.push_back(static_cast<std::uint8_t>(random() % 2));
  }
  constexpr std::int64_t bound = 20;
  const double log2_subsets = walked + log2_prefixes;
  const gray::IntegerLimits limits{bound, rows * std::log2(double{bound}) + rows, log2_subsets};
  const Timing built_in = time_of(gpu, walk, prefixes, limits, {});
  const Timing own =
      time_of(gpu, walk, prefixes, limits, {gray::SumsIn::registers, gray::ColumnsIn::shared, true});
  const gray::ExactSize size = exact_size(rows, limits, gray::ColumnsIn::shared);
  const bool same = built_in.sum == own.sum;
  const double saved =
      std::ldexp((built_in.seconds - own.seconds), static_cast<int>(rows - 1)) / std::exp2(log2_subsets);
  fmt::print("| {} | {} x {} | {} x {} | {:.4f} | {:.4f} | {:.3f} | {:.2f} | {:.2f} | {:.2f} | {} |\n", rows,
             gray::built_in_size(rows).rows, gray::built_in_size(rows).words, size.rows, size.words,
             built_in.seconds, own.seconds, built_in.seconds / own.seconds, own.making, saved,
             seconds_saved(gpu, size, rows - 1), same ? "same" : "OTHER");
  std::fflush(stdout);
  return same;
}

int run() {
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  if (const auto obstacle = runtime_compiler_obstacle()) {
    fmt::print("\nNothing to compare: {}\n", *obstacle);
    return 0;
  }
  fmt::print(
      "\nRows x words. Making: compilation (or the cache on disk), tables. Saved: seconds of a whole count, "
      "2^(n - 1) "
      "subsets.\n\n"
      "| n | built in | NVRTC | built in s | NVRTC s | ratio | making s | saved s | predicted s | sum |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  bool same = true;
  for (const unsigned rows : {33U, 37U, 38U, 39U, 40U, 41U, 45U, 49U}) same = report(*gpu, rows) && same;
  return same ? 0 : 4;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
