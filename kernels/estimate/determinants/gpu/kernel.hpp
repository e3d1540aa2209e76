#pragma once
// estimate/determinants/samples.hpp by a GPU's warps or blocks, a sample each (kernels/gpu/cpu_executor.hpp
// says how a kernel is written).
//
// Unit number k of a sample lies at bit k % a_word * bits of random word k / a_word: the threads of a team
// make a Philox block each, into shared memory, and then put entries where they belong.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/philox.hpp"
#include "kernels/estimate/samples/sample_numbers.hpp"
#include "kernels/estimate/walks/random_unit.hpp"
#include "kernels/gpu/elimination_team.hpp"

namespace countpm {

/// What a launch draws from.
struct DeterminantSource {
  const double* root = nullptr;          // of the entries, row by row
  const std::uint32_t* place = nullptr;  // of each in a plane of DensePlanes
  std::uint32_t entries = 0;
  std::uint32_t size = 0;
  double least_square = 0;
};

/// A team's shared memory: random words, choices of pivots; where matrices lie there, too, one and its order.
template <unsigned D, unsigned Threads>
struct DeterminantMemory {
  static constexpr std::uint32_t words = 4 * Threads;
  static constexpr std::size_t choices_at = words * sizeof(std::uint64_t);
  static constexpr std::size_t matrix_at = choices_at + Threads / 32 * sizeof(PivotChoice);

  static COUNTPM_HD std::size_t order_at(std::uint32_t size) {
    return matrix_at + std::size_t{D} * size * DensePlanes<D>::step_of(size) * sizeof(double);
  }
  static COUNTPM_HD std::size_t bytes(std::uint32_t size) {
    return (order_at(size) + size * sizeof(std::uint32_t) + 15) / 16 * 16;
  }
};

/// A random matrix as DeterminantSamples makes it for this sample.
template <unsigned D, class Team>
COUNTPM_HD void fill(const Team& team, const DeterminantSource& source, const SampleNumbers& numbers,
                     std::uint64_t sample, std::uint64_t* words, const DensePlanes<D>& matrix) {
  using Unit = RandomUnit<D>;
  constexpr std::uint32_t a_block = 4 * Unit::a_word;  // units
  constexpr std::uint32_t a_round = Team::threads * a_block;
  team.each([&](unsigned t) {
    for (std::uint32_t at = t; at < D * matrix.plane(); at += Team::threads) matrix.values[at] = 0;
    for (std::uint32_t i = t; i < matrix.size; i += Team::threads) matrix.order[i] = i;
  });
  team.sync();
  for (std::uint32_t base = 0; base < source.entries; base += a_round) {
    team.each([&](unsigned t) {
      const std::uint32_t own = base / a_block + t;
      if (own * a_block >= source.entries) return;
      const PhiloxBlock block = philox_block(numbers.seed, numbers.stream, sample, own);
      COUNTPM_UNROLL
      for (unsigned w = 0; w < 4; ++w) words[4 * t + w] = block.number[w];
    });
    team.sync();
    const std::uint32_t end = base + a_round < source.entries ? base + a_round : source.entries;
    team.each([&](unsigned t) {
      for (std::uint32_t k = base + t; k < end; k += Team::threads) {
        const std::uint32_t at = k - base;
        const Unit unit = Unit::of(words[at / Unit::a_word], at % Unit::a_word * Unit::bits);
        matrix.values[unit.component * matrix.plane() + source.place[k]] =
            unit.negative ? -source.root[k] : source.root[k];
      }
    });
    team.sync();
  }
}

/// The whole sample.
template <unsigned D, class Team>
COUNTPM_HD Scaled determinant_sample(const Team& team, const DeterminantSource& source,
                                     const SampleNumbers& numbers, std::uint64_t sample, std::uint64_t* words,
                                     const DensePlanes<D>& matrix) {
  fill<D>(team, source, numbers, sample, words, matrix);
  Scaled result;
  const TeamElimination<Team, D> elimination(team, matrix, source.least_square);
  if (!elimination.eliminate(0, matrix.size, result)) return {0, 0};
  result.exponent += numbers.exponent;
  return result;
}

/// A warp a sample, in shared memory.
template <unsigned D>
struct DeterminantWarpKernel {
  static constexpr unsigned threads = 64;
  static constexpr unsigned blocks_per_multiprocessor = 8;
  static constexpr unsigned components = D;
  static constexpr unsigned teams = threads / 32;  // of a block
  using Memory = DeterminantMemory<D, 32>;

