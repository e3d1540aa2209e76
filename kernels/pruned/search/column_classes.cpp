#include "kernels/pruned/search/column_classes.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace countpm {
template <class Int>
IntegerColumns<Int> with_few_classes(IntegerColumns<Int> columns, Index singles) {
  std::vector<Index> classes;
  Index copies = 0;
  Index single = 0;
  for (Index j = 0; j < columns.columns(); ++j) {
    if (columns.multiplicity[j] == 1) {
      ++single;
    } else if (columns.multiplicity[j] <= most_class_copies) {
      classes.push_back(j);
      copies += columns.multiplicity[j];
    }
  }
  std::stable_sort(classes.begin(), classes.end(),
                   [&](Index a, Index b) { return columns.multiplicity[a] < columns.multiplicity[b]; });
  std::vector<bool> small(columns.columns());
  for (const Index j : classes) {
    if (copies <= most_class_copies && single >= singles) break;
    small[j] = true;
    copies -= columns.multiplicity[j];
    single += columns.multiplicity[j];
  }
  return written_out(std::move(columns), small);
}

template <class Int>
std::optional<IntegerColumns<Int>> transposed(const IntegerColumns<Int>& columns) {
  // row i of `columns` as a list of (column, value); equal ones are one class
  std::vector<std::vector<std::pair<Index, Int>>> line(columns.rows);
  for (Index j = 0; j < columns.columns(); ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k)
      line[columns.row[k]].emplace_back(j, columns.value[k]);
  }
  std::map<std::vector<std::pair<Index, Int>>, Index> copies;
  for (const auto& entries : line) ++copies[entries];
  std::vector<Index> first(columns.columns(), 0);
  Index rows = 0;
  for (Index j = 0; j < columns.columns(); ++j) {
    first[j] = rows;
    rows += columns.multiplicity[j];
  }
  IntegerColumns<Int> result;
  result.rows = rows;
  result.scale = columns.scale;
  result.row_sum.assign(rows, 0);
  result.row_bound.assign(rows, 0);
  for (const auto& entries : line) {
    const auto found = copies.find(entries);
    if (found == copies.end()) continue;  // of a class that stands already
    const Index times = found->second;
    copies.erase(found);
    for (const auto& [j, value] : entries) {
      for (Index copy = 0; copy < columns.multiplicity[j]; ++copy) {
        const Index row = first[j] + copy;
        result.row.push_back(row);
        result.value.push_back(value);
        if (!add_magnitude(result.row_bound[row], value, times)) return std::nullopt;
        result.row_sum[row] += value * static_cast<std::int64_t>(times);
      }
    }
    result.start.push_back(result.row.size());
    result.multiplicity.push_back(times);
  }
  return result;
}

template IntegerColumns<std::int64_t> with_few_classes(IntegerColumns<std::int64_t>, Index);
template IntegerColumns<mpz_class> with_few_classes(IntegerColumns<mpz_class>, Index);
template std::optional<IntegerColumns<std::int64_t>> transposed(const IntegerColumns<std::int64_t>&);
template std::optional<IntegerColumns<mpz_class>> transposed(const IntegerColumns<mpz_class>&);

}  // namespace countpm
