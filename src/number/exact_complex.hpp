#pragma once
// Exact complex numbers as results carry them.
#include "graph/weight.hpp"
#include "src/api/value.hpp"

namespace countpm {

/// Digits are the number itself, "(1/2,-3)", or "1/2" where the imaginary part is 0, and the error is "0";
/// the middle is rounded to doubles, and the radius says by how much.
ComplexBall exact_complex_value(const ComplexRational& number);

/// The number that such digits are.
ComplexRational exact_complex_number(const ComplexBall& value);

}  // namespace countpm
