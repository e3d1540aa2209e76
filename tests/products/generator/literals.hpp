#pragma once
// Weights as texts, and what they are.
#include "tests/products/generator/instance.hpp"

namespace countpm::products {

/// What weights of an input are drawn from.
struct Alphabet {
  Weights kind = Weights::none;
  unsigned bits = 3;    // of numerators and denominators
  bool dyadic = false;  // decimals are doubles, as those of a program are
  Complex x{1, 0};      // what letter x stands for, where --at says so
};

/// An edge's weight.
Literal draw_weight(const Alphabet& alphabet, Random& random);
/// The weight of rings and monomers: a number above or below 0, not 0, and no letter.
Literal draw_number(const Alphabet& alphabet, Random& random);
/// A weight above 0.
Literal draw_positive(const Alphabet& alphabet, Random& random);
/// The value of --at, of the kind that the alphabet has.
Literal draw_value(Weights kind, Random& random);
Literal negated(const Literal& literal);

}  // namespace countpm::products
