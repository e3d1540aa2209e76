#pragma once
// Walks on GPUs. Compiles without nvcc.
#include <memory>

#include "kernels/estimate/samples/device_sampler.hpp"
#include "kernels/estimate/walks/walk_task.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// On a GPU of this machine, or on one that is emulated. `task.matrix` may go afterwards. Throws UnableError
/// in a build without CUDA, and where the GPU's memory does not suffice.
std::unique_ptr<DeviceSampler> walks_on_device(const WalkTask& task, const GpuInfo& gpu);

// walk_launch.cu; without CUDA walk_launch_without_cuda.cpp, which throws UnableError.
std::unique_ptr<DeviceSampler> walks_on_gpu(const WalkTask& task, const GpuInfo& gpu);

}  // namespace countpm
