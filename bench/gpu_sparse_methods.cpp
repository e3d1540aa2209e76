// Goal (one H200): skipper and sparyser, as published, ahead of ryser on sparse matrices, and skipper over
// 100 times a core of the CPU; pruned is the method to beat. The four of them on each matrix, exactly, modulo
// three primes: all units where that takes less than SECONDS, and the count is then compared with known.tsv;
// else eight ranges of units, evenly spaced and ever longer, from which all is extrapolated. One unit is
// compared with the CPU's where that does it in some seconds.
//   bench_gpu_sparse_methods SECONDS MATRIX_MARKET_FILE...
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/blocks.hpp"
#include "bench/clock.hpp"
#include "bench/gpu.hpp"
#include "bench/known_counts.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/method.hpp"

namespace {

using namespace countpm;

const StopSignal never;

struct Measured {
  double seconds = 0;
  double share = 0;  // of all units
  Partial all;       // where share is 1
};

/// Eight ranges of so many units each, or all units where those are no more.
Measured run_ranges(DeviceJob& device, std::uint64_t units, std::uint64_t length) {
  constexpr std::uint64_t ranges = 8;
  Measured result;
  const double start = bench::wall_seconds();
  if (length * ranges >= units) {
    result.all = device.run(0, units, never);
    result.share = 1;
  } else {
    for (std::uint64_t k = 0; k < ranges; ++k) {
      const std::uint64_t first = units * k / ranges;
      device.run(first, first + length, never);
    }
    result.share = static_cast<double>(length * ranges) / static_cast<double>(units);
  }
  result.seconds = bench::wall_seconds() - start;
  return result;
}

/// Whether the last unit is the CPU's; "-" where the CPU takes too long.
const char* as_on_the_cpu(const Job& job, DeviceJob& device) {
  const double seconds =
      std::exp2(job.log2_work()) / static_cast<double>(job.units()) / std::max(job.nominal_rate(), 1.0);
  if (seconds > 3) return "-";
  const std::uint64_t last = job.units() - 1;
  const bool same =
      std::get<Residues>(device.run(last, last + 1, never)) == std::get<Residues>(job.run(last, never));
  return same ? "yes" : "NO";
}

/// False where a number is wrong.
bool print_row(const GpuInfo& gpu, const char* path, const AnyBlock& block, const char* name, double limit) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(3);
  const Method& method = method_named(name);
  const auto job = method.make_job(block, arithmetic, {});
  if (job->improvable()) job->improve(1, never);
  const double start = bench::wall_seconds();
  const auto device = job->on_device(gpu);
  if (!device) {
    fmt::print("| {} | {} | no GPU form | | | | | |\n", path, name);
    return true;
  }
  device->run(0, 1, never);
  const double set_up = bench::wall_seconds() - start;
  Measured measured;
  for (std::uint64_t length = 1;; length *= 2) {
    measured = run_ranges(*device, job->units(), length);
    if (measured.share == 1 || 3 * measured.seconds > limit) break;
  }
  const double rate = std::exp2(job->log2_work()) * measured.share / measured.seconds;
  std::string judged = "-";
  if (measured.share == 1) {
    const mpz_class count = join_residues(std::get<Residues>(measured.all), arithmetic.moduli, false);
    judged = bench::verdict(path, count);
  }
  const char* const same = as_on_the_cpu(*job, *device);
  fmt::print("| {} | {} | 2^{:.2f} {} | {:.4f} | {:.4f}{} | {:.3e} | {} | {} |\n", path, name,
             job->log2_work(), method.work_name(), set_up, measured.seconds / measured.share,
             measured.share == 1 ? "" : fmt::format(" from {:.2g} of it", measured.share), rate, same,
             judged);
  std::fflush(stdout);
  return judged != "WRONG" && same[0] != 'N';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bench_gpu_sparse_methods SECONDS FILE...\n");
    return 2;
  }
  try {
    const std::optional<GpuInfo> gpu = bench::announced_gpu();
    if (!gpu) return bench::exit_without_gpu;
    fmt::print(
        "\n| matrix | method | predicted work | set-up and first unit, s | all units, s | work/s | a unit as "
        "on "
        "the CPU | count |\n|---|---|---|---|---|---|---|---|\n");
    bool right = true;
    for (int f = 2; f < argc; ++f) {
      const AnyBlock block = bench::read_block(argv[f]);
      for (const char* const name : {"skipper", "sparyser", "ryser", "pruned"})
        right = print_row(*gpu, argv[f], block, name, std::atof(argv[1])) && right;
    }
    return right ? 0 : 4;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
