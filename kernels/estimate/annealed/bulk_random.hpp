#pragma once
// The random numbers of a Markov chain, which takes millions one after the other.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/philox.hpp"

namespace countpm {

/// Those of WalkRandom (estimate/walks/walk_random.hpp), a hundred at a time: the processor makes several
/// blocks of them side by side.
class BulkRandom {
 public:
  BulkRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t sample)
      : seed_(seed), stream_(stream), sample_(sample) {}

  std::uint64_t next() {
    if (at_ == size) refill();
    return ready_[at_++];
  }

 private:
  static constexpr std::size_t block_size = 4;
  static constexpr std::size_t size = 32 * block_size;

  void refill() {
    for (std::size_t k = 0; k < size; k += block_size) {
      const PhiloxBlock block = philox_block(seed_, stream_, sample_, block_++);
      for (std::size_t j = 0; j < block_size; ++j) ready_[k + j] = block.number[j];
    }
    at_ = 0;
  }

  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t sample_;
  std::uint64_t block_ = 0;  // to be made next
  std::size_t at_ = size;
  std::uint64_t ready_[size] = {};
};

}  // namespace countpm
