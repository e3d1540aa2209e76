#pragma once
// The kernel of shift: all warps of a GPU walk, each over the items that it takes (shift_warp.hpp).
#include <cstddef>
#include <cstdint>

#include "kernels/shift/shift_warp.hpp"

namespace countpm {

template <unsigned limbs, unsigned lane_bytes, class Set>
struct ShiftKernel {
  static constexpr unsigned threads = shift_tuning::threads;
  static constexpr unsigned blocks_per_multiprocessor = 1;

  DeviceShape shape;
  const std::uint32_t* tables = nullptr;  // [tables_bytes / 4]
  const DeviceLaneRows* rows = nullptr;
  const std::int64_t* ways = nullptr;
  DeviceTally<limbs>* tallies = nullptr;  // of each warp of the grid
  DeviceItems items;

  std::size_t shared_bytes() const { return block_shared_bytes(shape, threads / 32); }

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    const std::size_t bytes = tables_bytes(shape);
    auto* const shared = block.template shared<std::uint32_t>();
    block.each([&](unsigned t) {
      for (std::size_t k = t; k < bytes / 4; k += threads) shared[k] = tables[k];
    });
    block.sync();
    block.each_warp([&](typename Block::Warp& warp) {
      const auto in_block = static_cast<unsigned>(warp.index() % (threads / 32));
      using Walker = ShiftWarp<typename Block::Warp, limbs, lane_bytes, Set>;
      Walker walker(warp, shape, ways, rows, block.template shared<unsigned char>(),
                    block.template shared<unsigned char>(bytes + in_block * warp_shared_bytes(shape)));
      typename Walker::template PerLane<typename Walker::Waiting> stack;
      walker.run(items, stack);
      const DeviceTally<limbs> tally = walker.tally();
      warp.once([&] { tallies[warp.index()] = tally; });
    });
  }
};

}  // namespace countpm
