#pragma once
// A GPU as kernels and DeviceJobs see it; member for member the CpuDevice of cpu_executor.hpp, which explains
// them. Every runtime call is checked, every launch followed by a look at what it left.
#include <cuda_runtime.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/gpu/cuda_block.cuh"
#include "kernels/gpu/cuda_error.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm {

/// Throws CudaError, or UnableError for too little memory. The runtime forgets the error.
inline void check_cuda(cudaError_t status, const char* call, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  if (status == cudaErrorMemoryAllocation)
    throw UnableError("the GPU has too little free memory", "--device cpu needs none of it");
  throw CudaError(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                  cudaGetErrorString(status));
}

/// The kernel's data travel as its one parameter: in the constant bank, up to 4 KiB, or 32 KiB from CUDA 12.1
/// on.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::blocks_per_multiprocessor)
    run_kernel(const __grid_constant__ Kernel kernel) {
  CudaBlock block;
  kernel(block);
}

struct FreeHostMemory {
  std::size_t size = 0;
  bool locked = false;  // for the GPU
  void operator()(std::byte* memory) const {
    if (locked) static_cast<void>(cudaHostUnregister(memory));
    static_cast<void>(munmap(memory, size));
  }
};

class CudaDevice {
 public:
  template <class T>
  class Buffer {
   public:
    Buffer() = default;
    Buffer(T* memory, std::size_t size, int device) : memory_(memory), size_(size), device_(device) {}
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
      swap(other);
      return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() {
      if (memory_ == nullptr) return;
      // A destructor has nobody to tell; what went wrong here shows at the next call.
      static_cast<void>(cudaSetDevice(device_));
      static_cast<void>(cudaFree(memory_));
    }
    T* data() const { return memory_; }
    std::size_t size() const { return size_; }

   private:
    void swap(Buffer& other) noexcept {
      std::swap(memory_, other.memory_);
      std::swap(size_, other.size_);
      std::swap(device_, other.device_);
    }
    T* memory_ = nullptr;
    std::size_t size_ = 0;
    int device_ = 0;
  };

