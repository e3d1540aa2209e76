#pragma once
// Uniform numbers in floating point from 64 random bits.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Uniform in [0, 1), a multiple of 2^-53: the upper 53 bits of `bits`.
COUNTPM_HD inline double unit_interval(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace countpm
