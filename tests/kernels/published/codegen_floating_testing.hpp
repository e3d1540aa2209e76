#pragma once
// What the tests of codegen in floating point share: forced forms and random walks.
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/published/codegen/floating_program.hpp"
#include "tests/kernels/arithmetic/floating_values.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::testing {

using codegen::FloatingOverrides;
using codegen::FloatingProgram;
using codegen::Form;

inline std::vector<FloatingOverrides> all_wishes() {
  std::vector<FloatingOverrides> result{{}};
  for (const unsigned kept : {0U, 1U, 3U, 4U}) {
    for (const bool in_memory : {false, true}) {
      result.push_back({{Form::pure_registers}, kept, {}, in_memory});
      result.push_back({{Form::hybrid}, kept, {}, in_memory});
      result.push_back({{Form::hybrid}, kept, 0, in_memory});
      result.push_back({{Form::hybrid}, kept, 2, in_memory});
    }
  }
  return result;
}

template <class Value>
struct Example {
  gray::Walk<Value> walk;
  gray::Prefixes<Value> prefixes;
};

/// A value of these parts, each with bits of its own below the first double where there is room for them.
template <class Value, class Draw>
Value drawn_value(Random& random, const Draw& draw) {
  if constexpr (is_complex_value<Value>) {
    using Part = decltype(Value{}.re);
    Value value{drawn_value<Part>(random, draw), drawn_value<Part>(random, draw)};
    // Parts that are 0: an entry without one.
    if (random() % 4 == 0) (random() % 2 == 0 ? value.re : value.im) = Part{};
    return value;
  } else if constexpr (std::is_same_v<Value, double>) {
    return draw();
  } else {
    const double value = draw();
    return double_double::quick_two_sum(value, value * 0x1p-60 * static_cast<double>(random() >> 56));
  }
}

/// Magnitudes of a row add up to less than 1. Rows of any size where `scaled`; columns beyond the first ones
/// are empty now and then.
template <class Value>
Example<Value> random_example(Random& random, unsigned rows, unsigned columns, double density, bool scaled) {
  Example<Value> example;
  example.walk = {rows, columns, {}};
  const double most = (is_complex_value<Value> ? 0.7 : 1.0) / (columns + 1);
  const auto entry = [&](unsigned row) {
    return drawn_value<Value>(random, [&] {
      const double value = (static_cast<double>(random() >> 11) * 0x1p-52 - 1) * most;
      return scaled ? std::ldexp(value, -static_cast<int>(row * 37 % 90)) : value;
    });
  };
  for (unsigned k = 0; k < rows * columns; ++k) {
    const bool there = static_cast<double>(random() >> 11) * 0x1p-53 < density;
    example.walk.deltas.push_back(there ? entry(k % rows) : Value{});
  }
  for (unsigned k = 0; k < rows * 3; ++k) example.prefixes.starts.push_back(entry(k % rows));
  example.prefixes.minuses = {0, 1, 1};
  return example;
}

}  // namespace countpm::testing
