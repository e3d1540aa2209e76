#pragma once
// What of `grouped` runs on a GPU, as the CPU side sees it.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/gpu/device_job.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/grouped/gpu/layout.hpp"
#include "kernels/subsets/gpu/walker.hpp"

namespace countpm::grouped {

/// What a kernel of a layout walks over, rows in the layout's order.
struct DeviceWalk {
  DeviceLayout layout;
  std::size_t given_rows = 0;          // of a prefix
  std::vector<std::int64_t> divisors;  // by given row
  std::vector<RowChange> changes;      // [column of layout.walked][row], and one more column, of no change
};

/// The walk of a plan in a layout that was chosen for it.
DeviceWalk walk_of(const DeviceLayout& layout, const IntegerColumns<std::int64_t>& columns,
                   const SubsetPlan& plan, const std::vector<std::int64_t>& divisors);

template <class Device>
struct GroupedForm {
  static std::unique_ptr<gray::IntegerWalker> make(const DeviceWalk& walk, const GpuInfo& gpu);
};
extern template struct GroupedForm<CudaDevice>;
/// Exact sums over prefixes and all inner columns of the plan, of rows divided by the divisors; prefixes are
/// in the block's rows, undivided. Throws UnableError where the columns do not fit into shared memory.
inline std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo& gpu, const DeviceWalk& walk) {
  return on_gpu<GroupedForm>(gpu, walk);
}

/// What a job is made of; columns and plan must outlive the device job. scale: the product of the divisors.
struct DeviceParts {
  const IntegerColumns<std::int64_t>& columns;
  const SubsetPlan& plan;
  const Arithmetic& arithmetic;
  const std::vector<std::int64_t>& divisors;
  const mpz_class& scale;
};
std::unique_ptr<DeviceJob> make_device_job(const GpuInfo& gpu, const DeviceParts& parts,
                                           const DeviceLayout& layout);
/// Subsets a second.
double nominal_device_rate(const GpuInfo& gpu, const DeviceLayout& layout);

}  // namespace countpm::grouped
