#pragma once
// grouped on a GPU: every thread walks over 2^walked nodes in Gray-code order; at a node 3 + upper columns
// are left, decided for all rows of a pattern at once. Compiles without nvcc, for the CPU executor.
//
// Rows are of the type of their pattern on the last two columns (00, 01, 10, 11), and are gathered into
// factors: rows of one type whose product is below 2^49; those with a zero in the third column (low) and the
// others (high) each below 2^31. The upper columns are decided in 32-bit integers,
//
//   G'_p(t) = G_{p0}(t) G_{p1}(t + s)     (pattern_tree.hpp)
//
// the third by 64-bit products, which are doubles then, and the last two as in grouped/simd.hpp:
//
//   sum over the four leaves = G00 (G01(0) D(0) - G01(1) D(1)),   D(s) = G10(0) G11(s) - G10(1) G11(s + 1)
//
// Which rows are of which pattern is data: the same loops for all threads.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/grouped/gpu/lane.hpp"
#include "kernels/grouped/gpu/shape.hpp"

namespace countpm::grouped {

/// The rows of a node, in their order: sums in shared memory, `stride` apart.
template <unsigned stride>
class Cursor {
 public:
  /// filled: bit p says whether there are rows of pattern number p, counted over factors, halves and patterns
  /// on the upper columns. direction: 1 where the column comes in, -1 where it goes out.
  COUNTPM_HD Cursor(std::int32_t* sums, const RowChange* column, std::int32_t direction, std::uint64_t filled)
      : sum_(sums), change_(column), direction_(direction), filled_(filled) {}

  /// product[t]: of the rows of a pattern, t of their columns chosen; 1 of none.
  template <unsigned pattern, unsigned values>
  COUNTPM_HD void multiply(std::int32_t (&product)[values]) {
    static_assert(pattern < 64);
    if ((filled_ & std::uint64_t{1} << pattern) == 0) {
      COUNTPM_UNROLL
      for (unsigned t = 0; t < values; ++t) product[t] = 1;
      return;
    }
    Row row = next();
    COUNTPM_UNROLL
    for (unsigned t = 0; t < values; ++t) {
      product[t] = row.sum;
      if (t + 1 < values) row.sum += row.step;
    }
    COUNTPM_NO_UNROLL
    while (row.more) {
      row = next();
      COUNTPM_UNROLL
      for (unsigned t = 0; t < values; ++t) {
        product[t] *= row.sum;
        if (t + 1 < values) row.sum += row.step;
      }
    }
  }

  /// out[branch][t], t = 0 .. ones: the product of half a factor's rows, bit k of `branch` saying whether
  /// upper column k is chosen. pattern: the first one's number.
  template <unsigned upper, unsigned ones, unsigned pattern>
  COUNTPM_HD void decide(std::int32_t (&out)[1U << upper][ones + 1]) {
    if constexpr (upper == 0) {
      multiply<pattern>(out[0]);
    } else {
      constexpr unsigned half = 1U << (upper - 1);
      std::int32_t without[half][ones + 1];
      std::int32_t with[half][ones + 2];
      decide<upper - 1, ones, pattern>(without);
      decide<upper - 1, ones + 1, pattern + half>(with);
      COUNTPM_UNROLL
      for (unsigned branch = 0; branch < half; ++branch) {
        COUNTPM_UNROLL
        for (unsigned t = 0; t <= ones; ++t) {
          out[branch][t] = without[branch][t] * with[branch][t];
          out[branch + half][t] = without[branch][t] * with[branch][t + 1];
        }
      }
    }
  }

 private:
  struct Row {
    std::int32_t sum;
    std::int32_t step;
    bool more;
  };
  /// The next row at this node.
  COUNTPM_HD Row next() {
    const RowChange change = *change_++;
    const Row row{*sum_ + direction_ * change.delta, change.step_and_more >> 2,
                  (change.step_and_more & 2) != 0};
    *sum_ = row.sum;
    sum_ += stride;
    return row;
  }

  std::int32_t* sum_;
  const RowChange* change_;
  std::int32_t direction_;
  std::uint64_t filled_;
};

/// A factor's products; ones: of its type.
template <unsigned upper, unsigned ones>
struct FactorValues {
  std::int32_t low[1U << upper][ones + 1];
  std::int32_t high[1U << upper][ones + 2];

