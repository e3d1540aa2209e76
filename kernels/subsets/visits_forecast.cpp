#include "kernels/subsets/visits_forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/subsets/prefix_sample.hpp"

namespace countpm {
namespace {

// 2^24 sums looked at: some 20 ms on the machine of bench/results/counting-cpu.md.
constexpr double most_sums = 1 << 24;
constexpr double largest_population = 4096;

std::uint64_t wrapped(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}
std::uint64_t wrapped(const mpz_class& value) {
  const std::uint64_t low = mpz_getlimbn(value.get_mpz_t(), 0);
  return value < 0 ? 0 - low : low;
}

/// The columns to decide, slowest first, with their wrapped differences, and the rows that are complete after
/// each.
struct Levels {
  std::vector<std::vector<ColumnEntry<std::uint64_t>>> column;
  std::vector<std::vector<Index>> complete;  // [levels]: rows whose last column this is
  std::vector<Index> at_start;               // rows without any column to decide
};

template <class Int>
Levels make_levels(const IntegerColumns<Int>& columns, const SubsetPlan& plan) {
  std::vector<Index> order;
  for (const Digit& digit : plan.outer) {
    if (digit.copies == 1) order.push_back(digit.column);
  }
  for (const Digit& digit : plan.middle) {
    if (digit.copies == 1) order.push_back(digit.column);
  }
  order.insert(order.end(), plan.inner.rbegin(), plan.inner.rend());
  Levels levels;
  levels.column.resize(order.size());
  levels.complete.resize(order.size());
  std::vector<std::size_t> last(columns.rows, order.size());
  const std::uint64_t factor = plan.form == RyserForm::halved ? 2 : 1;
  for (std::size_t level = 0; level < order.size(); ++level) {
    for (std::uint64_t k = columns.start[order[level]]; k < columns.start[order[level] + std::uint64_t{1}];
         ++k) {
      levels.column[level].push_back({columns.row[k], factor * wrapped(columns.value[k])});
      last[columns.row[k]] = level;
    }
  }
  for (Index i = 0; i < columns.rows; ++i)
    (last[i] < order.size() ? levels.complete[last[i]] : levels.at_start).push_back(i);
  return levels;
}

/// Of a prefix its sums are all there is to keep.
struct NoMark {};

}  // namespace

template <class Int>
std::vector<Index> skip_order(const IntegerColumns<Int>& columns) {
  const Index n = columns.columns();
  std::vector<std::vector<Index>> row(columns.rows);
  for (Index j = 0; j < n; ++j) {
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k)
      row[columns.row[k]].push_back(j);
  }
  // Per row: columns not placed yet, and the entries in them.
  std::vector<std::uint64_t> open(columns.rows);
  std::vector<std::uint64_t> weight(columns.rows);
  for (Index i = 0; i < columns.rows; ++i) {
    open[i] = row[i].size();
    for (const Index j : row[i]) weight[i] += columns.entries_of(j);
  }
  std::vector<bool> placed(n);
  std::vector<Index> slowest_first;
  slowest_first.reserve(n);
  const auto place = [&](Index j) {
    placed[j] = true;
    slowest_first.push_back(j);
    for (std::uint64_t k = columns.start[j]; k < columns.start[j + std::uint64_t{1}]; ++k) {
      --open[columns.row[k]];
      weight[columns.row[k]] -= columns.entries_of(j);
    }
  };
  for (;;) {
    Index best = no_index;
    for (Index i = 0; i < columns.rows; ++i) {
      if (open[i] == 0) continue;
      if (best == no_index || open[i] < open[best] || (open[i] == open[best] && weight[i] > weight[best]))
        best = i;
    }
    if (best == no_index) break;
    std::stable_sort(row[best].begin(), row[best].end(),
                     [&](Index a, Index b) { return columns.entries_of(a) > columns.entries_of(b); });
    for (const Index j : row[best]) {
      if (!placed[j]) place(j);
    }
  }
  for (Index j = 0; j < n; ++j) {
    if (!placed[j]) place(j);  // empty columns
  }
  std::reverse(slowest_first.begin(), slowest_first.end());
  return slowest_first;
}

