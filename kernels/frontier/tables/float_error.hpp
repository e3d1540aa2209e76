#pragma once
// How far a floating table can be off.
//
// The value of a state is a sum over paths (matchings) of products of weights. Every operation of these rings
// is off by a factor 1 + d, |d| <= unit (plus underflow, below), and so each path's product is off by at most
// K such factors, K the most operations on any path: one for converting an entry, two for every factor of its
// weight, one for the product, and as many as there were additions into the state. So
//     |computed - true| <= ((1 + unit)^K - 1) * A,   A = the same sum over magnitudes,
// and A is computed beside the values, in doubles, where it is right to a factor (1 + 2^-49)^K likewise.
// Underflow: a step loses at most 2^-1000 an operation (ring.hpp). What is lost at a state reaches the result
// times the sum of the state's completions, which is at most 1: every free row takes one more entry, and the
// magnitudes of a row or vertex add up to at most 1 (ring_values.hpp). At a join a
// completion holds a state of the other table too: the largest value times the states bounds their sum.
// Factors for multiplicities that come in later (Program) multiply it by 2^lost_exponent at most.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/complex.hpp"
#include "kernels/arithmetic/mpfr_ring.hpp"
#include "kernels/arithmetic/ring.hpp"

namespace countpm {

/// big: MPFR numbers, whose exponents need no care. factor: memory over sizeof, roughly, for what they own.
template <class R>
struct RingBytes {
  static constexpr bool big =
      std::is_same_v<typename R::Element, BigFloat> || std::is_same_v<typename R::Element, Complex<BigFloat>>;
  static constexpr std::uint64_t factor = big ? 3 : 1;
};

/// What a table in floating point knows about its own rounding. True values are 2^exponent times the stored.
struct FloatTrack {
  std::int64_t exponent = 0;
  double roundings = 0;  // K
  double lost = 0;       // to underflow, in the stored values' scale
  double sum = 1;        // bounds the sum of the stored magnitudes

  /// factors: the most that a weight has beside its entry.
  FloatTrack after_round(std::uint64_t states, std::uint64_t additions, std::uint64_t factors) const {
    FloatTrack next = *this;
    next.roundings += 2 + 2 * static_cast<double>(factors) + static_cast<double>(additions);
    next.lost = up(lost + lost_by(states, additions));
    return next;
  }
  static FloatTrack after_join(const FloatTrack& left, const FloatTrack& right, std::uint64_t states,
                               std::uint64_t additions) {
    FloatTrack next;
    next.exponent = left.exponent + right.exponent;
    next.roundings = left.roundings + right.roundings + 1 + static_cast<double>(additions);
    next.lost = up(left.lost * right.sum + right.lost * left.sum + left.lost * right.lost +
                   lost_by(states, additions));
    return next;
  }
  /// By which power of two the stored values (the largest of this magnitude) should be multiplied, noted
  /// here.
  int shift_for(double largest, std::uint64_t states) {
    int shift = 0;
    if (largest > 0 && std::isfinite(largest) && (largest < 0x1p-128 || largest > 0x1p128)) {
      shift = std::clamp(-std::ilogb(largest), -1000, 1000);
    }
    exponent -= shift;
    lost = up(std::ldexp(lost, shift) + (shift < 0 ? lost_by(states, 0) : 0));
    sum = up(std::ldexp(largest, shift) * static_cast<double>(states)) + 2 * lost;
    return shift;
  }

 private:
  static double up(double value) { return value * (1 + 0x1p-40); }  // more than its few roundings
  static double lost_by(std::uint64_t states, std::uint64_t additions) {
    return (static_cast<double>(additions) + 5) * static_cast<double>(states) * underflow_bound;
  }
};

/// mantissa * 2^exponent.
struct ScaledDouble {
  double mantissa = 0;
  std::int64_t exponent = 0;
};

/// The rounding unit of a ring, also where a double cannot hold it.
struct RoundingUnit {
  double mantissa = 0;
  std::int64_t exponent = 0;
  static RoundingUnit of(double unit) { return {unit, 0}; }
  /// MPFR, complex products (8 units) included.
  static RoundingUnit of_bits(unsigned bits) {
    if (bits <= 200) return {std::ldexp(8.0, -static_cast<int>(bits)), 0};
    return {8.0, -static_cast<std::int64_t>(bits)};
  }
};

/// Their sum bounds the error. magnitude: the computed A, with its own track.
inline std::array<ScaledDouble, 3> error_parts(const FloatTrack& track, std::int64_t lost_exponent,
                                               double magnitude, const FloatTrack& magnitude_track,
                                               const RoundingUnit& unit) {
  constexpr double slack = 1 + 0x1p-20;
  const double growth = unit.exponent == 0
                            ? std::expm1(track.roundings * std::log1p(unit.mantissa))
                            : track.roundings * unit.mantissa * 2;  // K 8 2^-200 is far below 1
  const double over = std::exp(magnitude_track.roundings * 0x1p-49);
  return {{{growth * magnitude * over * slack, magnitude_track.exponent + unit.exponent},
           {growth * magnitude_track.lost * over * slack,
            magnitude_track.exponent + unit.exponent + lost_exponent},
           {track.lost * slack * slack, track.exponent + lost_exponent}}};
}

}  // namespace countpm
