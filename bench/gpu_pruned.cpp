// Goal on one NVIDIA H200, kernel plus set-up (the search is planning): ../shared/random er_n40_p20 0.01 s,
// _p30 0.06 s, _p50 0.25 s; er_n48_p20 0.6 s, _p30 15 s, _p50 90 s; er_n60_p10 0.5 s; counts equal to
// known.tsv where it has them.
//   bench_gpu_pruned SEARCH_SECONDS REPEATS BITS MATRIX_MARKET_FILE...
// BITS: the modulus is 2^BITS; of 64 or 128. A file FOLDER/NAME.mtx is looked up as NAME in
// FOLDER/known.tsv.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "bench/known_counts.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/pruned/pruned.hpp"

int main(int argc, char** argv) {
  using namespace countpm;
  if (argc < 5) {
    fmt::print(stderr, "usage: bench_gpu_pruned SEARCH_SECONDS REPEATS BITS FILE...\n");
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
    const auto job = make_pruned_job(block, arithmetic, 1, {});
    if (std::atof(argv[1]) > 0) job->improve(std::atof(argv[1]), never);
    const double planned = bench::wall_seconds();
    std::vector<double> set_up;
    std::vector<double> run;
    mpz_class count;
    for (int turn = 0; turn < std::atoi(argv[2]); ++turn) {
      const double start = bench::wall_seconds();
      const auto device = job->on_device(*gpu);
      const double made = bench::wall_seconds();
      const Partial sum = device->run(0, job->units(), never);
      run.push_back(bench::wall_seconds() - made);
      set_up.push_back(made - start);
      count = join_residues(std::get<Residues>(sum), arithmetic.moduli, false);
    }
    const auto forecast = job->forecast();
    const std::string judged = bench::verdict(argv[f], count);
    if (judged == "WRONG") ++wrong;
    fmt::print(
        "{}: planned in {:.2f} s, 2^{:.2f} visits, 2^{:.2f} leaves; set-up {:.4f} s, run {:.4f} s (medians "
        "of "
        "{}); {:.3g} visits/s; count modulo 2^{} {} {}\n",
        argv[f], planned - begin, std::log2(forecast.visits), std::log2(forecast.leaves),
        bench::median(set_up), bench::median(run), run.size(), forecast.visits / bench::median(run), argv[3],
        count.get_str(), judged);
    std::fflush(stdout);
  }
  return wrong == 0 ? 0 : 4;
}