template <class Int>
double forecast_log2_visits(const IntegerColumns<Int>& columns, const SubsetPlan& plan, std::uint64_t seed) {
  const Levels levels = make_levels(columns, plan);
  const double size =
      std::max<double>(columns.rows, 1) * static_cast<double>(std::max<std::size_t>(levels.column.size(), 1));
  const auto capacity = static_cast<std::size_t>(std::clamp(most_sums / size, 16.0, largest_population));

  std::vector<std::uint64_t> start(columns.rows);
  const std::vector<Int> shifted = shifted_sums(columns, plan);
  for (Index i = 0; i < columns.rows; ++i) start[i] = wrapped(shifted[i]);
  // Classes: every member draws its copies at random, once; all members together stand for all choices.
  std::vector<Digit> classes;
  for (const auto& digits : {plan.middle, plan.outer}) {
    std::copy_if(digits.begin(), digits.end(), std::back_inserter(classes),
                 [](const Digit& digit) { return digit.copies > 1; });
  }
  std::mt19937_64 random(seed);
  using Sample = PrefixSample<std::uint64_t, NoMark>;
  Sample sample(columns.rows);
  const std::size_t members = classes.empty() ? 1 : std::max<std::size_t>(capacity / 2, 1);
  double log2_weight = log2_choices(classes) - std::log2(static_cast<double>(members));
  double log2_visits = -std::numeric_limits<double>::infinity();
  const auto count = [&](std::size_t visits) {
    if (visits > 0) log2_visits = log2_sum(log2_visits, log2_weight + std::log2(static_cast<double>(visits)));
  };
  const std::uint64_t factor = plan.form == RyserForm::halved ? 2 : 1;
  for (std::size_t member = 0; member < members; ++member) {
    std::vector<std::uint64_t> sums = start;
    for (const Digit& digit : classes) {
      const std::uint64_t copies = random() % (std::uint64_t{digit.copies} + 1);
      for (std::uint64_t k = columns.start[digit.column]; k < columns.start[digit.column + std::uint64_t{1}];
           ++k) {
        sums[columns.row[k]] += factor * copies * wrapped(columns.value[k]);
      }
    }
    const auto zero = [&](Index i) { return sums[i] == 0; };
    if (std::none_of(levels.at_start.begin(), levels.at_start.end(), zero)) sample.add(sums, {});
  }
  count(members - sample.size());
  std::vector<Sample::Child> children;
  for (std::size_t level = 0; level < levels.column.size() && sample.size() > 0; ++level) {
    std::size_t pruned = 0;
    children.clear();
    const auto look = [&](const Sample::Child& child, const auto& sum_of) {
      const std::vector<Index>& complete = levels.complete[level];
      if (std::any_of(complete.begin(), complete.end(), [&](Index i) { return sum_of(i) == 0; })) {
        ++pruned;
      } else {
        children.push_back(child);
      }
    };
    sample.visit_children(levels.column[level], 1, look);
    count(pruned);
    log2_weight += descend(sample, children, levels.column[level], capacity, random);
  }
  count(sample.size());
  return std::max(log2_visits, 0.0);
}

template std::vector<Index> skip_order(const IntegerColumns<std::int64_t>&);
template std::vector<Index> skip_order(const IntegerColumns<mpz_class>&);
template double forecast_log2_visits(const IntegerColumns<std::int64_t>&, const SubsetPlan&, std::uint64_t);
template double forecast_log2_visits(const IntegerColumns<mpz_class>&, const SubsetPlan&, std::uint64_t);

std::optional<Refusal> too_many_rows_to_order(Index rows) {
  // The column order and the forecast took 3.2 s at 20,000 rows and over 40 s at 100,000 (2-core AMD EPYC
  // under load, 2026-11-21), and with three entries or more in each of so many rows no search ends.
  constexpr Index most_rows = 4096;
  if (rows <= most_rows) return std::nullopt;
  return Refusal{
      RefusalKind::too_large,
      fmt::format("the block has {} rows, and from {} on ordering its columns alone takes too long", rows,
                  most_rows + 1)};
}

}  // namespace countpm
