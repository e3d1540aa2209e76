#include "src/number/exact_complex.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "src/number/number.hpp"

namespace countpm {

ComplexBall exact_complex_value(const ComplexRational& number) {
  constexpr mpfr_prec_t bits = 192;
  ComplexBall value =
      std::get<ComplexBall>(to_value(Number(ball_from(number, bits)), WeightKind::complex, 0));
  value.digits =
      number.im == 0 ? number.re.get_str() : fmt::format("({},{})", number.re.get_str(), number.im.get_str());
  value.error = "0";
  return value;
}

ComplexRational exact_complex_number(const ComplexBall& value) {
  const std::size_t comma = value.digits.find(',');
  if (comma == std::string::npos) return {mpq_class(value.digits), 0};
  return {mpq_class(value.digits.substr(1, comma - 1)),
          mpq_class(value.digits.substr(comma + 1, value.digits.size() - comma - 2))};
}

}  // namespace countpm
