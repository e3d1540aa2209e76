#pragma once
// skipper's walks as a template over CudaDevice and CpuDevice.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/arithmetic/to_mpz.hpp"
#include "kernels/published/sparse/gpu/form.hpp"
#include "kernels/published/sparse/gpu/skipper_kernel.hpp"
#include "kernels/published/sparse/gpu/skipper_tuning.hpp"

namespace countpm::gray {

template <class Device, class Packed, unsigned W>
class SkipperDeviceWalker : public SkipWalker {
 public:
  using Kernel = SkipperKernel<Packed, W>;
  static_assert(Kernel::most_positions == most_skip_columns);

  SkipperDeviceWalker(const GpuInfo& gpu, const Walk<std::int64_t>& walk, const SkipCut& cut)
      : device_(gpu), rows_(walk.rows), positions_of_(positions_by_row(walk)), layout_(order_of_rows()) {
    kernel_.positions = walk.columns;
    kernel_.fast = std::min(walk.columns, Kernel::most_fast);
    const std::vector<std::uint32_t> columns = layout_.columns(walk);
    columns_ = device_.upload(columns);
    subsets_ = device_.upload(sums_of_subsets(columns, kernel_.fast));
    row_table_ = device_.upload(row_table());
    kernel_.columns = columns_.data();
    kernel_.subsets = subsets_.data();
    kernel_.rows = row_table_.data();
    shared_bytes_ = Kernel::shared_bytes(walk.columns, kernel_.fast);
    blocks_ = device_.template blocks<Kernel>(shared_bytes_);
    totals_ = device_.template allocate<WideInteger<W>>(warps());
    visits_ = device_.template allocate<std::uint64_t>(warps());
    counters_ = device_.template allocate<std::uint64_t>(2);
    for (auto& list : lists_) list = device_.template allocate<SkipRange>(room());
    kernel_.totals = totals_.data();
    kernel_.visits = visits_.data();
    kernel_.items.next = counters_.data();
    kernel_.items.left_count = counters_.data() + 1;
    kernel_.items.budget = cut.budget != 0 ? cut.budget : skipper_tuning::budget;
    kernel_.items.patience = cut.patience != 0 ? cut.patience : skipper_tuning::patience;
    most_ranges_ = std::exp2(cut.log2_visits) / skipper_tuning::least_visits_a_range;
  }

  mpz_class sum(const Prefixes<std::int64_t>& prefixes, const StopSignal& stop) override {
    const auto starts = device_.upload(layout_.starts(prefixes));
    const auto minuses = device_.upload(prefixes.minuses);
    kernel_.starts = starts.data();
    kernel_.minuses = minuses.data();
    device_.clear(totals_);
    device_.clear(visits_);
    SkipItems& items = kernel_.items;
    items.split = split(prefixes.size());
    const std::uint64_t places = prefixes.size() << items.split;
    items.listed = 0;
    items.first_place = 0;
    while (items.listed > 0 || items.first_place < places) {
      stop.check();
      const std::uint64_t taken =
          std::min(places - items.first_place, wave() - std::min(wave(), items.listed));
      items.count = items.listed + taken;
      items.pieces = static_cast<unsigned>(
          std::clamp<std::uint64_t>(room() / items.count, 1, skipper_tuning::most_pieces));
      items.list = lists_[0].data();
      items.left = lists_[1].data();
      device_.write(counters_, std::vector<std::uint64_t>{0, 0});
      device_.launch(kernel_, blocks_, shared_bytes_);
      items.listed = device_.download(counters_, 1, 1)[0];
      items.first_place += taken;
      std::swap(lists_[0], lists_[1]);
    }
    for (const std::uint64_t seen : device_.download(visits_, warps())) all_visits_ += seen;
    return sum_as_mpz(device_.download(totals_, warps()));
  }

  std::uint64_t visits() const override { return all_visits_; }

