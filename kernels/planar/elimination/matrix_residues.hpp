#pragma once
// Determinant or Pfaffian of any square matrix modulo primes, exactly enough of them to know it: what planar
// computes of oriented graphs, for matrices that have nothing to do with one. Sparse matrices by nested
// dissection of their graph (dissection.hpp), dense ones in one front.
//
// Entries are numbers of Q(i). Modulo a prime p = 1 (mod 4) there are two r with r^2 = -1, and i -> r is a
// homomorphism, so that the determinant's images under both give real and imaginary part:
// (d(r) + d(-r)) / 2 and (d(r) - d(-r)) / 2r. Values modulo the primes of a group are one integer by the
// Chinese remainder theorem, which the lanes take apart again.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "graph/stop_signal.hpp"
#include "graph/weight.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/elimination/residue_lanes.hpp"
#include "kernels/planar/elimination/time_limit.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

struct MatrixEntry {
  Index row = 0;
  Index column = 0;
  ComplexRational value;
};

/// One for each prime, in [0, p).
struct ComplexResidues {
  std::vector<std::uint64_t> re;
  std::vector<std::uint64_t> im;  // empty where the matrix is real
};

class MatrixResidues {
 public:
  /// Entries are distinct and not 0. skew: of a skew-symmetric matrix of an even number of rows those above
  /// the diagonal, and Pfaffians are asked for. other: by another order of elimination. Throws UnableError
  /// where the matrix is too large for an order.
  MatrixResidues(Index rows, const std::vector<MatrixEntry>& entries, bool skew, bool other = false);

  bool is_complex() const { return complex_; }
  /// The determinant times this is a Gaussian integer; its primes divide no prime that is asked for.
  const mpz_class& denominator() const { return denominator_; }
  /// Of the determinant (Pfaffian) times the denominator: its modulus is at most 2^this. Hadamard's
  /// inequality, or a fit of the rows by those before them (determinant_bound.hpp).
  double log2_bound() const;
  /// Modulo one prime.
  double multiplications() const;
  /// Of memory, for so many primes side by side.
  std::uint64_t bytes(unsigned width) const;
  /// At most most_lanes primes, odd, below 2^62, that do not divide the denominator; of a complex matrix each
  /// 1 modulo 4. Side by side where code has lanes, as long as no pivot is 0 modulo some of them only. With a
  /// time limit the result says nothing. Throws Stopped.
  ComplexResidues modulo(const LaneCode& code, const std::vector<std::uint64_t>& primes,
                         const StopSignal& stop, TimeLimit* limit = nullptr) const;

 private:
  std::vector<std::uint64_t> side_by_side(const SignedMatrix& matrix, const LaneCode& code,
                                          const std::vector<std::uint64_t>& primes, const StopSignal& stop,
                                          TimeLimit* limit) const;
  SignedMatrix image(const std::vector<std::uint64_t>& primes, const std::vector<std::uint64_t>& roots) const;

  bool complex_ = false;
  bool dense_ = false;
  SignedMatrix matrix_;                   // real: its values; complex: upper bounds of their moduli
  std::vector<ComplexRational> numbers_;  // complex: the values, as the matrix numbers them
  mpz_class denominator_ = 1;
  FrontTree tree_;
};

}  // namespace countpm::planar
