// Goals on 2 cores, medians of 3 seeds: relative error 1 % at 95 % for the 24x24 square lattice as a matrix
// (no planar method) in 60 s and for the 6x6x6 cubic lattice in 60 s; ln Z with an interval of a random
// 4-regular bipartite graph of 100,000 + 100,000 vertices in 10 minutes (one run).
//   bench_estimate goals [THREADS] [RUNS]
// For every sampler: the error reached in SECONDS, and the seconds that 1 % would take at that rate (error^2
// / 0.01^2 times as many).
//   bench_estimate INPUT SECONDS [THREADS] [LOG10_OF_THE_COUNT]
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "bench/clock.hpp"
#include "graph/read.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/estimate.hpp"

namespace {

using namespace countpm;

constexpr std::uint32_t large_size = 100'000;

struct Goal {
  const char* input;
  double seconds;
  double log10;  // of the count; 0: not known
};
// 7435775679122922965141930394167684120105535297322308613569173527105536, by planar.
constexpr Goal lattices[] = {{"lattice:square:24x24", 60, 69.8713262796}, {"lattice:cubic:6x6x6", 60, 0}};

/// The sum of 4 random permutations without a common entry, Matrix Market.
std::string regular_matrix(std::uint32_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<std::uint32_t>> rows(n);
  const auto has = [&rows](std::uint32_t i, std::uint32_t j) {
    return std::find(rows[i].begin(), rows[i].end(), j) != rows[i].end();
  };
  for (int round = 0; round < 4; ++round) {
    std::vector<std::uint32_t> column(n);
    std::iota(column.begin(), column.end(), 0U);
    std::shuffle(column.begin(), column.end(), random);
    for (std::uint32_t i = 0; i < n; ++i) {
      while (has(i, column[i])) {
        const auto other = static_cast<std::uint32_t>(random() % n);
        if (has(i, column[other]) || has(other, column[i])) continue;
        std::swap(column[i], column[other]);
      }
    }
    for (std::uint32_t i = 0; i < n; ++i) rows[i].push_back(column[i]);
  }
  std::ostringstream text;
  text << "%%MatrixMarket matrix coordinate pattern general\n"
       << n << ' ' << n << ' ' << 4 * std::uint64_t{n} << '\n';
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t j : rows[i]) text << i + 1 << ' ' << j + 1 << '\n';
  }
  return text.str();
}

int goals(int threads, int runs) {
  fmt::print("| input | goal, s | median, s | CPU, s | sampler | samples | error | log10, seed 1 | held |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const Goal& goal : lattices) {
    std::vector<double> wall;
    std::vector<double> cpu;
    std::vector<double> error;
    std::vector<double> samples;
    std::string sampler;
    double log10 = 0;
    int held = 0;
    for (int run = 0; run < runs; ++run) {
      CountOptions count_options;
      count_options.threads = threads;
      count_options.seed = static_cast<std::uint64_t>(run) + 1;
      EstimateOptions options;
      options.all_sampled = true;
      options.time_limit_seconds = 600;
      const double began = bench::wall_seconds();
      const double used = bench::process_seconds();
      const EstimateResult result = estimate(Source::from_argument(goal.input), {}, count_options, options);
      wall.push_back(bench::wall_seconds() - began);
      cpu.push_back(bench::process_seconds() - used);
      error.push_back(result.estimate->relative_error);
      samples.push_back(static_cast<double>(result.estimate->samples));
      sampler = result.sampler;
      if (run == 0) log10 = result.estimate->log10;
      if (goal.log10 >= result.estimate->low_log10 && goal.log10 <= result.estimate->high_log10) ++held;
    }
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {} | {:.0f} | {:.2g} % | {:.6f} | {} |\n", goal.input,
               goal.seconds, bench::median(wall), bench::median(cpu), sampler, bench::median(samples),
               100 * bench::median(error), log10,
               goal.log10 > 0 ? fmt::format("{} of {}", held, runs) : "count not known");
  }
  CountOptions count_options;
  count_options.threads = threads;
  EstimateOptions options;
  options.time_limit_seconds = 300;
  const std::string text = regular_matrix(large_size, 1);
  const double began = bench::wall_seconds();
  const double used = bench::process_seconds();
  const EstimateResult result = estimate(Source::from_bytes(text), {}, count_options, options);
  const Estimate& e = *result.estimate;
  fmt::print(
      "| random 4-regular, {} | 600 | {:.1f} | {:.1f} | {} | {} | | {:.3f}, interval {:.3f} to {:.3f}{} | "
      "|\n",
      large_size, bench::wall_seconds() - began, bench::process_seconds() - used, result.sampler, e.samples,
      e.log10, e.low_log10, e.high_log10, e.doubt.empty() ? "" : "; " + e.doubt);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && std::string(argv[1]) == "goals")
    return goals(argc > 2 ? std::atoi(argv[2]) : 2, argc > 3 ? std::atoi(argv[3]) : 3);
  if (argc < 3) {
    fmt::print(stderr,
               "usage: bench_estimate INPUT SECONDS [THREADS] [LOG10_OF_THE_COUNT]\n"
               "       bench_estimate goals [THREADS] [RUNS]\n");
    return 2;
  }
  CountOptions count_options;
  count_options.threads = argc > 3 ? std::atoi(argv[3]) : 1;
  fmt::print("{:<12}{:>14}{:>12}{:>12}{:>12}{:>10}{:>12}  {}\n", "sampler", "log10", "samples", "nonzero",
             "effective", "error", "s to 1 %", "interval");
  for (const SamplerInfo& info : samplers()) {
    EstimateOptions options;
    options.sampler.kind = info.kind;
    options.relative_error = 1e-6;
    options.time_limit_seconds = std::atof(argv[2]);
    options.all_sampled = true;
    const EstimateResult result = estimate(Source::from_argument(argv[1]), {}, count_options, options);
    if (!result.estimate) {
      fmt::print("{} is counted by structure and reductions alone\n", argv[1]);
      return 0;
    }
    const Estimate& e = *result.estimate;
    const double seconds = result.seconds.count * std::pow(e.relative_error / 0.01, 2);
    std::string verdict = e.doubt.empty() ? "trusted" : e.doubt;
    if (argc > 4) {
      const double truth = std::atof(argv[4]);
      verdict += truth >= e.low_log10 && truth <= e.high_log10 ? ", holds" : ", MISSES";
    }
    fmt::print("{:<12}{:>14.6f}{:>12}{:>12}{:>12.0f}{:>10.2g}{:>12.3g}  {}\n", info.name, e.log10, e.samples,
               e.nonzero, e.effective_samples, e.relative_error, seconds, verdict);
  }
  return 0;
}
