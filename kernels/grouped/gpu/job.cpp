#include "kernels/grouped/gpu/job.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/gpu/device_rounds.hpp"
#include "kernels/grouped/gpu/walker.hpp"
#include "kernels/subsets/prefix_batches.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm::grouped {
namespace {

class GroupedDeviceJob : public DeviceJob {
 public:
  GroupedDeviceJob(const GpuInfo& gpu, const DeviceParts& parts, const DeviceLayout& layout)
      : parts_(parts),
        walker_(make_walker(gpu, walk_of(layout, parts.columns, parts.plan, parts.divisors))) {}

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override {
    mpz_class sum;
    gray::for_each_batch(
        parts_.columns, parts_.plan, static_cast<unsigned>(parts_.plan.inner.size()), first, last,
        [&](const gray::Prefixes<std::int64_t>& prefixes) { sum += walker_->sum(prefixes, stop); });
    return share_of_permanent(mpz_class(sum * parts_.scale), parts_.columns.rows, parts_.plan.shift,
                              parts_.columns.scale, parts_.arithmetic);
  }
  double measured_rate(double seconds) override {
    const double work = std::exp2(parts_.plan.log2_terms) / static_cast<double>(parts_.plan.units);
    return rate_of_ranges(*this, parts_.plan.units, seconds,
                          [work](std::uint64_t count) { return work * static_cast<double>(count); });
  }
  std::uint64_t device_bytes() const override { return walker_->bytes(); }

 private:
  DeviceParts parts_;
  std::unique_ptr<gray::IntegerWalker> walker_;
};

/// FP64 operations that a multiprocessor starts a cycle: few on all GPUs that are not made for computing.
double fp64_a_cycle(const GpuInfo& gpu) {
  if (gpu.minor != 0) return 2;
  return gpu.major == 9 || gpu.major == 10 ? 64 : gpu.major == 7 || gpu.major == 8 ? 32 : 2;
}

}  // namespace

std::unique_ptr<DeviceJob> make_device_job(const GpuInfo& gpu, const DeviceParts& parts,
                                           const DeviceLayout& layout) {
  return std::make_unique<GroupedDeviceJob>(gpu, parts, layout);
}

double nominal_device_rate(const GpuInfo& gpu, const DeviceLayout& layout) {
  // On one core of an AMD EPYC, n = 24, density 0.5, 2026-11-23; for tests.
  if (gpu.emulated) return 2e7;
  // 64 to 70 were measured on one NVIDIA H200 (bench/results/2026-11-23-gpu-merged.md).
  constexpr double instructions_a_cycle = 68;
  const double a_cycle =
      std::min(instructions_a_cycle / layout.instructions, 0.9 * fp64_a_cycle(gpu) / layout.fp64);
  return a_cycle * gpu.multiprocessors * gpu.clock_ghz * 1e9;
}

}  // namespace countpm::grouped
