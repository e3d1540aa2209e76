#pragma once
// rasmussen and rasmussen+ on bit sets: 0-1 matrices of up to 64 * Words rows, the whole state in registers.
// The same laws as estimate/walks/walk.hpp (other random numbers go to other choices). Written once for the
// CPU and for CUDA.
//
// The rows' degrees are kept bit by bit: plane p has bit p of every row's degree. Taking a column subtracts
// its rows from all planes at once, and the rows of least degree are those that survive a look at each plane
// from the highest down: O(log(size) * Words) operations a step instead of a look at every row.
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/walks/strata.hpp"

namespace countpm {

template <unsigned Words>
struct BitSet {
  std::uint64_t word[Words] = {};

  COUNTPM_HD unsigned count_with(const BitSet& other) const {
    unsigned count = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < Words; ++w) count += bit_count(word[w] & other.word[w]);
    return count;
  }
  COUNTPM_HD bool empty() const {
    std::uint64_t any = 0;
    COUNTPM_UNROLL
    for (unsigned w = 0; w < Words; ++w) any |= word[w];
    return any == 0;
  }
  COUNTPM_HD bool has(unsigned at) const { return (word[at / 64] >> at % 64 & 1) != 0; }
  COUNTPM_HD void flip(unsigned at) {
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
#ifdef __CUDA_ARCH__
    // A word that is not known to the compiler would put all of them into memory.
#pragma unroll
    for (unsigned w = 0; w < Words; ++w) word[w] ^= at / 64 == w ? bit : 0;
#else
    word[at / 64] ^= bit;
#endif
  }
  /// The member number `which` of this and `other`. Precondition: there is one.
  COUNTPM_HD unsigned member(const BitSet& other, unsigned which) const {
    std::uint64_t both = word[0] & other.word[0];
    unsigned base = 0;
    COUNTPM_UNROLL
    for (unsigned w = 1; w < Words; ++w) {
      const unsigned count = bit_count(both);
      if (base == (w - 1) * 64 && which >= count) {
        which -= count;
        both = word[w] & other.word[w];
        base = w * 64;
      }
    }
    return base + nth_bit(both, which);
  }
};

/// The rows' degrees, bit by bit.
template <unsigned Words>
struct DegreePlanes {
  static constexpr unsigned planes = Words == 1 ? 7 : 8;  // degrees up to 64 * Words
  static_assert(Words <= 2);
  BitSet<Words> plane[planes];

  /// One less for each of `rows`; those of degree 0 have anything then.
  COUNTPM_HD void lower(const BitSet<Words>& rows) {
    BitSet<Words> borrow = rows;
    COUNTPM_UNROLL
    for (unsigned p = 0; p < planes; ++p) {
      COUNTPM_UNROLL
      for (unsigned w = 0; w < Words; ++w) {
        const std::uint64_t before = plane[p].word[w];
        plane[p].word[w] = before ^ borrow.word[w];
        borrow.word[w] &= ~before;
      }
    }
  }
  /// The least degree of the rows, which become those that have it. Precondition: there are some.
  COUNTPM_HD unsigned least(BitSet<Words>& rows) const {
    unsigned degree = 0;
    COUNTPM_UNROLL
    for (unsigned p = planes; p-- > 0;) {
      BitSet<Words> without = rows;
      COUNTPM_UNROLL
      for (unsigned w = 0; w < Words; ++w) without.word[w] &= ~plane[p].word[w];
      const bool all_have = without.empty();
      degree = 2 * degree + (all_have ? 1 : 0);
      COUNTPM_UNROLL
      for (unsigned w = 0; w < Words; ++w) rows.word[w] = all_have ? rows.word[w] : without.word[w];
    }
    return degree;
  }
};

/// A matrix for bit_walk: row i is rows[i], column j is columns[j], degrees those of the whole matrix.
template <unsigned Words>
struct BitMatrix {
  const BitSet<Words>* rows = nullptr;
  const BitSet<Words>* columns = nullptr;
  DegreePlanes<Words> degrees;
  std::uint32_t size = 0;
};

/// What is left of the matrix.
template <unsigned Words>
struct BitState {
  BitSet<Words> open;  // rows
  BitSet<Words> free;  // columns
  std::uint32_t left = 0;
};

template <unsigned Words>
COUNTPM_HD BitState<Words> whole(std::uint32_t size) {
  BitState<Words> state;
  state.left = size;
  for (std::uint32_t i = 0; i < size; ++i) {
    state.open.flip(i);
    state.free.flip(i);
  }
  return state;
}

/// One sample. `tail` as in estimate/walks/walk.hpp. One random number a step: its high half for the row, its
/// low half for the column. O(size * log(size) * Words).
template <unsigned Words, class Random, class Tail>
COUNTPM_HD Scaled bit_walk(const BitMatrix<Words>& matrix, bool least_degree, Random& random, Tail& tail) {
  BitState<Words> state = whole<Words>(matrix.size);
  DegreePlanes<Words> degrees = matrix.degrees;
  Scaled sample;
  for (std::uint32_t next = 0; state.left > 0; ++next, --state.left) {
    Scaled rest;
    if (tail(state, rest)) {
      sample.multiply(rest);
      return sample;
    }
    const std::uint64_t bits = random.next();
    std::uint32_t row = next;
    unsigned degree = 0;
    if (least_degree) {
      BitSet<Words> ties = state.open;
      degree = degrees.least(ties);
      row = ties.member(ties, one_of(random, static_cast<std::uint32_t>(bits >> 32), ties.count_with(ties)));
    } else {
      degree = matrix.rows[row].count_with(state.free);
    }
    if (degree == 0) return {0, 0};
    const unsigned column =
        matrix.rows[row].member(state.free, random.below(static_cast<std::uint32_t>(bits), degree));
    sample.multiply(degree);
    state.open.flip(row);
    state.free.flip(column);
    if (least_degree) degrees.lower(matrix.columns[column]);
  }
  return sample;
}

}  // namespace countpm
