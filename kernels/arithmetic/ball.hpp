#pragma once
// Numbers with an error radius: R. E. Moore, Interval Analysis (1966), in midpoint-radius form. All radii are
// rounded upwards.
#include <cstdint>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// Zero with parts of `bits` bits.
Ball zero_ball(mpfr_prec_t bits);
/// The number rounded to `bits` bits, the radius what that cost.
Ball ball_from(const mpq_class& value, mpfr_prec_t bits);
Ball ball_from(const ComplexRational& value, mpfr_prec_t bits);

/// into's precision stays. Zero imaginary parts stay exactly zero.
void add(Ball& into, const Ball& term);
void multiply(Ball& into, const Ball& factor);
/// Whether one number may lie in both: the midpoints are no farther apart than the radii together. Decided in
/// the precision of a's parts.
bool balls_meet(const Ball& a, const Ball& b);
/// Exact.
void scale_by_power_of_two(Ball& ball, std::int64_t exponent);

/// The bits that an arithmetic's balls have: max(128, bits + 64) for MPFR, else 192 (double-doubles need more
/// than 107).
mpfr_prec_t ball_bits(const Arithmetic& arithmetic);

}  // namespace countpm
