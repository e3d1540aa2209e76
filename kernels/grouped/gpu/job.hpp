#pragma once
// merged's job on a GPU: a range of units becomes prefixes, and the GPU walks from each
// (grouped/gpu/walker.hpp).
#include <memory>

#include "kernels/gpu/device_job.hpp"
#include "kernels/grouped/gpu/layout.hpp"

namespace countpm::grouped {

/// What a job is made of; it must outlive the device job. scale: the product of the divisors.
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
