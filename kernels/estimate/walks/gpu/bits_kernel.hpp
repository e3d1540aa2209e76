#pragma once
// ../bit_walk.hpp by a GPU's threads, a sample each (kernels/gpu/cpu_executor.hpp says how a kernel is
// written).
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"
#include "kernels/estimate/walks/exact_tail.hpp"
#include "kernels/estimate/walks/gpu/warp_tail.hpp"
#include "kernels/estimate/walks/walk.hpp"
#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {

template <unsigned Words>
struct BitWalkKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = Words == 1 ? 6 : 4;

  BitMatrix<Words> matrix;  // its sets in global memory; blocks copy them
  bool least_degree;
  SampleNumbers numbers;
  Scaled* samples;

  static std::size_t shared_bytes(std::uint32_t size) {
    return 2 * std::size_t{size} * sizeof(BitSet<Words>);
  }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const std::uint32_t size = matrix.size;
    auto* rows = block.template shared<BitSet<Words>>();
    BitSet<Words>* columns = rows + size;
    block.each([&](unsigned t) {
      for (std::uint32_t i = t; i < size; i += threads) {
        rows[i] = matrix.rows[i];
        columns[i] = matrix.columns[i];
      }
    });
    block.sync();
    block.each([&](unsigned t) {
      const BitMatrix<Words> near{rows, columns, matrix.degrees, size};
      NoTail none;
      const auto all_threads = static_cast<std::uint64_t>(block.count()) * threads;
      const auto own_first = static_cast<std::uint64_t>(block.index()) * threads + t;
      for (std::uint64_t k = own_first; k < numbers.count; k += all_threads) {
        WalkRandom random(numbers.seed, numbers.stream, numbers.first + k);
        Scaled sample = bit_walk(near, least_degree, random, none);
        sample.exponent += numbers.exponent;
        samples[k] = sample;
      }
    });
  }
};

/// The same with exact tails: a warp walks a sample, all of its lanes alike, and counts the tail side by
/// side.
template <unsigned Words>
struct BitTailKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 6;

  BitMatrix<Words> matrix;  // in global memory
  bool least_degree;
  TailLayout tail;
  std::byte* tails;  // [warp][tail.bytes]
  SampleNumbers numbers;
  Scaled* samples;

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      using Warp = std::remove_reference_t<decltype(warp)>;
      Counted<Warp> counted{WarpTail<Warp>(warp, tail, tails + warp.index() * tail.bytes), matrix, 0};
      for (std::uint64_t k = warp.index(); k < numbers.count; k += warp.count()) {
        WalkRandom random(numbers.seed, numbers.stream, numbers.first + k);
        counted.rows = tail.rows;
        Scaled sample = bit_walk(matrix, least_degree, random, counted);
        sample.exponent += numbers.exponent;
        warp.once([&] { samples[k] = sample; });
      }
    });
  }

 private:
  struct Rest {
    const BitMatrix<Words>& matrix;
    const BitState<Words>& state;
    COUNTPM_HD std::uint32_t size() const { return matrix.size; }
    COUNTPM_HD bool row(std::uint32_t i) const { return state.open.has(i); }
    COUNTPM_HD bool column(std::uint32_t j) const { return state.free.has(j); }
    template <class F>
    COUNTPM_HD void entries(std::uint32_t i, const F& f) const {
      for (std::uint32_t j = 0; j < matrix.size; ++j) {
        if (state.free.has(j) && matrix.rows[i].has(j)) f(j, 1.0);
      }
    }
  };
  template <class Warp>
  struct Counted {
    WarpTail<Warp> tail;
    const BitMatrix<Words>& matrix;
    std::uint32_t rows;
    COUNTPM_HD bool operator()(const BitState<Words>& state, Scaled& rest) {
      if (state.left > rows) return false;
      if (tail.count(Rest{matrix, state}, state.left, rest)) return true;
      rows = rows_of_next_tail(state.left);
      return false;
    }
  };
};

}  // namespace countpm
