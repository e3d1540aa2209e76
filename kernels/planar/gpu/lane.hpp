#pragma once
// The steps of planar's elimination on a GPU, for the CPU and the device alike: a lane's residues modulo its
// own prime, in Montgomery form of radix 2^32, and dense blocks of them.
//
// Entry e of lane l is the word at 32 e + l, so that the lanes of a warp, which run in step, read whole cache
// lines. A pivot block is inverted as a whole, in the order that a reference elimination has found, and
//   A22 := A22 - (A21 A11^-1) A12
// needs no other division. P. L. Montgomery, Modular multiplication without trial division, Math. Comp. 44
// (1985) 519.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/planar/gpu/tuning.hpp"

namespace countpm::planar_step {

inline constexpr unsigned lanes = 32;
/// Sums of panel_pivots products stay below 2^63, and what is reduced below 8 p below 2^32.
inline constexpr unsigned prime_bits = 29;
static_assert(planar_tuning::panel_pivots <= 32);

/// An odd prime below 2^prime_bits.
struct LanePrime {
  std::uint32_t prime;
  std::uint32_t minus_inverse;  // -1/p modulo 2^32
  std::uint32_t one;            // 2^32 modulo p
};

inline LanePrime lane_prime(std::uint32_t prime) {
  // Newton's iteration for 1/p: p is its own inverse modulo 8, and each round doubles the 3 good bits.
  std::uint32_t inverse = prime;
  for (int round = 0; round < 4; ++round) inverse *= 2 - prime * inverse;
  return {prime, ~inverse + 1, static_cast<std::uint32_t>((std::uint64_t{1} << 32) % prime)};
}

class Ring {
 public:
  COUNTPM_HD_INLINE explicit Ring(const LanePrime& given) : own(given) {}

  COUNTPM_HD_INLINE std::uint32_t one() const { return own.one; }
  COUNTPM_HD_INLINE std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    return once(a + b, own.prime);
  }
  COUNTPM_HD_INLINE std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t difference = a - b;
    return smaller(difference, difference + own.prime);
  }
  COUNTPM_HD_INLINE std::uint32_t negate(std::uint32_t a) const { return a == 0 ? 0 : own.prime - a; }
  COUNTPM_HD_INLINE std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    // a b / 2^32 < p / 8
    return once(lazy_reduce(static_cast<std::uint64_t>(a) * b), own.prime);
  }
  /// sum / 2^32 of up to 32 products: sum / 2^32 < 4 p.
  COUNTPM_HD_INLINE std::uint32_t reduce(std::uint64_t sum) const {
    std::uint32_t value = lazy_reduce(sum);
    value = once(value, own.prime * 4);
    value = once(value, own.prime * 2);
    return once(value, own.prime);
  }
  /// The same of up to 8 products.
  COUNTPM_HD_INLINE std::uint32_t reduce_few(std::uint64_t sum) const {
    return once(lazy_reduce(sum), own.prime);  // sum / 2^32 < p
  }
  /// 1 / a by Fermat's theorem; 0 for 0.
  COUNTPM_HD_INLINE std::uint32_t invert(std::uint32_t a) const {
    if (a == own.one) return a;
    std::uint32_t result = own.one;
    for (std::uint32_t exponent = own.prime - 2; exponent != 0; exponent >>= 1) {
      if (exponent & 1) result = multiply(result, a);
      a = multiply(a, a);
    }
    return result;
  }

 private:
  static COUNTPM_HD_INLINE std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
  /// value modulo `modulus` for value < 2 modulus: where value - modulus wraps around it is the larger one.
  static COUNTPM_HD_INLINE std::uint32_t once(std::uint32_t value, std::uint32_t modulus) {
    return smaller(value, value - modulus);
  }
  /// Below sum / 2^32 + p.
  COUNTPM_HD_INLINE std::uint32_t lazy_reduce(std::uint64_t sum) const {
    const std::uint32_t m = static_cast<std::uint32_t>(sum) * own.minus_inverse;
    return static_cast<std::uint32_t>((sum + static_cast<std::uint64_t>(m) * own.prime) >> 32);
  }

  LanePrime own;
};

/// A dense block of one lane: entry (i, j) is at data[(i stride + j) lanes].
struct LaneBlock {
  std::uint32_t* data;
  std::size_t stride;

