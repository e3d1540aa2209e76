#pragma once
// What walks in floating point share on the host: whether their sums may be small, and totals as parts of a
// sum.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/subsets/gpu/complex_numbers.hpp"
#include "kernels/subsets/gpu/numbers.hpp"
#include "kernels/subsets/gpu/walker.hpp"

namespace countpm::gray {

/// Whether it is a multiple of 2^-125: so are sums of such doubles, rounded or not, which are 0 or not
/// smaller then.
inline bool is_coarse(double value) {
  if (value == 0 || std::fabs(value) >= 0x1p-73) return true;  // 53 bits reach 2^-125
  const double units = std::ldexp(value, 125);
  return units == std::nearbyint(units);
}
inline bool is_coarse(const Complex<double>& value) {
  return is_coarse(value.re) && is_coarse(value.im);
}

/// Of double-doubles and triple-doubles, too small a row sum is seen where it is, or does no harm.
template <class Value>
inline constexpr bool asks_for_coarse =
    std::is_same_v<Value, double> || std::is_same_v<Value, Complex<double>>;
template <class Value>
bool all_coarse(const std::vector<Value>& values) {
  if constexpr (asks_for_coarse<Value>) {
    return std::all_of(values.begin(), values.end(), [](const Value& value) { return is_coarse(value); });
  } else {
    return false;
  }
}

/// A total as values that add up to it.
inline void append_parts(std::vector<double>& parts, const NeumaierSum& sum) {
  parts.push_back(sum.sum);
  parts.push_back(sum.correction);
}
inline void append_parts(std::vector<Complex<double>>& parts, const ComplexNeumaierSum& sum) {
  parts.push_back({sum.re.sum, sum.im.sum});
  parts.push_back({sum.re.correction, sum.im.correction});
}
template <class Value>
void append_parts(std::vector<Value>& parts, const Value& sum) {
  parts.push_back(sum);
}

/// Threads' or blocks' totals of so many terms.
template <class Numbers>
FloatingParts<typename Numbers::Value> floating_parts(const Numbers& numbers,
                                                      const std::vector<typename Numbers::Total>& totals,
                                                      std::uint64_t terms, std::uint64_t longest) {
  FloatingParts<typename Numbers::Value> result;
  for (const auto& total : totals) {
    if (total.products == 0 && total.errors == 0) continue;  // nobody's, and no addition that could round
    append_parts(result.parts, total.sum);
    result.products += total.products;
    result.wides += numbers.wides(total);
  }
  result.terms = terms;
  result.longest = std::min(longest, 2 * terms);  // nothing is rounded where there is no term
  return result;
}

}  // namespace countpm::gray
