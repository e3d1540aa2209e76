#include "kernels/gpu/cpu_executor.hpp"

#include <gtest/gtest.h>

#include "tests/kernels/gpu/device_testing.hpp"

namespace countpm {
namespace {

TEST(CpuExecutor, RunsBlocks) {
  testing::expect_sums(CpuDevice(emulated_gpu(0)));
}

TEST(CpuExecutor, RunsWarps) {
  testing::expect_warps(CpuDevice(emulated_gpu(0)));
}

TEST(CpuExecutor, HasMemory) {
  testing::expect_buffers(CpuDevice(emulated_gpu(0)));
}

// What a kernel forgets to write must not be zero by chance.
TEST(CpuExecutor, NewMemoryIsNotZero) {
  const CpuDevice device(emulated_gpu(0));
  const auto buffer = device.allocate<unsigned char>(4);
  EXPECT_EQ(device.download(buffer, 4), std::vector<unsigned char>(4, 0xa5));
}

}  // namespace
}  // namespace countpm
