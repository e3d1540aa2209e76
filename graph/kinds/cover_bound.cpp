#include "graph/kinds/cover_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

// exp2 and log2 of the C library are within a few units in the last place, 2^-52, and so is every sum of two
// doubles: 2^-40 of what was added up in magnitude is thousands of times the error of a term.
constexpr double slack = 0x1p-40;

/// The bound for one u, in logarithms, with all rounding made up for.
double bound_at(double log2_u, Index vertices, const std::vector<CoverPiece>& pieces,
                std::vector<double>& largest, std::vector<double>& sum) {
  constexpr double none = -std::numeric_limits<double>::infinity();
  std::fill(largest.begin(), largest.end(), none);
  std::fill(sum.begin(), sum.end(), 0.0);
  const auto exponent = [&](const CoverPiece& piece) {
    const double divided = static_cast<double>(piece.size) * log2_u;
    return piece.log2_weight - divided + slack * (std::fabs(piece.log2_weight) + std::fabs(divided));
  };
  for (const CoverPiece& piece : pieces)
    largest[piece.first] = std::max(largest[piece.first], exponent(piece));
  for (const CoverPiece& piece : pieces)
    sum[piece.first] += std::exp2(exponent(piece) - largest[piece.first]);
  double total = static_cast<double>(vertices) * log2_u;
  double magnitude = std::fabs(total);
  for (Index v = 0; v < vertices; ++v) {
    if (largest[v] == none) continue;
    // At most 2^32 terms of at most 1, each rounded: their sum is off by less than 2^-20 of itself.
    const double log2_sum = largest[v] + std::log2(sum[v] * (1 + 0x1p-20));
    if (log2_sum <= 0) continue;
    total += log2_sum;
    magnitude += std::fabs(largest[v]) + std::fabs(log2_sum);
  }
  // Every logarithm, and each of the additions to `total`.
  return total + (slack + 0x1p-50 * static_cast<double>(vertices)) * (magnitude + 1);
}

}  // namespace

double log2_cover_bound(Index vertices, const std::vector<CoverPiece>& pieces) {
  std::vector<double> largest(vertices);
  std::vector<double> sum(vertices);
  const auto at = [&](double log2_u) {
    check_stop();
    return bound_at(log2_u, vertices, pieces, largest, sum);
  };
  // Convex in log2 u: beyond the largest of log2(weight) / size + log2(pieces), only the factor u^n grows.
  double high = 1;
  double low = -1;
  for (const CoverPiece& piece : pieces) {
    const double own = piece.log2_weight / static_cast<double>(piece.size);
    high = std::max(high, own + std::log2(static_cast<double>(pieces.size()) + 1));
    low = std::min(low, own - 1);
  }
  constexpr int steps = 40;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = high - golden * (high - low);
  double b = low + golden * (high - low);
  double at_a = at(a);
  double at_b = at(b);
  double best = std::min({at(0), at_a, at_b});
  for (int step = 0; step < steps; ++step) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = at(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = at(b);
    }
    best = std::min({best, at_a, at_b});
  }
  return std::max(best, 0.0);
}

}  // namespace countpm
