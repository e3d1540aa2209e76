#pragma once
// The inner loop of Ryser's formula in pairs of doubles over SIMD lanes, for small matrices of doubles; and a
// hafnian of few vertices in such pairs. Compiled for AVX2 and AVX-512, whose multiplications and additions
// round once. Plain data only and no standard library, as ryser/simd.hpp. small_sums.hpp lays out the
// numbers and bounds the error. The same of whole numbers, modulo 2^64 and in doubles at once
// (small_integers.hpp).
#include <cstdint>

namespace countpm::lanes {

inline constexpr unsigned most_double_lanes = 8;
/// Steps whose terms are added up before their sum joins the others.
inline constexpr unsigned steps_of_a_block = 64;

/// Row sums as pairs (high, low) that are exact: multiples of 2^-51 and of 2^-99. A row has 1 or, of complex
/// numbers, 2 pairs (`parts`).
struct DoubleWalk {
  unsigned rows = 0;
  unsigned parts = 1;
  unsigned columns = 0;  // that the walk flips: 2^columns steps
  /// What the rows' sums change by when column c is counted negative (minus[c]) or positive again (plus[c]):
  /// rows x parts x (high, low), every lane the same.
  const double* const* plus = nullptr;
  const double* const* minus = nullptr;
  /// rows x parts x (high, low) vectors: the state before the first step.
  double* sums = nullptr;
};

/// sum over the steps of (-1)^step product, a pair for each part and lane.
struct DoubleTotals {
  double high[2][most_double_lanes];
  double low[2][most_double_lanes];
};

/// The sum over the perfect matchings of few vertices, or with `loops` over all matchings, where a vertex
/// alone has the weight on the diagonal. `entry`: vertices x vertices x parts, symmetric. `tables` has place
/// for hafnian_places() pairs. `value`: a pair for each part. `magnitude`: the same sum of |re| + |im|.
struct DoubleHafnian {
  unsigned vertices = 0;
  unsigned parts = 1;
  bool loops = false;
  const double* entry = nullptr;
  double* tables = nullptr;
  double value[4] = {0, 0, 0, 0};
  double magnitude = 0;
};
/// Of doubles.
inline std::uint64_t hafnian_places(unsigned vertices, unsigned parts) {
  return std::uint64_t{2} * (2 * parts + 1) << vertices;
}

/// Ryser's formula likewise of whole numbers. A vector for each row, of words and of doubles, the same
/// numbers; of words alone where the doubles are null.
struct WordWalk {
  unsigned rows = 0;
  unsigned columns = 0;  // that the walk flips: 2^columns steps
  /// columns x rows: what the rows' sums lose when a column is counted negative.
  const std::uint64_t* word_flips = nullptr;
  const double* double_flips = nullptr;
  /// rows vectors: the sums before the first step.
  std::uint64_t* words = nullptr;
  double* doubles = nullptr;
};

/// The sum over the injections of rows into columns, over sets of rows. `word_entries`, `double_entries`: a
/// column after another, the same numbers. Two tables of 2^rows places, at least as many as lanes, one after
/// the other; the first is 0 but for its first place, which is 1. In the end the sum is in the last place of
/// the first table, or of the second one for an odd number of columns. Of words alone where the doubles are
/// null.
struct WordInjections {
  unsigned rows = 0;
  unsigned columns = 0;
  const std::uint64_t* word_entries = nullptr;
  const double* double_entries = nullptr;
  std::uint64_t* words = nullptr;
  double* doubles = nullptr;
};

/// A sum for each lane: modulo 2^64, and rounded.
struct WordTotals {
  std::uint64_t words[most_double_lanes];
  double doubles[most_double_lanes];
};

struct DoubleVariant {
  unsigned lanes;
  void (*walk)(const DoubleWalk& walk, DoubleTotals& totals);
  void (*hafnian)(DoubleHafnian& hafnian);
  void (*words)(const WordWalk& walk, WordTotals& totals);
  void (*injections)(const WordInjections& injections);
};

namespace avx2 {
DoubleVariant double_variant();
}
namespace avx512 {
DoubleVariant double_variant();
}

}  // namespace countpm::lanes
