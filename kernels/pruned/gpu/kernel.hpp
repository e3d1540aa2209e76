#pragma once
// The kernel of pruned: all warps of a GPU walk, each over the items that it takes (pruned/gpu/warp.hpp).
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/wide_integer.hpp"
#include "kernels/pruned/gpu/tuning.hpp"
#include "kernels/pruned/gpu/warp.hpp"

namespace countpm {

template <unsigned limbs, unsigned lane_bytes, unsigned words>
struct PrunedKernel {
  static constexpr unsigned threads = pruned_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 1;

  DeviceShape shape;
  const std::uint32_t* tables = nullptr;  // [shape.tables_words()]
  const std::int64_t* ways = nullptr;
  WideInteger<limbs>* sums = nullptr;  // of each warp of the grid
  DeviceItems items;

  std::size_t shared_bytes() const { return block_shared_bytes(shape, threads / 32); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const std::uint32_t table_words = shape.tables_words();
    auto* const shared = block.template shared<std::uint32_t>();
    block.each([&](unsigned t) {
      for (std::uint32_t k = t; k < table_words; k += threads) shared[k] = tables[k];
    });
    block.sync();
    block.each_warp([&](typename Block::Warp& warp) {
      const auto in_block = static_cast<unsigned>(warp.index() % (threads / 32));
      using Walker = PrunedWarp<typename Block::Warp, limbs, lane_bytes, words>;
      auto* const own = block.template shared<unsigned char>(std::size_t{table_words} * 4 +
                                                             in_block * warp_shared_bytes(shape));
      Walker walker(warp, shape, ways, shared, own);
      typename Walker::template PerLane<ClassDigits> digits;
      walker.run(items, digits);
      const WideInteger<limbs> sum = walker.sum();
      warp.once([&] { sums[warp.index()] = sum; });
    });
  }
};

}  // namespace countpm
