#include <cub/device/device_radix_sort.cuh>

#include <vector>

#include "bench/clock.hpp"
#include "bench/gpu_sort/gpu_sort.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/gpu/cuda_device.cuh"

namespace countpm::bench {
namespace {

struct FillKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  std::uint64_t* keys;
  std::uint64_t count;
  std::uint64_t mask;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t step = std::uint64_t{block.count()} * threads;
      for (std::uint64_t k = std::uint64_t{block.index()} * threads + thread; k < count; k += step) {
        std::uint64_t key = k * 0x9e3779b97f4a7c15ULL;  // splitmix64
        key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ULL;
        key = (key ^ key >> 27) * 0x94d049bb133111ebULL;
        keys[k] = (key ^ key >> 31) & mask;
      }
    });
  }
};

template <class Value>
double seconds_with(const GpuInfo& gpu, std::uint64_t records, unsigned key_bits) {
  const CudaDevice device(gpu);
  CudaDevice::Buffer<std::uint64_t> keys[2];
  CudaDevice::Buffer<Value> values[2];
  for (unsigned k = 0; k < 2; ++k) {
    keys[k] = device.allocate<std::uint64_t>(records);
    values[k] = device.allocate<Value>(records);
  }
  device.clear(values[0]);
  const std::uint64_t mask = key_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << key_bits) - 1;
  std::size_t bytes = 0;
  CudaDevice::Buffer<unsigned char> scratch;
  std::vector<double> seconds;
  for (int turn = -2; turn < 3; ++turn) {  // the first says how much scratch, the second is not measured
    device.launch(FillKernel{keys[0].data(), records, mask}, device.blocks<FillKernel>(0), 0);
    device.wait();
    cub::DoubleBuffer<std::uint64_t> both_keys(keys[0].data(), keys[1].data());
    cub::DoubleBuffer<Value> both_values(values[0].data(), values[1].data());
    const double start = wall_seconds();
    check_cuda(cub::DeviceRadixSort::SortPairs(scratch.data(), bytes, both_keys, both_values, records, 0,
                                               static_cast<int>(key_bits), device.stream()),
               "cub::DeviceRadixSort::SortPairs");
    device.wait();
    if (turn >= 0) seconds.push_back(wall_seconds() - start);
    if (turn == -2) scratch = device.allocate<unsigned char>(bytes);
  }
  return median(seconds);
}

}  // namespace

template <>
double SortForm<CudaDevice>::make(std::uint64_t records, unsigned key_bits, unsigned value_bytes,
                                  const GpuInfo& gpu) {
  return value_bytes <= 8 ? seconds_with<std::uint64_t>(gpu, records, key_bits)
                          : seconds_with<uint128>(gpu, records, key_bits);
}

}  // namespace countpm::bench
