#pragma once
// The step of condensation.hpp for one entry, in doubles and modulo a GPU's primes: what the CPU's doubles,
// the kernels and their run on the CPU compute alike.
//
// `lines` is 1, or 2 where the matrix is skew-symmetric. left and right of an entry (i, j) are a_i1 and a_1j;
// or
// (-a_2i, a_1i) and (a_1j, a_2j), and the new entry of (j, i) is then minus that of (i, j), rounding
// included: the order of two vertices does not matter.
#include <cstdint>

#include "kernels/planar/gpu/lane.hpp"

namespace countpm::condensation_step {

/// Residues modulo one prime below 2^planar_step::prime_bits. A step multiplies by the pivot.
class ResidueField {
 public:
  using Word = std::uint32_t;
  using Parameters = planar_step::LanePrime;
  explicit COUNTPM_HD_INLINE ResidueField(const Parameters& prime) : ring_(prime) {}

  const planar_step::Ring& ring() const { return ring_; }
  COUNTPM_HD_INLINE Word negate(Word entry) const { return ring_.negate(entry); }
  /// The entry of the highest rank is the pivot, the first of these; 0: never.
  static COUNTPM_HD_INLINE double rank(Word entry) { return entry == 0 ? 0 : 1; }

  /// What a step needs of its pivot, ...
  static COUNTPM_HD_INLINE Word scale(Word pivot) { return pivot; }
  /// ... and of an entry to the left.
  template <unsigned lines>
  COUNTPM_HD_INLINE Word left(Word entry, Word /*pivot*/) const {
    return ring_.negate(entry);
  }
  template <unsigned lines>
  COUNTPM_HD_INLINE Word condensed(Word scale, Word entry, const Word (&left)[lines],
                                   const Word (&right)[lines]) const {
    std::uint64_t sum = static_cast<std::uint64_t>(scale) * entry;
    COUNTPM_UNROLL
    for (unsigned t = 0; t < lines; ++t) sum += static_cast<std::uint64_t>(left[t]) * right[t];
    return ring_.reduce_few(sum);
  }

 private:
  planar_step::Ring ring_;
};

/// Doubles. A step divides by the pivot instead.
class DoubleField {
 public:
  using Word = double;
  struct Parameters {};
  DoubleField() = default;
  explicit COUNTPM_HD_INLINE DoubleField(const Parameters& /*nothing*/) {}

  static COUNTPM_HD_INLINE Word negate(Word entry) { return -entry; }
  static COUNTPM_HD_INLINE double rank(Word entry) { return entry < 0 ? -entry : entry; }
  static COUNTPM_HD_INLINE Word scale(Word pivot) { return 1 / pivot; }
  template <unsigned lines>
  static COUNTPM_HD_INLINE Word left(Word entry, Word pivot) {
    return lines == 1 ? entry / pivot : entry;
  }
  template <unsigned lines>
  static COUNTPM_HD_INLINE Word condensed(Word scale, Word entry, const Word (&left)[lines],
                                          const Word (&right)[lines]) {
    if constexpr (lines == 1) {
      return entry - left[0] * right[0];
    } else {
      return entry - (left[0] * right[0] + left[1] * right[1]) * scale;
    }
  }
};

}  // namespace countpm::condensation_step
