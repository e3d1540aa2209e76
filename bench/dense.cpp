// Goal: grouped counts a dense 0/1 block twice as fast as ryser from n = 36 on; rook counts er_n30_p90
// and er_n32_p90 in under 0.1 s (FLINT 3 on 2 such cores: 10.6 s and 43 s) and er_n48_p90 in under 10 s on 2
// cores. Prints subsets a CPU second for ryser and grouped, taking turns, then the whole time of rook
// and grouped.
//   bench_dense [TURNS [FOLDER]]    FOLDER: where er_n30_p90.mtx and its like are
#include <fmt/core.h>

#include <atomic>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "kernels/grouped/grouped.hpp"
#include "kernels/rook/rook.hpp"
#include "kernels/ryser/ryser.hpp"

namespace {

using namespace countpm;

/// Subsets a CPU second.
double rate(const Job& job) {
  const double cpu = bench::thread_seconds();
  const double wall = bench::wall_seconds();
  const double result = job.measured_rate(0.05);
  return result * (bench::wall_seconds() - wall) / (bench::thread_seconds() - cpu);
}

/// Wall seconds of a whole job on two threads.
double count_on_two(const Job& job, const Arithmetic& arithmetic, Partial& total) {
  const double start = bench::wall_seconds();
  const StopSignal never;
  if (job.runs_on_all_threads()) {
    total = zero(arithmetic);
    for (std::uint64_t unit = 0; unit < job.units(); ++unit) add(total, job.run(unit, never), arithmetic);
    return bench::wall_seconds() - start;
  }
  std::atomic<std::uint64_t> next{0};
  Partial sums[2] = {zero(arithmetic), zero(arithmetic)};
  const auto work = [&](Partial& sum) {
    for (std::uint64_t unit = next++; unit < job.units(); unit = next++)
      add(sum, job.run(unit, never), arithmetic);
  };
  std::thread other([&] { work(sums[1]); });
  work(sums[0]);
  other.join();
  add(sums[0], sums[1], arithmetic);
  total = sums[0];
  return bench::wall_seconds() - start;
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(std::atoi(argv[1]), 1) : 5;
  const std::string folder = argc > 2 ? argv[2] : "../shared/random";
  const double hertz = bench::clock_hertz();
  fmt::print("clock {:.3f} GHz\n\n", hertz * 1e-9);
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(4);

  fmt::print(
      "| n | density | ryser M/s | cycles | merged avx512 M/s | cycles | of ryser | merged avx2 M/s | "
      "forecast / measured |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (Index n = 24; n <= 48; n += 4) {
    for (const double density : {0.3, 0.5, 0.7, 0.9}) {
      const auto block = bench::random_block(n, density);
      const auto ryser = make_ryser_job(block, arithmetic, LaneChoice::automatic);
      const auto merged = make_grouped_job(block, arithmetic, LaneChoice::automatic);
      const auto narrow = make_grouped_job(block, arithmetic, LaneChoice::avx2);
      std::vector<double> rates[3];
      for (int turn = 0; turn < turns; ++turn) {
        rates[0].push_back(rate(*ryser));
        rates[1].push_back(rate(*merged));
        rates[2].push_back(rate(*narrow));
      }
      const double a = bench::median(rates[0]);
      const double b = bench::median(rates[1]);
      fmt::print("| {} | {} | {:.0f} | {:.2f} | {:.0f} | {:.2f} | {:.2f} | {:.0f} | {:.2f} |\n", n, density,
                 a * 1e-6, hertz / a, b * 1e-6, hertz / b, b / a, bench::median(rates[2]) * 1e-6,
                 merged->nominal_rate() / b);
    }
  }

  fmt::print(
      "\n| block | method | made in s | CPU s | wall s, 2 threads | work | GB | count "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const char* name : {"er_n30_p90", "er_n32_p90", "er_n44_p90", "er_n48_p90"}) {
    const std::string path = folder + "/" + name + ".mtx";
    if (!std::filesystem::exists(path)) continue;
    const auto block = bench::read_block(path);
    for (const Method* method : {&rook_method(), &grouped_method(), &ryser_method()}) {
      if (method->obstacle(block, arithmetic)) continue;
      MethodOptions options;
      options.threads = 2;
      const double start = bench::wall_seconds();
      const auto job = method->make_job(block, arithmetic, options);
      const double made = bench::wall_seconds() - start;
      if (job->log2_work() > 32) continue;
      std::vector<double> seconds;
      std::vector<double> cpu;
      Partial total = zero(arithmetic);
      for (int turn = 0; turn < turns; ++turn) {
        const std::clock_t start_clock = std::clock();
        seconds.push_back(count_on_two(*job, arithmetic, total));
        cpu.push_back(static_cast<double>(std::clock() - start_clock) / CLOCKS_PER_SEC);
      }
      fmt::print("| {} | {} | {:.3f} | {:.4f} | {:.4f} | 2^{:.1f} {} | {:.2f} | {} |\n", name, method->name(),
                 made, bench::median(cpu), bench::median(seconds), job->log2_work(), method->work_name(),
                 static_cast<double>(job->bytes_shared() + 2 * job->bytes_per_thread()) * 1e-9,
                 join_residues(std::get<Residues>(total), arithmetic.moduli, false).get_str());
    }
  }
  return 0;
}