  std::uint64_t bytes() const override {
    return (columns_.size() + subsets_.size()) * sizeof(std::uint32_t) + row_table_.size() * sizeof(SkipRow) +
           warps() * (sizeof(WideInteger<W>) + sizeof(std::uint64_t)) + 2 * room() * sizeof(SkipRange) +
           most_prefixes * (Packed::words * sizeof(std::uint32_t) + 1);
  }

 private:
  static std::vector<SkipRow> positions_by_row(const Walk<std::int64_t>& walk) {
    std::vector<SkipRow> result(walk.rows, SkipRow{0, no_position});
    for (std::size_t row = 0; row < walk.rows; ++row) {
      for (unsigned c = walk.columns; c-- > 0;) {
        if (walk.deltas[c * std::size_t{walk.rows} + row] == 0) continue;
        result[row].columns |= std::uint64_t{1} << c;
        result[row].lowest = c;
      }
    }
    return result;
  }
  /// From the highest lowest position down.
  std::vector<Index> order_of_rows() const {
    std::vector<Index> order(rows_);
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return positions_of_[a].lowest > positions_of_[b].lowest; });
    return order;
  }
  std::vector<SkipRow> row_table() const {
    std::vector<SkipRow> table(Kernel::places, SkipRow{0, no_position});
    for (std::size_t row = 0; row < rows_; ++row) table[layout_.places()[row]] = positions_of_[row];
    return table;
  }
  static std::vector<std::uint32_t> sums_of_subsets(const std::vector<std::uint32_t>& columns,
                                                    unsigned fast) {
    std::vector<std::uint32_t> result(std::size_t{Packed::stride} << fast);
    for (std::size_t subset = 1; subset < std::size_t{1} << fast; ++subset) {
      const std::size_t without = subset & (subset - 1);
      const std::size_t column = lowest_bit(static_cast<std::uint64_t>(subset));
      for (std::size_t w = 0; w < Packed::stride; ++w) {
        result[subset * Packed::stride + w] =
            result[without * Packed::stride + w] + columns[column * Packed::stride + w];
      }
    }
    return result;
  }

  std::size_t warps() const { return std::size_t{blocks_} * (Kernel::threads / 32); }
  /// Ranges that a launch begins with; and those that there is room for.
  std::uint64_t wave() const {
    return std::uint64_t{blocks_} * Kernel::threads * skipper_tuning::ranges_a_thread;
  }
  std::uint64_t room() const { return 2 * wave(); }

  /// Pieces of a prefix are a power of two.
  unsigned split(std::uint64_t prefixes) const {
    const double wanted = std::min(most_ranges_, static_cast<double>(wave()));
    unsigned result = 0;
    while (result < kernel_.positions && std::ldexp(static_cast<double>(prefixes), result + 1) <= wanted)
      ++result;
    return result;
  }

  template <class T>
  using Buffer = typename Device::template Buffer<T>;

  Device device_;
  unsigned rows_;
  std::vector<SkipRow> positions_of_;
  PackedLayout<Packed> layout_;
  Kernel kernel_;
  std::size_t shared_bytes_ = 0;
  unsigned blocks_ = 0;
  double most_ranges_ = 1;
  std::uint64_t all_visits_ = 0;
  Buffer<std::uint32_t> columns_;
  Buffer<std::uint32_t> subsets_;
  Buffer<SkipRow> row_table_;
  Buffer<WideInteger<W>> totals_;
  Buffer<std::uint64_t> visits_;
  Buffer<std::uint64_t> counters_;  // items taken, ranges left
  Buffer<SkipRange> lists_[2];      // that are items, that are left
};

template <class Device>
std::unique_ptr<SkipWalker> SkipperForm<Device>::make(const Walk<std::int64_t>& walk, const PackedForm& form,
                                                      const SkipCut& cut, const GpuInfo& gpu) {
  return with_packed_form(form, [&](auto packed, auto width) -> std::unique_ptr<SkipWalker> {
    using Packed = typename decltype(packed)::type;
    return std::make_unique<SkipperDeviceWalker<Device, Packed, width.value>>(gpu, walk, cut);
  });
}

}  // namespace countpm::gray
