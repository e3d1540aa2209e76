#pragma once
// How long products of integers beyond 64 bits take: what the methods over IntegerColumns<mpz_class> do once
// a term, and their rates of words leave out.
#include <cstdint>

#include "kernels/subsets/integer_columns.hpp"

namespace countpm {

/// Of integers of so many words each.
double multiply_seconds(double words_a, double words_b);

/// Seconds of one term on one core: the row sums of a subset changed by a column and multiplied. 0 for 64
/// bits, whose methods know it themselves.
inline double term_seconds(const IntegerColumns<std::int64_t>& /*columns*/) {
  return 0;
}
double term_seconds(const IntegerColumns<mpz_class>& columns);

/// What a walk's row sums and products take beyond what word-sized ones do.
inline std::uint64_t wide_bytes(const IntegerColumns<std::int64_t>& /*columns*/) {
  return 0;
}
std::uint64_t wide_bytes(const IntegerColumns<mpz_class>& columns);

/// Whether a WorkMeter's interval of terms takes longer than a slice that is to measure the rate.
template <class Int>
bool is_too_slow_to_measure(const IntegerColumns<Int>& columns, double seconds) {
  constexpr double terms_between_looks = 4096;
  return term_seconds(columns) * terms_between_looks > seconds;
}

/// A rate in terms a second where each takes that much longer.
inline double slowed(double rate, double seconds) {
  return rate / (1 + rate * seconds);
}

/// How many inner columns a slice of `most` may have that is to take about `seconds` at that rate; all of
/// them for 64 bits.
unsigned columns_of_slice(const IntegerColumns<mpz_class>& columns, double rate, double seconds,
                          unsigned most);
inline unsigned columns_of_slice(const IntegerColumns<std::int64_t>& /*columns*/, double /*rate*/,
                                 double /*seconds*/, unsigned most) {
  return most;
}

}  // namespace countpm
