#pragma once
// A sum over classes of equal lines on a GPU: every thread starts from states of its own, its rows' factors
// at hand, and takes the same steps as all others: a copy of a column in or out, and the product of the rows,
// equal ones as powers of one factor.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/subsets/lanes/gpu/layout.hpp"

namespace countpm::class_sums {

/// A class of which items have different numbers of copies in.
struct GivenClass {
  std::uint32_t column;
  std::uint32_t choices;       // copies + 1
  std::uint32_t first_weight;  // of no copies; the next ones follow
};

template <class Lane>
struct ClassSumKernel {
  using Value = typename Lane::Value;
  using Product = typename Lane::Product;
  using Weight = typename Lane::Weight;
  using Total = typename Lane::Total;
  static constexpr unsigned threads = device_threads;
  static constexpr unsigned blocks_per_multiprocessor = 3;

  Lane lane;
  std::uint32_t rows = 0;         // that differ
  std::uint32_t single_rows = 0;  // the first ones, that stand once
  std::uint32_t classes = 0;
  std::uint32_t steps = 0;
  const std::uint32_t* power = nullptr;  // how often each row stands
  const GivenClass* given = nullptr;
  const WalkStep* step = nullptr;
  const Value* start = nullptr;    // of each row, without a copy of a given or walked column
  const Value* columns = nullptr;  // what a copy of each column adds to each row; after the last, zeros
  const Weight* weights = nullptr;
  const Weight* step_weights = nullptr;
  Value* memory = nullptr;  // rows * threads a block; null: in shared memory
  Total* totals = nullptr;  // one a thread, added to
  std::uint64_t first = 0;  // items first .. last - 1
  std::uint64_t last = 0;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    Value* const room = memory == nullptr ? block.template shared<Value>()
                                          : memory + std::uint64_t{block.index()} * rows * threads;
    block.each([&](unsigned thread) {
      const std::uint64_t number = std::uint64_t{block.index()} * threads + thread;
      Total total = totals[number];
      for (std::uint64_t item = first + number; item < last; item += std::uint64_t{block.count()} * threads) {
        const Weight weight = begin(room + thread, item);
        lane.join(total, walk(room + thread), weight);
      }
      totals[number] = total;
    });
  }

 private:
  /// An item's state; its weight.
  COUNTPM_HD Weight begin(Value* own, std::uint64_t item) const {
    for (std::uint32_t r = 0; r < rows; ++r) own[r * threads] = start[r];
    Weight weight = lane.unit_weight();
    for (std::uint32_t k = 0; k < classes; ++k) {
      const GivenClass one = given[k];
      const auto copies = static_cast<std::uint32_t>(item % one.choices);
      item /= one.choices;
      lane.weigh(weight, weights[one.first_weight + copies]);
      if (copies == 0) continue;
      const auto number = lane.number(copies);
      const Value* const column = columns + std::uint64_t{one.column} * rows;
      for (std::uint32_t r = 0; r < rows; ++r) lane.add_copies(own[r * threads], column[r], number);
    }
    return weight;
  }

  COUNTPM_HD Total walk(Value* own) const {
    Total total{};
    for (std::uint32_t s = 0; s < steps; ++s) {
      const WalkStep change = step[s];
      const Value* const column = columns + std::uint64_t{change.column} * rows;
      Product product = lane.one();
      std::uint32_t r = 0;
      for (; r < single_rows; ++r)
        lane.times_factor(product, lane.factor(next(own[r * threads], column[r], change.out)));
      for (; r < rows; ++r)
        times_power(product, lane.factor(next(own[r * threads], column[r], change.out)), power[r]);
      lane.add(total, product, step_weights[s]);
    }
    return total;
  }

  COUNTPM_HD_INLINE Value next(Value& row, const Value& change, std::uint32_t out) const {
    row = lane.changed(row, change, out != 0);
    return row;
  }

  /// exponent >= 1; all threads have the same.
  COUNTPM_HD_INLINE void times_power(Product& product, Product factor, std::uint32_t exponent) const {
    while (true) {
      if (exponent % 2 != 0) lane.times(product, factor);
      exponent /= 2;
      if (exponent == 0) return;
      lane.times(factor, Product(factor));
    }
  }
};

}  // namespace countpm::class_sums
