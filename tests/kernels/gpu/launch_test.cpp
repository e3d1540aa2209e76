// Which device a form is made for, and what is said where there is none.
#include "kernels/gpu/launch.hpp"

#include <gtest/gtest.h>

#include <string>

#include "graph/errors.hpp"

namespace countpm {
namespace {

template <class Device>
struct HalfForm {
  static int make(int number, const GpuInfo& gpu) { return number / 2 + gpu.index; }
};
template <class Device>
struct NoForm : HalfForm<Device> {};

TEST(GpuLaunch, TheEmulatedGpuHasTheFormsThatAreLinked) {
  ASSERT_TRUE(has_emulated_gpu());
  const EmulatedForm<HalfForm> linked;
  EXPECT_EQ(on_gpu<HalfForm>(emulated_gpu(3), 14), 10);
  try {
    on_gpu<NoForm>(emulated_gpu(3), 14);
    FAIL();
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("no emulated GPU"), std::string::npos) << error.what();
  }
}

TEST(GpuLaunch, OthersAreCudasOrRefused) {
  GpuInfo gpu;
  gpu.index = 1;
  const EmulatedForm<HalfForm> linked;  // which is not asked
  if (cuda_built()) {
    EXPECT_EQ(on_gpu<HalfForm>(gpu, 14), 8);
    return;
  }
  try {
    on_gpu<HalfForm>(gpu, 14);
    FAIL();
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("built without CUDA"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace countpm
