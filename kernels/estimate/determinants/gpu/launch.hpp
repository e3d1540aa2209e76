#pragma once
// Samples by determinants on GPUs. Compiles without nvcc.
#include <memory>
#include <vector>

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

/// On a GPU of this machine, or on one that is emulated. `task.samples` may go afterwards. Throws UnableError
/// in a build without CUDA, and where the GPU's memory does not suffice.
std::unique_ptr<DeviceSampler> determinants_on_device(const DeterminantTask& task, const GpuInfo& gpu);

// estimate/determinants/gpu/launch.cu; without CUDA estimate/determinants/gpu/launch_without_cuda.cpp, which
// throws UnableError.
std::unique_ptr<DeviceSampler> determinants_on_gpu(const DeterminantTask& task, const GpuInfo& gpu);

}  // namespace countpm
