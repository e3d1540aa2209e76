#pragma once
// WalkRandom's numbers for a warp that walks as one: every lane makes a block of four.
#include <cstdint>

#include "kernels/estimate/walks/walk_random.hpp"

namespace countpm {

template <class Warp>
class WarpRandom {
 public:
  /// `drawn` numbers are passed over. Precondition: drawn < 2^32 - 128.
  COUNTPM_HD WarpRandom(const Warp& warp, std::uint64_t seed, std::uint64_t stream, std::uint64_t sample,
                        std::uint32_t drawn = 0)
      : warp_(warp), seed_(seed), stream_(stream), sample_(sample), drawn_(drawn) {
    if (drawn_ % numbers != 0) make();
  }

  COUNTPM_HD std::uint64_t next() {
    if (drawn_ % numbers == 0) make();
    const unsigned at = drawn_++ % numbers;
    typename Warp::template PerLane<std::uint64_t> number;
    warp_.each([&](unsigned lane) {
      const PhiloxBlock& block = ready_[lane];
      const std::uint64_t low = at % 2 == 0 ? block.number[0] : block.number[1];
      const std::uint64_t high = at % 2 == 0 ? block.number[2] : block.number[3];
      number[lane] = at % 4 < 2 ? low : high;
    });
    return warp_.broadcast(number, at / 4);
  }
  COUNTPM_HD std::uint32_t below(std::uint32_t bits, std::uint32_t bound) {
    return random_below(*this, bits, bound);
  }
  COUNTPM_HD std::uint32_t drawn() const { return drawn_; }

 private:
  static constexpr unsigned numbers = 32 * 4;

  COUNTPM_HD void make() {
    const std::uint64_t first = drawn_ / numbers * std::uint64_t{32};
    warp_.each([&](unsigned lane) { ready_[lane] = philox_block(seed_, stream_, sample_, first + lane); });
  }

  const Warp& warp_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t sample_;
  std::uint32_t drawn_;
  typename Warp::template PerLane<PhiloxBlock> ready_;
};

}  // namespace countpm
