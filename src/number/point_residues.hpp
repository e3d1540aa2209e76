#pragma once
// Residues of a packed polynomial at points: how many primes and points its coefficients need, and the number
// back from the residues.
//
// Modulo a prime p = 1 (mod w) the w-th roots of unity are points at which a polynomial of w coefficients is
// known by its values, and a discrete Fourier transform takes them back. A coefficient needs only as many
// primes as its own bound: the primes come in an order, and once those before it determine a coefficient, a
// prime has points for the others alone. What is known is taken off, and the coefficients in between, the
// lowest to the highest that is still unknown, are what is left. Modulo X^w - 1 they are all different, so
// that no value has to be divided by a power of X. A palindromic polynomial V of degree m has
// V(1/X) = X^-m V(X), so that half of the points are enough. O(primes w^1.5) multiplications in all.
#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/at_points.hpp"

namespace countpm {

/// Modulo this prime, so many points determine the coefficients first .. last, together with the primes
/// before it. That fixes the points: what a journal has of them.
struct PrimeWindow {
  std::uint64_t prime = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t points = 0;  // at which the polynomial is computed; others' values may follow from theirs

  bool operator==(const PrimeWindow&) const = default;
};
/// A modulus for each point of each prime.
Arithmetic arithmetic_of(const std::vector<PrimeWindow>& windows);
/// "residues modulo 84 primes at up to 1251 points each, 61233 in all".
std::string name_of(const std::vector<PrimeWindow>& windows);

/// A polynomial as one number, and what is proved of it before it is counted. With y = 2^base_bits the number
/// times the denominator is y^offset times the sum over d of coefficient[d] y^(parts d): integers.
struct PackedForm {
  std::uint64_t base_bits = 0;
  std::uint64_t parts = 1;
  std::uint64_t offset = 0;
  std::vector<double> log2_bounds;  // of |coefficient[d]|, rounded upwards; -infinity where it is 0
  bool palindromic = false;         // coefficient[d] = coefficient[last - d]
  bool is_signed = false;           // coefficients may be negative
  mpz_class denominator = 1;

  /// Of |number * denominator|. Coefficients have less than base_bits * parts bits.
  double log2_bound() const;
};

class PointResidues {
 public:
  /// Primes of so many bits, and as many points of each as are needed. Empty where there are too few such
  /// primes, or more than most_points in all are needed.
  static std::optional<PointResidues> choose(const PackedForm& form, unsigned prime_bits);
  static constexpr std::uint64_t most_points = std::uint64_t{1} << 22;
  /// Those that somebody else chose. Empty where they are no distinct primes of at most so many bits that
  /// have such points, or, where `prove` says so, do not determine every coefficient by the form's bounds.
  static std::optional<PointResidues> chosen(const PackedForm& form, const std::vector<PrimeWindow>& windows,
                                             unsigned prime_bits, bool prove);

  const Arithmetic& arithmetic() const { return arithmetic_; }
  const std::shared_ptr<const LetterRoots>& roots() const { return roots_; }
  /// The number times the denominator, from the number's residues beside the arithmetic's moduli.
  mpz_class join(const Residues& residues) const;
  std::vector<PrimeWindow> windows() const;
  /// As name_of().
  std::string name() const { return name_of(windows()); }

 private:
  /// Coefficients first .. last are determined by this prime and those before it.
  struct PrimePoints {
    PrimePoints(std::size_t first_coefficient, std::size_t last_coefficient, bool palindromic);

    std::uint64_t prime = 0;
    std::uint64_t root = 0;  // of order rows * columns * parts
    std::uint64_t rows = 1;  // their product is the number of points
    std::uint64_t columns = 1;
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t computed = 0;  // of the points; the others' values follow from theirs

    std::uint64_t points() const { return rows * columns; }
  };

  class Taken;
  void finish();

  /// All coefficients modulo X^points - 1, in [0, prime).
  std::vector<std::uint64_t> folded(const PrimePoints& prime, const uint128* values) const;

  PackedForm form_;
  std::vector<PrimePoints> primes_;
  Arithmetic arithmetic_;
  std::shared_ptr<const LetterRoots> roots_;
};

}  // namespace countpm
