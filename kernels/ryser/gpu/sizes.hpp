#pragma once
// The sizes for which ryser's kernels with row sums in registers are built in.
#include <type_traits>
#include <utility>

namespace countpm::gray {

/// W for N row sums within +-64 of which most are far smaller: N log2(N) bits of product and N of subsets.
constexpr unsigned words_for(unsigned rows) {
  return rows <= 16 ? 2 : rows <= 24 ? 3 : rows <= 40 ? 4 : rows <= 48 ? 5 : 8;
}

/// f(the smallest of the sizes that has room for `rows`), or an empty Result where none has.
template <class Result, class F, unsigned First, unsigned... Rest>
Result with_size(unsigned rows, const F& f, std::integer_sequence<unsigned, First, Rest...>) {
  if (rows <= First) return f(std::integral_constant<unsigned, First>());
  if constexpr (sizeof...(Rest) > 0) {
    return with_size<Result>(rows, f, std::integer_sequence<unsigned, Rest...>());
  } else {
    return Result{};
  }
}
using Sizes = std::integer_sequence<unsigned, 16, 24, 32, 40, 48, 64>;
/// Of these more do not fit into 255 registers.
using PairSizes = std::integer_sequence<unsigned, 24, 40>;
using ComplexSizes = std::integer_sequence<unsigned, 24, 32, 40>;
using ComplexPairSizes = std::integer_sequence<unsigned, 16, 24>;
using TripleSizes = std::integer_sequence<unsigned, 16, 24, 32>;
using ComplexTripleSizes = std::integer_sequence<unsigned, 8, 16>;

}  // namespace countpm::gray
