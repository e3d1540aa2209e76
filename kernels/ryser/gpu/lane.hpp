#pragma once
// Residues modulo a prime, any number of rows: numbers of ryser's GPU kernel (subsets/gpu/numbers.hpp).
#include <cstdint>

#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm::gray {

struct Primes {
  using Value = std::uint64_t;
  using Total = std::uint64_t;
  static constexpr unsigned rows = 0;
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  PrimeRing ring = PrimeRing(3);

  COUNTPM_HD Value one() const { return ring.one(); }
  COUNTPM_HD void add(Value& x, Value a) const { ring.add_to(x, a); }
  COUNTPM_HD void subtract(Value& x, Value a) const { ring.sub_to(x, a); }
  COUNTPM_HD void join(Total& total, const Total& other) const { ring.add_to(total, other); }
  template <class Sums>
  COUNTPM_HD void term(Total& total, const Sums& x, unsigned count, bool minus) const {
    Value product = ring.one();
    for (unsigned i = 0; i < count; ++i) ring.mul_to(product, x[i]);
    ring.accumulate(total, minus ? ring.neg(product) : product);
  }
};

}  // namespace countpm::gray
