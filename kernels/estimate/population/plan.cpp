#include "kernels/estimate/population/plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/estimate/walks/pruning.hpp"
#include "kernels/orders/linear_order.hpp"

namespace countpm {
namespace {

using Order = std::vector<std::uint32_t>;

// So many orders are always tried: the rows as they come, and two greedy ones. Where all of them are wider
// than is allowed by such a factor, no other is: each takes some tenths of a second for 100,000 rows.
constexpr std::uint32_t enough_orders = 3;
constexpr std::uint32_t hopeless = 8;

struct Cost {
  std::uint32_t width = 0;
  double log2_states = 0;  // summed over the steps
};

/// The matrix without the entries in no perfect matching, of which states would learn only later.
SampleMatrix pruned(const SampleMatrix& matrix) {
  const Pruning pruning(matrix);
  SampleMatrix result;
  result.rows.rows = matrix.rows.rows;
  result.rows.columns = matrix.rows.columns;
  result.rows.row_start.assign(1, 0);
  for (Index i = 0; i < matrix.rows.rows; ++i) {
    for (std::uint64_t k = matrix.rows.row_start[i]; k < matrix.rows.row_start[i + std::uint64_t{1}]; ++k) {
      if (!pruning.alive(k)) continue;
      result.rows.column.push_back(matrix.rows.column[k]);
      if (!matrix.weight.empty()) result.weight.push_back(matrix.weight[k]);
    }
    result.rows.row_start.push_back(result.rows.column.size());
  }
  result.columns = transpose(result.rows);
  return result;
}

Cost cost_of(const SampleMatrix& matrix, const Order& order) {
  Cost cost;
  std::vector<std::uint32_t> left(matrix.rows.columns);
  for (Index j = 0; j < matrix.rows.columns; ++j)
    left[j] = static_cast<std::uint32_t>(matrix.columns.row_start[j + std::uint64_t{1}] -
                                         matrix.columns.row_start[j]);
  std::vector<char> live(matrix.rows.columns);
  std::uint32_t width = 0;
  std::uint32_t closed = 0;
  for (std::uint32_t t = 0; t < order.size(); ++t) {
    const std::uint64_t first = matrix.rows.row_start[order[t]];
    const std::uint64_t last = matrix.rows.row_start[order[t] + std::uint64_t{1}];
    for (std::uint64_t k = first; k < last; ++k) {
      char& seen = live[matrix.rows.column[k]];
      if (seen == 0) ++width;
      seen = 1;
    }
    cost.width = std::max(cost.width, width);
    for (std::uint64_t k = first; k < last; ++k) {
      if (--left[matrix.rows.column[k]] == 0) --width, ++closed;
    }
    const std::uint32_t used = t + 1 - std::min(closed, t + 1);
    if (used <= width) cost.log2_states += log2_binomial(width, used);
  }
  return cost;
}

/// Calls look(order) for some orders of the rows, simple ones first, until it says that none is good enough.
template <class Look>
void try_orders(const AnyBlock& block, std::uint32_t rows, const Look& look) {
  Order natural(rows);
  std::iota(natural.begin(), natural.end(), 0U);
  if (!look(std::move(natural))) return;
  ClassLines lines;
  const ClassGraph graph = class_graph(block, false, &lines);
  std::vector<std::vector<std::uint32_t>> members(graph.classes());
  for (std::uint32_t i = 0; i < rows; ++i) members[lines.row[i]].push_back(i);
  const auto go_on = [&](const std::vector<Index>& sequence) {
    Order order;
    for (const Index v : sequence) order.insert(order.end(), members[v].begin(), members[v].end());
    return order.size() != rows || look(std::move(order));
  };
  std::vector<Index> starts{0, graph.row_classes / 2};
  for (const Index from : {Index{0}, graph.row_classes}) {
    Index far = far_class(graph, std::min(from, graph.classes() - 1));
    if (!graph.is_row(far)) far = graph.degree(far) == 0 ? 0 : graph.neighbour[graph.start[far]];
    starts.push_back(far);
  }
  for (const Index start : starts) {
    for (const TieRule ties : {TieRule::oldest, TieRule::newest}) {
      if (!go_on(greedy_sequence(graph, Drivers::rows, ties, start, 1))) return;
    }
    if (!go_on(level_sequence(graph, Drivers::rows, start))) return;
  }
}

// u of every entry's column after the entry's row, in the order of the steps; of the last rows of columns 0.
std::vector<double> potentials(const SampleMatrix& matrix, const std::vector<double>& row_factor,
                               const Order& order) {
  std::vector<double> after(matrix.rows.entries());
  std::vector<double> sum(matrix.rows.columns, 0.0);
  for (std::size_t t = order.size(); t-- > 0;) {
    const std::uint32_t i = order[t];
    for (std::uint64_t k = matrix.rows.row_start[i]; k < matrix.rows.row_start[i + std::uint64_t{1}]; ++k) {
      after[k] = sum[matrix.rows.column[k]];
      sum[matrix.rows.column[k]] += row_factor[i] * (matrix.weight.empty() ? 1.0 : matrix.weight[k]);
    }
  }
  return after;
}

}  // namespace

std::optional<PopulationPlan> plan_population(const AnyBlock& block, const SampleMatrix& whole,
                                              const std::vector<double>& row_factor,
                                              std::uint32_t most_width) {
  const SampleMatrix matrix = pruned(whole);
  const std::uint32_t n = matrix.rows.rows;
  PopulationPlan plan;
  double best = 0;
  std::uint32_t tried = 0;
  try_orders(block, n, [&](Order order) {
    const Cost cost = cost_of(matrix, order);
    if (plan.row.empty() || cost.log2_states < best) {
      best = cost.log2_states;
      plan.width = cost.width;
      plan.row = std::move(order);
    }
    return ++tried < enough_orders || plan.width / most_width < hopeless;
  });
  if (plan.width > most_width) return std::nullopt;

  const std::vector<double> after = potentials(matrix, row_factor, plan.row);
  std::vector<std::uint32_t> left(n);
  for (Index j = 0; j < n; ++j)
    left[j] = static_cast<std::uint32_t>(matrix.columns.row_start[j + std::uint64_t{1}] -
                                         matrix.columns.row_start[j]);
  std::vector<std::uint32_t> bit(n);
  std::vector<double> potential(n, 0.0);  // of columns that were live
  std::vector<std::uint32_t> unused(plan.width);
  std::iota(unused.rbegin(), unused.rend(), 0U);
  plan.first_entry.push_back(0);
  for (const std::uint32_t i : plan.row) {
    const std::uint64_t first = matrix.rows.row_start[i];
    const std::uint64_t last = matrix.rows.row_start[i + std::uint64_t{1}];
    for (std::uint64_t k = first; k < last; ++k) {
      const Index j = matrix.rows.column[k];
      if (potential[j] == 0) {
        bit[j] = unused.back();
        unused.pop_back();
        potential[j] = 1;  // no state has used it: `kept` plays no part
      }
      PopulationPlan::Entry entry;
      entry.bit = bit[j];
      entry.last = --left[j] == 0;
      const double weight = matrix.weight.empty() ? 1.0 : matrix.weight[k];
      entry.taken = entry.last ? weight : weight / after[k];
      entry.kept = entry.last ? potential[j] : potential[j] / after[k];
      potential[j] = after[k];
      plan.entries.push_back(entry);
    }
    for (std::uint64_t k = first; k < last; ++k) {
      if (left[matrix.rows.column[k]] == 0) unused.push_back(bit[matrix.rows.column[k]]);
    }
    plan.first_entry.push_back(plan.entries.size());
    plan.highest_degree = std::max(plan.highest_degree, static_cast<std::uint32_t>(last - first));
  }
  return plan;
}

}  // namespace countpm
