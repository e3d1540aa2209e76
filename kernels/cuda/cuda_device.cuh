#pragma once
// A GPU as kernels and DeviceJobs see it; member for member the CpuDevice of cpu_executor.hpp, which explains
// them. Every runtime call is checked, every launch followed by a look at what it left.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/device_info.hpp"

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

/// f applied to each 32-bit word of a value.
template <class T, class F>
__device__ T by_words(const T& value, const F& f) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(unsigned) == 0);
  unsigned words[sizeof(T) / sizeof(unsigned)];
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned& word : words) word = f(word);
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}
/// __shfl_xor_sync for a value of any size.
template <class T>
__device__ T shuffle_xor(const T& value, unsigned mask) {
  if constexpr (sizeof(T) <= 8 && std::is_arithmetic_v<T>) {
    return __shfl_xor_sync(~0U, value, static_cast<int>(mask));
  } else {
    return by_words(value,
                    [mask](unsigned word) { return __shfl_xor_sync(~0U, word, static_cast<int>(mask)); });
  }
}
template <class T>
__device__ T shuffle_from(const T& value, unsigned lane) {
  if constexpr (sizeof(T) <= 8 && std::is_arithmetic_v<T>) {
    return __shfl_sync(~0U, value, static_cast<int>(lane));
  } else {
    return by_words(value, [lane](unsigned word) { return __shfl_sync(~0U, word, static_cast<int>(lane)); });
  }
}

class CudaWarp {
 public:
  template <class T>
  class PerLane {
   public:
    __device__ T& operator[](unsigned) { return value_; }
    __device__ const T& operator[](unsigned) const { return value_; }

   private:
    T value_{};
  };

  __device__ CudaWarp(unsigned lane, std::uint64_t index, std::uint64_t count)
      : lane_(lane), index_(index), count_(count) {}
  __device__ std::uint64_t index() const { return index_; }
  __device__ std::uint64_t count() const { return count_; }

  template <class F>
  __device__ void each(const F& f) const {
    f(lane_);
  }
  template <class F>
  __device__ void each(unsigned count, const F& f) const {
    if (lane_ < count) f(lane_);
  }
  template <class F>
  __device__ void once(const F& f) const {
    if (lane_ == 0) f();
    __syncwarp();
  }
  template <class F>
  __device__ std::uint32_t ballot(const F& f) const {
    return __ballot_sync(~0U, f(lane_));
  }
  template <class F>
  __device__ std::uint32_t ballot(unsigned count, const F& f) const {
    return __ballot_sync(~0U, lane_ < count && f(lane_));
  }
  template <class T>
  __device__ T broadcast(const PerLane<T>& value, unsigned from) const {
    return shuffle_from(value[lane_], from);
  }
  template <class T>
  __device__ PerLane<T> exchange(const PerLane<T>& value, unsigned mask) const {
    PerLane<T> result;
    result[lane_] = shuffle_xor(value[lane_], mask);
    return result;
  }
  template <class T>
  __device__ PerLane<T> from(const PerLane<T>& value, const PerLane<unsigned>& source) const {
    PerLane<T> result;
    result[lane_] = shuffle_from(value[lane_], source[lane_]);
    return result;
  }
  __device__ PerLane<std::uint32_t> same(unsigned count, const PerLane<std::uint32_t>& value) const {
    PerLane<std::uint32_t> lanes;
    lanes[lane_] = __match_any_sync(~0U, lane_ < count ? value[lane_] : ~0U);
    return lanes;
  }
  template <class T, class Join>
  __device__ T reduce(const PerLane<T>& value, const Join& join) const {
    T sum = value[lane_];
#pragma unroll
    for (unsigned mask = 16; mask != 0; mask /= 2) sum = join(sum, shuffle_xor(sum, mask));
    return sum;
  }
  __device__ void sync() const {
    __syncwarp();
  }

 private:
  unsigned lane_;
  std::uint64_t index_;
  std::uint64_t count_;
};

class CudaBlock {
 public:
  using Warp = CudaWarp;

  template <class T>
  class PerThread {
   public:
    __device__ T& operator[](unsigned) { return value_; }
    __device__ const T& operator[](unsigned) const { return value_; }

   private:
    T value_{};
  };

  __device__ unsigned index() const { return blockIdx.x; }
  __device__ unsigned count() const { return gridDim.x; }
  __device__ unsigned threads() const { return blockDim.x; }

  template <class T>
  __device__ PerThread<T> per_thread() const {
    return {};
  }
  template <class F>
  __device__ void each(const F& f) const {
    f(threadIdx.x);
  }
  template <class F>
  __device__ void each_warp(const F& f) const {
    const unsigned warps = blockDim.x / 32;
    CudaWarp warp(threadIdx.x % 32, std::uint64_t{blockIdx.x} * warps + threadIdx.x / 32,
                  std::uint64_t{gridDim.x} * warps);
    f(warp);
  }
  template <class T>
  __device__ T* shared(std::size_t byte = 0) const {
    extern __shared__ __align__(16) unsigned char countpm_shared_memory[];
    return reinterpret_cast<T*>(countpm_shared_memory + byte);
  }
  __device__ void sync() const { __syncthreads(); }
};

/// The kernel's data travel as its one parameter: in the constant bank, up to 4 KiB, or 32 KiB from CUDA 12.1
/// on.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::blocks_per_multiprocessor)
    run_kernel(const __grid_constant__ Kernel kernel) {
  CudaBlock block;
  kernel(block);
}

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
  template <class T>
  void clear(const Buffer<T>& buffer) const {
    use();
    if (buffer.size() == 0) return;
    check_cuda(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream_), "cudaMemsetAsync");
  }

  /// Multiprocessors times the blocks that fit on one.
  template <class Kernel>
  unsigned blocks(std::size_t shared_bytes) const {
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
