#pragma once
// What a count is in the end: one exact number, or a floating-point value with a bound on its error.
#include <string>
#include <variant>

#include "kernels/arithmetic/arithmetic.hpp"
#include "src/api/value.hpp"
#include "src/number/choose_arithmetic.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {

using Number = std::variant<mpq_class, Ball>;

/// Joins a job's residues by the Chinese remainder theorem and divides by the denominator; a ball stays a
/// ball.
Number to_number(const Partial& partial, const ArithmeticChoice& choice);

/// What numbers are multiplied in: exactly as long as all are exact, then as balls.
struct NumberArithmetic {
  bool complex = false;   // balls from the start
  Arithmetic arithmetic;  // of the balls
};
NumberArithmetic number_arithmetic(WeightKind weight_kind, const CountOptions& options);

/// An exact factor as a number: itself, but of complex weights a ball at the arithmetic's precision.
Number to_number(const Factor& factor, const NumberArithmetic& arithmetic);
void multiply(Number& into, const Number& factor, const NumberArithmetic& arithmetic);
/// A ball around a number: itself, or with an exact one in the middle, rounded to 1024 bits.
Ball ball_around(const Number& number);
/// factor * counts[0] * counts[1] * ...; exact ones by halves.
Number product(const Factor& factor, const std::vector<Number>& counts, const NumberArithmetic& arithmetic);

/// "12988816", "-3/4", "1.2345e+03", "(1.5e+00,-2e-01)". A ball is printed down to the second digit of its
/// error, at most with its precision, and without zeros at the end. The same in every locale.
std::string to_string(const Number& number);
/// The bound on the error of a ball as to_string prints it, two digits, rounded up; "" for an exact number.
std::string error_string(const Number& number);
/// The same for people: an exact sum of decimal weights is a decimal (decimal_text.hpp), all others are as
/// above. `exact`: these are all its digits.
struct NumberText {
  std::string digits;
  std::string error;  // empty where exact
  bool exact = false;
};
NumberText shown_number(const Number& number, WeightKind weight_kind, unsigned precision_bits);
/// As results carry it: an integer where it is one; of decimal weights a RealBall, exact or not. A ball
/// around a complex number is a ComplexBall even where its middle is real.
Value to_value(const Number& number, WeightKind weight_kind, unsigned precision_bits);
/// log10 |number|; -infinity for 0.
double log10_of(const Number& number);
/// log2 |number| rounded upwards (by a few units in the last place); -infinity for 0. For a ball: of its far
/// end.
double log2_above(const Number& number);
/// Whether a number says anything: exact ones do, balls without error, and those that do not hold 0.
bool is_certain(const Number& number);

}  // namespace countpm