  /// The factor's patterns are numbered from part << upper on.
  template <unsigned part, unsigned stride>
  COUNTPM_HD void read(Cursor<stride>& rows) {
    rows.template decide<upper, ones, part << upper>(low);
    rows.template decide<upper, ones + 1, (part + 1) << upper>(high);
  }
  COUNTPM_HD double value(unsigned branch, unsigned third, unsigned t) const {
    return product_of(low[branch][t], high[branch][t + third]);
  }
};

/// Of a factor of type 11 with two parts of high rows: the low ones times one of them, and the other.
template <unsigned upper>
struct SplitValues {
  std::int32_t mixed[1U << upper][2][3];
  std::int32_t high[1U << upper][4];

  template <unsigned part, unsigned stride>
  COUNTPM_HD void read(Cursor<stride>& rows) {
    std::int32_t low[1U << upper][3];
    rows.template decide<upper, 2, part << upper>(low);
    std::int32_t beside[1U << upper][4];
    rows.template decide<upper, 3, (part + 1) << upper>(beside);
    COUNTPM_UNROLL
    for (unsigned branch = 0; branch < 1U << upper; ++branch) {
      COUNTPM_UNROLL
      for (unsigned third = 0; third < 2; ++third) {
        COUNTPM_UNROLL
        for (unsigned t = 0; t < 3; ++t) mixed[branch][third][t] = low[branch][t] * beside[branch][t + third];
      }
    }
    rows.template decide<upper, 3, (part + 2) << upper>(high);
  }
  COUNTPM_HD double value(unsigned branch, unsigned third, unsigned t) const {
    return product_of(mixed[branch][third][t], high[branch][t + third]);
  }
};

template <unsigned upper, unsigned low_factors, unsigned high_factors, bool split>
struct Node {
  static constexpr unsigned digits = high_factors + 2;  // of the sum but for G00
  using Sum = DigitSum<digits + low_factors - 1>;
  /// To a sum, of one node.
  static constexpr unsigned additions = 2U << upper;

  FactorValues<upper, 0> g00[low_factors];
  FactorValues<upper, 1> g01;
  FactorValues<upper, 1> g10;
  std::conditional_t<split, SplitValues<upper>, FactorValues<upper, 2>> g11[high_factors];

  /// `sign`: 1 or -1, a factor of the first product.
  template <unsigned stride>
  COUNTPM_HD void read(Cursor<stride>& rows, std::int32_t sign) {
    read_low<0>(rows);
    g01.template read<2 * low_factors>(rows);
    g10.template read<2 * low_factors + 2>(rows);
    read_high<0>(rows);
    COUNTPM_UNROLL
    for (unsigned branch = 0; branch < 1U << upper; ++branch) g00[0].low[branch][0] *= sign;
  }
  COUNTPM_HD void add_to(Sum& sum) const {
    COUNTPM_UNROLL
    for (unsigned branch = 0; branch < 1U << upper; ++branch) {
      COUNTPM_UNROLL
      for (unsigned third = 0; third < 2; ++third) add_leaves(sum, branch, third);
    }
  }

 private:
  template <unsigned k, unsigned stride>
  COUNTPM_HD void read_low(Cursor<stride>& rows) {
    g00[k].template read<2 * k>(rows);
    if constexpr (k + 1 < low_factors) read_low<k + 1>(rows);
  }
  template <unsigned k, unsigned stride>
  COUNTPM_HD void read_high(Cursor<stride>& rows) {
    g11[k].template read<2 * low_factors + 4 + (split ? 3 : 2) * k>(rows);
    if constexpr (k + 1 < high_factors) read_high<k + 1>(rows);
  }
  template <unsigned done>
  COUNTPM_HD Number<high_factors> high_product(const Number<done>& product, unsigned branch, unsigned third,
                                               unsigned t) const {
    if constexpr (done == high_factors) {
      return product;
    } else {
      return high_product<done + 1>(scaled(g11[done].value(branch, third, t), product), branch, third, t);
    }
  }
  template <unsigned done, unsigned count>
  COUNTPM_HD void add_low(Sum& sum, const Number<count>& number, unsigned branch, unsigned third) const {
    const double factor = g00[done].value(branch, third, 0);
    if constexpr (done + 1 == low_factors) {
      const bool minus = (bit_count(branch) + third) % 2 != 0;
      sum.add(minus ? -factor : factor, number);
    } else {
      add_low<done + 1>(sum, scaled(factor, number), branch, third);
    }
  }
  COUNTPM_HD void add_leaves(Sum& sum, unsigned branch, unsigned third) const {
    Number<high_factors> g[3];
    COUNTPM_UNROLL
    for (unsigned t = 0; t < 3; ++t)
      g[t] = high_product<1>(Number<1>{{g11[0].value(branch, third, t)}}, branch, third, t);
    const double first = g10.value(branch, third, 0);
    const double second = g10.value(branch, third, 1);
    const auto without = difference(first, g[0], second, g[1]);
    const auto with = difference(first, g[1], second, g[2]);
    add_low<0>(sum, difference(g01.value(branch, third, 0), without, g01.value(branch, third, 1), with),
               branch, third);
  }
};

template <unsigned upper, unsigned low_factors, unsigned high_factors, bool split>
struct GroupedKernel {
  static constexpr Shape shape{upper, low_factors, high_factors, split};
  static_assert(shape.patterns() <= 64);
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 3;
  using NodeNow = Node<upper, low_factors, high_factors, split>;
  using Sum = typename NodeNow::Sum;
  static constexpr unsigned nodes_a_settle = Sum::most_additions / NodeNow::additions;

