// The devices that the CUDA runtime sees; none in builds without CUDA.
#include "kernels/gpu/device_info.hpp"

#include <mutex>
#include <utility>

#include "kernels/gpu/wake_gpu.hpp"

#ifdef COUNTPM_HAVE_CUDA
#include <cuda_runtime_api.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "graph/errors.hpp"
#endif

namespace countpm {
namespace {

std::function<void()>& preparation() {
  static std::function<void()> prepare;
  return prepare;
}

}  // namespace

void before_driver(std::function<void()> prepare) {
  preparation() = std::move(prepare);
}

void announce_driver() {
  static std::once_flag announced;
  std::call_once(announced, [] {
    if (preparation()) preparation()();
  });
}

#ifdef COUNTPM_HAVE_CUDA
namespace {

// The number of devices, and why there is none.
struct DeviceCount {
  int devices = 0;
  std::string obstacle;
};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// CUDA's own words call a driver that is not there an insufficient one.
std::string obstacle_of(cudaError_t status) {
  int driver = 0;
  if (status != cudaErrorInsufficientDriver || cudaDriverGetVersion(&driver) != cudaSuccess)
    return cudaGetErrorString(status);
  if (driver == 0) return "there is no NVIDIA driver (libcuda.so.1)";
  return "the NVIDIA driver is for CUDA " + version_text(driver) + ", and this program for CUDA " +
         version_text(CUDART_VERSION);
}

DeviceCount count_devices() {
  announce_driver();
  DeviceCount result;
  const cudaError_t status = cudaGetDeviceCount(&result.devices);
  if (status != cudaSuccess) {
    // The runtime remembers the last error; a later launch must not trip over this one.
    static_cast<void>(cudaGetLastError());
    return {0, obstacle_of(status)};
  }
  if (result.devices == 0) result.obstacle = "no CUDA-capable device is detected";
  return result;
}

void require(cudaError_t status, int device) {
  if (status == cudaSuccess) return;
  throw UnableError("GPU " + std::to_string(device) + " does not answer: " + cudaGetErrorString(status),
                    "use --device cpu");
}

/// At which a device reads another's memory: NVLink carries atomic operations, PCI Express none. 0 where the
/// runtime does not say that it can.
double link_rate(int device, int other) {
  int able = 0;
  int atomics = 0;
  if (cudaDeviceCanAccessPeer(&able, device, other) == cudaSuccess && able != 0 &&
      cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, device, other) == cudaSuccess)
    return atomics != 0 ? nvlink_bytes_a_second : pci_bytes_a_second;
  static_cast<void>(cudaGetLastError());
  return 0;
}

}  // namespace

bool cuda_built() {
  return true;
}

std::vector<GpuInfo> gpus() {
  const int devices = count_devices().devices;
  std::vector<GpuInfo> result;
  for (int device = 0; device < devices; ++device) {
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, device), device);
    GpuInfo info;
    info.index = device;
    info.name = properties.name;
    info.major = properties.major;
    info.minor = properties.minor;
    info.memory_bytes = properties.totalGlobalMem;
    info.multiprocessors = properties.multiProcessorCount;
    info.shared_bytes = properties.sharedMemPerBlockOptin;
    int kilohertz = 0;
    require(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device), device);
    info.clock_ghz = kilohertz * 1e-6;
    for (int other = 0; other < devices; ++other) {
      if (other == device) continue;
      const double rate = std::min(link_rate(device, other), link_rate(other, device));
      const bool first = other == (device == 0 ? 1 : 0);
      info.link_bytes_a_second = first ? rate : std::min(info.link_bytes_a_second, rate);
    }
    result.push_back(info);
  }
  return result;
}

std::string gpu_obstacle() {
  return count_devices().obstacle;
}

bool gpus_are_likely() {
  std::error_code ignored;
  return std::filesystem::exists("/dev/nvidiactl", ignored) || std::filesystem::exists("/dev/dxg", ignored);
}

void load_driver() {
  announce_driver();
  int version = 0;
  if (cudaDriverGetVersion(&version) != cudaSuccess) static_cast<void>(cudaGetLastError());
}

void wake_gpu(void (*after_step)()) {
  const int devices = count_devices().devices;
  after_step();
  if (devices == 0) return;
  // The context is this process's, whichever thread makes it.
  if (cudaFree(nullptr) != cudaSuccess) static_cast<void>(cudaGetLastError());
  after_step();
}

#else

bool cuda_built() {
  return false;
}

std::vector<GpuInfo> gpus() {
  return {};
}

std::string gpu_obstacle() {
  return "built without CUDA";
}

bool gpus_are_likely() {
  return false;
}

void load_driver() {}

void wake_gpu(void (*)()) {}

#endif

}  // namespace countpm
