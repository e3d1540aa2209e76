#pragma once
// Small tools of the matching tests: random patterns and matrices.
#include <cstdint>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm::testing_support {

/// A seeded generator with the one question that tests ask.
struct Random : std::mt19937_64 {
  using std::mt19937_64::mt19937_64;
  Index below(Index bound) { return static_cast<Index>((*this)() % bound); }
};

/// From a list of entries; duplicates count once.
inline SparsePattern pattern_of(Index rows, Index columns,
                                const std::vector<std::pair<Index, Index>>& entries) {
  std::vector<std::set<Index>> lines(rows);
  for (const auto& [i, j] : entries) lines[i].insert(j);
  SparsePattern pattern;
  pattern.rows = rows;
  pattern.columns = columns;
  for (const auto& line : lines) {
    pattern.column.insert(pattern.column.end(), line.begin(), line.end());
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

inline SparsePattern random_pattern(Index rows, Index columns, double density, Random& random) {
  SparsePattern pattern;
  pattern.rows = rows;
  pattern.columns = columns;
  std::bernoulli_distribution entry(density);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      if (entry(random)) pattern.column.push_back(j);
    }
    pattern.row_start.push_back(pattern.column.size());
  }
  return pattern;
}

inline std::string show(const SparsePattern& pattern) {
  std::ostringstream out;
  out << pattern.rows << " x " << pattern.columns << "\n";
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
      out << i << "," << pattern.column[k] << " ";
    out << "\n";
  }
  return out.str();
}

}  // namespace countpm::testing_support
