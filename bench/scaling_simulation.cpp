// Goals, on 10,000 virtual GPUs: an efficiency over 95 %, every unit counted once, less than 1 MB/s of
// checkpoint, and a rank 0 that is busy for less than a tenth of the time. The dispatcher and the ledger are
// those that rank 0 runs.
//   bench_scaling_simulation WORK_GPU_SECONDS [SEED]
// WORK_GPU_SECONDS: what one GPU of speed 1 would take, measured or extrapolated
// (bench/results/checkpoints-and-ranks.md).
#include <fmt/core.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "bench/simulated_cluster.hpp"

namespace {

using namespace countpm::simulation;

void show(const char* name, const Cluster& cluster) {
  const auto start = std::chrono::steady_clock::now();
  const Report report = simulate(cluster);
  const double real = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  fmt::print(
      "| {} | {} | {} | {:.3g} | {:.4g} | {:.1f} % | {:.3g} | {} | {:.2g} % | {:.3g} | {} | {} | {:.3g} | "
      "{:.3g} | {} |\n",
      name, cluster.workers, cluster.units, cluster.unit_seconds, report.seconds / 3600,
      100 * report.efficiency(), report.end_idle_seconds, report.failures,
      100 * report.lost_gpu_seconds / (report.seconds * static_cast<double>(cluster.workers)),
      static_cast<double>(report.messages) / report.seconds, report.busiest_second, report.records,
      static_cast<double>(report.bytes) / report.seconds, 1e6 * real / static_cast<double>(report.messages),
      report.every_unit_once ? "yes" : "NO");
}

void simulate(double work, std::uint64_t seed) {
  Cluster cluster;
  cluster.seed = seed;
  cluster.speed_spread = 0.1;
  cluster.unit_spread = 0.2;
  cluster.latency_seconds = 0.001;
  fmt::print(
      "| case | GPUs | units | unit, s | hours | efficiency | idle at the end, s | failures | work lost | "
      "messages/s | "
      "in the busiest second | records | checkpoint, B/s | simulated in, us/message | every unit once |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t workers : {192, 10'000}) {
    cluster.workers = workers;
    cluster.units = std::uint64_t{1} << 22U;  // ryser's of 62 rows: 2^39 subsets each
    cluster.unit_seconds = work / static_cast<double>(cluster.units);
    cluster.failure_seconds = 0;
    show("no failures", cluster);
    cluster.failure_seconds = 1000.0 * 3600;
    cluster.failure_ends_job = true;
    cluster.restart_seconds = 300;
    show("a failure ends the job", cluster);
    cluster.failure_ends_job = false;
    cluster.restart_seconds = 3600;
    show("a failure takes the GPU for an hour", cluster);
  }
  cluster.failure_seconds = 0;
  cluster.units = 65'536;
  cluster.unit_seconds = work / static_cast<double>(cluster.units);
  show("if a job had 65,536 units", cluster);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 2) {
      fmt::print(stderr, "bench_scaling_simulation WORK_GPU_SECONDS [SEED]\n");
      return 2;
    }
    simulate(std::strtod(argv[1], nullptr), argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    return 0;
  } catch (const std::exception& error) {
    std::fputs(error.what(), stderr);
    return 1;
  }
}
