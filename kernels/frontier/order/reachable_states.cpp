#include "kernels/frontier/order/reachable_states.hpp"

#include <algorithm>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/uniform.hpp"
#include "matching/general_matching.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm {
namespace {

constexpr int most_tries = 2000;

double unit(std::mt19937_64& random) {
  return unit_interval(random());
}

}  // namespace

ReachableStates::ReachableStates(const ClassGraph& graph, const TableView& table)
    : graph_(graph),
      frontier_(table.frontier),
      eliminated_(table.eliminated),
      profile_(table.profile),
      tilt_(admitted_tilt(table.profile)),
      node_of_(graph.classes(), no_index) {
  Index nodes = 0;
  for (const Index v : frontier_) node_of_[v] = nodes++;
  for (const Index v : eliminated_) node_of_[v] = nodes++;
  capacity_.assign(nodes, 0);
  used_.assign(nodes, 0);
  is_row_.assign(nodes, 0);
  has_inner_.assign(nodes, 0);
  edges_at_.resize(nodes);
  for (const Index v : frontier_) is_row_[node_of_[v]] = static_cast<char>(graph.is_row(v));
  for (const Index v : eliminated_) {
    const Index node = node_of_[v];
    is_row_[node] = static_cast<char>(graph.is_row(v));
    capacity_[node] = graph.multiplicity[v];
    has_inner_[node] = static_cast<char>(graph.has_inner(v));
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k) {
      const Index other = node_of_[graph.neighbour[k]];
      if (other == no_index) continue;
      // Edges within P come up at both ends: once is enough.
      const bool within = other >= frontier_.size();
      if (within && (graph.general ? other < node : is_row_[node] == 0)) continue;
      const Index edge = static_cast<Index>(edges_.size());
      edges_.push_back(is_row_[node] != 0 ? Edge{node, other} : Edge{other, node});
      edges_at_[node].push_back(edge);
      edges_at_[other].push_back(edge);
    }
  }
  flow_.assign(edges_.size(), 0);
  came_by_.assign(nodes, no_index);
}

std::uint64_t ReachableStates::hits(std::uint64_t tests, std::mt19937_64& random) {
  std::uint64_t found = 0;
  std::vector<Index> matched(frontier_.size());
  for (std::uint64_t i = 0; i < tests; ++i) {
    check_stop();
    if (draw(matched, random) && reachable(matched)) ++found;
  }
  return found;
}

bool ReachableStates::reachable(const std::vector<Index>& matched) {
  if (profile_.monomers) return reachable_with_monomers(matched);
  return profile_.general ? reachable_in_general(matched) : reachable_by_flow(matched);
}

bool ReachableStates::draw(std::vector<Index>& matched, std::mt19937_64& random) {
  const std::size_t width = frontier_.size();
  const bool single = profile_.wide_rows.empty() && profile_.wide_columns.empty();
  if (single && !profile_.general) {
    // Of the `ones` turned-round coordinates that are 1, every set is equally likely.
    for (int tries = 0; tries < most_tries; ++tries) {
      std::int64_t ones = static_cast<std::int64_t>(profile_.rows_gone) -
                          static_cast<std::int64_t>(profile_.columns_gone) + profile_.single_rows;
      std::uint64_t rows_matched = 0;
      for (std::size_t i = 0; i < width; ++i) {
        const bool one = static_cast<double>(ones) > unit(random) * static_cast<double>(width - i);
        ones -= one ? 1 : 0;
        matched[i] = one != (is_row_[i] != 0) ? 1 : 0;
        if (is_row_[i] != 0) rows_matched += matched[i];
      }
      if (rows_matched <= profile_.columns_gone) return true;
    }
    return false;
  }
  // A product measure that weighs all vectors of the right sum alike, until the sum is right.
  for (int tries = 0; tries < most_tries; ++tries) {
    std::int64_t balance = 0;
    std::uint64_t rows_matched = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const Index m = graph_.multiplicity[frontier_[i]];
      const bool row = is_row_[i] != 0;
      const double tilt = row ? 1 / tilt_ : tilt_;
      double total = 0;
      double weight = 1;
      for (Index s = 0; s <= m; ++s, weight *= tilt) total += weight;
      double left = unit(random) * total;
      Index s = 0;
      for (weight = 1; s < m && left >= weight; ++s, weight *= tilt) left -= weight;
      matched[i] = s;
      balance += row ? -static_cast<std::int64_t>(s) : static_cast<std::int64_t>(s);
      if (row) rows_matched += s;
    }
    if (profile_.general) {
      const auto sum = static_cast<std::uint64_t>(balance);
      if (sum <= profile_.rows_gone && (profile_.monomers || (profile_.rows_gone - sum) % 2 == 0))
        return true;
    } else if (balance == static_cast<std::int64_t>(profile_.rows_gone) -
                              static_cast<std::int64_t>(profile_.columns_gone) &&
               rows_matched <= profile_.columns_gone) {
      return true;
    }
  }
  return false;
}