  unsigned rows = 0;
  std::uint64_t filled = 0;               // of Cursor
  unsigned walked = 0;                    // columns 0 .. walked - 1
  unsigned chosen = 0;                    // by the bits of the item: columns walked .. walked + chosen - 1
  const RowChange* columns = nullptr;     // [column][row], and one more column, of no change
  const std::int32_t* starts = nullptr;   // [prefix][row]: the row sums without any of these columns
  const std::uint8_t* minuses = nullptr;  // [prefix]: whether its terms count negatively
  std::uint64_t first = 0;                // items first .. last - 1: prefix << chosen | chosen columns
  std::uint64_t last = 0;
  std::uint64_t* totals = nullptr;  // [place][thread of the grid], added to

  /// Shared memory: the columns, then the row sums.
  COUNTPM_HD static std::size_t columns_bytes(unsigned rows, unsigned columns) {
    return sizeof(RowChange) * rows * (columns + 1);
  }
  static std::size_t shared_bytes(unsigned rows, unsigned columns) {
    return columns_bytes(rows, columns) + sizeof(std::int32_t) * rows * threads;
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const unsigned entries = rows * (walked + chosen + 1);
    RowChange* const table = block.template shared<RowChange>();
    auto* const sums = block.template shared<std::int32_t>(columns_bytes(rows, walked + chosen));
    block.each([&](unsigned thread) {
      for (unsigned k = thread; k < entries; k += threads) table[k] = columns[k];
    });
    block.sync();
    block.each([&](unsigned thread) {
      const std::uint64_t number = std::uint64_t{block.index()} * threads + thread;
      const std::uint64_t all = std::uint64_t{block.count()} * threads;
      Sum sum;
      COUNTPM_UNROLL
      for (unsigned j = 0; j < Sum::places; ++j) sum.place[j] = totals[j * all + number];
      for (std::uint64_t item = first + number; item < last; item += all)
        walk(sums + thread, table, item, sum);
      COUNTPM_UNROLL
      for (unsigned j = 0; j < Sum::places; ++j) totals[j * all + number] = sum.place[j];
    });
  }

 private:
  COUNTPM_HD void walk(std::int32_t* sums, const RowChange* table, std::uint64_t item, Sum& sum) const {
    const std::uint64_t prefix = item >> chosen;
    const std::uint64_t choice = item & ((std::uint64_t{1} << chosen) - 1);
    const std::int32_t* const start = starts + prefix * rows;
    COUNTPM_NO_UNROLL
    for (unsigned i = 0; i < rows; ++i) {
      std::int32_t value = start[i];
      const RowChange* change = table + walked * rows + i;
      COUNTPM_NO_UNROLL
      for (unsigned c = 0; c < chosen; ++c, change += rows) {
        if ((choice >> c & 1) != 0) value += change->delta;
      }
      sums[i * threads] = value;
    }
    std::int32_t sign = (minuses[prefix] != 0) != (bit_count(choice) % 2 != 0) ? -1 : 1;
    const std::uint32_t nodes = std::uint32_t{1} << walked;
    unsigned unsettled = 0;
    COUNTPM_NO_UNROLL
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const unsigned column = node == 0 ? walked + chosen : lowest_bit(node);
      const std::int32_t direction = node != 0 && (node >> column & 2) != 0 ? -1 : 1;
      Cursor<threads> cursor(sums, table + column * rows, direction, filled);
      NodeNow now;
      now.read(cursor, sign);
      now.add_to(sum);
      sign = -sign;
      if (++unsettled == nodes_a_settle) {
        sum.settle(NodeNow::additions * nodes_a_settle);
        unsettled = 0;
      }
    }
    sum.settle(NodeNow::additions * unsettled);
  }
};

}  // namespace countpm::grouped
