#pragma once
// Counts of a block whose weights are powers of one letter, modulo primes and at points: from enough of them
// the polynomial is interpolated modulo each prime.
//
// The block has 2^bits in the letter's place, so that it is a block like any other. An arithmetic at points
// has moduli {prime, k}, many of one prime: modulo it the k-th power of the prime's root stands for the
// letter.
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "kernels/method.hpp"

namespace countpm {

/// A root for each prime.
using LetterRoots = std::map<std::uint64_t, std::uint64_t>;

/// A block that a method counts at points.
class CountAtPoints {
 public:
  virtual ~CountAtPoints() = default;
  /// Of the primes that it computes with, on the CPU and on GPUs.
  virtual unsigned prime_bits() const = 0;
  virtual unsigned device_prime_bits() const = 0;
  /// Partial values have a residue for every modulus, that of the count with the letter's point. Primes do
  /// not divide the denominators of weights. The job may outlive this.
  virtual std::unique_ptr<Job> make_job(const Arithmetic& arithmetic,
                                        std::shared_ptr<const LetterRoots> roots) const = 0;
};

}  // namespace countpm
