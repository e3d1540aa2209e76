#pragma once
// What the tests of codegen in floating point share: forced forms and random walks.
#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/exact/codegen_floating_program.hpp"
#include "tests/kernels/method_testing.hpp"

namespace countpm::testing {

using codegen::FloatingProgram;
using codegen::FloatingWishes;
using codegen::Form;

inline std::vector<FloatingWishes> all_wishes() {
  std::vector<FloatingWishes> result{{}};
  for (const unsigned kept : {0U, 1U, 3U, 4U}) {
    for (const bool in_memory : {false, true}) {
      result.push_back({Form::pure_registers, kept, {}, in_memory});
      result.push_back({Form::hybrid, kept, {}, in_memory});
      result.push_back({Form::hybrid, kept, 0, in_memory});
      result.push_back({Form::hybrid, kept, 2, in_memory});
    }
  }
  return result;
}

template <class Value>
struct Example {
  gray::Walk<Value> walk;
  gray::Prefixes<Value> prefixes;
};

/// Magnitudes of a row add up to less than 1. Rows of any size where `scaled`; columns beyond the first ones
/// are empty now and then.
template <class Value>
Example<Value> random_example(Random& random, unsigned rows, unsigned columns, double density, bool scaled) {
  Example<Value> example;
  example.walk = {rows, columns, {}};
  const auto entry = [&](unsigned row) {
    double value = (static_cast<double>(random() >> 11) * 0x1p-52 - 1) / (columns + 1);
    if (scaled) value = std::ldexp(value, -static_cast<int>(row * 37 % 90));
    if constexpr (std::is_same_v<Value, double>) {
      return value;
    } else {
      return double_double::quick_two_sum(value, value * 0x1p-60 * static_cast<double>(random() >> 56));
    }
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
