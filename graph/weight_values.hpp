#pragma once
// The values of a list of entries, one by one: read, and appended in the narrowest type that holds them all.
#include <gmpxx.h>

#include <cstddef>

#include "graph/parse_weight.hpp"

namespace countpm {

/// A weight's value. Precondition: it is not complex.
mpq_class rational_of(const Weight& weight);
ComplexRational complex_of(const Weight& weight);

/// Makes it the weight's value, in the narrowest type that holds it; an integer that becomes a fraction is a
/// rational by kind.
void set_value(Weight& weight, mpq_class value);

/// Whether values like these may be those of a graph of this kind of weights. O(1) but for fractions that
/// say they are integers.
bool may_hold(WeightKind kind, const Values& values);

/// Of integers, rationals and ones: the value of an edge; 1 where the values are complex.
mpq_class exact_value(const Values& values, std::size_t edge);

/// Makes the values of so many edges at least as wide as alternative `index` of Values.
void widen(Values& values, std::size_t index, std::size_t edges);

/// One value more behind those of so many edges, which become as wide as it is.
void push_value(Values& values, std::size_t edges, const Weight& weight);

/// The same, but ones stay none as long as all values are.
void append_value(Values& values, std::size_t edges, const Weight& weight);

}  // namespace countpm
