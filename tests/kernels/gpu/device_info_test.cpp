#include "kernels/gpu/device_info.hpp"

#include <gtest/gtest.h>

namespace countpm {
namespace {

TEST(DeviceInfo, DevicesOrOneReasonForNone) {
  const std::vector<GpuInfo> found = gpus();
  EXPECT_EQ(found.empty(), !gpu_obstacle().empty());
  if (!cuda_built()) {
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(gpu_obstacle(), "built without CUDA");
  }
}

TEST(DeviceInfo, EveryDeviceIsDescribed) {
  const std::vector<GpuInfo> found = gpus();
  if (found.empty()) GTEST_SKIP() << gpu_obstacle();
  for (std::size_t k = 0; k < found.size(); ++k) {
    const GpuInfo& gpu = found[k];
    EXPECT_EQ(gpu.index, static_cast<int>(k));
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_GE(gpu.major, 7);
    EXPECT_GE(gpu.minor, 0);
    EXPECT_GE(gpu.memory_bytes, std::uint64_t{1} << 30);
    EXPECT_GE(gpu.multiprocessors, 1);
    RecordProperty("gpu", gpu.name);
  }
}

}  // namespace
}  // namespace countpm
