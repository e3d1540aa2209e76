// Goal: a dense 0/1 block of n = 30 (2^29 subsets, a count of up to 107 bits) in 1 to 2 s or better on 2
// cores. Prints subsets a second for each variant of the inner loop, the variants taking turns, and the whole
// of n = 30 on two threads.
//   bench_ryser [TURNS]
#include "kernels/ryser/ryser.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <thread>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"

namespace {

using namespace countpm;

struct Case {
  const char* name;
  Index n;
  double density;
  std::int64_t largest;
};

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 5;
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(2);
  const double hertz = bench::clock_hertz();
  fmt::print("clock {:.3f} GHz\n", hertz * 1e-9);

  const std::pair<LaneChoice, const char*> variants[] = {{LaneChoice::avx512, "avx512"},
                                                         {LaneChoice::avx2, "avx2"},
                                                         {LaneChoice::baseline, "baseline"},
                                                         {LaneChoice::scalar, "scalar"}};
  for (const Case& what :
       {Case{"J_30", 30, 1, 1}, Case{"0/1, density 0.9", 30, 0.9, 1}, Case{"0/1, density 0.5", 36, 0.5, 1},
        Case{"1..20", 30, 0.9, 20}, Case{"1..1000", 30, 0.9, 1000}, Case{"1..10^9", 30, 0.9, 1000000000}}) {
    const auto block = bench::random_block(what.n, what.density, what.largest);
    std::vector<std::vector<double>> rates(std::size(variants));
    for (int turn = 0; turn < turns; ++turn) {
      for (std::size_t v = 0; v < std::size(variants); ++v) {
        if (!lanes_supported(variants[v].first)) continue;
        const auto job = make_ryser_job(block, arithmetic, variants[v].first);
        const double start = bench::thread_seconds();
        const double share = variants[v].first == LaneChoice::scalar ? 0.02 : 0.05;
        const double wall = bench::wall_seconds();
        const double rate = job->measured_rate(share);
        // measured_rate uses the wall clock; scaled to CPU seconds
        rates[v].push_back(rate * (bench::wall_seconds() - wall) / (bench::thread_seconds() - start));
      }
    }
    for (std::size_t v = 0; v < std::size(variants); ++v) {
      if (rates[v].empty()) continue;
      const double rate = bench::median(rates[v]);
      fmt::print(
          "{:18} n = {} {:9} {:8.1f} M subsets/s/core  {:6.2f} cycles a subset  {:5.1f} % of 2n FP64 "
          "operations at 16 a cycle\n",
          what.name, what.n, variants[v].second, rate * 1e-6, hertz / rate,
          100 * 2 * what.n * rate / (16 * hertz));
    }
  }

  const auto block = bench::random_block(30, 0.9, 1);
  std::vector<double> seconds;
  for (int turn = 0; turn < turns; ++turn) {
    const double start = bench::wall_seconds();
    const auto job = ryser_method().make_job(block, arithmetic, {});
    std::atomic<std::uint64_t> next{0};
    const StopSignal never;
    const auto work = [&] {
      Partial sum = zero(arithmetic);
      for (std::uint64_t unit = next++; unit < job->units(); unit = next++)
        add(sum, job->run(unit, never), arithmetic);
    };
    std::thread other(work);
    work();
    other.join();
    seconds.push_back(bench::wall_seconds() - start);
  }
  const double whole = bench::median(seconds);
  fmt::print("0/1 density 0.9, n = 30, 2 threads: {:.3f} s, {:.1f} M subsets/s\n", whole,
             std::ldexp(1e-6, 29) / whole);
  return 0;
}
