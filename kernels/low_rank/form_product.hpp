#pragma once
// Products of linear forms modulo a prime: homogeneous polynomials in r letters, and beside them in a few
// letters whose squares are 0.
//
// The exponents (e_1, ..., e_r) of degree d are written as partial sums s_t = e_1 + ... + e_t, t < r, and
// their place is sum over t of C(s_t + t - 1, t), which does not depend on d: a product with another form is
// made in place, from the last place to the first. With the larger s_t fixed the places of s_1 = 0 ... s_2
// lie side by side, and so do those that they are made of: the inner loops are sums of multiples of arrays.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm::low_rank {

/// C(n, k) for all n and k that places of exponents take; at most 2^63, beyond that 2^63.
class Binomials {
 public:
  Binomials() = default;
  Binomials(std::uint64_t most_n, std::uint64_t most_k);
  std::uint64_t operator()(std::uint64_t n, std::uint64_t k) const {
    return k > n ? 0 : table_[n * width_ + k];
  }

 private:
  std::uint64_t width_ = 0;
  std::vector<std::uint64_t> table_;
};

/// Of primes that vectors of 32-bit numbers compute modulo.
inline constexpr unsigned lane_prime_bits = 29;

/// Letters, and how many forms are multiplied.
struct ProductShape {
  std::uint64_t letters = 1;         // r >= 1
  std::uint64_t square_letters = 0;  // whose squares are 0: at most 20
  std::uint64_t forms = 0;

  /// As doubles, for forecasts: of one product of all forms.
  double log2_terms() const;
  double multiplications() const;
};

/// A vector of exponents, as its walk goes on. Calls visit(place, exponents) for every one of the degree,
/// exponents an array of `letters` numbers.
template <class Visit>
void for_each_exponents(std::uint64_t letters, std::uint64_t degree, const Visit& visit) {
  std::vector<std::uint64_t> exponents(letters, 0);
  exponents[letters - 1] = degree;
  std::uint64_t place = 0;
  for (;;) {
    visit(place++, exponents);
    // The next in order of the partial sums, s_(letters - 1) the most significant: moves one from the first
    // letter that a later one can lend to.
    std::uint64_t t = 1;
    while (t < letters && exponents[t] == 0) ++t;
    if (t == letters) return;
    --exponents[t];
    std::uint64_t before = 1;
    for (std::uint64_t a = 0; a < t; ++a) {
      before += exponents[a];
      exponents[a] = 0;
    }
    exponents[t - 1] = before;
  }
}

/// Adds the coefficient times table[from + i - begin] to place i, begin <= i < end, of a run of places.
struct FormTerm {
  std::uint64_t coefficient = 0;  // as PrimeRing has it; for lanes times 2^32 modulo the prime
  std::uint64_t from = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The product of linear forms, one after another; coefficients modulo the prime as PrimeRing has them.
/// lanes: by vectors of 32-bit numbers where the prime has at most lane_prime_bits; else one after another.
class FormProduct {
 public:
  FormProduct(const ProductShape& shape, const PrimeRing& ring, bool lanes);

  /// form: the coefficients of the letters; squares: those of the letters whose squares are 0. False where
  /// the meter's time is up, and the product is of no use then. Throws Stopped.
  bool multiply(const std::vector<std::uint64_t>& form, const std::vector<std::uint64_t>& squares,
                WorkMeter& meter);
  /// Of x^k at that place times these letters, as PrimeRing has it; 0 where there are too many of them.
  std::uint64_t coefficient(std::uint64_t set, std::uint64_t place) const;

  static std::uint64_t bytes(const ProductShape& shape, bool lanes);
  /// ProductShape::multiplications() a second, by multiplying as many forms as that takes about `seconds`.
  static double measured_rate(const ProductShape& shape, const PrimeRing& ring, bool lanes, double seconds,
                              const StopSignal& stop);

 private:
  bool multiply_set(std::uint64_t set, const std::vector<std::uint64_t>& form,
                    const std::vector<std::uint64_t>& squares, WorkMeter& meter);
  void multiply_run(std::uint64_t start, std::uint64_t length);

  ProductShape shape_;
  PrimeRing ring_;
  bool lanes_;
  Binomials binomials_;
  std::uint64_t places_ = 1;           // of the highest degree
  std::uint64_t forms_ = 0;            // so far
  std::uint32_t minus_inverse_ = 0;    // -1 / p modulo 2^32
  std::vector<std::uint32_t> narrow_;  // [set][place]: one of the two
  std::vector<std::uint64_t> wide_;
  std::vector<FormTerm> terms_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace countpm::low_rank
