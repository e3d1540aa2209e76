#pragma once
// Runs CUDA kernels on the CPU: what a kernel sees of its block and its warp, and the device that launches
// it.
//
// A kernel is a copyable object, written once, that is called with a block:
//
//   struct Sum {
//     static constexpr unsigned threads = 128;  // of a block; a multiple of 32
//     static constexpr unsigned blocks_per_multiprocessor = 4;
//     const int* values; unsigned count; long* sums;
//     template <class Block> COUNTPM_HD void operator()(Block& block) const {
//       auto own = block.template per_thread<long>();
//       block.each([&](unsigned t) {
//         own[t] = 0;
//         for (unsigned i = block.index() * threads + t; i < count; i += block.count() * threads) own[t] +=
//         values[i];
//       });
//       auto* shared = block.template shared<long>();
//       block.each([&](unsigned t) { shared[t] = own[t]; });
//       block.sync();
//       ...
//
// Outside of each() everything is the same for the whole block; inside, one thread speaks, and reads of
// shared memory that another thread has written come after a sync(). On a GPU each() runs its body once, in
// every thread; here it is a loop. each_warp() does the same for warps: outside of its own each() everything
// is the same for the warp, whose lanes run in step and see one another through ballot() and the like.
//
// CpuDevice and CudaDevice (cuda_device.cuh) have the same members, so that a DeviceJob is a template over
// the device.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "kernels/gpu/device_info.hpp"

namespace countpm {

inline constexpr unsigned warp_lanes = 32;

/// The lanes of a warp, one after another.
class CpuWarp {
 public:
  /// A variable of each lane. T needs a default constructor.
  template <class T>
  class PerLane {
   public:
    T& operator[](unsigned lane) { return value_[lane]; }
    const T& operator[](unsigned lane) const { return value_[lane]; }

   private:
    std::array<T, warp_lanes> value_{};
  };

  CpuWarp(std::uint64_t index, std::uint64_t count) : index_(index), count_(count) {}
  std::uint64_t index() const { return index_; }  // in the grid
  std::uint64_t count() const { return count_; }  // in the grid