void ReachableStates::set_capacity(Index node, Index capacity) {
  capacity_[node] = capacity;
  for (const Index e : edges_at_[node]) {
    if (used_[node] <= capacity) return;
    const Index back = std::min(flow_[e], used_[node] - capacity);
    flow_[e] -= back;
    used_[edges_[e].row] -= back;
    used_[edges_[e].column] -= back;
  }
}

/// One more unit out of the row node, along a shortest path. Columns are entered by any edge, rows by one
/// with flow.
bool ReachableStates::augment(Index row) {
  std::fill(came_by_.begin(), came_by_.end(), no_index);
  queue_.assign(1, row);
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Index from = queue_[i];
    for (const Index e : edges_at_[from]) {
      const Index column = edges_[e].column;
      if (came_by_[column] != no_index || capacity_[column] == 0) continue;
      came_by_[column] = e;
      if (used_[column] < capacity_[column]) {
        ++used_[column];
        ++used_[row];
        Index at = column;
        while (true) {
          const Index forth = came_by_[at];
          ++flow_[forth];
          const Index over = edges_[forth].row;
          if (over == row) return true;
          --flow_[came_by_[over]];
          at = edges_[came_by_[over]].column;
        }
      }
      for (const Index back : edges_at_[column]) {
        const Index next = edges_[back].row;
        if (flow_[back] == 0 || next == row || came_by_[next] != no_index) continue;
        came_by_[next] = back;
        queue_.push_back(next);
      }
    }
  }
  return false;
}

bool ReachableStates::reachable_by_flow(const std::vector<Index>& matched) {
  for (Index i = 0; i < frontier_.size(); ++i) set_capacity(i, matched[i]);
  // Both sides have equally many members to match: the rows' say it all.
  for (Index node = 0; node < capacity_.size(); ++node) {
    if (is_row_[node] == 0) continue;
    while (used_[node] < capacity_[node]) {
      if (!augment(node)) return false;
    }
  }
  return true;
}

bool ReachableStates::reachable_with_monomers(const std::vector<Index>& matched) const {
  // Every matched member of the frontier has a member of P of its own.
  std::vector<Index> first(capacity_.size(), 0);
  SparsePattern pattern;
  for (Index node = static_cast<Index>(frontier_.size()); node < capacity_.size(); ++node) {
    first[node] = pattern.columns;
    pattern.columns += capacity_[node];
  }
  std::vector<Index> around;
  for (Index i = 0; i < frontier_.size(); ++i) {
    around.clear();
    for (const Index e : edges_at_[i]) {
      const Index other = edges_[e].row == i ? edges_[e].column : edges_[e].row;
      for (Index copy = 0; copy < capacity_[other]; ++copy) around.push_back(first[other] + copy);
    }
    std::sort(around.begin(), around.end());
    for (Index copy = 0; copy < matched[i]; ++copy) {
      pattern.column.insert(pattern.column.end(), around.begin(), around.end());
      pattern.row_start.push_back(pattern.column.size());
      ++pattern.rows;
    }
  }
  return maximum_matching(pattern).size == pattern.rows;
}

bool ReachableStates::reachable_in_general(const std::vector<Index>& matched) const {
  // Members written out, one after the other.
  const auto copies = [&](Index node) { return node < frontier_.size() ? matched[node] : capacity_[node]; };
  std::vector<Index> first(capacity_.size());
  Index vertices = 0;
  for (Index node = 0; node < capacity_.size(); ++node) {
    first[node] = vertices;
    vertices += copies(node);
  }
  SparsePattern pattern;
  pattern.rows = pattern.columns = vertices;
  std::vector<Index> around;
  for (Index node = 0; node < capacity_.size(); ++node) {
    around.clear();
    for (const Index e : edges_at_[node]) {
      const Index other = edges_[e].row == node ? edges_[e].column : edges_[e].row;
      for (Index copy = 0; copy < copies(other); ++copy) around.push_back(first[other] + copy);
    }
    if (has_inner_[node] != 0) {
      for (Index copy = 0; copy < copies(node); ++copy) around.push_back(first[node] + copy);
    }
    std::sort(around.begin(), around.end());
    for (Index copy = 0; copy < copies(node); ++copy) {
      for (const Index other : around) {
        if (other != first[node] + copy) pattern.column.push_back(other);
      }
      pattern.row_start.push_back(pattern.column.size());
    }
  }
  return 2 * std::uint64_t{general_maximum_matching(pattern).size} == vertices;
}

}  // namespace countpm
