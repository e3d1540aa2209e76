#pragma once
// Samples by determinants on a GPU, as the CPU side sees it.
#include <memory>

#include "kernels/estimate/determinants/samples.hpp"
#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// What of DeterminantSamples goes to a device.
struct DeterminantTask {
  const DeterminantSamples* samples = nullptr;
  SampleNumbers numbers;  // seed, stream and the matrix' exponent
};

template <class Device>
struct DeterminantsForm {
  /// `task.samples` may go afterwards. Throws UnableError where the GPU's memory does not suffice.
  static std::unique_ptr<DeviceSampler> make(const DeterminantTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
