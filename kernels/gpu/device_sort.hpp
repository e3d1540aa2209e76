#pragma once
// Sorting pairs on a device: cub::DeviceRadixSort on a GPU (device_sort.cuh), the standard library's on the
// CPU.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/gpu/cpu_executor.hpp"

namespace countpm {

/// The same pairs in two places: sorting goes back and forth between them.
template <class Key>
struct SortBuffers {
  Key* keys[2] = {nullptr, nullptr};
  std::uint32_t* numbers[2] = {nullptr, nullptr};
};

/// Memory beside the buffers that sort_pairs() needs for `count` pairs, in bytes.
template <class Key>
std::uint64_t sort_scratch_bytes(const CpuDevice& /*device*/, std::uint64_t /*count*/) {
  return 0;
}

/// Sorts the pairs of buffers 0 by the lowest `bits` bits of the keys, and says in which buffers they then
/// are. `scratch`: for sort_scratch_bytes().
template <class Key>
unsigned sort_pairs(const CpuDevice& /*device*/, const SortBuffers<Key>& buffers, std::uint64_t count,
                    unsigned bits, const CpuDevice::Buffer<unsigned char>& /*scratch*/) {
  const Key mask = bits >= 8 * sizeof(Key) ? ~Key{0} : (Key{1} << bits) - 1;
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (buffers.keys[0][a] & mask) < (buffers.keys[0][b] & mask);
  });
  for (std::uint64_t k = 0; k < count; ++k) {
    buffers.keys[1][k] = buffers.keys[0][order[k]];
    buffers.numbers[1][k] = buffers.numbers[0][order[k]];
  }
  return 1;
}

}  // namespace countpm
