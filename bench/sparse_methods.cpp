// Goal: say which of ryser, sparyser and skipper wins where, and how well skipper's forecast holds. All in
// one run, taking turns; CPU seconds of one core for the whole count, measured where the prediction is below
// half a second, else predicted from a measured rate.
//   bench_sparse_methods SHARED_FOLDER [TURNS]
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "kernels/published/sparse/skipper.hpp"
#include "kernels/published/sparse/sparyser.hpp"
#include "kernels/ryser/ryser.hpp"

namespace {

using namespace countpm;

/// Every place with that probability, and the whole diagonal.
Block<std::int64_t> random_pattern(Index n, double density) {
  std::mt19937_64 random(n);
  return bench::block_of_cells(
      n, [&](Index i, Index j) { return bench::drawn(random, density) || i == j ? 1 : 0; });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: bench_sparse_methods SHARED_FOLDER [TURNS]\n");
    return 2;
  }
  const std::string shared = argv[1];
  const int turns = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 5;
  std::vector<std::pair<std::string, Block<std::int64_t>>> blocks;
  for (const char* name : {"mycielskian5", "lap_25", "pores_1", "ibm32"})
    blocks.emplace_back(name, bench::read_block(shared + "/matrices/" + name + ".mtx"));
  for (const double density : {0.1, 0.15, 0.2, 0.3, 0.5})
    blocks.emplace_back(fmt::format("random 28, density {}", density), random_pattern(28, density));
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(2);
  constexpr double longest = 0.5;

  for (const auto& [name, block] : blocks) {
    for (const Method* method : {&ryser_method(), &sparyser_method(), &skipper_method()}) {
      std::vector<double> seconds;
      std::vector<double> rates;
      double predicted = 0;
      double log2_work = 0;
      for (int turn = 0; turn < turns; ++turn) {
        const auto job = method->make_job(block, arithmetic, {});
        const double wall = bench::wall_seconds();
        const double cpu = bench::thread_seconds();
        const double rate =
            job->measured_rate(0.05) * (bench::wall_seconds() - wall) / (bench::thread_seconds() - cpu);
        rates.push_back(rate);
        log2_work = job->log2_work();
        predicted = std::exp2(log2_work) / rate;
        if (predicted > longest) continue;
        const StopSignal never;
        const double start = bench::thread_seconds();
        for (std::uint64_t unit = 0; unit < job->units(); ++unit) job->run(unit, never);
        seconds.push_back(bench::thread_seconds() - start);
      }
      const double rate = bench::median(rates);
      std::string visits;
      if (method == &skipper_method() && !seconds.empty()) {
        visits = fmt::format("  visited 2^{:.2f}",
                             std::log2(static_cast<double>(skipper_visits(block, arithmetic))));
      }
      fmt::print("{:24} n = {} {:9} work 2^{:5.2f} {:8.1f} M/s  predicted {:10.4f} s  measured {}{}\n", name,
                 block.size(), method->name(), log2_work, rate * 1e-6, std::exp2(log2_work) / rate,
                 seconds.empty() ? std::string("-") : fmt::format("{:.4f} s", bench::median(seconds)),
                 visits);
    }
  }
  return 0;
}
