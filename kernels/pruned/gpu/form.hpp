#pragma once
// What of `pruned` runs on a GPU, as the CPU side sees it.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/pruned/gpu/layout.hpp"

namespace countpm {

/// What of a job goes to a device.
struct PrunedDeviceTask {
  DeviceLayout layout;
  unsigned limbs = 1;                // 1 .. 4, of the sum
  std::vector<std::uint8_t> digits;  // [prefixes][prefix_levels]
  std::size_t prefix_levels = 0;
  std::uint64_t prefixes = 0;  // unit u has the prefixes u, u + units, ...
  std::uint64_t units = 1;
  double log2_visits = 0;    // of the whole job
  std::uint32_t budget = 0;  // DeviceItems::budget, where it is prescribed
  Index rows = 0;
  mpz_class scale = 1;
  Arithmetic arithmetic;
};
inline constexpr unsigned most_device_limbs = 4;

template <class Device>
struct PrunedForm {
  /// Precondition: 1 <= task.limbs <= most_device_limbs.
  static std::unique_ptr<DeviceJob> make(const PrunedDeviceTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
