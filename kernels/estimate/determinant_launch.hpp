#pragma once
// Samples by determinants on GPUs. Compiles without nvcc.
#include <memory>
#include <vector>

#include "kernels/cuda/device_info.hpp"
#include "kernels/estimate/determinant_samples.hpp"
#include "kernels/estimate/device_sampler.hpp"
#include "kernels/estimate/sample_numbers.hpp"

namespace countpm {

/// What of DeterminantSamples goes to a device.
struct DeterminantTask {
  const DeterminantSamples* samples = nullptr;
  SampleNumbers numbers;  // seed, stream and the matrix' exponent
};

/// On a GPU of this machine, or on one that is emulated. `task.samples` may go afterwards. Throws UnableError
/// in a build without CUDA, and where the GPU's memory does not suffice.
std::unique_ptr<DeviceSampler> determinants_on_device(const DeterminantTask& task, const GpuInfo& gpu);

// determinant_launch.cu; without CUDA determinant_launch_without_cuda.cpp, which throws UnableError.
std::unique_ptr<DeviceSampler> determinants_on_gpu(const DeterminantTask& task, const GpuInfo& gpu);

}  // namespace countpm
