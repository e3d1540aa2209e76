#pragma once
// Work and rates of jobs that go through all their terms once for each modulus, or once in floating point.
#include <algorithm>
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// How often the terms are gone through: once for each modulus, once in floating point.
inline double passes_of(const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return 1;
  return static_cast<double>(std::max<std::size_t>(arithmetic.moduli.size(), 1));
}

/// Nominal rates of one pass.
struct PassRates {
  double residues;  // modulo one prime
  double floating;
  double mpfr;
};
inline double nominal_rate_of(const Arithmetic& arithmetic, const PassRates& rates) {
  if (arithmetic.kind == Arithmetic::Kind::residues) return rates.residues / passes_of(arithmetic);
  return arithmetic.precision == Precision::mpfr ? rates.mpfr : rates.floating;
}
/// What the meter has seen of all passes, in work units a second.
inline double measured_rate_of(const Arithmetic& arithmetic, const WorkMeter& meter) {
  return std::max(static_cast<double>(meter.done()) / meter.elapsed_seconds() / passes_of(arithmetic), 1.0);
}

/// An element of any of its rings, at the most.
inline std::uint64_t element_bytes(const Arithmetic& arithmetic) {
  return 64 + (arithmetic.kind == Arithmetic::Kind::floating ? 2 * arithmetic.bits / 8 : 0);
}

}  // namespace countpm
