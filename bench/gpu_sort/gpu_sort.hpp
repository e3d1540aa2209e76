#pragma once
// What GPU benchmarks compare themselves with: CUB's radix sort of as many bytes.
#include <cstdint>

#include "kernels/gpu/device_info.hpp"

namespace countpm::bench {

template <class Device>
struct SortForm {
  /// Seconds, the median of three turns after a first, for sorting `records` pairs by the lowest `key_bits`
  /// bits of random 64-bit keys, with values of 8 or 16 bytes. Throws CudaError, UnableError.
  static double make(std::uint64_t records, unsigned key_bits, unsigned value_bytes, const GpuInfo& gpu);
};

}  // namespace countpm::bench