  COUNTPM_HD_INLINE std::uint32_t& at(std::size_t i, std::size_t j) const {
    return data[(i * stride + j) * lanes];
  }
  COUNTPM_HD_INLINE LaneBlock from(std::size_t i, std::size_t j) const { return {&at(i, j), stride}; }
};

inline constexpr unsigned tile_rows = planar_tuning::tile_rows;
inline constexpr unsigned tile_columns = planar_tuning::tile_columns;

/// Sums of products, not yet reduced.
struct TileSums {
  std::uint64_t sum[tile_rows][tile_columns];

  COUNTPM_HD_INLINE void clear() {
    COUNTPM_UNROLL
    for (auto& row : sum) {
      COUNTPM_UNROLL
      for (std::uint64_t& entry : row) entry = 0;
    }
  }
  /// += the products of `depth` entries from a[i] on with those from b[j] on, `down` words from each other.
  COUNTPM_HD_INLINE void add(const std::uint32_t* const (&a)[tile_rows],
                             const std::uint32_t* const (&b)[tile_columns], std::size_t down,
                             unsigned depth) {
    for (unsigned t = 0; t < depth; ++t) {
      std::uint32_t factor[tile_columns];
      COUNTPM_UNROLL
      for (unsigned j = 0; j < tile_columns; ++j) factor[j] = b[j][t * down];
      COUNTPM_UNROLL
      for (unsigned i = 0; i < tile_rows; ++i) {
        const std::uint32_t by = a[i][std::size_t{t} * lanes];
        COUNTPM_UNROLL
        for (unsigned j = 0; j < tile_columns; ++j) sum[i][j] += static_cast<std::uint64_t>(by) * factor[j];
      }
    }
  }
  /// target := the sums (`assign`) or target - the sums.
  template <bool assign>
  COUNTPM_HD_INLINE void store(const Ring& ring, const LaneBlock& target, unsigned rows,
                               unsigned columns) const {
    COUNTPM_UNROLL
    for (unsigned i = 0; i < tile_rows; ++i) {
      COUNTPM_UNROLL
      for (unsigned j = 0; j < tile_columns; ++j) {
        if (i >= rows || j >= columns) continue;
        std::uint32_t& entry = target.at(i, j);
        const std::uint32_t product = ring.reduce(sum[i][j]);
        entry = assign ? product : ring.subtract(entry, product);
      }
    }
  }
};

/// target := left right (`assign`) or target - left right, for up to tile_rows rows and tile_columns columns;
/// depth <= panel_pivots.
template <bool assign>
COUNTPM_HD_INLINE void multiply_tile(const Ring& ring, const LaneBlock& target, const LaneBlock& left,
                                     const LaneBlock& right, unsigned rows, unsigned columns,
                                     unsigned depth) {
  const std::uint32_t* a[tile_rows];
  const std::uint32_t* b[tile_columns];
  // Beyond the edge the last row or column is taken once more, and not stored.
  COUNTPM_UNROLL
  for (unsigned i = 0; i < tile_rows; ++i) a[i] = &left.at(i < rows ? i : rows - 1, 0);
  COUNTPM_UNROLL
  for (unsigned j = 0; j < tile_columns; ++j) b[j] = &right.at(0, j < columns ? j : columns - 1);
  TileSums sums;
  sums.clear();
  sums.add(a, b, right.stride * lanes, depth);
  sums.store<assign>(ring, target, rows, columns);
}

/// The same for any number of rows and columns, tile by tile.
template <bool assign>
COUNTPM_HD_INLINE void multiply_block(const Ring& ring, const LaneBlock& target, const LaneBlock& left,
                                      const LaneBlock& right, unsigned rows, unsigned columns,
                                      unsigned depth) {
  for (unsigned i = 0; i < rows; i += tile_rows) {
    for (unsigned j = 0; j < columns; j += tile_columns) {
      multiply_tile<assign>(ring, target.from(i, j), left.from(i, 0), right.from(0, j), rows - i, columns - j,
                            depth);
    }
  }
}

