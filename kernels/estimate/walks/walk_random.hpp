#pragma once
// The random numbers of a walk, for the CPU and the device alike: those of CounterRandom, told in a way in
// which the lanes of a warp stay in step.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/philox.hpp"

namespace countpm {

/// One of `bound` things, each as likely, by 32 random bits; about once in 2^32 / bound times they do not
/// divide evenly, and others take their place. Precondition: bound >= 1. D. Lemire, Fast random integer
/// generation in an interval, ACM Trans. Model. Comput. Simul. 29 (2019).
template <class Random>
COUNTPM_HD std::uint32_t random_below(Random& random, std::uint32_t bits, std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{bits} * bound;
  if (static_cast<std::uint32_t>(product) < bound) {
    const std::uint32_t uneven = (0U - bound) % bound;
    while (static_cast<std::uint32_t>(product) < uneven) product = (random.next() >> 32) * bound;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

/// Streams of different (seed, stream, sample) are independent.
class WalkRandom {
 public:
  COUNTPM_HD WalkRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t sample)
      : seed_(seed), stream_(stream), sample_(sample) {}

  COUNTPM_HD std::uint64_t next() {
    if (left_ == 0) {
      ready_ = philox_block(seed_, stream_, sample_, block_++);
      left_ = 4;
    }
    --left_;
    // Handed on rather than indexed: they stay in registers.
    const std::uint64_t result = ready_.number[0];
    ready_.number[0] = ready_.number[1];
    ready_.number[1] = ready_.number[2];
    ready_.number[2] = ready_.number[3];
    return result;
  }
  COUNTPM_HD std::uint32_t below(std::uint32_t bits, std::uint32_t bound) {
    return random_below(*this, bits, bound);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t sample_;
  std::uint64_t block_ = 0;  // to be made next
  unsigned left_ = 0;
  PhiloxBlock ready_;
};

}  // namespace countpm
