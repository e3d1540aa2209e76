#pragma once
// What of `enumerate` runs on a GPU, as the CPU side sees it.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"

namespace countpm {

/// What of an enumerate job goes to a device.
struct EnumerateTask {
  unsigned rows = 0;  // at most 20
  std::vector<Modulus> moduli;
  std::vector<std::vector<uint128>> entries;  // [modulus][row * rows + column], elements of its ring
  std::uint64_t units = 1;
  std::optional<std::uint64_t> steps = {};  // of next_permutation after one that comes from its rank
};

template <class Device>
struct EnumerateForm {
  static std::unique_ptr<DeviceJob> make(EnumerateTask task, const GpuInfo& gpu);
};

}  // namespace countpm
