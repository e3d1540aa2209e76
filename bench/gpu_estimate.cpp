// Goals on one NVIDIA H200: rasmussen+, n = 40, density 0.8, 10^7 samples in 0.05 s (thesis: 1.4 s on a TITAN
// X); scaling+, scaling before every row, 10^6 samples in 0.1 s (thesis: 13 s). Medians of 5 runs, a Markdown
// table; some samples of every row, as many as take the CPU 0.1 s, are drawn there, too, and must be the same
// bits (exit 4 where they are not).
//   bench_gpu_estimate [REPEATS]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace {

using namespace countpm;

struct Row {
  std::string name;
  Block<std::int64_t> block;
  SamplerKind kind;
  std::uint32_t steps;  // of every scaling
  std::uint64_t samples;
  double goal;    // seconds; 0: none
  double thesis;  // seconds; 0: not in it
  bool prune = false;
};

/// The square lattice of side x side as a matrix: black squares by white ones.
Block<std::int64_t> grid(Index side) {
  const Index half = side / 2;
  return bench::block_of_cells(side * half, [&](Index i, Index j) -> std::int64_t {
    const auto y = static_cast<int>(i / half);
    const int x = 2 * static_cast<int>(i % half) + y % 2;
    const auto v = static_cast<int>(j / half);
    const int u = 2 * static_cast<int>(j % half) + (v + 1) % 2;
    return std::abs(x - u) + std::abs(y - v) == 1 ? 1 : 0;
  });
}

/// A diagonal, lest the count be zero, and about `degree` more entries a row.
Block<std::int64_t> sparse(Index n, double degree) {
  std::mt19937_64 random(n);
  return bench::block_of_cells(n, [&](Index i, Index j) -> std::int64_t {
    return bench::drawn(random, degree / n) || i == j ? 1 : 0;
  });
}

SamplerOptions options_of(const Row& row) {
  SamplerOptions options;
  options.kind = row.kind;
  if (!sampler_info(row.kind).walks) return options;
  options.prune = row.prune;
  options.tail_rows = 0;
  options.scale_interval = 1;
  options.scale_steps = row.steps;
  return options;
}

