#pragma once
// Eight subsets of ryser's floating walk at a time: the row sums with every subset of three columns, which
// are put in and out without being stored, so that a warp has eight products to work on side by side.
// Compiled by NVRTC, too.
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/subsets/gpu/slope_bound.hpp"

namespace countpm::gray {

/// Whether the numbers have what add_eight_terms() takes: those that say whether their sums are `exact`.
template <class Numbers, class = void>
inline constexpr bool has_eight_terms = false;
template <class Numbers>
inline constexpr bool has_eight_terms<Numbers, decltype(void(Numbers::exact))> = true;

/// Row sums x of a subset, and of it with some of three further columns.
template <class Numbers, class Sums>
struct ChosenColumns {
  using Value = typename Numbers::Value;
  const Sums& x;
  const Value* columns;  // three of them
  unsigned between;      // from one to the next
  unsigned chosen;       // bit c: column c
  COUNTPM_HD Value operator[](unsigned i) const {
    Value sum = x[i];
    COUNTPM_UNROLL
    for (unsigned c = 0; c < 3; ++c) {
      if ((chosen >> c & 1) != 0) Numbers::add(sum, columns[c * between + i]);
    }
    return sum;
  }
};

/// The terms of x with every subset of three columns, at `columns` and every `between` values from there,
/// 16 bytes a load. Joined by at most additions_before_sum roundings each. Numbers: a SlopeBound with rows >
/// 0 that says whether its sums are `exact`, and has bounded_product(), which bounds one term by itself,
/// beside the arithmetic that is used here.
template <class Numbers, class Sums>
COUNTPM_HD void add_eight_terms(const Numbers& numbers, typename Numbers::Total& total, const Sums& x,
                                const typename Numbers::Value* columns, unsigned between, bool minus) {
  using Value = typename Numbers::Value;
  constexpr unsigned subsets = 8;
  constexpr unsigned load = sizeof(Value) < 16 ? 16 / sizeof(Value) : 1;
  Value part[subsets];
  float share[subsets];
  COUNTPM_UNROLL
  for (unsigned s = 0; s < subsets; ++s) {
    part[s] = Numbers::one();
    share[s] = numbers.start;
  }
  COUNTPM_UNROLL
  for (unsigned i = 0; i < Numbers::rows; i += load) {
    Value entries[3][load];
    COUNTPM_UNROLL
    for (unsigned c = 0; c < 3; ++c)
      memcpy(entries[c], __builtin_assume_aligned(columns + c * between + i, 16), sizeof(entries[c]));
    COUNTPM_UNROLL
    for (unsigned k = 0; k < load; ++k) {
      if (i + k >= Numbers::rows) break;
      Value sums[subsets];
      sums[0] = x[i + k];
      COUNTPM_UNROLL
      for (unsigned c = 0; c < 3; ++c) {
        COUNTPM_UNROLL
        for (unsigned s = 0; s < 1U << c; ++s) {
          sums[s + (1U << c)] = sums[s];
          Numbers::add(sums[s + (1U << c)], entries[c][k]);
        }
      }
      COUNTPM_UNROLL
      for (unsigned s = 0; s < subsets; ++s) {
        if (i + k == 0) {
          part[s] = sums[s];
        } else {
          Numbers::multiply(part[s], sums[s]);
        }
        if constexpr (!Numbers::exact) share[s] += Numbers::share_of(sums[s]);
      }
    }
  }
  double above[subsets];
  COUNTPM_UNROLL
  for (unsigned s = 0; s < subsets; ++s) above[s] = Numbers::above(part[s]);
  // Subset s counts negatively where it has an odd number of columns.
  COUNTPM_UNROLL
  for (unsigned half = 1; half < subsets; half *= 2) {
    COUNTPM_UNROLL
    for (unsigned s = 0; s < subsets; s += 2 * half) Numbers::subtract(part[s], part[s + half]);
  }
  Numbers::add_product(total, part[0], minus);
  bool ordinary = true;
  if constexpr (!Numbers::exact) {
    COUNTPM_UNROLL
    for (unsigned s = 0; s < subsets; ++s) ordinary = ordinary && numbers.has_reciprocals(above[s], share[s]);
  }
  if (ordinary) {
    if constexpr (!Numbers::exact) {
      COUNTPM_UNROLL
      for (unsigned s = 0; s < subsets; ++s)
        total.errors = multiply_add(above[s], static_cast<double>(share[s]), total.errors);
    }
    COUNTPM_UNROLL
    for (unsigned half = 1; half < subsets; half *= 2) {
      COUNTPM_UNROLL
      for (unsigned s = 0; s < subsets; s += 2 * half) above[s] += above[s + half];
    }
    total.products += above[0];
  } else {
    COUNTPM_NO_UNROLL
    for (unsigned s = 0; s < subsets; ++s)
      numbers.bounded_product(total, ChosenColumns<Numbers, Sums>{x, unmoved(columns), between, s},
                              Numbers::rows);
  }
}

}  // namespace countpm::gray
