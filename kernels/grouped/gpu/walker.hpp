#pragma once
// merged's walk on one GPU, whatever the shape and the device. Compiles without nvcc.
#include <memory>
#include <vector>

#include "kernels/gpu/device_info.hpp"
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

/// Exact sums over prefixes and all inner columns of the plan, of rows divided by the divisors; prefixes are
/// in the block's rows, undivided. Throws UnableError where the columns do not fit into shared memory.
std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo& gpu, const DeviceWalk& walk);

/// grouped/gpu/launch.cu; without CUDA grouped/gpu/launch_without_cuda.cpp, which throws UnableError.
namespace on_cuda {
std::unique_ptr<gray::IntegerWalker> make_walker(const GpuInfo& gpu, const DeviceWalk& walk);
}

}  // namespace countpm::grouped
