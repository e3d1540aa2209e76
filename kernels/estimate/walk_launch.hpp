#pragma once
// Walks on GPUs. Compiles without nvcc.
#include <memory>

#include "kernels/cuda/device_info.hpp"
#include "kernels/estimate/device_sampler.hpp"
#include "kernels/estimate/walk_task.hpp"

namespace countpm {

/// On a GPU of this machine, or on one that is emulated. `task.matrix` may go afterwards. Throws UnableError
/// in a build without CUDA, and where the GPU's memory does not suffice.
std::unique_ptr<DeviceSampler> walks_on_device(const WalkTask& task, const GpuInfo& gpu);

// walk_launch.cu; without CUDA walk_launch_without_cuda.cpp, which throws UnableError.
std::unique_ptr<DeviceSampler> walks_on_gpu(const WalkTask& task, const GpuInfo& gpu);

}  // namespace countpm