  template <class F>
  void each(const F& f) const {
    each(warp_lanes, f);
  }
  /// The first `count` lanes only.
  template <class F>
  void each(unsigned count, const F& f) const {
    for (unsigned lane = 0; lane < count; ++lane) f(lane);
  }
  /// One lane only.
  template <class F>
  void once(const F& f) const {
    f();
  }
  /// Bit l: f(l), asked of every lane.
  template <class F>
  std::uint32_t ballot(const F& f) const {
    return ballot(warp_lanes, f);
  }
  /// The same of the first `count` lanes; the others' bits are 0.
  template <class F>
  std::uint32_t ballot(unsigned count, const F& f) const {
    std::uint32_t bits = 0;
    for (unsigned lane = 0; lane < count; ++lane) bits |= (f(lane) ? std::uint32_t{1} : 0) << lane;
    return bits;
  }
  /// Lane `from`'s value, told to all.
  template <class T>
  T broadcast(const PerLane<T>& value, unsigned from) const {
    return value[from];
  }
  /// Lane l gets what lane l xor mask has.
  template <class T>
  PerLane<T> exchange(const PerLane<T>& value, unsigned mask) const {
    PerLane<T> result;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) result[lane] = value[lane ^ mask];
    return result;
  }
  /// Lane l gets what lane source[l] has.
  template <class T>
  PerLane<T> from(const PerLane<T>& value, const PerLane<unsigned>& source) const {
    PerLane<T> result;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) result[lane] = value[source[lane]];
    return result;
  }
  /// For the first `count` lanes: which of them have the same value as lane l; anything where that is ~0.
  PerLane<std::uint32_t> same(unsigned count, const PerLane<std::uint32_t>& value) const {
    // The lane that met a value first, by a hash of it, gathers its lanes.
    constexpr unsigned places = 2 * warp_lanes;
    std::array<std::uint8_t, places> first_at;
    first_at.fill(warp_lanes);
    std::array<std::uint8_t, warp_lanes> leader;
    PerLane<std::uint32_t> lanes;
    for (unsigned lane = 0; lane < count; ++lane) {
      if (value[lane] == ~std::uint32_t{0}) continue;
      unsigned place = value[lane] * 0x9e3779b9U / (~0U / places + 1);
      while (first_at[place] != warp_lanes && value[first_at[place]] != value[lane])
        place = (place + 1) % places;
      if (first_at[place] == warp_lanes) first_at[place] = static_cast<std::uint8_t>(lane);
      leader[lane] = first_at[place];
      lanes[leader[lane]] |= std::uint32_t{1} << lane;
    }
    for (unsigned lane = 0; lane < count; ++lane) {
      if (value[lane] != ~std::uint32_t{0}) lanes[lane] = lanes[leader[lane]];
    }
    return lanes;
  }
  /// All lanes' values joined by an associative and commutative operation, told to all.
  template <class T, class Join>
  T reduce(const PerLane<T>& value, const Join& join) const {
    // The pairs of the GPU's butterfly, so that rounding is the same too.
    PerLane<T> sum = value;
    for (unsigned mask = warp_lanes / 2; mask != 0; mask /= 2) {
      const PerLane<T> other = exchange(sum, mask);
      for (unsigned lane = 0; lane < warp_lanes; ++lane) sum[lane] = join(sum[lane], other[lane]);
    }
    return sum[0];
  }
  /// Lane l gets the sum of what the lanes up to it have; that of all lanes is told.
  std::uint32_t running_sum(PerLane<std::uint32_t>& value) const {
    for (unsigned lane = 1; lane < warp_lanes; ++lane) value[lane] += value[lane - 1];
    return value[warp_lanes - 1];
  }
  /// Orders what lanes write to shared or global memory before what other lanes read.
  void sync() const {}

 private:
  std::uint64_t index_;
  std::uint64_t count_;
};

/// The threads of a block, one after another.
class CpuBlock {
 public:
  using Warp = CpuWarp;

  /// A variable of each thread. T needs a default constructor.
  template <class T>
  class PerThread {
   public:
    explicit PerThread(unsigned threads) : value_(threads) {}
    T& operator[](unsigned thread) { return value_[thread]; }
    const T& operator[](unsigned thread) const { return value_[thread]; }

   private:
    std::vector<T> value_;
  };

  CpuBlock(unsigned index, unsigned count, unsigned threads, std::byte* shared)
      : index_(index), count_(count), threads_(threads), shared_(shared) {}
  unsigned index() const { return index_; }
  unsigned count() const { return count_; }  // in the grid
  unsigned threads() const { return threads_; }

  template <class T>
  PerThread<T> per_thread() const {
    return PerThread<T>(threads_);
  }
  template <class F>
  void each(const F& f) const {
    for (unsigned thread = 0; thread < threads_; ++thread) f(thread);
  }
  template <class F>
  void each_warp(const F& f) const {
    const unsigned warps = threads_ / warp_lanes;
    for (unsigned w = 0; w < warps; ++w) {
      CpuWarp warp(std::uint64_t{index_} * warps + w, std::uint64_t{count_} * warps);
      f(warp);
    }
  }
  /// The block's shared memory, `byte` bytes on; what it holds at first is anything.
  template <class T>
  T* shared(std::size_t byte = 0) const {
    return reinterpret_cast<T*>(shared_ + byte);
  }
  void sync() const {}

 private:
  unsigned index_;
  unsigned count_;
  unsigned threads_;
  std::byte* shared_;
};

/// A GPU of two blocks at a time that is the calling thread.
class CpuDevice {
 public:
  template <class T>
  class Buffer {
   public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : memory_(new T[size]), size_(size) {
      // cppcheck-suppress memsetClassFloat ; what it holds is to be anything
      std::memset(static_cast<void*>(memory_.get()), poison, size * sizeof(T));
    }
    T* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }

