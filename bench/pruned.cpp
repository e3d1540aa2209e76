// Goal: ../shared/random on 2 cores, the search included: er_n48_p12 4 s, er_n48_p15 6 s, er_n48_p20 120 s,
// er_n40_p20 1 s, er_n40_p30 12 s; the forecast of the visited nodes within a few percent; skipper and
// sparyser beside it.
//   bench_pruned FILE SEARCH_SECONDS [THREADS] [MOST_SECONDS] [recount]
#include <fmt/core.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "kernels/pruned/pruned.hpp"
#include "kernels/published/sparse/skipper.hpp"
#include "kernels/published/sparse/sparyser.hpp"

using namespace countpm;

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_pruned FILE SEARCH_SECONDS [THREADS] [MOST_SECONDS]\n");
    return 2;
  }
  const auto block = bench::read_block(argv[1]);
  const double search = std::atof(argv[2]);
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  const double most = argc > 4 ? std::atof(argv[4]) : 20;
  Arithmetic arithmetic;
  arithmetic.moduli = {Modulus{0, 128}};
  const double begin = bench::wall_seconds();
  const auto job = make_pruned_job(block, arithmetic, 1, {});
  const double made = bench::wall_seconds();
  const StopSignal never;
  if (search > 0) job->improve(search, never);
  const double searched = bench::wall_seconds();
  const double rate = job->measured_rate(0.2);
  const auto forecast = job->forecast();
  fmt::print(
      "{}: {}, transposed {}; make {:.4f} s, search {:.2f} s; forecast 2^{:.2f} visits, 2^{:.2f} leaves; "
      "rate {:.1f} M/s; predicted {:.2f} s of one core; {} units\n",
      argv[1], job->path(), job->transposed(), made - begin, searched - made, job->log2_work(),
      std::log2(forecast.leaves), rate * 1e-6, forecast.visits / rate, job->units());
  Arithmetic primes;
  primes.moduli = choose_primes(2);
  for (const Method* method : {&skipper_method(), &sparyser_method()}) {
    const auto other = method->make_job(block, primes, {});
    const double wall = bench::wall_seconds();
    const double cpu = bench::thread_seconds();
    const double other_rate =
        other->measured_rate(0.2) * (bench::wall_seconds() - wall) / (bench::thread_seconds() - cpu);
    fmt::print("{}: 2^{:.2f} {}, {:.1f} M/s, predicted {:.3g} CPU seconds\n", method->name(),
               other->log2_work(), method->work_name(), other_rate * 1e-6,
               std::exp2(other->log2_work()) / other_rate);
  }
  if (forecast.visits / rate / threads > most) return 0;
  std::atomic<std::uint64_t> next{0};
  std::vector<Partial> sums(static_cast<std::size_t>(threads), zero(arithmetic));
  std::vector<double> cpu(static_cast<std::size_t>(threads));
  std::vector<std::thread> workers;
  workers.reserve(static_cast<std::size_t>(threads));
  const double start = bench::wall_seconds();
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (;;) {
        const std::uint64_t unit = next++;
        if (unit >= job->units()) break;
        add(sums[static_cast<std::size_t>(t)], job->run(unit, never), arithmetic);
      }
      cpu[static_cast<std::size_t>(t)] = bench::thread_seconds();
    });
  }
  for (auto& worker : workers) worker.join();
  const double end = bench::wall_seconds();
  for (int t = 1; t < threads; ++t) add(sums[0], sums[static_cast<std::size_t>(t)], arithmetic);
  const mpz_class count = join_residues(std::get<Residues>(sums[0]), arithmetic.moduli, false);
  double used = 0;
  for (const double seconds : cpu) used += seconds;
  fmt::print("count {} in {:.3f} s, {:.3f} s from the start; {:.3f} CPU seconds, {:.1f} M/s a core\n",
             count.get_str(), end - start, end - begin, used, forecast.visits / used * 1e-6);
  if (argc > 5) {
    const auto actual = job->measure(0, job->units());
    fmt::print("visits 2^{:.3f} (forecast / actual {:.3f}), leaves 2^{:.3f} ({:.3f})\n",
               std::log2(actual.visits), forecast.visits / actual.visits,
               std::log2(std::max(actual.leaves, 1.0)), forecast.leaves / actual.leaves);
  }
  return 0;
}
