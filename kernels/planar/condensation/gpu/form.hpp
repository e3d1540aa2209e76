#pragma once
// What of `condensation` runs on a GPU, as the CPU side sees it: its determinants modulo many primes side by
// side, and its pivots in doubles.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/planar/condensation/dense_form.hpp"

namespace countpm {

/// What of a condensation job goes to a device. The job outlives it.
struct CondensationTask {
  DenseForm form;
  std::vector<std::vector<CondensationEntry>> entries;  // of each term's matrix
  const std::vector<mpq_class>* values = nullptr;       // of all terms
  const Arithmetic* arithmetic = nullptr;               // primes below 2^planar_step::prime_bits
  std::uint64_t primes_a_unit = 1;
  double multiplications = 0;  // of a term, a prime
  /// The count modulo each prime, from the terms' determinants: [terms][primes].
  std::function<std::vector<std::uint64_t>(const std::vector<std::vector<std::uint64_t>>& determinants,
                                           const std::vector<std::uint64_t>& primes)>
      sum;
};

template <class Device>
struct CondensationForm {
  /// Throws UnableError where not fits_device() (layout.hpp).
  static std::unique_ptr<DeviceJob> make(const CondensationTask& task, const GpuInfo& gpu);
};

template <class Device>
struct PivotsForm {
  /// The pivots of a matrix of doubles, as many as there are or, where one is zero, none; values: of each
  /// entry. Throws Stopped, and UnableError where memory does not suffice.
  static std::vector<double> make(const DenseForm& form, const std::vector<CondensationEntry>& entries,
                                  const std::vector<double>& values, const StopSignal& stop,
                                  const GpuInfo& gpu);
};

}  // namespace countpm
