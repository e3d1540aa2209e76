#pragma once
// Small tools of the matching tests: random patterns and matrices, and readers of ../shared.
#include <cstdint>
#include <filesystem>
#include <fstream>
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

inline std::filesystem::path shared_matrices() {
  return std::filesystem::path(COUNTPM_SOURCE_DIR) / "../shared/matrices";
}

/// The pattern of a coordinate Matrix Market file, explicit zeros dropped. A reader for tests only.
inline SparsePattern read_matrix_market(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  const bool symmetric = line.find("general") == std::string::npos;
  const bool valued = line.find("pattern") == std::string::npos;
  const bool array = line.find("array") != std::string::npos;
  while (std::getline(in, line) && line[0] == '%') {
  }
  std::istringstream header(line);
  Index rows = 0;
  Index columns = 0;
  std::uint64_t count = 0;
  header >> rows >> columns >> count;
  std::vector<std::pair<Index, Index>> entries;
  if (array) {
    for (Index j = 0; j < columns; ++j) {
      for (Index i = symmetric ? j : 0; i < rows; ++i) {
        double value = 0;
        in >> value;
        if (value == 0) continue;
        entries.emplace_back(i, j);
        if (symmetric) entries.emplace_back(j, i);
      }
    }
    return pattern_of(rows, columns, entries);
  }
  for (std::uint64_t k = 0; k < count; ++k) {
    std::getline(in, line);
    std::istringstream fields(line);
    Index i = 0;
    Index j = 0;
    double value = 1;
    fields >> i >> j;
    if (valued) fields >> value;
    if (value == 0) continue;
    entries.emplace_back(i - 1, j - 1);
    if (symmetric) entries.emplace_back(j - 1, i - 1);
  }
  return pattern_of(rows, columns, entries);
}

/// Rows of a tab-separated file, its header line first; empty where the file is missing.
inline std::vector<std::vector<std::string>> read_table(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(in, line)) {
    rows.emplace_back();
    std::istringstream fields(line);
    std::string field;
    while (std::getline(fields, field, '\t')) rows.back().push_back(field);
  }
  return rows;
}

}  // namespace countpm::testing_support
