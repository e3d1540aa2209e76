#include "kernels/grouped/gpu/form.hpp"

#include <algorithm>
#include <utility>

#include "kernels/gpu/fp64_units.hpp"
#include "kernels/subsets/gpu/job.hpp"

namespace countpm::grouped {
DeviceWalk walk_of(const DeviceLayout& layout, const IntegerColumns<std::int64_t>& columns,
                   const SubsetPlan& plan, const std::vector<std::int64_t>& divisors) {
  DeviceWalk walk;
  walk.layout = layout;
  walk.given_rows = columns.rows;
  walk.divisors = divisors;
  const auto add_changes = [&](const std::vector<std::int64_t>& delta) {
    for (std::size_t i = 0; i < layout.rows.size(); ++i) {
      const std::size_t row = layout.rows[i];
      walk.changes.push_back({row == DeviceLayout::no_row ? 0 : static_cast<std::int32_t>(delta[row]),
                              RowChange::joined(layout.steps[i], layout.more[i])});
    }
  };
  for (const std::size_t c : layout.walked) add_changes(divided_delta(columns, plan, divisors, c));
  add_changes(std::vector<std::int64_t>(columns.rows, 0));
  return walk;
}

std::unique_ptr<DeviceJob> make_device_job(const GpuInfo& gpu, const DeviceParts& parts,
                                           const DeviceLayout& layout) {
  std::vector<IntegerDeviceJob::Share> shares;
  shares.push_back(
      {make_walker(gpu, walk_of(layout, parts.columns, parts.plan, parts.divisors)), parts.arithmetic});
  return std::make_unique<IntegerDeviceJob>(parts.columns, parts.plan,
                                            static_cast<unsigned>(parts.plan.inner.size()), std::move(shares),
                                            parts.scale);
}

double nominal_device_rate(const GpuInfo& gpu, const DeviceLayout& layout) {
  // On one core of an AMD EPYC, n = 24, density 0.5, 2026-11-23; for tests.
  if (gpu.emulated) return 2e7;
  // 64 to 70 were measured on one NVIDIA H200 (bench/results/counting-gpu.md).
  constexpr double instructions_a_cycle = 68;
  const double a_cycle =
      std::min(instructions_a_cycle / layout.instructions, 0.9 * fp64_a_cycle(gpu) / layout.fp64);
  return a_cycle * gpu.multiprocessors * gpu.clock_ghz * 1e9;
}

}  // namespace countpm::grouped
