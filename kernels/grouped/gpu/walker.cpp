#include "kernels/grouped/gpu/walker.hpp"

#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/grouped/gpu/walker_on.hpp"

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

std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo& gpu, const DeviceWalk& walk) {
  return gpu.emulated ? walker_on<CpuDevice>(gpu, walk) : on_cuda::make_walker(gpu, walk);
}

}  // namespace countpm::grouped
