#pragma once
// What of `hafnian` runs on a GPU, as the CPU side sees it: sums modulo primes, and in doubles or pairs of
// doubles.
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/hafnian/entries.hpp"
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

struct FloatingDeviceTask {
  Pairing pairing;
  FloatingEntries entries;
  mpfr_prec_t bits;  // of the balls
};

/// Balls: beside the sum, the same sets of the entries' magnitudes, in doubles, for the error.
template <class Device>
struct FloatingPairSetForm {
  static std::unique_ptr<DeviceJob> make(const FloatingDeviceTask& task, const GpuInfo& gpu);
};

/// Products of coefficients a second; in floating point with those of the magnitudes beside them.
double nominal_device_products(const GpuInfo& gpu, lanes::Kind kind);

}  // namespace countpm::pair_sets