   private:
    std::unique_ptr<T[]> memory_;
    std::size_t size_ = 0;
  };

  explicit CpuDevice(const GpuInfo& gpu) : gpu_(gpu) {}
  const GpuInfo& gpu() const { return gpu_; }

  /// Memory of `size` Ts that hold anything.
  template <class T>
  Buffer<T> allocate(std::size_t size) const {
    return Buffer<T>(size);
  }
  template <class T>
  Buffer<T> upload(const std::vector<T>& values) const {
    Buffer<T> buffer(values.size());
    std::copy(values.begin(), values.end(), buffer.data());
    return buffer;
  }
  template <class T>
  void write(const Buffer<T>& to, const std::vector<T>& values) const {
    std::copy(values.begin(), values.end(), to.data());
  }
  /// `size` of them, from number `first` on.
  template <class T>
  std::vector<T> download(const Buffer<T>& from, std::size_t size, std::size_t first = 0) const {
    return std::vector<T>(from.data() + first, from.data() + first + size);
  }
  /// Whether kernels of this device read the other's memory from now on. What it does not read is copied,
  /// when what was asked of this device before is done; the other's values are to stay until that is done.
  bool reads(const CpuDevice& /*other*/) const { return gpu_.link_bytes_a_second > 0; }
  template <class T>
  void copy_from(const CpuDevice& /*other*/, const T* from, T* to, std::size_t size) const {
    std::copy(from, from + size, to);
  }
  /// Of the host's memory, which the device copies from and to beside what it computes.
  using HostBuffer = Buffer<std::byte>;
  HostBuffer allocate_on_host(std::size_t bytes) const { return HostBuffer(bytes); }
  /// Return before the bytes are there, perhaps; from and to stay as they are until wait() or a mark.
  void copy_from_host(const std::byte* from, std::byte* to, std::size_t bytes) const {
    std::copy(from, from + bytes, to);
  }
  void copy_to_host(const std::byte* from, std::byte* to, std::size_t bytes) const {
    std::copy(from, from + bytes, to);
  }
  /// What was asked of a device until now. Another one that comes after it begins what it is asked then only
  /// when that is done; two devices may be one GPU, which does two things at a time.
  struct Mark {};
  Mark mark() const { return {}; }
  void come_after(const Mark& /*mark*/) const {}

  template <class T>
  void clear(const Buffer<T>& buffer) const {
    std::memset(static_cast<void*>(buffer.data()), 0, buffer.size() * sizeof(T));
  }

  /// The blocks that fill the device.
  template <class Kernel>
  unsigned blocks(std::size_t /*shared_bytes*/) const {
    return gpu_.grid != 0 ? gpu_.grid : 2;
  }
  /// Returns before the kernel has run, perhaps; wait() does not.
  template <class Kernel>
  void launch(const Kernel& kernel, unsigned blocks, std::size_t shared_bytes) const {
    static_assert(Kernel::threads % warp_lanes == 0 && Kernel::threads <= 1024);
    // As a GPU would, which gives 48 KiB without being asked.
    constexpr std::size_t without_asking = 48 * 1024;
    if (shared_bytes > without_asking && shared_bytes > gpu_.shared_bytes)
      throw std::logic_error("a block asks for more shared memory than there is");
    std::vector<std::max_align_t> shared(shared_bytes / sizeof(std::max_align_t) + 1);
    for (unsigned index = 0; index < blocks; ++index) {
      std::memset(static_cast<void*>(shared.data()), poison, shared.size() * sizeof(std::max_align_t));
      CpuBlock block(index, blocks, Kernel::threads, reinterpret_cast<std::byte*>(shared.data()));
      kernel(block);
    }
  }
  void wait() const {}

 private:
  static constexpr int poison = 0xa5;
  GpuInfo gpu_;
};

}  // namespace countpm
