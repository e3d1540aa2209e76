#pragma once
// Which exponents the polynomial of a block can have, and weights by which one number holds all coefficients.
//
// An edge ab has the exponents e(ab), one for each letter, and a matching the sum of its edges'. Give
// vertices potentials p with p(a) + p(b) = e(ab) along the edges of a spanning tree (of general blocks, where
// there may be odd cycles, for 2 e, and one more edge that closes an odd cycle): a perfect matching M covers
// every vertex once, so that the sum of e over M is that of all p plus that of f = e - p - p over M. So
// exponents differ by vectors of the lattice that all f(ab) span. Its basis makes axes, coordinates in which
// every f is whole: with one letter a multiple of the greatest common divisor; where letters depend on each
// other, fewer axes than letters. Of every coordinate the assignment problem (graph/kinds/assignment.hpp) has
// a least and a largest sum, with potentials that prove them, which in a bipartite block are those of perfect
// matchings. A general block's matching, taken twice, is a permutation of its vertices, so that half the
// least sum over permutations is below it. A vertex that stays alone (Block::monomers) is a loop, an edge
// with one end, which such a permutation has once: it comes in with half of its potentials and twice its
// cost. What is left of a coordinate, less the potentials of the least, is at least 0 for every edge; as
// exponents of 2^s these make integer weights, and the sum over the matchings holds the coefficients as
// digits to the base 2^s (L. Kronecker's substitution); with more axes the base of each is a power of the one
// before that has room for all of its digits.
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <vector>

#include "graph/letters.hpp"
#include "matching/block.hpp"

namespace countpm {

/// Of one letter in one block: exponents first + step k, 0 <= k < count.
struct ExponentRange {
  std::int64_t first = 0;
  std::int64_t step = 1;  // 1 where there is but one
  std::uint64_t count = 1;
};

/// Of one block, all letters.
class LetterRanges {
 public:
  /// places: the block with, for each entry, its place in letters.weight.
  LetterRanges(const Block<std::int64_t>& places, const LetterWeights& letters);

  /// Exponents of one letter: all are among them.
  ExponentRange range_of(std::size_t letter) const;
  /// How many digits there are: coefficients that may be.
  const mpz_class& coefficients() const { return coefficients_; }
  /// Digits have a multiple of that many bits.
  unsigned digit_bits_multiple() const { return general_ ? 4 : 1; }
  /// The bits by which entry k of the block is shifted, for digits of so many bits.
  mpz_class shift_of(std::uint64_t entry, std::uint64_t digit_bits) const;
  /// And by which the sum is, beside its digits.
  mpz_class shift_of_sum(std::uint64_t digit_bits) const;
  /// The number of parts that make a digit: shifts are multiples of digit_bits over this.
  std::int64_t parts_a_digit() const { return axes_.empty() ? 1 : axes_.front().parts_a_digit; }
  /// Whether there is one axis; of a bipartite block, whose sums can be reversed, and of others.
  bool can_tilt(bool reversed) const { return axes_.size() == 1 && !(reversed && general_); }
  /// With one axis, the part of entry k: sums are offset + parts_a_digit d. reversed: at least 0 too, and the
  /// sums are the last digit less d.
  std::int64_t part_of(std::uint64_t entry, bool reversed) const {
    return reversed ? axes_.front().reversed[entry] : axes_.front().part[entry];
  }
  /// The exponents of a digit's letters; empty where they are no integers, so that the digit is 0.
  std::vector<std::int64_t> exponents_of(std::uint64_t digit) const;

 private:
  using Vector = std::array<mpz_class, most_letters>;
  /// One coordinate, part[k] of entry k; a digit is parts_a_digit of these, and the sum has `offset` too
  /// many. Digit d stands for the vector times d parts_a_digit + offset + potentials (of general blocks a
  /// quarter of that).
  struct Axis {
    Vector vector;
    std::vector<std::int64_t> part;
    std::vector<std::int64_t> reversed;  // of bipartite blocks, from the potentials of the largest sum
    mpz_class potentials;
    std::int64_t parts_a_digit = 1;
    std::int64_t offset = 0;
    std::uint64_t count = 1;
    bool possible = true;  // else no sum makes the exponents integers
  };
  /// Otherwise the block has no perfect matching, and its polynomial is 0.
  bool may_be_integers() const;
  Axis axis_of(const Block<std::int64_t>& places, Vector vector, const std::vector<std::int64_t>& coordinate,
               bool alone) const;
  /// Of a basis in echelon form.
  std::vector<Axis> axes_of(const Block<std::int64_t>& places, const std::vector<Vector>& basis,
                            const std::vector<Vector>& rest) const;
  mpz_class bits_of(std::uint64_t digit_bits, const std::vector<std::int64_t>& parts) const;

  bool general_ = false;
  std::size_t letters_ = 0;
  Vector sum_;  // of all potentials
  std::vector<Axis> axes_;
  mpz_class coefficients_ = 1;
};

}  // namespace countpm
