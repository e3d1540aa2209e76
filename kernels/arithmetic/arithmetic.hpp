#pragma once
// In what a count is computed: residues for exact answers, floating point with an error radius for real and
// complex weights.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "graph/weight.hpp"
#include "kernels/arithmetic/big_float.hpp"

namespace countpm {

__extension__ using uint128 = unsigned __int128;
__extension__ using int128 = __int128;

/// An odd prime below 2^62, or a power of two (wrap-around arithmetic, for methods that never divide).
struct Modulus {
  std::uint64_t prime = 0;    // 0: 2^power_of_two
  unsigned power_of_two = 0;  // 64 or 128 where prime == 0
  bool operator==(const Modulus&) const = default;
};

/// How real and complex weights are added and multiplied.
/// plain: IEEE double · kahan: products in double, sums compensated (Neumaier) · double_double: about 106
/// bits · mpfr: `bits` bits.
enum class Precision { plain, kahan, double_double, mpfr };

/// residues: every modulus at once, one residue each; floating: one complex or real number with a bound on
/// its error.
struct Arithmetic {
  enum class Kind { residues, floating };
  Kind kind = Kind::residues;
  std::vector<Modulus> moduli;             // residues: pairwise coprime
  Precision precision = Precision::kahan;  // floating
  unsigned bits = 128;                     // mpfr

  /// For the report: "residues modulo 3 primes", "modulo 2^128", "double (Kahan)", "MPFR 256 bits", ...
  std::string name() const;
};

/// residue[k] is in [0, moduli[k]).
struct Residues {
  std::vector<uint128> residue;
  bool operator==(const Residues&) const = default;
};

/// A complex number in a ball: |true - (re + i im)| <= error. im is exactly zero for real weights.
struct Ball {
  BigFloat re;
  BigFloat im;
  BigFloat error;
};

/// What a work unit yields and what units add up to.
using Partial = std::variant<Residues, Ball>;

Partial zero(const Arithmetic& arithmetic);
Partial from_factor(const mpq_class& factor,
                    const Arithmetic& arithmetic);  // residues: the primes must not divide the denominator
Partial from_factor(const ComplexRational& factor, const Arithmetic& arithmetic);  // floating only
void add(Partial& into, const Partial& term, const Arithmetic& arithmetic);
void multiply(Partial& into, const Partial& factor, const Arithmetic& arithmetic);

/// The k-th (0, 1, 2, ...) of a fixed list of primes, the largest below 2^prime_bits first (2^61 - 1, ...);
/// of 33 to 60 bits only those that are 1 modulo 4, so that -1 is a square. `skip` lists numbers that no
/// prime may divide. Each is verified prime by GMP.
std::vector<Modulus> choose_primes(unsigned count, const std::vector<mpz_class>& skip = {},
                                   unsigned prime_bits = 61);

/// The integer in (-M/2, M/2] (signed) or [0, M) with these residues, M the product of the k moduli: over a
/// product tree, O(log k) multiplications of integers of M's size.
mpz_class join_residues(const Residues& residues, const std::vector<Modulus>& moduli, bool is_signed);

}  // namespace countpm
