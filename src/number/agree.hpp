#pragma once
// Whether two computations of the same thing say the same.
#include <string>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// Residues: equal; balls: they have a number in common.
bool agree(const Partial& a, const Partial& b);

/// For messages: "0x3 modulo 7, 0xff modulo 2^64"; of a ball its middle and its error.
std::string to_text(const Partial& value, const Arithmetic& arithmetic);

}  // namespace countpm
