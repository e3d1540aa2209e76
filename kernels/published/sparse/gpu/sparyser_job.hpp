#pragma once
// sparyser's walks as a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/published/sparse/gpu/form.hpp"
#include "kernels/published/sparse/gpu/sparyser_kernel.hpp"
#include "kernels/subsets/gpu/tuning.hpp"

namespace countpm::gray {

template <class Device, class Packed, unsigned W>
class SparyserDeviceWalker : public IntegerWalker {
 public:
  using Kernel = SparyserKernel<Packed, W>;

  SparyserDeviceWalker(const GpuInfo& gpu, const Walk<std::int64_t>& walk)
      : device_(gpu), walk_(walk), layout_(all_rows(walk.rows)) {
    columns_ = device_.upload(layout_.columns(walk_));
    shared_bytes_ = Kernel::shared_bytes(walk_.columns);
    blocks_ = device_.template blocks<Kernel>(shared_bytes_);
    totals_ = device_.template allocate<WideInteger<W>>(warps());
  }

  mpz_class sum(const Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    Kernel kernel;
    choose_walk(kernel, prefixes.size());
    const auto starts = device_.upload(layout_.starts(prefixes));
    const auto minuses = device_.upload(prefixes.minuses);
    const auto still = device_.upload(layout_.marks(rows_without(kernel.walked)));
    device_.clear(totals_);
    kernel.columns = columns_.data();
    kernel.still = still.data();
    kernel.starts = starts.data();
    kernel.minuses = minuses.data();
    kernel.totals = totals_.data();
    const std::uint64_t items = prefixes.size() << kernel.chosen;
    const std::uint64_t round = std::uint64_t{blocks_} * Kernel::threads;
    launch_in_rounds(kernel, items, round, std::ldexp(1.0, static_cast<int>(kernel.walked)), pace_, stop,
                     [&] {
                       device_.launch(kernel, blocks_, shared_bytes_);
                       device_.wait();
                     });
    return sum_as_mpz(device_.download(totals_, warps()));
  }

  std::uint64_t bytes() const override {
    return columns_.size() * sizeof(std::uint32_t) +
           most_prefixes * (Packed::words * sizeof(std::uint32_t) + 1) +
           totals_.size() * sizeof(WideInteger<W>);
  }

 private:
  static std::vector<Index> all_rows(unsigned rows) {
    std::vector<Index> order(rows);
    std::iota(order.begin(), order.end(), Index{0});
    return order;
  }
  std::size_t warps() const { return std::size_t{blocks_} * (Kernel::threads / 32); }

  /// The rows with no entry in the first `walked` columns.
  std::vector<bool> rows_without(unsigned walked) const {
    std::vector<bool> without(walk_.rows, true);
    for (std::size_t k = 0; k < std::size_t{walked} * walk_.rows; ++k) {
      if (walk_.deltas[k] != 0) without[k % walk_.rows] = false;
    }
    return without;
  }

  void choose_walk(Kernel& kernel, std::uint64_t prefixes) const {
    const double threads = static_cast<double>(blocks_) * Kernel::threads;
    const double spare =
        std::floor(std::log2(static_cast<double>(prefixes) / threads)) + static_cast<double>(walk_.columns);
    const double walked = std::clamp(spare, static_cast<double>(least_walked_columns),
                                     static_cast<double>(most_walked_columns));
    kernel.walked = std::min(static_cast<unsigned>(walked), walk_.columns);
    kernel.chosen = walk_.columns - kernel.walked;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Device device_;
  Walk<std::int64_t> walk_;
  PackedLayout<Packed> layout_;
  std::size_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
  Buffer<std::uint32_t> columns_;
  Buffer<WideInteger<W>> totals_;
  LaunchPace pace_{launch_seconds, 1e8};  // by subsets
};

template <class Device>
std::unique_ptr<IntegerWalker> SparyserForm<Device>::make(const Walk<std::int64_t>& walk,
                                                          const PackedForm& form, const GpuInfo& gpu) {
  return with_packed_form(form, [&](auto packed, auto width) -> std::unique_ptr<IntegerWalker> {
    using Packed = typename decltype(packed)::type;
    return std::make_unique<SparyserDeviceWalker<Device, Packed, width.value>>(gpu, walk);
  });
}

}  // namespace countpm::gray
