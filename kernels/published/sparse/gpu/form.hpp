#pragma once
// What of `sparyser` and `skipper` runs on a GPU, as the CPU side sees it: walks with packed row sums, and
// the jobs whose units they are.
#include <cstdint>
#include <memory>
#include <optional>

#include "graph/refusal.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/published/sparse/gpu/layout.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm::gray {

/// A walk that passes over subsets.
class SkipWalker : public IntegerWalker {
 public:
  /// Subsets that all sums so far have looked at.
  virtual std::uint64_t visits() const = 0;
};

/// How skipper's ranges are cut; tests force it.
struct SkipCut {
  unsigned budget = 0;      // steps of a warp before it gives up what it has; 0: skipper_tuning
  unsigned patience = 0;    // the same where most of its lanes have ended
  double log2_visits = 20;  // that one sum is expected to have
};

/// What a skipping walk may have: more columns are the caller's to choose.
inline constexpr unsigned most_skip_columns = 63;

/// Whether the kernel's tables fit this GPU.
bool sparyser_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns);
bool skipper_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns);

/// Sums that are exact, or exact modulo 2^(64 form.width) as two's complement: what the form was made for.
template <class Device>
struct SparyserForm {
  static std::unique_ptr<IntegerWalker> make(const Walk<std::int64_t>& walk, const PackedForm& form,
                                             const GpuInfo& gpu);
};
template <class Device>
struct SkipperForm {
  static std::unique_ptr<SkipWalker> make(const Walk<std::int64_t>& walk, const PackedForm& form,
                                          const SkipCut& cut, const GpuInfo& gpu);
};
extern template struct SparyserForm<CudaDevice>;
extern template struct SkipperForm<CudaDevice>;
inline std::unique_ptr<IntegerWalker> make_sparyser_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                           const PackedForm& form) {
  return on_gpu<SparyserForm>(gpu, walk, form);
}
inline std::unique_ptr<SkipWalker> make_skipper_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                       const PackedForm& form, const SkipCut& cut) {
  return on_gpu<SkipperForm>(gpu, walk, form, cut);
}

}  // namespace countpm::gray

namespace countpm {

// Jobs are empty, and their rates 0, where there is an obstacle: where packed_form has one, where the GPU has
// too little shared memory for the form, and for skipper where more than 71 inner columns are walked.
// `columns` and `plan` must outlive the jobs.

/// Empty where there is none.
std::optional<Refusal> sparyser_device_obstacle(const GpuInfo& gpu,
                                                const IntegerColumns<std::int64_t>& columns,
                                                const SubsetPlan& plan, const Arithmetic& arithmetic);
std::optional<Refusal> skipper_device_obstacle(const GpuInfo& gpu,
                                               const IntegerColumns<std::int64_t>& columns,
                                               const SubsetPlan& plan, const Arithmetic& arithmetic);

std::unique_ptr<DeviceJob> make_sparyser_device_job(const GpuInfo& gpu,
                                                    const IntegerColumns<std::int64_t>& columns,
                                                    const SubsetPlan& plan, const Arithmetic& arithmetic);
/// Subsets a second.
double nominal_sparyser_device_rate(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns,
                                    const SubsetPlan& plan, const Arithmetic& arithmetic);

/// log2_visits: of the whole job.
std::unique_ptr<DeviceJob> make_skipper_device_job(const GpuInfo& gpu,
                                                   const IntegerColumns<std::int64_t>& columns,
                                                   const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                   double log2_visits);
/// Visited subsets a second.
double nominal_skipper_device_rate(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns,
                                   const SubsetPlan& plan, const Arithmetic& arithmetic);

}  // namespace countpm
