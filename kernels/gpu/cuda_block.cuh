#pragma once
// A GPU's blocks and warps as kernels see them: CpuBlock's and CpuWarp's members (cpu_executor.hpp). Compiled
// by NVRTC, too: no headers but those that it is given (kernels/subsets/gpu/embedded_headers.hpp).
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace countpm {

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
  __device__ std::uint32_t running_sum(PerLane<std::uint32_t>& value) const {
    std::uint32_t sum = value[lane_];
#pragma unroll
    for (unsigned up = 1; up < 32; up *= 2) {
      const std::uint32_t before = __shfl_up_sync(~0U, sum, up);
      if (lane_ >= up) sum += before;
    }
    value[lane_] = sum;
    return __shfl_sync(~0U, sum, 31);
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

}  // namespace countpm
