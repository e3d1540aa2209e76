#pragma once
// ryser's jobs on a GPU: a range of units becomes prefixes, and the GPU walks from each
// (subsets/gpu/walker.hpp).
#include <functional>
#include <memory>
#include <string>

#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/subsets/gpu/generated_source.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

/// Why there is no such job: columns have multiplicities, or a power of two and primes beyond 512 bits come
/// together. Empty where there is one.
std::optional<Refusal> ryser_device_obstacle(const IntegerColumns<std::int64_t>& columns,
                                             const SubsetPlan& plan, const Arithmetic& arithmetic);
/// Exact: integer sums in words where their bound allows (up to 512 bits), one walk a prime beyond. Empty
/// where there is an obstacle. O(columns * rows) memory beside the prefixes. `columns` and `plan` must
/// outlive it.
std::unique_ptr<DeviceJob> make_ryser_device_job(const GpuInfo& gpu,
                                                 const IntegerColumns<std::int64_t>& columns,
                                                 const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                 const gray::ForcedPlaces& places = {});
/// Subsets a second on a GPU of which a multiprocessor draws so many row sums into products a clock; an
/// emulated one is slow.
double rate_by_row_sums(const GpuInfo& gpu, Index rows, double sums_a_clock);
/// What ryser's kernels with row sums in registers were measured to draw, at sizes that are built in.
double nominal_sums_a_clock(gray::ExactKind kind);
/// Subsets a second; 0 where make_ryser_device_job has none.
double nominal_ryser_device_rate(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns,
                                 const SubsetPlan& plan, const Arithmetic& arithmetic);

/// A device job in floating point.
template <class Value>
struct FloatingDevicePlan {
  gray::Walk<Value> walk;
  double spread = 0;
  std::uint64_t units = 1;
  double log2_terms = 0;
  /// Calls take(its row sums, whether its terms count negatively) for every prefix of a unit.
  using TakePrefix = std::function<void(const std::vector<Value>& start, bool minus)>;
  std::function<void(std::uint64_t unit, const TakePrefix& take)> for_each_prefix;
  /// From the sum over some prefixes to its share of the permanent.
  std::function<Ball(const gray::FloatingParts<Value>& parts)> share;
};
/// Value: double, DoubleDouble, TripleDouble or a Complex of one of them.
template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo& gpu, FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    const gray::ForcedPlaces& places = {});
/// By a walker that was made for the plan's walk.
template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    std::unique_ptr<gray::FloatingWalker<Value>> walker);
/// Subsets a second.
double nominal_floating_device_rate(const GpuInfo& gpu, Index rows, Precision precision, bool complex,
                                    bool exact_sums);

}  // namespace countpm
