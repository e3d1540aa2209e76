#pragma once
// What of `hafnian` runs on a GPU, as the CPU side sees it: residues of blocks none of whose pairs are alike.
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/hafnian/pairing.hpp"

namespace countpm::pair_sets {

/// A block modulo a prime below 2^lanes::prime_bits: entries by entry_index(), in Montgomery form.
struct PrimeEntries {
  std::uint32_t prime;
  std::vector<std::uint32_t> entries;
};

struct DeviceTask {
  Pairing pairing;
  std::vector<PrimeEntries> primes;
};

/// Residues in the order of the task's primes.
template <class Device>
struct PairSetForm {
  static std::unique_ptr<DeviceJob> make(const DeviceTask& task, const GpuInfo& gpu);
};

/// Products of coefficients a second.
double nominal_device_products(const GpuInfo& gpu);

}  // namespace countpm::pair_sets