  DeterminantSource source;
  SampleNumbers numbers;
  Scaled* samples;

  static std::size_t shared_bytes(std::uint32_t size) { return teams * Memory::bytes(size); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each_warp([&](auto& warp) {
      const WarpTeam<std::remove_reference_t<decltype(warp)>> team(warp);
      const std::size_t own = warp.index() % teams * Memory::bytes(source.size);
      const DensePlanes<D> matrix{block.template shared<double>(own + Memory::matrix_at),
                                  block.template shared<std::uint32_t>(own + Memory::order_at(source.size)),
                                  source.size, DensePlanes<D>::step_of(source.size)};
      for (std::uint64_t k = warp.index(); k < numbers.count; k += warp.count()) {
        const Scaled sample = determinant_sample<D>(team, source, numbers, numbers.first + k,
                                                    block.template shared<std::uint64_t>(own), matrix);
        warp.once([&] { samples[k] = sample; });
      }
    });
  }
};

/// A block a sample, in shared memory.
template <unsigned D>
struct DeterminantBlockKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 2;
  static constexpr unsigned components = D;
  static constexpr unsigned teams = 1;
  using Memory = DeterminantMemory<D, threads>;

  DeterminantSource source;
  SampleNumbers numbers;
  Scaled* samples;

  static std::size_t shared_bytes(std::uint32_t size) { return Memory::bytes(size); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const BlockTeam<Block, threads> team(block, block.template shared<PivotChoice>(Memory::choices_at));
    const DensePlanes<D> matrix{block.template shared<double>(Memory::matrix_at),
                                block.template shared<std::uint32_t>(Memory::order_at(source.size)),
                                source.size, DensePlanes<D>::step_of(source.size)};
    for (std::uint64_t k = block.index(); k < numbers.count; k += block.count()) {
      const Scaled sample = determinant_sample<D>(team, source, numbers, numbers.first + k,
                                                  block.template shared<std::uint64_t>(), matrix);
      team.once([&] { samples[k] = sample; });
    }
  }
};

/// A block a sample, in global memory: samples numbers.first .. numbers.first + count - 1, count at most the
/// blocks, all eliminated from column `first` to `end`.
template <unsigned D>
struct DeterminantStepsKernel {
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 2;
  static constexpr unsigned components = D;
  using Memory = DeterminantMemory<D, threads>;

  DeterminantSource source;
  SampleNumbers numbers;
  Scaled* samples;             // so far; zero where a pivot has failed
  double* matrices = nullptr;  // one a block
  std::uint32_t* orders = nullptr;
  std::uint32_t first = 0;
  std::uint32_t end = 0;

  static constexpr std::size_t shared_bytes() { return Memory::matrix_at; }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const std::uint64_t k = block.index();
    if (k >= numbers.count) return;
    const BlockTeam<Block, threads> team(block, block.template shared<PivotChoice>(Memory::choices_at));
    const std::uint32_t step = DensePlanes<D>::step_of(source.size);
    const DensePlanes<D> matrix{matrices + k * D * source.size * step, orders + k * source.size, source.size,
                                step};
    Scaled product;
    product.exponent = numbers.exponent;
    if (first == 0) {
      fill<D>(team, source, numbers, numbers.first + k, block.template shared<std::uint64_t>(), matrix);
    } else {
      product = samples[k];
      block.sync();
    }
    if (product.is_zero()) return;
    const TeamElimination<BlockTeam<Block, threads>, D> elimination(team, matrix, source.least_square);
    if (!elimination.eliminate(first, end, product)) product = {0, 0};
    team.once([&] { samples[k] = product; });
  }
};

}  // namespace countpm
