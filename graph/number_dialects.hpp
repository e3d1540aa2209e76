#pragma once
// Numbers as Julia, Maxima, SageMath, Maple, Mathematica and MATLAB write them.
#include <optional>
#include <string>
#include <string_view>

namespace countpm {

/// The number as parse_weight() takes it: 1+2i for 1+2im, 1 + 2*%i, 2*I + 1, 1. + 2. I; 1.5e-3 for 1.5*^-3
/// and 1.5`20*^-3. Nothing where the text is no such number, or needs no rewriting.
std::optional<std::string> rewritten_number(std::string_view text);

/// Whether it is the imaginary unit without a number before it: i, I, im, %i, with a sign or without.
bool is_bare_unit(std::string_view text);

}  // namespace countpm
