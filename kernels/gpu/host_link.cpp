// How fast a GPU copies from and to the host's memory, both ways at once.
#include "kernels/gpu/device_info.hpp"

#ifdef COUNTPM_HAVE_CUDA
#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "graph/clock.hpp"
#endif

namespace countpm {

#ifdef COUNTPM_HAVE_CUDA
namespace {

/// Gives back what the look at the link took.
struct LinkProbe {
  static constexpr std::size_t bytes = std::size_t{1} << 25;
  void* host[2] = {nullptr, nullptr};
  void* device[2] = {nullptr, nullptr};
  cudaStream_t stream[2] = {nullptr, nullptr};

  ~LinkProbe() {
    for (int way = 0; way < 2; ++way) {
      if (stream[way] != nullptr) static_cast<void>(cudaStreamDestroy(stream[way]));
      if (device[way] != nullptr) static_cast<void>(cudaFree(device[way]));
      if (host[way] != nullptr) static_cast<void>(cudaFreeHost(host[way]));
    }
    static_cast<void>(cudaGetLastError());
  }
  bool begin() {
    for (int way = 0; way < 2; ++way) {
      if (cudaHostAlloc(&host[way], bytes, cudaHostAllocDefault) != cudaSuccess ||
          cudaMalloc(&device[way], bytes) != cudaSuccess ||
          cudaStreamCreateWithFlags(&stream[way], cudaStreamNonBlocking) != cudaSuccess)
        return false;
    }
    return true;
  }
  bool copy() const {
    return cudaMemcpyAsync(device[0], host[0], bytes, cudaMemcpyHostToDevice, stream[0]) == cudaSuccess &&
           cudaMemcpyAsync(host[1], device[1], bytes, cudaMemcpyDeviceToHost, stream[1]) == cudaSuccess &&
           cudaStreamSynchronize(stream[0]) == cudaSuccess && cudaStreamSynchronize(stream[1]) == cudaSuccess;
  }
};

/// 0 where the runtime does not let it be seen.
double look_at_link(int device) {
  constexpr int rounds = 4;  // the first warms up; the best counts
  double best = 0;
  if (cudaSetDevice(device) != cudaSuccess) return 0;
  LinkProbe probe;
  if (!probe.begin()) return 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = seconds_now();
    if (!probe.copy()) return 0;
    best = std::max(best, static_cast<double>(LinkProbe::bytes) / std::max(seconds_now() - start, 1e-6));
  }
  return best;
}

double measured_link(int device) {
  static std::mutex mutex;
  static std::map<int, double> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  return known[device] = look_at_link(device);
}

}  // namespace
#endif

GpuInfo with_host_memory(GpuInfo gpu, std::uint64_t bytes, [[maybe_unused]] bool measured) {
  gpu.host_bytes = bytes;
  gpu.host_link_bytes_a_second = pci_bytes_a_second;
#ifdef COUNTPM_HAVE_CUDA
  if (measured && !gpu.emulated) {
    const double rate = measured_link(gpu.index);
    if (rate > 0) gpu.host_link_bytes_a_second = rate;
  }
#endif
  return gpu;
}

}  // namespace countpm
