#include "kernels/grouped/columns.hpp"

#include <limits>
#include <numeric>
#include <random>

namespace countpm {
namespace {

// Among 40 columns the best of 300 triples is within 3 % of the best of all.
constexpr int tries = 300;
constexpr unsigned lane_merges = 3;
constexpr unsigned scalar_merges = 5;
constexpr std::uint64_t choice_seed = 20261121;

/// value[j][i] of the columns without a twin.
std::vector<std::vector<std::int64_t>> dense_columns(const IntegerColumns<std::int64_t>& columns,
                                                     const std::vector<Index>& candidates) {
  std::vector<std::vector<std::int64_t>> dense;
  for (const Index j : candidates) {
    std::vector<std::int64_t> column(columns.rows, 0);
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k)
      column[columns.row[k]] = columns.value[k];
    dense.push_back(std::move(column));
  }
  return dense;
}

}  // namespace

std::vector<std::int64_t> row_divisors(const IntegerColumns<std::int64_t>& columns, RyserForm form) {
  std::vector<std::int64_t> divisors(columns.rows, 0);
  const std::int64_t factor = form == RyserForm::halved ? 2 : 1;
  for (std::size_t k = 0; k < columns.value.size(); ++k) {
    std::int64_t& divisor = divisors[columns.row[k]];
    divisor = std::gcd(divisor, factor * columns.value[k]);
  }
  for (Index i = 0; i < columns.rows; ++i) {
    if (form == RyserForm::halved) divisors[i] = std::gcd(divisors[i], columns.row_sum[i]);
    if (divisors[i] == 0) divisors[i] = 1;
  }
  return divisors;
}

GroupedChoice choose_grouped_columns(const IntegerColumns<std::int64_t>& columns, RyserForm form) {
  std::vector<Index> candidates;
  for (Index j = 0; j < columns.columns(); ++j) {
    if (columns.multiplicity[j] == 1) candidates.push_back(j);
  }
  const auto dense = dense_columns(columns, candidates);
  const std::vector<std::int64_t> divisors = row_divisors(columns, form);
  GroupedChoice choice;

  std::mt19937_64 random(choice_seed);
  double least = std::numeric_limits<double>::infinity();
  std::vector<GroupedRow> rows(columns.rows);
  for (int attempt = 0; attempt < tries && candidates.size() > lane_merges; ++attempt) {
    std::size_t triple[lane_merges];
    for (std::size_t& column : triple) column = random() % candidates.size();
    if (triple[0] == triple[1] || triple[0] == triple[2] || triple[1] == triple[2]) continue;
    bool one_value = true;
    for (Index i = 0; i < columns.rows && one_value; ++i) {
      rows[i] = {columns.row_bound[i] / divisors[i], 0};
      std::int64_t value = 0;
      for (unsigned c = 0; c < lane_merges; ++c) {
        const std::int64_t entry = dense[triple[c]][i];
        if (entry == 0) continue;
        one_value = one_value && (value == 0 || value == entry);
        value = entry;
        rows[i].pattern |= 1U << c;
      }
    }
    if (!one_value) continue;
    for (unsigned top = 0; top < lane_merges; ++top) {
      const unsigned one = (top + 1) % lane_merges;
      const unsigned two = (top + 2) % lane_merges;
      const auto layout = lay_out_rows(rows, top, one, two);
      if (!layout || layout->cost() >= least) continue;
      least = layout->cost();
      choice.columns = {candidates[triple[one]], candidates[triple[two]], candidates[triple[top]]};
      choice.lanes = true;
    }
  }
  if (choice.lanes) return choice;

  std::vector<std::int64_t> value(columns.rows, 0);
  for (std::size_t c = 0; c < candidates.size() && choice.columns.size() < scalar_merges; ++c) {
    bool fits = true;
    for (Index i = 0; i < columns.rows && fits; ++i)
      fits = dense[c][i] == 0 || value[i] == 0 || value[i] == dense[c][i];
    if (!fits) continue;
    for (Index i = 0; i < columns.rows; ++i) value[i] = dense[c][i] != 0 ? dense[c][i] : value[i];
    choice.columns.push_back(candidates[c]);
  }
  return choice;
}

}  // namespace countpm
