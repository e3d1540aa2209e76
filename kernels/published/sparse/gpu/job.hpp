#pragma once
// The jobs of sparyser and skipper on a GPU: a range of units becomes prefixes, and the GPU walks from each
// (published/sparse/gpu/walker.hpp). Both are empty, and their rates 0, where there is an obstacle: where
// packed_form (published/sparse/gpu/layout.hpp) has one, where the GPU has too little shared memory for the
// form, and for skipper where more than 71 inner columns are walked. `columns` and `plan` must outlive the
// jobs.
#include <memory>
#include <string>

#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/published/sparse/gpu/walker.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

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
