#pragma once
// grouped's walk as a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/gpu/device_rounds.hpp"
#include "kernels/grouped/gpu/form.hpp"
#include "kernels/grouped/gpu/kernel.hpp"
#include "kernels/subsets/gpu/tuning.hpp"

namespace countpm::grouped {

/// Columns that a thread walks over: the start of a walk costs about a node.
inline constexpr unsigned most_walked_columns = 8;
/// Fewer, where that gives every thread a walk.
inline constexpr unsigned least_walked_columns = 4;

template <class Device, class Kernel>
class GroupedWalker : public gray::IntegerWalker {
 public:
  GroupedWalker(const GpuInfo& gpu, const DeviceWalk& walk)
      : device_(gpu),
        walk_(walk),
        rows_(static_cast<unsigned>(walk.layout.rows.size())),
        columns_(static_cast<unsigned>(walk.layout.walked.size())),
        shared_bytes_(Kernel::shared_bytes(rows_, columns_)) {
    if (shared_bytes_ > gpu.shared_bytes)
      throw UnableError("the GPU has no room for so many row sums in its shared memory",
                        "--device cpu needs none of it");
    blocks_ = device_.template blocks<Kernel>(shared_bytes_);
    changes_ = device_.upload(walk_.changes);
    totals_ = device_.template allocate<std::uint64_t>(Kernel::Sum::places * threads());
  }

  mpz_class sum(const gray::Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    const auto starts = device_.upload(placed(prefixes));
    const auto minuses = device_.upload(prefixes.minuses);
    device_.clear(totals_);
    Kernel kernel{};
    kernel.rows = rows_;
    kernel.filled = walk_.layout.filled;
    kernel.walked = walked_columns(prefixes.size());
    kernel.chosen = columns_ - kernel.walked;
    kernel.columns = changes_.data();
    kernel.starts = starts.data();
    kernel.minuses = minuses.data();
    kernel.totals = totals_.data();
    const std::uint64_t items = prefixes.size() << kernel.chosen;
    const double terms = std::ldexp(1.0, static_cast<int>(kernel.walked + Kernel::shape.columns()));
    launch_in_rounds(kernel, items, threads(), terms, pace_, stop, [&] {
      device_.launch(kernel, blocks_, shared_bytes_);
      device_.wait();
    });
    return value_of(device_.download(totals_, totals_.size()));
  }

  std::uint64_t bytes() const override {
    return changes_.size() * sizeof(RowChange) + totals_.size() * sizeof(std::uint64_t) +
           gray::most_prefixes * (rows_ * sizeof(std::int32_t) + 1);
  }

 private:
  std::uint64_t threads() const { return std::uint64_t{blocks_} * Kernel::threads; }

  std::vector<std::int32_t> placed(const gray::Prefixes<std::int64_t>& prefixes) const {
    std::vector<std::int32_t> result;
    result.reserve(prefixes.size() * rows_);
    for (std::uint64_t p = 0; p < prefixes.size(); ++p) {
      const std::int64_t* const sums = prefixes.starts.data() + p * walk_.given_rows;
      for (const std::size_t row : walk_.layout.rows) {
        result.push_back(
            row == DeviceLayout::no_row ? 1 : static_cast<std::int32_t>(sums[row] / walk_.divisors[row]));
      }
    }
    return result;
  }
  unsigned walked_columns(std::uint64_t prefixes) const {
    const double spare =
        std::floor(std::log2(static_cast<double>(prefixes) / static_cast<double>(threads()))) + columns_;
    const double walked = std::clamp(spare, static_cast<double>(least_walked_columns),
                                     static_cast<double>(most_walked_columns));
    return std::min(static_cast<unsigned>(walked), columns_);
  }
  /// totals: [place][thread], all places but the last below 2^52.
  mpz_class value_of(const std::vector<std::uint64_t>& totals) const {
    mpz_class sum;
    for (unsigned place = Kernel::Sum::places; place-- > 0;) {
      int128 all = 0;
      for (std::uint64_t t = 0; t < threads(); ++t)
        all += static_cast<std::int64_t>(totals[place * threads() + t]);
      sum <<= digit_bits;
      sum += to_mpz(all);
    }
    return sum;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Device device_;
  DeviceWalk walk_;
  unsigned rows_;
  unsigned columns_;
  std::size_t shared_bytes_;
  unsigned blocks_ = 0;
  Buffer<RowChange> changes_;
  Buffer<std::uint64_t> totals_;
  LaunchPace pace_{gray::launch_seconds, 1e8};  // by subsets
};

/// Of the shape that the layout has, from number `number` on.
template <class Device, unsigned number = 0>
std::unique_ptr<gray::IntegerWalker> walker_of_shape(const DeviceWalk& walk, const GpuInfo& gpu) {
  constexpr Shape shape = shapes[number];
  if constexpr (number + 1 < shape_count) {
    if (!(walk.layout.shape == shape)) return walker_of_shape<Device, number + 1>(walk, gpu);
  }
  using Kernel = GroupedKernel<shape.upper, shape.low_factors, shape.high_factors, shape.split>;
  return std::make_unique<GroupedWalker<Device, Kernel>>(gpu, walk);
}

template <class Device>
std::unique_ptr<gray::IntegerWalker> GroupedForm<Device>::make(const DeviceWalk& walk, const GpuInfo& gpu) {
  return walker_of_shape<Device>(walk, gpu);
}

}  // namespace countpm::grouped
