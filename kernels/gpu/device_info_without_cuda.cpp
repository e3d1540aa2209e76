// device_info.cu's stand-in: part of the build exactly where that is not.
#include "kernels/gpu/device_info.hpp"

namespace countpm {

bool cuda_built() {
  return false;
}

std::vector<GpuInfo> gpus() {
  return {};
}

std::string gpu_obstacle() {
  return "built without CUDA";
}

}  // namespace countpm
