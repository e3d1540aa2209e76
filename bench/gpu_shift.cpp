// Goal on one NVIDIA H200, kernel plus set-up (the search is planning): ../shared/random er_n40_p20 0.01 s,
// _p30 0.06 s, _p50 0.25 s; er_n48_p20 0.6 s, _p30 15 s, _p50 90 s; er_n60_p10 0.5 s; counts equal to
// known.tsv where it has them.
//   bench_gpu_shift SEARCH_SECONDS REPEATS BITS MATRIX_MARKET_FILE...
// BITS: the modulus is 2^BITS; of 64 or 128. A file FOLDER/NAME.mtx is looked up as NAME in
// FOLDER/known.tsv.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "bench/known_counts.hpp"
#include "kernels/cuda/device_job.hpp"
#include "kernels/shift/shift.hpp"

int main(int argc, char** argv) {
  using namespace countpm;
  if (argc < 5) {
    fmt::print(stderr, "usage: bench_gpu_shift SEARCH_SECONDS REPEATS BITS FILE...\n");
    return 2;
  }
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  int wrong = 0;
  const StopSignal never;
  for (int f = 4; f < argc; ++f) {
    const auto block = bench::read_block(argv[f]);
    Arithmetic arithmetic;
    arithmetic.moduli = {Modulus{0, static_cast<unsigned>(std::atoi(argv[3]))}};
    const double begin = bench::wall_seconds();
    const auto job = make_shift_job(block, arithmetic, 1, {});
    if (std::atof(argv[1]) > 0) job->improve(std::atof(argv[1]), never);
    const double planned = bench::wall_seconds();
    // The same tree with the longest tail and with that of the words of 32 bits, in turns.
    std::vector<std::unique_ptr<ShiftJob>> jobs;
    const std::vector<unsigned> tails{11, 10};
    for (const unsigned tail : tails) {
      ShiftChoice choice;
      choice.plan = job->plan();
      choice.most_device_tail_columns = tail;
      jobs.push_back(make_shift_job(block, arithmetic, 1, choice));
    }
    std::vector<std::vector<double>> set_up(jobs.size());
    std::vector<std::vector<double>> run(jobs.size());
    std::vector<mpz_class> counts(jobs.size());
    for (int turn = 0; turn < std::atoi(argv[2]); ++turn) {
      for (std::size_t k = 0; k < jobs.size(); ++k) {
        const double start = bench::wall_seconds();
        const auto device = jobs[k]->on_device(*gpu);
        const double made = bench::wall_seconds();
        const Partial sum = device->run(0, job->units(), never);
        const double end = bench::wall_seconds();
        set_up[k].push_back(made - start);
        run[k].push_back(end - made);
        counts[k] = join_residues(std::get<Residues>(sum), arithmetic.moduli, false);
      }
    }
    const auto forecast = job->forecast();
    fmt::print("{}: planned in {:.2f} s, 2^{:.2f} visits, 2^{:.2f} leaves\n", argv[f], planned - begin,
               std::log2(forecast.visits), std::log2(forecast.leaves));
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      const std::string judged = bench::verdict(argv[f], counts[k]);
      if (judged == "WRONG") ++wrong;
      const double median = bench::median(run[k]);
      fmt::print(
          "  tail up to {}: set-up {:.4f} s, run {:.4f} s (medians of {}); {:.3g} visits/s; count modulo "
          "2^{} {} {}\n",
          tails[k], bench::median(set_up[k]), median, run[k].size(), forecast.visits / median, argv[3],
          counts[k].get_str(), judged);
    }
    std::fflush(stdout);
  }
  return wrong == 0 ? 0 : 4;
}
