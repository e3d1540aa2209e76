#pragma once
// Just enough of Matrix Market for the pattern of the files in ../shared/matrices, and their known counts.
#include <gmpxx.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "matching/block.hpp"

namespace countpm::shared_matrices {

inline std::string folder() {
  return COUNTPM_SOURCE_DIR "/../shared/matrices/";
}
inline bool present() {
  return std::filesystem::exists(folder() + "known.tsv");
}

/// The nonzero pattern with ones; coordinate files, general or (skew-)symmetric.
inline Block<std::int64_t> read(const std::string& name) {
  std::ifstream file(folder() + name + ".mtx");
  std::string line;
  std::getline(file, line);
  const bool symmetric = line.find("symmetric") != std::string::npos;
  const bool pattern = line.find(" pattern") != std::string::npos;
  while (std::getline(file, line) && (line.empty() || line.front() == '%')) {
  }
  std::istringstream sizes(line);
  Index rows = 0;
  Index columns = 0;
  std::size_t entries = 0;
  sizes >> rows >> columns >> entries;
  std::vector<std::set<Index>> row(rows);
  for (std::size_t k = 0; k < entries; ++k) {
    Index i = 0;
    Index j = 0;
    std::string value = "1";
    file >> i >> j;
    if (!pattern) file >> value;
    std::getline(file, line);
    if (std::stod(value) == 0) continue;
    row[i - 1].insert(j - 1);
    if (symmetric) row[j - 1].insert(i - 1);
  }
  Block<std::int64_t> block;
  block.matrix.rows = rows;
  block.matrix.columns = columns;
  for (const auto& line_columns : row) {
    block.matrix.column.insert(block.matrix.column.end(), line_columns.begin(), line_columns.end());
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  block.matrix.value.assign(block.matrix.column.size(), 1);
  return block;
}

struct Known {
  std::string name;
  Index rows = 0;
  std::string count;         // "-" where only residues are known
  mpz_class residue;         // modulo 2^61 - 1
  mpz_class second_residue;  // modulo 2305843009213693921
};
inline std::vector<Known> known() {
  std::vector<Known> result;
  std::ifstream file(folder() + "known.tsv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    Known one;
    std::string entries;
    std::string a;
    std::string b;
    fields >> one.name >> one.rows >> entries >> one.count >> a >> b;
    one.residue = a;
    one.second_residue = b;
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace countpm::shared_matrices