  explicit CudaDevice(const GpuInfo& gpu) : gpu_(gpu) {
    use();
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  }
  ~CudaDevice() {
    static_cast<void>(cudaSetDevice(gpu_.index));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  const GpuInfo& gpu() const { return gpu_; }

  template <class T>
  Buffer<T> allocate(std::size_t size) const {
    use();
    void* memory = nullptr;
    if (size > 0) check_cuda(cudaMalloc(&memory, size * sizeof(T)), "cudaMalloc");
    return Buffer<T>(static_cast<T*>(memory), size, gpu_.index);
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) const {
    Buffer<T> buffer = allocate<T>(values.size());
    write(buffer, values);
    return buffer;
  }
  template <class T>
  void write(const Buffer<T>& to, const std::vector<T>& values) const {
    use();
    if (values.empty()) return;
    check_cuda(
        cudaMemcpyAsync(to.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream_),
        "cudaMemcpyAsync to the device");
    wait();
  }
  template <class T>
  std::vector<T> download(const Buffer<T>& from, std::size_t size, std::size_t first = 0) const {
    use();
    std::vector<T> values(size);
    if (size == 0) return values;
    check_cuda(cudaMemcpyAsync(values.data(), from.data() + first, size * sizeof(T), cudaMemcpyDeviceToHost,
                               stream_),
               "cudaMemcpyAsync to the host");
    wait();
    return values;
  }
  /// A GPU's own memory it can always read. Peer access is each GPU's own to ask for, once a process.
  bool reads(const CudaDevice& other) const {
    if (!(gpu_.link_bytes_a_second > 0)) return false;
    if (other.gpu_.index == gpu_.index) return true;
    use();
    const cudaError_t status = cudaDeviceEnablePeerAccess(other.gpu_.index, 0);
    if (status == cudaSuccess) return true;
    static_cast<void>(cudaGetLastError());  // the runtime keeps what a call has said
    return status == cudaErrorPeerAccessAlreadyEnabled;
  }
  template <class T>
  void copy_from(const CudaDevice& other, const T* from, T* to, std::size_t size) const {
    use();
    const std::size_t bytes = size * sizeof(T);
    if (other.gpu_.index == gpu_.index) {
      check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_),
                 "cudaMemcpyAsync on the device");
    } else {
      check_cuda(cudaMemcpyPeerAsync(to, gpu_.index, from, other.gpu_.index, bytes, stream_),
                 "cudaMemcpyPeerAsync");
    }
  }
  /// Page-locked, so that copies do not pass through the driver's own memory: huge pages that are locked once
  /// they are there, 6 GB a second, where cudaHostAlloc makes 2 (H200, 2026-11-27).
  class HostBuffer {
   public:
    HostBuffer() = default;
    explicit HostBuffer(std::size_t size) {
      constexpr std::size_t page = 4096;
      void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) refuse();
      memory_ = Memory(static_cast<std::byte*>(memory), FreeHostMemory{size, false});
      static_cast<void>(madvise(memory, size, MADV_HUGEPAGE));
      for (std::size_t at = 0; at < size; at += page) memory_.get()[at] = std::byte{0};
      const cudaError_t status = cudaHostRegister(memory, size, cudaHostRegisterDefault);
      if (status == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());
        refuse();
      }
      check_cuda(status, "cudaHostRegister");
      memory_.get_deleter().locked = true;
    }
    std::byte* data() const { return memory_.get(); }
    std::size_t size() const { return memory_.get_deleter().size; }

   private:
    using Memory = std::unique_ptr<std::byte, FreeHostMemory>;
    [[noreturn]] static void refuse() {
      throw UnableError("the host has too little free memory that can be locked for the GPU",
                        "try a smaller --memory-limit, or --device cpu");
    }
    Memory memory_;
  };
  HostBuffer allocate_on_host(std::size_t bytes) const {
    use();
    return HostBuffer(bytes);
  }
  void copy_from_host(const std::byte* from, std::byte* to, std::size_t bytes) const {
    use();
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_),
               "cudaMemcpyAsync to the device");
  }
  void copy_to_host(const std::byte* from, std::byte* to, std::size_t bytes) const {
    use();
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_),
               "cudaMemcpyAsync to the host");
  }
  using Mark = std::shared_ptr<CUevent_st>;
  Mark mark() const {
    use();
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    Mark made(event, [](cudaEvent_t old) { static_cast<void>(cudaEventDestroy(old)); });
    check_cuda(cudaEventRecord(event, stream_), "cudaEventRecord");
    return made;
  }
  void come_after(const Mark& mark) const {
    if (!mark) return;
    use();
    check_cuda(cudaStreamWaitEvent(stream_, mark.get(), 0), "cudaStreamWaitEvent");
  }

  template <class T>
  void clear(const Buffer<T>& buffer) const {
    use();
    if (buffer.size() == 0) return;
    check_cuda(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream_), "cudaMemsetAsync");
  }

  /// Multiprocessors times the blocks that fit on one.
  template <class Kernel>
  unsigned blocks(std::size_t shared_bytes) const {
    if (gpu_.grid != 0) return gpu_.grid;
    use();
    allow_shared<Kernel>(shared_bytes);
    int resident = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, run_kernel<Kernel>, Kernel::threads,
                                                             shared_bytes),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(resident < 1 ? 1 : resident) * static_cast<unsigned>(gpu_.multiprocessors);
  }
  template <class Kernel>
  void launch(const Kernel& kernel, unsigned blocks, std::size_t shared_bytes) const {
    static_assert(Kernel::threads % 32 == 0 && Kernel::threads <= 1024);
    use();
    allow_shared<Kernel>(shared_bytes);
    run_kernel<<<blocks, Kernel::threads, shared_bytes, stream_>>>(kernel);
    check_cuda(cudaPeekAtLastError(), "a kernel's launch");
  }
  /// Until all that was asked for is done; what went wrong meanwhile is thrown here.
  void wait() const {
    use();
    check_cuda(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  }
  /// For libraries that launch kernels of their own: the stream, after use(), which makes this GPU the
  /// thread's.
  cudaStream_t stream() const { return stream_; }
  void use() const { check_cuda(cudaSetDevice(gpu_.index), "cudaSetDevice"); }

 private:
  /// A block gets more than 48 KiB only where it is asked for.
  template <class Kernel>
  static void allow_shared(std::size_t bytes) {
    constexpr std::size_t without_asking = 48 * 1024;
    if (bytes <= without_asking) return;
    check_cuda(cudaFuncSetAttribute(run_kernel<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)),
               "cudaFuncSetAttribute");
  }

  GpuInfo gpu_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace countpm
