#pragma once
// The inputs of ../shared, which a checkout may lack.
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "graph/instance.hpp"
#include "graph/read.hpp"
#include "test_paths.hpp"

namespace countpm::shared_files {

/// "matrices/ibm32.mtx" -> where it is, or would be.
inline std::filesystem::path path_of(const std::string& file) {
  return std::filesystem::path(COUNTPM_SOURCE_DIR) / ".." / "shared" / file;
}

/// The nonzero pattern of a matrix; empty where there is no such file.
inline std::optional<SparsePattern> pattern_of(const std::string& file) {
  if (!std::filesystem::exists(path_of(file))) return std::nullopt;
  return to_instance(read_graph(Source::from_argument(path_of(file).string())).graph).pattern;
}

/// Rows of a tab-separated file, its header line first; empty where there is no such file.
inline std::vector<std::vector<std::string>> table(const std::string& file) {
  std::ifstream in(path_of(file));
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

/// A matrix of ../shared/matrices: matrices/NAME.mtx.
struct Known {
  std::string name;
  Index rows = 0;
  std::string count;                 // "-" where only residues are known
  std::uint64_t residue = 0;         // modulo 2^61 - 1
  std::uint64_t second_residue = 0;  // modulo 2305843009213693921
};
/// Empty without ../shared.
inline std::vector<Known> known_matrices() {
  std::vector<Known> result;
  const auto rows = table("matrices/known.tsv");
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const std::vector<std::string>& row = rows[k];
    result.push_back({row.at(0), static_cast<Index>(std::stoul(row.at(1))), row.at(3), std::stoull(row.at(4)),
                      std::stoull(row.at(5))});
  }
  return result;
}

}  // namespace countpm::shared_files
