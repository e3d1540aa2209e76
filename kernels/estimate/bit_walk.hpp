#pragma once
// rasmussen and rasmussen+ on bit sets: 0-1 matrices of up to 64 * Words rows, the whole state in registers.
// The same laws as walk.hpp (other random numbers go to other choices).
#include <bit>
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/estimate/scaled.hpp"
#include "kernels/estimate/strata.hpp"

namespace countpm {

template <unsigned Words>
struct BitSet {
  std::uint64_t word[Words] = {};

  COUNTPM_HD unsigned count_with(const BitSet& other) const {
    unsigned count = 0;
    for (unsigned w = 0; w < Words; ++w)
      count += static_cast<unsigned>(std::popcount(word[w] & other.word[w]));
    return count;
  }
  COUNTPM_HD bool has(unsigned at) const { return (word[at / 64] >> at % 64 & 1) != 0; }
  COUNTPM_HD void flip(unsigned at) { word[at / 64] ^= std::uint64_t{1} << at % 64; }
  /// The member number `which` of this and `other`. Precondition: there is one.
  COUNTPM_HD unsigned member(const BitSet& other, unsigned which) const {
    for (unsigned w = 0; w < Words; ++w) {
      std::uint64_t both = word[w] & other.word[w];
      const auto count = static_cast<unsigned>(std::popcount(both));
      if (which >= count) {
        which -= count;
        continue;
      }
      for (; which > 0; --which) both &= both - 1;
      return w * 64 + static_cast<unsigned>(std::countr_zero(both));
    }
    return Words * 64;
  }
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

/// The open row with the fewest free entries, ties at random.
template <unsigned Words, class Random>
COUNTPM_HD std::uint32_t sparsest_row(const BitSet<Words>* rows, const BitState<Words>& state,
                                      Random& random) {
  std::uint32_t least = Words * 64 + 1;
  BitSet<Words> ties;
  std::uint32_t count = 0;
  for (unsigned w = 0; w < Words; ++w) {
    for (std::uint64_t open = state.open.word[w]; open != 0; open &= open - 1) {
      const unsigned row = w * 64 + static_cast<unsigned>(std::countr_zero(open));
      const unsigned degree = rows[row].count_with(state.free);
      if (degree > least) continue;
      if (degree < least) least = degree, ties = {}, count = 0;
      ties.flip(row);
      ++count;
    }
  }
  return ties.member(ties, one_of(random, count));
}

/// One sample; rows[i] is row i. `tail` as in walk.hpp. O(size^2 * Words) at most.
template <unsigned Words, class Random, class Tail>
COUNTPM_HD Scaled bit_walk(const BitSet<Words>* rows, std::uint32_t size, bool least_degree, Random& random,
                           Tail& tail) {
  BitState<Words> state = whole<Words>(size);
  Scaled sample;
  for (std::uint32_t next = 0; state.left > 0; ++next, --state.left) {
    Scaled rest;
    if (tail(state, rest)) {
      sample.multiply(rest);
      return sample;
    }
    const std::uint32_t row = least_degree ? sparsest_row(rows, state, random) : next;
    const unsigned degree = rows[row].count_with(state.free);
    if (degree == 0) return {0, 0};
    const unsigned column =
        rows[row].member(state.free, degree > 1 ? static_cast<unsigned>(random.below(degree)) : 0);
    sample.multiply(degree);
    state.open.flip(row);
    state.free.flip(column);
  }
  return sample;
}

}  // namespace countpm