std::vector<Row> rows() {
  constexpr auto plus = SamplerKind::rasmussen_plus;
  constexpr auto scaled = SamplerKind::scaling_plus;
  const auto dense = bench::random_block(40, 0.8);
  std::vector<Row> all{{"n = 40, density 0.8", dense, plus, 4, 10'000'000, 0.05, 1.4},
                       {"n = 40, density 0.8", dense, SamplerKind::rasmussen, 4, 10'000'000, 0, 0},
                       {"n = 40, density 0.8, 1 sweep", dense, scaled, 1, 1'000'000, 0.1, 13},
                       {"n = 40, density 0.8, 4 sweeps", dense, scaled, 4, 1'000'000, 0.1, 13},
                       {"n = 64, density 0.5", bench::random_block(64, 0.5), plus, 4, 10'000'000, 0, 0},
                       {"n = 64, density 0.5", bench::random_block(64, 0.5), scaled, 4, 200'000, 0, 0}};
  for (const Index side : {6U, 8U, 12U, 16U, 20U, 24U}) {
    const std::string name = fmt::format("grid {0}x{0}, n = {1}", side, side * side / 2);
    all.push_back({name, grid(side), plus, 4, side <= 16 ? 4'000'000U : 400'000U, 0, 0});
    all.push_back({name, grid(side), scaled, 4, side <= 10 ? 400'000U : 40'000U, 0, 0});
  }
  all.push_back({"n = 128, density 0.5", bench::random_block(128, 0.5), plus, 4, 4'000'000, 0, 0});
  all.push_back({"n = 128, density 0.5", bench::random_block(128, 0.5), scaled, 4, 20'000, 0, 0});
  all.push_back({"n = 1000, 10 a row", sparse(1000, 9), plus, 4, 100'000, 0, 0});
  all.push_back({"n = 1000, 10 a row", sparse(1000, 9), scaled, 4, 2'000, 0, 0});
  all.push_back({"n = 40, density 0.8, pruned", dense, plus, 4, 1'000'000, 0, 0, true});
  all.push_back({"n = 40, density 0.8, pruned", dense, scaled, 4, 200'000, 0, 0, true});
  for (const Index side : {6U, 8U, 12U, 16U, 20U, 24U}) {
    const std::string name = fmt::format("grid {0}x{0}, n = {1}, pruned", side, side * side / 2);
    all.push_back({name, grid(side), plus, 4, side <= 8 ? 400'000U : 100'000U, 0, 0, true});
    all.push_back({name, grid(side), scaled, 4, side <= 8 ? 200'000U : 40'000U, 0, 0, true});
  }
  all.push_back({"n = 1000, 10 a row, pruned", sparse(1000, 9), plus, 4, 10'000, 0, 0, true});
  all.push_back({"n = 1000, 10 a row, pruned", sparse(1000, 9), scaled, 4, 2'000, 0, 0, true});
  all.push_back({"n = 40, density 0.8", dense, SamplerKind::bethe, 0, 40'000, 0, 0});
  all.push_back({"n = 1000, 4 a row", sparse(1000, 3), SamplerKind::bethe, 0, 4'000, 0, 0});
  all.push_back({"n = 10000, 4 a row", sparse(10'000, 3), SamplerKind::bethe, 0, 2'000, 0, 0});
  // Determinants: by warps, by blocks in shared memory, by blocks in global memory.
  const auto half = bench::random_block(100, 0.5);
  const auto large = bench::random_block(256, 0.5);
  const SamplerKind determinants[] = {SamplerKind::godsil_gutman, SamplerKind::godsil_gutman_complex,
                                      SamplerKind::godsil_gutman_quaternion};
  for (unsigned d = 0; d < 3; ++d) {
    const std::uint64_t fewer = std::uint64_t{1} << (2 * d);  // of four times the work each
    all.push_back({"n = 40, density 0.8", dense, determinants[d], 0, 4'000'000 / fewer, 0, 0});
    all.push_back({"n = 100, density 0.5", half, determinants[d], 0, 200'000 / fewer, 0, 0});
    all.push_back({"n = 256, density 0.5", large, determinants[d], 0, 10'000 / fewer, 0, 0});
  }
  all.push_back({"n = 1000, 10 a row", sparse(1000, 9), determinants[0], 0, 264, 0, 0});
  return all;
}

bool same(const SampleMoments& a, const SampleMoments& b) {
  return a.nonzero == b.nonzero && a.sum == b.sum && a.squares == b.squares && a.cubes == b.cubes &&
         a.histogram == b.histogram && a.largest.mantissa == b.largest.mantissa &&
         a.largest.exponent == b.largest.exponent;
}

/// Multiplications and additions of one sample by determinants, a warp's.
double warp_arithmetic(Index n, SamplerKind kind) {
  const double components = kind == SamplerKind::godsil_gutman           ? 1
                            : kind == SamplerKind::godsil_gutman_complex ? 2
                                                                         : 4;
  return 2.0 / 3 * std::pow(n, 3) * components * components / 32;
}

/// Additions that a warp of the kernel for at most 64 rows issues to the FP64 unit, for one sample: it adds
/// up in groups of 8 rows, once more for the choice of a column.
double warp_additions(Index n, std::uint32_t steps) {
  double sum = 0;
  for (Index left = n; left > 0; --left) {
    const Index groups = (left + 7) / 8;
    sum += (2.0 * steps + 1) * (left > 32 ? 2 : 1) * 8.0 * groups;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::atoi(argv[1]) : 5;
  if (repeats < 1) {
    fmt::print(stderr, "usage: bench_gpu_estimate [REPEATS]\n");
    return 2;
  }
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  const StopSignal never;
  bool right = true;
  fmt::print(
      "\nSet-up: copies and memory, before the first sample. FP64: share of the additions and "
      "multiplications "
      "that the unit can start.\n\n");
  fmt::print(
      "| matrix | sampler | samples | set-up, s | median, s | goal, s | thesis, s | samples/s | steps/s | "
      "FP64 | not zero | error | as on the CPU |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : rows()) {
    const BlockSampler sampler(row.block, options_of(row), 1, 0);
    const Index n = row.block.matrix.rows;
    const double begin = bench::wall_seconds();
    const auto device = sampler.on_device(*gpu);
    const double set_up = bench::wall_seconds() - begin;
    device->run(0, row.samples, never);  // loads the kernels and finds how long launches are
    std::vector<double> seconds;
    SampleMoments moments;
    for (int k = 0; k < repeats; ++k) {
      const double start = bench::wall_seconds();
      moments = device->run(0, row.samples, never);
      seconds.push_back(bench::wall_seconds() - start);
    }
    const double cpu_start = bench::wall_seconds();
    sampler.run(0, 1, never);
    const double cpu_seconds = std::max(bench::wall_seconds() - cpu_start, 1e-6);
    const std::uint64_t few = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(0.1 / cpu_seconds), 1,
                                                        std::min<std::uint64_t>(row.samples, 2000));
    const bool equal = same(device->run(0, few, never), sampler.run(0, few, never));
    right = right && equal;
    const double median = bench::median(seconds);
    const double rate = static_cast<double>(row.samples) / median;
    const bool scales = row.kind == SamplerKind::scaling_plus;
    const bool walks = sampler_info(row.kind).walks;
    const double starts = gpu->multiprocessors * 2 * gpu->clock_ghz * 1e9;  // of a warp: 64 lanes a cycle
    const double share = rate / starts *
                         (!walks                            ? warp_arithmetic(n, row.kind)
                          : scales && n <= 64 && !row.prune ? warp_additions(n, row.steps)
                                                            : 0);
    const SampledMean mean = sampled_mean(moments);
    const auto optional = [](double value) { return value > 0 ? fmt::format("{}", value) : std::string(); };
    fmt::print("| {} | {} | {:.0e} | {:.3f} | {:.4f} | {} | {} | {:.3g} | {} | {} | {:.3g} | {} | {} |\n",
               row.name, sampler_info(row.kind).name, static_cast<double>(row.samples), set_up, median,
               optional(row.goal), optional(row.thesis), rate,
               walks ? fmt::format("{:.3g}", rate * n) : std::string(),
               share > 0 ? fmt::format("{:.0f} %", 100 * share) : std::string(),
               static_cast<double>(moments.nonzero) / static_cast<double>(row.samples),
               mean.doubt.empty() ? fmt::format("{:.2g} %", 100 * std::sqrt(mean.variance)) : "doubtful",
               equal ? "yes" : "NO");
    std::fflush(stdout);
  }
  return right ? 0 : 4;
}
