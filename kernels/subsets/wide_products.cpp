#include "kernels/subsets/wide_products.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

// GMP 6.2, AMD EPYC (Zen 4) beside other work, 2026-11-24: schoolbook up to some 24 words, then Karatsuba and
// Toom, here as one power. 14 rows of 234 words: 0.9 ms a term of CPU time where this says 0.8; 16 of 88:
// 0.31 and 0.4.
constexpr double seconds_a_word_product = 0.5e-9;
constexpr double school_words = 24;
constexpr double toom_power = 1.5;
// From here on by Fourier transforms: nearly linear.
constexpr double fourier_words = 4000;
constexpr double fourier_power = 1.1;
constexpr double seconds_an_operation = 20e-9;
constexpr double seconds_a_word_sum = 0.5e-9;

double square_seconds(double words) {
  const double small = std::min(words, school_words);
  const double middle = std::clamp(words / school_words, 1.0, fourier_words / school_words);
  const double large = std::max(words / fourier_words, 1.0);
  return seconds_a_word_product * small * small * std::pow(middle, toom_power) *
         std::pow(large, fourier_power);
}

double words_of(const mpz_class& value) {
  return static_cast<double>(std::max<std::size_t>(mpz_size(value.get_mpz_t()), 1));
}

}  // namespace

double multiply_seconds(double words_a, double words_b) {
  const double small = std::max(std::min(words_a, words_b), 1.0);
  const double large = std::max(words_a, words_b);
  return seconds_an_operation + large / small * square_seconds(small);
}

double term_seconds(const IntegerColumns<mpz_class>& columns) {
  double seconds = 0;
  double words = 0;
  for (const mpz_class& bound : columns.row_bound) {
    const double own = words_of(bound);
    seconds += seconds_an_operation + seconds_a_word_sum * own;
    if (words > 0) seconds += multiply_seconds(words, own);
    words += own;
  }
  return seconds;
}

std::uint64_t wide_bytes(const IntegerColumns<mpz_class>& columns) {
  // Of a walk: the row sums of a start, a prefix and a leaf, and of one that is being made; each grows to
  // half as much again at most. Then the product, what multiplies it, and the sums of both signs.
  constexpr std::uint64_t sums = 4;
  constexpr std::uint64_t products = 6;
  constexpr std::uint64_t allocation = 32;
  std::uint64_t bytes = 0;
  for (const mpz_class& bound : columns.row_bound) {
    const std::uint64_t own = 8 * (mpz_size(bound.get_mpz_t()) + 1);
    bytes += sums * (allocation + own * 3 / 2) + products * own;
  }
  return bytes;
}

unsigned columns_of_slice(const IntegerColumns<mpz_class>& /*columns*/, double rate, double seconds,
                          unsigned most) {
  return static_cast<unsigned>(
      std::clamp(std::log2(std::max(rate * seconds, 1.0)), 1.0, static_cast<double>(most)));
}

}  // namespace countpm
