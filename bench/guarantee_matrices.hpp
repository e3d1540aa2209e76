#pragma once
// The matrices of the goals for estimates with a guarantee, as text. Drawn one after the other from one seed:
// leaving one out changes those after it.
#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace countpm::bench {

struct GuaranteeRow {
  std::string name;
  std::vector<std::vector<int>> ones;  // by row
  double goal;                         // seconds on 2 cores
  double gpu_goal;                     // on one NVIDIA H200; 0: none
  const char* published;               // seconds
};

using Random = std::mt19937;

inline std::vector<std::vector<int>> random_rows(int n, double density, Random& random) {
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(n));
  std::bernoulli_distribution one(density);
  for (auto& row : rows) {
    for (int j = 0; j < n; ++j) {
      if (one(random)) row.push_back(j);
    }
  }
  return rows;
}

/// Blocks of 10 rows and density 0.5 down the diagonal.
inline std::vector<std::vector<int>> block_diagonal(int n, Random& random) {
  constexpr int size = 10;
  std::vector<std::vector<int>> rows;
  for (int first = 0; first < n; first += size) {
    for (auto& row : random_rows(size, 0.5, random)) {
      for (int& j : row) j += first;
      row.push_back(static_cast<int>(rows.size()));  // the diagonal: not zero
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

/// The ones of so many random permutation matrices.
inline std::vector<std::vector<int>> permutation_sum(int n, int permutations, Random& random) {
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(n));
  std::vector<int> permutation(static_cast<std::size_t>(n));
  std::iota(permutation.begin(), permutation.end(), 0);
  for (int k = 0; k < permutations; ++k) {
    std::shuffle(permutation.begin(), permutation.end(), random);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].push_back(permutation[i]);
  }
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return rows;
}

inline std::string matrix_text(const std::vector<std::vector<int>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    std::string line(2 * rows.size(), ' ');
    for (std::size_t j = 0; j < rows.size(); ++j) line[2 * j] = '0';
    for (const int j : row) line[2 * static_cast<std::size_t>(j)] = '1';
    text += line + '\n';
  }
  return text;
}

inline std::vector<GuaranteeRow> guarantee_rows() {
  Random random(20261121);
  std::vector<GuaranteeRow> table;
  for (const auto& [n, goal, published] : {std::tuple{50, 0.5, "3.6"}, std::tuple{60, 1.0, "5.8"},
                                           std::tuple{80, 2.0, "14"}, std::tuple{100, 5.0, "54"}})
    table.push_back(
        {fmt::format("density 0.5, n = {}", n), random_rows(n, 0.5, random), goal, 0.2, published});
  for (const auto& [n, goal, gpu_goal, published] :
       {std::tuple{30, 1.0, 1.0, "14"}, std::tuple{40, 3.0, 1.0, "> 100"}, std::tuple{50, 30.0, 3.0, "> 120"},
        std::tuple{60, 120.0, 15.0, "> 120"}})
    table.push_back(
        {fmt::format("density 0.2, n = {}", n), random_rows(n, 0.2, random), goal, gpu_goal, published});
  for (const int n : {40, 60, 80})
    table.push_back({fmt::format("block diagonal, n = {}", n), block_diagonal(n, random), 2, 0, "> 60"});
  for (const int permutations : {3, 5}) {
    for (const int n : {40, 60, 80})
      table.push_back({fmt::format("{} permutations, n = {}", permutations, n),
                       permutation_sum(n, permutations, random), 2, 0, "> 60"});
  }
  return table;
}

}  // namespace countpm::bench
