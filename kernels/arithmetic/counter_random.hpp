#pragma once
// Random numbers that depend on where they are used, not on when: a stream for every pair of numbers, the
// same on every machine and whatever thread asks. Philox4x64-10 of Random123: J. K. Salmon, M. A. Moraes, R.
// O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11 (2011).
#include <gmpxx.h>

#include <cstdint>

namespace countpm {

/// The draws below a bound are even exactly, by rejection; nothing here is a float.
class CounterRandom {
 public:
  /// Streams of different (seed, stream, substream) are independent.
  CounterRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t substream)
      : seed_(seed), stream_(stream), substream_(substream) {}

  std::uint64_t next();
  /// In 0 .. bound - 1. Precondition: bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  mpz_class below(const mpz_class& bound);

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t substream_;
  std::uint64_t block_ = 0;  // of four numbers, to be made next
  unsigned left_ = 0;        // of block_ - 1
  std::uint64_t ready_[4] = {};
};

}  // namespace countpm
