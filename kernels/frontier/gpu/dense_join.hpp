#pragma once
// Whole tables joined on a GPU (dense_layout.hpp says how their bits lie, kernels/gpu/cpu_executor.hpp how a
// kernel is written).
//
// A thread makes one set of the new table. Each shared vertex that is used is used in one of the two tables,
// so the set's value is the sum, over the ways to split these vertices in two, of a value of the scalars
// times one of the runs. How many the scalars use is known. What the two patterns of shared vertices need is
// looked up: where the runs of the one begin, and the place of the other among those with as many ones.
// Neighbouring threads have neighbouring places of the same runs, and the same scalars.
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/frontier/gpu/dense_kernel.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/tuning.hpp"

namespace countpm {

namespace dense_step {

/// The lowest `count` ones of a word that has as many.
COUNTPM_HD inline std::uint32_t lowest_ones(std::uint32_t word, unsigned count) {
  std::uint32_t ones = 0;
  for (; count > 0; --count) {
    ones |= word & (~word + 1);
    word &= word - 1;
  }
  return ones;
}

/// The next subset of `word` with as many ones, from lowest_ones() on; 0 after the last.
COUNTPM_HD inline std::uint32_t next_subset(std::uint32_t subset, std::uint32_t word) {
  if (subset == 0) return 0;
  const std::uint32_t carried = ((subset | ~word) + (subset & (~subset + 1))) & word;
  return carried == 0 ? 0 : carried | lowest_ones(word, bit_count(subset) - bit_count(carried));
}

}  // namespace dense_step

/// Places first .. last - 1 of a table whose bits are put in another order.
template <class Element>
struct DenseReorderKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 4;

  const std::uint64_t* binomials;
  DenseReorder reorder;
  std::uint64_t first;
  std::uint64_t last;
  const Element* from;
  Element* to;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t stride = std::uint64_t{block.count()} * threads;
      const std::uint64_t own = std::uint64_t{block.index()} * threads + thread;
      for (std::uint64_t place = first + own; place < last; place += stride)
        to[place] = from[old_place(place)];
    });
  }

 private:
  COUNTPM_HD std::uint64_t old_place(std::uint64_t place) const {
    std::uint64_t set = dense_step::set_of_rank(binomials, reorder.width, reorder.ones, place);
    std::uint64_t old = 0;
    for (; set != 0; set &= set - 1) old |= std::uint64_t{1} << reorder.old_bit[lowest_bit(set)];
    return dense_step::first_rank(binomials, old, 0, 0);
  }
};

/// What a join looks up of each pattern of shared vertices.
struct DenseLists {
  std::uint64_t* runs = nullptr;     // where the sets of the runs that have it begin
  std::uint32_t* scalars = nullptr;  // its place among the patterns with as many ones
};

struct DenseListsKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 4;

  const std::uint64_t* binomials;
  DenseJoinShape shape;
  DenseLists lists;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t stride = std::uint64_t{block.count()} * threads;
      const std::uint64_t patterns = std::uint64_t{1} << (shape.kept + shape.closing);
      const std::uint64_t own = std::uint64_t{block.index()} * threads + thread;
      for (std::uint64_t pattern = own; pattern < patterns; pattern += stride) {
        const unsigned ones = bit_count(pattern);
        lists.scalars[pattern] = static_cast<std::uint32_t>(dense_step::first_rank(binomials, pattern, 0, 0));
        // Where more are used than the runs have, nobody asks.
        lists.runs[pattern] =
            ones > shape.runs_ones || shape.runs_ones - ones > shape.own_of_runs
                ? 0
                : dense_step::first_rank(binomials, pattern, shape.own_of_runs, shape.runs_ones - ones);
      }
    });
  }
};

/// Places first .. last - 1 of the joined table.
template <class R>
struct DenseJoinKernel {
  static constexpr unsigned threads = frontier_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  using Element = typename R::Element;

  const std::uint64_t* binomials;
  DenseJoinShape shape;
  DenseLists lists;
  std::uint64_t first;
  std::uint64_t last;
  R ring;
  const Element* scalars;
  const Element* runs;
  Element* to;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned thread) {
      const std::uint64_t stride = std::uint64_t{block.count()} * threads;
      const std::uint64_t own = std::uint64_t{block.index()} * threads + thread;
      for (std::uint64_t place = first + own; place < last; place += stride) to[place] = value(place);
    });
  }

 private:
  COUNTPM_HD Element value(std::uint64_t place) const {
    const unsigned shared = shape.kept + shape.closing;
    // What is left of the place is the one within the runs.
    const std::uint64_t high =
        dense_step::high_of_rank(binomials, shape.own_of_runs + shape.kept + shape.own_of_scalars,
                                 shape.own_of_runs, shape.to_ones, place);
    const std::uint64_t own = high >> shape.kept;
    const unsigned own_ones = bit_count(own);
    Element sum = ring.zero();
    if (own_ones > shape.scalars_ones) return sum;
    const unsigned shared_ones = shape.scalars_ones - own_ones;
    const std::uint32_t kept = (std::uint32_t{1} << shape.kept) - 1;
    const std::uint32_t closing = (std::uint32_t{1} << shared) - 1 - kept;
    const std::uint32_t used = ((static_cast<std::uint32_t>(high) ^ shape.shared_rows) & kept) | closing;
    // Rows that nobody uses are free in both. Where a bit is one in the scalars' pattern, of a column used by
    // these or a row used by the runs, it is zero in the other.
    const std::uint32_t unused = shape.shared_rows & ~used;
    const unsigned fixed = bit_count(unused);
    if (fixed > shared_ones || shared_ones - fixed > bit_count(used)) return sum;
    const Element* const of_own = scalars + dense_step::first_rank(binomials, own, shared, shared_ones);
    const Element* const of_place = runs + place;
    std::uint32_t pattern = dense_step::lowest_ones(used, shared_ones - fixed);
    do {
      const Element scalar = of_own[lists.scalars[pattern | unused]];
      const Element run = of_place[lists.runs[(used & ~pattern) | unused]];
      ring.add_to(sum, ring.mul(scalar, run));
      pattern = dense_step::next_subset(pattern, used);
    } while (pattern != 0);
    return sum;
  }
};

}  // namespace countpm
