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
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/ryser/gpu/source.hpp"

namespace {

using namespace countpm;
using gray::WhichKernel;

constexpr unsigned walked = 20;
constexpr std::uint64_t log2_prefixes = 14;

template <class Sum>
struct Timing {
  double making = 0;  // of the walker: compilation, where there is any
  double seconds = 0;
  Sum sum;
};

/// make(): a walker.
template <class Sum, class Value, class Make>
Timing<Sum> time_of(const gray::Prefixes<Value>& prefixes, const Make& make) {
  const StopSignal never;
  Timing<Sum> timing;
  double start = bench::wall_seconds();
  const auto walker = make();
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

template <class Sum>
void print(const char* numbers, const GpuInfo& gpu, const gray::ExactSize& size, double log2_subsets,
           const Timing<Sum>& built_in, const Timing<Sum>& own, bool same) {
  const gray::ExactSize larger = built_in_size(size.rows, size.kind);
  const double saved = (built_in.seconds - own.seconds) * std::exp2(size.rows - 1 - log2_subsets);
  fmt::print("| {} | {} | {} x {} | {} x {} | {:.4f} | {:.4f} | {:.3f} | {:.2f} | {:.2f} | {:.2f} | {} |\n",
             numbers, size.rows, larger.rows, larger.words, size.rows, size.words, built_in.seconds,
             own.seconds, built_in.seconds / own.seconds, own.making, saved,
             seconds_saved(gpu, size, size.rows - 1), same ? "same" : "OTHER");
  std::fflush(stdout);
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
  const gray::IntegerLimits limits{bound, rows * std::log2(double{bound}) + rows};
  const auto timed = [&](WhichKernel which) {
    return time_of<mpz_class>(prefixes, [&] { return make_integer_walker(gpu, walk, limits, which); });
  };
  const auto built_in = timed(WhichKernel::built_in);
  const auto own = timed(WhichKernel::at_run_time);
  const bool same = built_in.sum == own.sum;
  print("0/1", gpu, exact_size(rows, limits), walked + log2_prefixes, built_in, own, same);
  return same;
}

/// The sums of blocks come in another order where there are others.
bool report_doubles(const GpuInfo& gpu, unsigned rows) {
  std::mt19937_64 random(rows);
  gray::Walk<double> walk{rows, walked, {}};
  gray::Prefixes<double> prefixes;
  const auto real = [&] { return static_cast<double>(1 + random() % 1000) / 20'000; };
  for (unsigned k = 0; k < rows * walked; ++k) walk.deltas.push_back(real());
  constexpr std::uint64_t log2_fewer = log2_prefixes - 2;
  for (std::uint64_t p = 0; p < std::uint64_t{1} << log2_fewer; ++p) {
    for (unsigned i = 0; i < rows; ++i) prefixes.starts.push_back(real() - 0.5);
    prefixes.minuses.push_back(static_cast<std::uint8_t>(random() % 2));
  }
  const auto timed = [&](WhichKernel which) {
    return time_of<gray::FloatingParts<double>>(
        prefixes, [&] { return make_floating_walker(gpu, walk, 0x1p-30, which); });
  };
  const auto built_in = timed(WhichKernel::built_in);
  const auto own = timed(WhichKernel::at_run_time);
  const auto whole = [](const gray::FloatingParts<double>& parts) {
    double sum = 0;
    for (const double part : parts.parts) sum += part;
    return sum;
  };
  const bool same = std::fabs(whole(built_in.sum) - whole(own.sum)) <= 1e-11 * own.sum.products;
  print("doubles", gpu, {rows, 1, gray::ExactKind::doubles}, walked + log2_fewer, built_in, own, same);
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
      "| numbers | n | built in | NVRTC | built in s | NVRTC s | ratio | making s | saved s | predicted s | "
      "sum |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool same = true;
  for (const unsigned rows : {33U, 37U, 38U, 39U, 40U, 41U, 45U, 49U}) same = report(*gpu, rows) && same;
  for (const unsigned rows : {37U, 41U, 45U}) same = report_doubles(*gpu, rows) && same;
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
