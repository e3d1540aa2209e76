// Goal on one NVIDIA H200, from reading to the number: the 500 x 500 square lattice in 3 s, 1000 x 1000 in
// under 2 min. Says where the time goes: seconds of the set-up on the CPU, of the reference elimination and
// the tables, and of all primes on the GPU; checks a unit of eight primes against the CPU's.
//   bench_gpu_planar TURNS PRIMES LATTICE...   PRIMES: so many of those that the bound asks for; 0: all
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/planar/gpu/lane.hpp"
#include "kernels/planar/planar.hpp"
#include "kernels/polynomial_method.hpp"

namespace {

using namespace countpm;

/// Whether the residues of unit 0 are the CPU's.
bool report(const GpuInfo& gpu, const std::string& spec, int turns, unsigned most_primes) {
  double last = bench::wall_seconds();
  const auto lap = [&] {
    const double start = last;
    last = bench::wall_seconds();
    return last - start;
  };
  const AnyBlock block = bench::read_block("lattice:" + spec);
  const double read = lap();
  const std::unique_ptr<Preparation> prepared = prepare(planar_method(), block);
  prepared->obstacle({});  // embeds
  const double embed = lap();
  const double bits = std::min(log2_upper_bound(block), prepared->log2_bound(1));
  const double bound = lap();
  Arithmetic arithmetic;
  auto primes = static_cast<unsigned>(std::ceil(bits / (planar_step::prime_bits - 0.01)));
  if (most_primes != 0) primes = std::min(primes, most_primes);
  arithmetic.moduli = choose_primes(primes, {}, planar_step::prime_bits);
  const double choose = lap();
  const std::unique_ptr<Job> job = prepared->make_job(arithmetic, {});
  const double dissection = lap();
  job->nominal_device_rate(gpu);
  const double reference = lap();
  const std::unique_ptr<DeviceJob> device = job->on_device(gpu);
  const double upload = lap();
  const StopSignal never;
  std::vector<double> run;
  Partial sum;
  for (int turn = 0; turn < turns; ++turn) {
    sum = device->run(0, job->units(), never);
    run.push_back(lap());
  }
  const Partial of_cpu = job->run(0, never);
  const double unit = lap();
  bool same = true;
  for (std::size_t k = 0; k < std::min<std::size_t>(8, primes); ++k)
    same = same && std::get<Residues>(sum).residue[k] == std::get<Residues>(of_cpu).residue[k];
  const double multiplications = std::exp2(job->log2_work());
  fmt::print(
      "{}: bound {:.0f} bits, {} primes of {} bits, {:.3g} multiplications, {:.2f} GiB on the GPU\n"
      "  read {:.2f} s  embed {:.2f}  bound {:.2f}  primes {:.2f}  dissection {:.2f}  reference and tables "
      "{:.2f}  upload {:.2f}\n"
      "  GPU {:.3f} s (first {:.3f}), {:.3g} multiplications/s; one unit on the CPU {:.3f} s, {}\n",
      spec, bits, primes, planar_step::prime_bits, multiplications,
      static_cast<double>(device->device_bytes()) / (1 << 30), read, embed, bound, choose, dissection,
      reference, upload, *std::min_element(run.begin(), run.end()), run.front(),
      multiplications / bench::median(run), unit, same ? "same residues" : "OTHER RESIDUES");
  std::fflush(stdout);
  return same;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: bench_gpu_planar TURNS PRIMES LATTICE...\n");
    return 2;
  }
  const std::optional<GpuInfo> gpu = bench::announced_gpu();
  if (!gpu) return bench::exit_without_gpu;
  bool same = true;
  for (int k = 3; k < argc; ++k) {
    same = report(*gpu, argv[k], std::max(std::atoi(argv[1]), 1),
                  static_cast<unsigned>(std::max(std::atoi(argv[2]), 0))) &&
           same;
  }
  return same ? 0 : 4;
}
