#pragma once
// Walks on a device, or on the CPU in the device's steps: a template over CudaDevice and CpuDevice.
#include <cstdint>
#include <memory>

#include "kernels/estimate/bethe/gpu/job.hpp"
#include "kernels/estimate/samples/gpu/job.hpp"
#include "kernels/estimate/samples/gpu/stream.hpp"
#include "kernels/estimate/walks/gpu/bits_job.hpp"
#include "kernels/estimate/walks/gpu/form.hpp"
#include "kernels/estimate/walks/gpu/lists_job.hpp"

namespace countpm {

inline SampleNumbers numbers_of(const WalkTask& task) {
  return {task.seed, task.stream, task.matrix->exponent, 0, 0};
}

template <class Device, class Walks>
std::unique_ptr<DeviceSampler> sampler_of(const WalkTask& task, const GpuInfo& gpu) {
  return std::make_unique<SamplerOnDevice<Device, Walks>>(task, numbers_of(task), gpu);
}

template <class Device, bool Weighted>
std::unique_ptr<DeviceSampler> pruned_walks(const WalkTask& task, const GpuInfo& gpu) {
  const std::uint32_t n = task.matrix->rows.rows;
  if (n <= 32) return sampler_of<Device, DevicePrunedBits<Device, 1, Weighted>>(task, gpu);
  if (n <= 64) return sampler_of<Device, DevicePrunedBits<Device, 2, Weighted>>(task, gpu);
  return sampler_of<Device, DevicePrunedBits<Device, 4, Weighted>>(task, gpu);
}

/// The narrowest kernel that takes the walks, or the one that is asked for.
template <class Device>
std::unique_ptr<DeviceSampler> WalksForm<Device>::make(const WalkTask& task, const GpuInfo& gpu) {
  const std::uint32_t n = task.matrix->rows.rows;
  if (task.bethe != nullptr)
    return std::make_unique<StreamedSamples<Device, DeviceBethe<Device>>>(task, numbers_of(task), gpu);
  const bool tails = task.tail.rows > 0;
  if (task.prune && (task.lists || tails || n > most_bit_rows))
    return sampler_of<Device, DeviceLists<Device, true>>(task, gpu);
  if (task.prune) {
    return task.matrix->weight.empty() ? pruned_walks<Device, false>(task, gpu)
                                       : pruned_walks<Device, true>(task, gpu);
  }
  if (task.bits && tails) {
    if (n <= 64) return sampler_of<Device, DeviceBitTails<Device, 1>>(task, gpu);
    return sampler_of<Device, DeviceBitTails<Device, 2>>(task, gpu);
  }
  if (task.bits) {
    if (n <= 64) return sampler_of<Device, DeviceBitWalks<Device, 1>>(task, gpu);
    return sampler_of<Device, DeviceBitWalks<Device, 2>>(task, gpu);
  }
  if (task.settings.scaling && task.matrix->weight.empty() && n <= 64 && !task.lists && !tails) {
    if (n <= 32) return sampler_of<Device, DeviceScaledBits<Device, 1>>(task, gpu);
    return sampler_of<Device, DeviceScaledBits<Device, 2>>(task, gpu);
  }
  return sampler_of<Device, DeviceLists<Device, false>>(task, gpu);
}

}  // namespace countpm
