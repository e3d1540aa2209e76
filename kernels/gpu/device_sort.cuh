#pragma once
// device_sort.hpp's functions on a GPU. CUB takes long to compile: only files that sort include this.
#include <cub/device/device_radix_sort.cuh>

#include "kernels/gpu/cuda_device.cuh"
#include "kernels/gpu/device_sort.hpp"

namespace countpm {

template <class Key>
std::uint64_t sort_scratch_bytes(const CudaDevice& device, std::uint64_t count) {
  device.use();
  cub::DoubleBuffer<Key> keys(nullptr, nullptr);
  cub::DoubleBuffer<std::uint32_t> numbers(nullptr, nullptr);
  std::size_t bytes = 0;
  check_cuda(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, numbers, count, 0,
                                             static_cast<int>(8 * sizeof(Key)), device.stream()),
             "cub::DeviceRadixSort::SortPairs, asked for its memory");
  return bytes;
}

template <class Key>
unsigned sort_pairs(const CudaDevice& device, const SortBuffers<Key>& buffers, std::uint64_t count,
                    unsigned bits, const CudaDevice::Buffer<unsigned char>& scratch) {
  device.use();
  cub::DoubleBuffer<Key> keys(buffers.keys[0], buffers.keys[1]);
  cub::DoubleBuffer<std::uint32_t> numbers(buffers.numbers[0], buffers.numbers[1]);
  std::size_t bytes = scratch.size();
  check_cuda(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, keys, numbers, count, 0,
                                             static_cast<int>(bits), device.stream()),
             "cub::DeviceRadixSort::SortPairs");
  return static_cast<unsigned>(keys.selector);
}

}  // namespace countpm