/// Gauss-Jordan steps that turn a block into its inverse, in place. Pivots are (k, k), or where `skew` the
/// blocks of (k, k + 1) for even k, whose inverse is ((0, -1/a), (1/a, 0)), a = block(k, k + 1). A step
/// scales all columns of the pivot's rows, then does all rows; each column, and each row, by itself.
template <bool skew>
class GaussJordan {
 public:
  static constexpr unsigned width = skew ? 2 : 1;  // rows of a pivot

  COUNTPM_HD_INLINE GaussJordan(const Ring& given_ring, const LaneBlock& given_block, unsigned given_size)
      : ring(given_ring), block(given_block), size(given_size) {}

  COUNTPM_HD_INLINE std::uint32_t pivot(unsigned k) const { return block.at(k, k + width - 1); }

  /// inverse: of pivot(k).
  COUNTPM_HD_INLINE void scale_column(unsigned k, std::uint32_t inverse, unsigned j) const {
    if (j - k < width) return;
    std::uint32_t& first = block.at(k, j);
    if constexpr (skew) {
      std::uint32_t& second = block.at(k + 1, j);
      const std::uint32_t upper = ring.negate(ring.multiply(second, inverse));
      second = ring.multiply(first, inverse);
      first = upper;
    } else {
      first = ring.multiply(first, inverse);
    }
  }

  /// After all columns are scaled.
  COUNTPM_HD_INLINE void eliminate_row(unsigned k, std::uint32_t inverse, unsigned i) const {
    if (i - k < width) {
      set_pivot_row(k, inverse, i);
      return;
    }
    const std::uint32_t first = block.at(i, k);
    const std::uint32_t second = skew ? block.at(i, k + width - 1) : 0;
    constexpr unsigned chunk = 4;  // so many loads are under way at once
    for (unsigned j = 0; j < size; j += chunk) {
      std::uint32_t entry[chunk];
      COUNTPM_UNROLL
      for (unsigned c = 0; c < chunk; ++c) {
        const unsigned column = j + c < size ? j + c : size - 1;
        std::uint32_t product = 0;
        if constexpr (skew) {
          product = ring.reduce(static_cast<std::uint64_t>(first) * block.at(k, column) +
                                static_cast<std::uint64_t>(second) * block.at(k + 1, column));
        } else {
          product = ring.multiply(first, block.at(k, column));
        }
        entry[c] = ring.subtract(block.at(i, column), product);
      }
      COUNTPM_UNROLL
      for (unsigned c = 0; c < chunk; ++c) {
        if (j + c < size && j + c - k >= width) block.at(i, j + c) = entry[c];
      }
    }
    if constexpr (skew) {
      block.at(i, k) = ring.negate(ring.multiply(second, inverse));
      block.at(i, k + 1) = ring.multiply(first, inverse);
    } else {
      block.at(i, k) = ring.negate(ring.multiply(first, inverse));
    }
  }

 private:
  COUNTPM_HD_INLINE void set_pivot_row(unsigned k, std::uint32_t inverse, unsigned i) const {
    if constexpr (skew) {
      block.at(i, i == k ? k + 1 : k) = i == k ? ring.negate(inverse) : inverse;
    } else {
      block.at(i, k) = inverse;
    }
  }

  const Ring& ring;
  LaneBlock block;
  unsigned size;
};

/// What an inversion tells beside the inverse.
struct PivotProduct {
  std::uint32_t product;
  bool zero;  // a pivot was zero: the product and the inverse are anything

  COUNTPM_HD_INLINE void take(const Ring& ring, std::uint32_t pivot) {
    product = ring.multiply(product, pivot);
    zero = zero || pivot == 0;
  }
};

/// block := its inverse; product times the determinant (Pfaffian).
template <bool skew>
COUNTPM_HD_INLINE PivotProduct invert_block(const Ring& ring, const LaneBlock& block, unsigned size,
                                            std::uint32_t product) {
  const GaussJordan<skew> steps(ring, block, size);
  PivotProduct result{product, false};
  for (unsigned k = 0; k < size; k += steps.width) {
    const std::uint32_t pivot = steps.pivot(k);
    result.take(ring, pivot);
    const std::uint32_t inverse = ring.invert(pivot);
    for (unsigned j = 0; j < size; ++j) steps.scale_column(k, inverse, j);
    for (unsigned i = 0; i < size; ++i) steps.eliminate_row(k, inverse, i);
  }
  return result;
}

}  // namespace countpm::planar_step
