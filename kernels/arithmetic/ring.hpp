#pragma once
// The concept that every kernel is a template over: small copyable objects that know how to add and multiply
// their Elements.
//
// clang-format off
//   ring                Element       exact  accumulated by
//   PrimeRing           uint64        yes    itself           modulo an odd prime < 2^62, in Montgomery form
//   WrapRing<uint64>    uint64        yes    itself           modulo 2^64
//   WrapRing<uint128>   uint128       yes    itself           modulo 2^128
//   DoubleRing          double        no     itself           --arithmetic plain
//   KahanRing           double        no     Neumaier         --arithmetic kahan (kahan.hpp)
//   DoubleDoubleRing    DoubleDouble  no     itself           about 106 bits
//   MpfrRing            BigFloat      no     itself           any number of bits, CPU only
//   ComplexRing<R>      Complex<E>    no     by component     R one of the four floating rings
// clang-format on
//
// An exact ring turns an Element into a residue. A floating ring carries no error with its Elements: it
// states how large one rounding can be, and running_error.hpp turns that into a rigorous bound on a whole sum
// of products.
#include <gmpxx.h>

#include <concepts>
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// A kernel may use: zero, one, add, sub, mul, neg (by value), add_to, sub_to, mul_to (in place: a op= b, no
/// allocation), is_zero, from_int64, from_mpq. from_mpq needs a denominator that is invertible in an exact
/// ring (see obstacle() in dispatch.hpp).
template <class R>
concept Ring = std::copyable<R> &&
    requires(const R ring, typename R::Element a, const typename R::Element b, std::int64_t integer,
             const mpq_class rational, typename R::Accumulator sum) {
  { R::exact } -> std::convertible_to<bool>;
  { R::complex } -> std::convertible_to<bool>;
  { ring.zero() } -> std::same_as<typename R::Element>;
  { ring.one() } -> std::same_as<typename R::Element>;
  { ring.add(b, b) } -> std::same_as<typename R::Element>;
  { ring.sub(b, b) } -> std::same_as<typename R::Element>;
  { ring.mul(b, b) } -> std::same_as<typename R::Element>;
  { ring.neg(b) } -> std::same_as<typename R::Element>;
  { ring.is_zero(b) } -> std::same_as<bool>;
  { ring.from_int64(integer) } -> std::same_as<typename R::Element>;
  { ring.from_mpq(rational) } -> std::same_as<typename R::Element>;
  ring.add_to(a, b);
  ring.sub_to(a, b);
  ring.mul_to(a, b);
  { ring.empty_sum() } -> std::same_as<typename R::Accumulator>;
  ring.accumulate(sum, b);
};

template <class R>
concept ExactRing = Ring<R> && R::exact && requires(const R ring, const typename R::Element a) {
  { ring.to_residue(a) } -> std::same_as<uint128>;  // in [0, modulus)
};

/// |fl(a + b) - (a + b)| <= add_error |a + b| and |fl(a b) - a b| <= mul_error |a b| + underflow; conversions
/// from exact numbers err by at most add_error relatively, plus underflow. The sum of N accumulated terms
/// errs by at most sum_error(N) times the sum of their magnitudes. magnitude(a) is |a| to within a factor 1
/// +- 2^-50 (plus underflow); store writes a sum to a Ball, adding what rounding that costs to its error.
template <class R>
concept FloatingRing = Ring<R> && !R::exact && requires(const R ring, const typename R::Element a,
                                                        const typename R::Accumulator sum, Ball ball) {
  { ring.magnitude(a) } -> std::same_as<double>;
  { ring.add_error() } -> std::same_as<double>;
  { ring.mul_error() } -> std::same_as<double>;
  { ring.sum_error(std::uint64_t{1}) } -> std::same_as<double>;
  ring.store(sum, ball);
};

/// A product of numbers of magnitude at most 1 loses at most this much a multiplication to underflow, in any
/// of the floating rings: doubles lose 2^-1074, a double-double product a few times 2^-1022 (its low part may
/// vanish), MPFR nothing.
inline constexpr double underflow_bound = 0x1p-1000;

}  // namespace countpm
