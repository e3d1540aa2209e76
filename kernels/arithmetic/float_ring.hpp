#pragma once
// The floating rings over machine numbers: double, double with compensated sums, double-double. What they
// promise about rounding is in ring.hpp.
#include <gmpxx.h>

#include <cmath>
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/double_double.hpp"
#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/kahan.hpp"

namespace countpm {

/// u: the relative error of one rounded operation on doubles.
inline constexpr double unit_roundoff = 0x1p-53;

/// The double nearest to an exact number (mpq_get_d truncates).
double nearest_double(const mpq_class& value);
/// high: nearest to the value, low: nearest to what is left.
DoubleDouble nearest_double_double(const mpq_class& value);
/// into += value, the rounding that it costs added to `error`. For store() of the rings.
void add_exactly(BigFloat& into, double value, BigFloat& error);

/// What DoubleRing and KahanRing share: the products.
class DoubleProducts {
 public:
  using Element = double;
  static constexpr bool exact = false;
  static constexpr bool complex = false;

  COUNTPM_HD Element zero() const { return 0; }
  COUNTPM_HD Element one() const { return 1; }
  COUNTPM_HD bool is_zero(Element a) const { return a == 0; }
  COUNTPM_HD Element add(Element a, Element b) const { return a + b; }
  COUNTPM_HD Element sub(Element a, Element b) const { return a - b; }
  COUNTPM_HD Element neg(Element a) const { return -a; }
  COUNTPM_HD Element mul(Element a, Element b) const { return a * b; }
  COUNTPM_HD void add_to(Element& a, Element b) const { a += b; }
  COUNTPM_HD void sub_to(Element& a, Element b) const { a -= b; }
  COUNTPM_HD void mul_to(Element& a, Element b) const { a *= b; }

  COUNTPM_HD Element from_int64(std::int64_t value) const { return static_cast<double>(value); }
  Element from_mpq(const mpq_class& value) const { return nearest_double(value); }

  COUNTPM_HD double magnitude(Element a) const { return std::fabs(a); }
  double add_error() const { return unit_roundoff; }
  double mul_error() const { return unit_roundoff; }
};

class DoubleRing : public DoubleProducts {
 public:
  using Accumulator = double;
  COUNTPM_HD Accumulator empty_sum() const { return 0; }
  COUNTPM_HD void accumulate(Accumulator& sum, Element a) const { sum += a; }
  /// N - 1 additions, each rounding a partial sum of at most sum |terms| (1 + N u): 2^-52 N leaves a factor 2
  /// for that.
  double sum_error(std::uint64_t terms) const { return 0x1p-52 * static_cast<double>(terms); }
  void store(Accumulator sum, Ball& ball) const { store_part(sum, ball.re, ball.error); }
  void store_part(Accumulator sum, BigFloat& into, BigFloat& error) const { add_exactly(into, sum, error); }
};

class KahanRing : public DoubleProducts {
 public:
  using Accumulator = NeumaierSum;
  COUNTPM_HD Accumulator empty_sum() const { return {}; }
  COUNTPM_HD void accumulate(Accumulator& sum, Element a) const { sum.add(a); }
  /// The bound of kahan.hpp without its first term: store keeps sum and correction apart. N u < 2^-10 makes 2
  /// (N u)^2 enough.
  double sum_error(std::uint64_t terms) const {
    const double share = unit_roundoff * static_cast<double>(terms);
    return share < 0x1p-10 ? 2 * share * share + 0x1p-105 : 4 * share;
  }
  void store(const Accumulator& sum, Ball& ball) const { store_part(sum, ball.re, ball.error); }
  void store_part(const Accumulator& sum, BigFloat& into, BigFloat& error) const {
    add_exactly(into, sum.sum, error);
    add_exactly(into, sum.correction, error);
  }
};

class DoubleDoubleRing {
 public:
  using Element = DoubleDouble;
  using Accumulator = DoubleDouble;
  static constexpr bool exact = false;
  static constexpr bool complex = false;

  COUNTPM_HD Element zero() const { return {0, 0}; }
  COUNTPM_HD Element one() const { return {1, 0}; }
  COUNTPM_HD bool is_zero(Element a) const { return a.high == 0; }
  COUNTPM_HD Element add(Element a, Element b) const { return double_double::add(a, b); }
  COUNTPM_HD Element sub(Element a, Element b) const {
    return double_double::add(a, double_double::negate(b));
  }
  COUNTPM_HD Element neg(Element a) const { return double_double::negate(a); }
  COUNTPM_HD Element mul(Element a, Element b) const { return double_double::multiply(a, b); }
  COUNTPM_HD void add_to(Element& a, Element b) const { a = add(a, b); }
  COUNTPM_HD void sub_to(Element& a, Element b) const { a = sub(a, b); }
  COUNTPM_HD void mul_to(Element& a, Element b) const { a = mul(a, b); }
  COUNTPM_HD Accumulator empty_sum() const { return zero(); }
  COUNTPM_HD void accumulate(Accumulator& sum, Element a) const { sum = add(sum, a); }

  Element from_int64(std::int64_t value) const {
    // Two exact halves: |value >> 32| <= 2^31 and the low half < 2^32.
    const auto high = static_cast<double>(value >> 32) * 0x1p32;
    return double_double::two_sum(high, static_cast<double>(value & 0xffffffff));
  }
  Element from_mpq(const mpq_class& value) const { return nearest_double_double(value); }

  COUNTPM_HD double magnitude(Element a) const { return std::fabs(a.high); }
  double add_error() const { return 0x1p-104; }  // 4 u^2
  double mul_error() const { return 0x1p-103; }  // 8 u^2
  double sum_error(std::uint64_t terms) const { return 0x1p-103 * static_cast<double>(terms); }
  void store(Accumulator sum, Ball& ball) const { store_part(sum, ball.re, ball.error); }
  void store_part(Accumulator sum, BigFloat& into, BigFloat& error) const {
    add_exactly(into, sum.high, error);
    add_exactly(into, sum.low, error);
  }
};

}  // namespace countpm
