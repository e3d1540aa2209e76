// The tests of the CPU executor on this machine's GPUs; and that what CUDA complains of is told.
#include "kernels/gpu/cuda_device.cuh"

#include <gtest/gtest.h>

#include "tests/kernels/gpu/device_testing.hpp"

namespace countpm {
namespace {

struct TooLarge {
  static constexpr unsigned threads = 32;
  static constexpr unsigned blocks_per_multiprocessor = 1;
  template <class Block>
  COUNTPM_HD void operator()(Block&) const {}
};

template <class Test>
void on_every_gpu(const Test& test) {
  const std::vector<GpuInfo> found = gpus();
  if (found.empty()) GTEST_SKIP() << gpu_obstacle();
  for (const GpuInfo& gpu : found) test(CudaDevice(gpu));
}

TEST(CudaDevice, RunsBlocks) {
  on_every_gpu([](const CudaDevice& device) { testing::expect_sums(device); });
}

TEST(CudaDevice, RunsWarps) {
  on_every_gpu([](const CudaDevice& device) { testing::expect_warps(device); });
}

TEST(CudaDevice, HasMemory) {
  on_every_gpu([](const CudaDevice& device) { testing::expect_buffers(device); });
}

TEST(CudaDevice, SaysWhatCudaSays) {
  on_every_gpu([](const CudaDevice& device) {
    EXPECT_THROW(device.allocate<char>(std::size_t{1} << 50), UnableError);
    try {
      device.launch(TooLarge{}, 1, std::size_t{1} << 24);
      ADD_FAILURE() << "16 MiB of shared memory are more than any block has";
    } catch (const CudaError& error) {
      EXPECT_NE(std::string(error.what()).find("cuda_device.cuh:"), std::string::npos) << error.what();
    }
    // The failure is forgotten: the next launch works.
    testing::expect_warps(device);
  });
}

}  // namespace
}  // namespace countpm
