#pragma once
// A kernel that was compiled at run time (runtime_compiler.hpp), on one GPU. By the runtime's own library
// calls, so that nothing is linked to the driver; they came with CUDA 12.8.
#include <cuda_runtime.h>

#include <string>

#include "kernels/gpu/cuda_device.cuh"

namespace countpm {

#if CUDART_VERSION >= 12080

class LoadedKernel {
 public:
  /// The device must outlive it.
  LoadedKernel(const CudaDevice& device, const std::string& cubin, const std::string& name)
      : device_(device) {
    device_.use();
    check_cuda(cudaLibraryLoadData(&library_, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
               "cudaLibraryLoadData");
    check_cuda(cudaLibraryGetKernel(&kernel_, library_, name.c_str()), "cudaLibraryGetKernel");
  }
  ~LoadedKernel() { static_cast<void>(cudaLibraryUnload(library_)); }
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  /// Multiprocessors times the blocks that fit on one. shared_bytes: at most 48 KiB, here and below.
  unsigned blocks(unsigned threads, std::size_t shared_bytes) const {
    if (device_.gpu().grid != 0) return device_.gpu().grid;
    device_.use();
    int resident = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, entry(), static_cast<int>(threads),
                                                             shared_bytes),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(resident < 1 ? 1 : resident) *
           static_cast<unsigned>(device_.gpu().multiprocessors);
  }
  /// Registers a thread, and bytes that did not fit into them.
  cudaFuncAttributes attributes() const {
    device_.use();
    cudaFuncAttributes result{};
    check_cuda(cudaFuncGetAttributes(&result, entry()), "cudaFuncGetAttributes");
    return result;
  }
  template <class... Arguments>
  void launch(unsigned blocks, unsigned threads, std::size_t shared_bytes, Arguments... arguments) const {
    device_.use();
    void* pointers[] = {&arguments...};
    check_cuda(
        cudaLaunchKernel(entry(), dim3(blocks), dim3(threads), pointers, shared_bytes, device_.stream()),
        "a compiled kernel's launch");
  }

 private:
  const void* entry() const { return reinterpret_cast<const void*>(kernel_); }

  const CudaDevice& device_;
  cudaLibrary_t library_ = nullptr;
  cudaKernel_t kernel_ = nullptr;
};

#endif

}  // namespace countpm
