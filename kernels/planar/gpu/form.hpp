#pragma once
// What of `planar` runs on a GPU, as the CPU side sees it.
#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/planar/gpu/layout.hpp"
#include "kernels/planar/gpu/tuning.hpp"

namespace countpm {

/// What of a planar job goes to a device. The job outlives it.
struct PlanarDeviceTask {
  const PlanarLayout* layout = nullptr;
  const std::vector<mpq_class>* values = nullptr;
  /// Where the values are others modulo each of the moduli: those modulo number k.
  std::function<std::vector<std::uint64_t>(std::size_t k)> residues = {};
  const Arithmetic* arithmetic = nullptr;  // primes below 2^planar_step::prime_bits
  std::uint64_t primes_a_unit = 1;
  int sign = 1;                // of the product of all pivots in the count
  double multiplications = 0;  // a prime
  /// The residue of prime number k by the CPU, which looks for other pivots.
  std::function<std::uint64_t(std::size_t k, const StopSignal& stop)> on_cpu;
  std::size_t most_groups = planar_tuning::most_groups;
};

template <class Device>
struct PlanarForm {
  static std::unique_ptr<DeviceJob> make(const PlanarDeviceTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
