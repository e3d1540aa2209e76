#include "kernels/hafnian/scaling.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/arithmetic/up_float.hpp"
#include "matching/pattern_of.hpp"

namespace countpm::pair_sets {
namespace {

UpFloat size_of(std::int64_t value) {
  return UpFloat::of(mpz_class(value));
}
UpFloat size_of(const mpq_class& value) {
  return UpFloat::of(value);
}
UpFloat size_of(const ComplexRational& value) {
  const UpFloat re = UpFloat::of(value.re);
  const UpFloat im = UpFloat::of(value.im);
  return UpFloat::root(re * re + im * im);
}

}  // namespace

std::vector<double> magnitudes_of(const AnyBlock& any_block, const std::vector<std::int64_t>& exponents) {
  return std::visit(
      [&](const auto& block) {
        std::vector<double> result;
        result.reserve(block.matrix.value.size());
        for (Index v = 0; v < block.matrix.rows; ++v) {
          for (std::uint64_t k = block.matrix.row_start[v]; k < block.matrix.row_start[v + std::uint64_t{1}];
               ++k) {
            const Index u = block.matrix.column[k];
            const UpFloat size = size_of(block.matrix.value[k]);
            const std::int64_t exponent = size.exponent - exponents[v] - (u == v ? 0 : exponents[u]);
            // beyond the range of doubles: as good as none
            constexpr std::int64_t least = -1100;
            result.push_back(std::ldexp(size.mantissa, static_cast<int>(std::max(exponent, least))));
          }
        }
        return result;
      },
      any_block);
}

std::vector<std::int64_t> balancing_exponents(const SparsePattern& pattern,
                                              const std::vector<double>& magnitude) {
  constexpr int most_sweeps = 100;
  constexpr double close_enough = 1.2;
  // slack for the roundings of magnitudes and of their sums
  constexpr double most = 1 - 0x1p-30;
  std::vector<double> factor(pattern.rows, 1);
  const auto sum_of = [&](Index v) {
    double sum = 0;
    for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k)
      sum += magnitude[k] * factor[v] * (pattern.column[k] == v ? 1 : factor[pattern.column[k]]);
    return sum;
  };
  bool moved = true;
  for (int sweep = 0; sweep < most_sweeps && moved; ++sweep) {
    moved = false;
    for (Index v = 0; v < pattern.rows; ++v) {
      const double sum = sum_of(v);
      if (sum < 0x1p-900 || sum > 0x1p900) continue;  // no edges, or as good as none
      moved = moved || sum > close_enough || sum < 1 / close_enough;
      factor[v] /= std::sqrt(sum);
    }
  }
  std::vector<std::int64_t> exponents(pattern.rows, 0);
  const auto set = [&](Index v, double log2_factor) {
    exponents[v] = -std::llround(log2_factor);
    factor[v] = std::ldexp(1.0, static_cast<int>(-exponents[v]));
  };
  for (Index v = 0; v < pattern.rows; ++v) set(v, std::log2(factor[v]));
  // Smaller factors make the neighbours' sums smaller only.
  for (Index v = 0; v < pattern.rows; ++v) {
    const double sum = sum_of(v);
    if (sum > most) set(v, std::log2(factor[v]) - std::ceil(std::log2(sum / most)));
  }
  return exponents;
}

void make_alike(std::vector<std::int64_t>& exponents, const std::vector<Index>& twin_of) {
  std::vector<std::int64_t> largest = exponents;
  for (std::size_t v = 0; v < exponents.size(); ++v)
    largest[twin_of[v]] = std::max(largest[twin_of[v]], exponents[v]);
  for (std::size_t v = 0; v < exponents.size(); ++v) exponents[v] = largest[twin_of[v]];
}

std::vector<std::int64_t> balanced_exponents(const AnyBlock& block, const std::vector<Index>& twin_of) {
  std::vector<std::int64_t> exponents = row_exponents(block);
  const SparsePattern& pattern = pattern_of(block);
  const std::vector<std::int64_t> more = balancing_exponents(pattern, magnitudes_of(block, exponents));
  for (std::size_t v = 0; v < exponents.size(); ++v) exponents[v] += more[v];
  make_alike(exponents, twin_of);
  return exponents;
}

}  // namespace countpm::pair_sets
