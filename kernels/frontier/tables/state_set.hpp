#pragma once
// The states of a table without their values, sorted by key: blocks of up to 64 states whose keys differ in
// the lowest 6 bits only. State number r is the r-th set place, blocks in order.
#include <cstdint>

#include "kernels/frontier/tables/key.hpp"
#include "kernels/support/growing_buffer.hpp"

namespace countpm {

template <unsigned Words>
struct StateSet {
  Buffer<WideKey<Words>> heads;  // ascending, lowest 6 bits zero
  Buffer<std::uint64_t> places;  // never 0
  Buffer<std::uint32_t> first;   // the number of the block's first state
  std::uint64_t blocks = 0;
  std::uint64_t states = 0;  // < 2^32

  static constexpr std::uint64_t bytes_per_block =
      sizeof(WideKey<Words>) + sizeof(std::uint64_t) + sizeof(std::uint32_t);
  std::uint64_t bytes() const { return heads.bytes() + places.bytes() + first.bytes(); }
  void ensure(std::uint64_t count) {
    heads.ensure(count);
    places.ensure(count);
    first.ensure(count);
  }
  /// The same, and the blocks that there are stay.
  void grow(std::uint64_t count) {
    heads.grow(count, blocks);
    places.grow(count, blocks);
    first.grow(count, blocks);
  }
  void trim(std::uint64_t count) {
    heads.trim(count);
    places.trim(count);
    first.trim(count);
  }
  void release() {
    heads.release();
    places.release();
    first.release();
  }
};

}  // namespace countpm
