#pragma once
// Philox4x64-10 of Random123, for the CPU and the device alike: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E.
// Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11 (2011).
#include <Random123/philox.h>

#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// Four random numbers of 64 bits.
struct PhiloxBlock {
  std::uint64_t number[4] = {};
};

/// Block number `block` of the stream (seed, stream, substream).
COUNTPM_HD inline PhiloxBlock philox_block(std::uint64_t seed, std::uint64_t stream, std::uint64_t substream,
                                           std::uint64_t block) {
  const r123::Philox4x64 generator;
  const r123::Philox4x64::ctr_type counter{{block, substream, 0, 0}};
  const r123::Philox4x64::ctr_type numbers = generator(counter, {{seed, stream}});
  return {{numbers.v[0], numbers.v[1], numbers.v[2], numbers.v[3]}};
}

}  // namespace countpm
