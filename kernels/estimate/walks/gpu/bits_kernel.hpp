#pragma once
// ../bit_walk.hpp by a GPU's threads, a sample each (kernels/gpu/cpu_executor.hpp says how a kernel is
// written).
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/estimate/walks/bit_walk.hpp"
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

}  // namespace countpm
