#pragma once
// What a count is, as a number: exact, or a ball of floating point that holds the true one.
#include <gmpxx.h>

#include <complex>
#include <string>
#include <variant>

namespace countpm {

/// |truth - middle| <= radius. Beyond the range of doubles the middle and the radius are infinite; the texts
/// have no such limit: |truth - digits| <= error, with all digits that are certain, and one more. The radius
/// is never below the error.
struct RealBall {
  double middle = 0;
  double radius = 0;
  std::string digits;  // "1.25e+03"
  std::string error;   // decimal, rounded up
};

/// The same in the complex plane; digits: "(re,im)", or "re" where the imaginary part is 0.
struct ComplexBall {
  std::complex<double> middle;
  double radius = 0;
  std::string digits;
  std::string error;
};

/// The nearest double, but for a unit in the last place; infinite beyond their range.
double nearest_double(const mpz_class& numerator, const mpz_class& denominator);

using Value = std::variant<mpz_class, mpq_class, RealBall, ComplexBall>;

}  // namespace countpm
