#include "matching/general_structure.hpp"

#include <algorithm>
#include <utility>

#include "matching/alternating_forest.hpp"
#include "matching/structure.hpp"

namespace countpm {
namespace {

// A search looks at every entry of its component: 2 to 5 ns each on one core of an AMD EPYC (Zen 4),
// 2026-11-21.
constexpr std::uint64_t most_steps = 1'000'000'000;

// The vertices of each component, in order: members[start[c]] .. members[start[c + 1] - 1].
struct Groups {
  std::vector<Index> start;
  std::vector<Index> members;
};

Groups grouped(const std::vector<Index>& component, Index components) {
  Groups groups;
  groups.start.assign(components + std::size_t{1}, 0);
  for (const Index c : component) ++groups.start[c + std::size_t{1}];
  for (Index c = 0; c < components; ++c) groups.start[c + std::size_t{1}] += groups.start[c];
  groups.members.resize(component.size());
  std::vector<Index> next(groups.start.begin(), groups.start.end() - 1);
  for (Index v = 0; v < component.size(); ++v) groups.members[next[component[v]]++] = v;
  return groups;
}

/// Finds the forbidden edges, component by component.
class ForbiddenEdges {
 public:
  ForbiddenEdges(const SparsePattern& graph, GeneralStructure& structure, const Poll& poll)
      : graph_(graph),
        structure_(structure),
        poll_(poll),
        forest_(graph),
        mate_(structure.matching.mate),
        decided_(graph.entries(), false),
        number_(graph.rows, no_index) {}

  void run() {
    const Sides sides = two_colour(graph_, {});
    const Groups groups = grouped(sides.component, sides.components);
    for (Index c = 0; c < sides.components; ++c) {
      const std::vector<Index> members(groups.members.begin() + groups.start[c],
                                       groups.members.begin() + groups.start[c + std::size_t{1}]);
      if (sides.side[members.front()] != Sides::odd) {
        by_decomposition(members, sides.side);
      } else {
        by_searches(members);
      }
    }
  }

 private:
  void by_decomposition(const std::vector<Index>& members, const std::vector<std::uint8_t>& side) {
    if (members.size() <= 2) return;
    SparsePattern pattern;
    std::vector<Index> rows;
    for (const Index v : members) {
      if (side[v] == 0) {
        rows.push_back(v);
      } else {
        number_[v] = pattern.columns++;
      }
    }
    pattern.rows = static_cast<Index>(rows.size());
    Matching matching;
    matching.size = pattern.rows;
    matching.row_mate.resize(rows.size());
    matching.column_mate.resize(rows.size());
    for (Index i = 0; i < pattern.rows; ++i) {
      for (std::uint64_t k = graph_.row_start[rows[i]]; k < graph_.row_start[rows[i] + std::uint64_t{1}]; ++k)
        pattern.column.push_back(number_[graph_.column[k]]);
      pattern.row_start.push_back(pattern.column.size());
      matching.row_mate[i] = number_[mate_[rows[i]]];
      matching.column_mate[matching.row_mate[i]] = i;
    }
    const BlockDecomposition blocks = fine_decomposition(pattern, matching);
    for (Index i = 0; i < pattern.rows; ++i) {
      for (std::uint64_t k = graph_.row_start[rows[i]]; k < graph_.row_start[rows[i] + std::uint64_t{1}];
           ++k) {
        if (blocks.column_block[number_[graph_.column[k]]] != blocks.row_block[i]) forbid(rows[i], k);
      }
    }
  }

  void by_searches(const std::vector<Index>& members) {
    std::uint64_t entries = 0;
    for (const Index v : members) entries += graph_.row_degree(v);
    if (entries > most_steps / members.size()) {
      structure_.complete = false;
      return;
    }
    for (const Index v : members) {
      if (!all_decided(v)) search(v);
    }
  }

  bool all_decided(Index v) const {
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      if (!decided_[k] && graph_.column[k] != mate_[v]) return false;
    }
    return true;
  }

  /// Decides all edges of v.
  void search(Index v) {
    if (poll_) poll_();
    const Index root = std::exchange(mate_[v], no_index);
    mate_[root] = no_index;
    forest_.remove(v);
    forest_.grow(root, mate_);
    forest_.restore(v);
    mate_[v] = root;
    mate_[root] = v;
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      if (decided_[k]) continue;
      if (!forest_.is_outer(graph_.column[k])) forbid(v, k);
      decided_[k] = decided_[mirror(v, k)] = true;
    }
  }

  /// Where the entry k of row v stands in the row of its column.
  std::uint64_t mirror(Index v, std::uint64_t k) const {
    const Index w = graph_.column[k];
    const auto at = graph_.column.begin();
    const auto found =
        std::lower_bound(at + static_cast<std::ptrdiff_t>(graph_.row_start[w]),
                         at + static_cast<std::ptrdiff_t>(graph_.row_start[w + std::uint64_t{1}]), v);
    return static_cast<std::uint64_t>(found - at);
  }

  void forbid(Index v, std::uint64_t k) {
    structure_.forbidden[k] = structure_.forbidden[mirror(v, k)] = true;
    ++structure_.edges_dropped;
  }

  const SparsePattern& graph_;
  GeneralStructure& structure_;
  const Poll& poll_;
  AlternatingForest forest_;
  std::vector<Index> mate_;
  std::vector<bool> decided_;
  std::vector<Index> number_;  // of a column within its component
};

template <class Value>
void append_block(const SparsePattern& graph, const std::vector<Value>& value,
                  const std::vector<bool>& left_out, const std::vector<std::uint8_t>& side,
                  const std::vector<Index>& members, std::vector<Index>& number,
                  std::vector<Block<Value>>& blocks) {
  Block<Value>& block = blocks.emplace_back();
  block.general = side[members.front()] == Sides::odd;
  for (const Index v : members) {
    if (side[v] != 0) number[v] = block.matrix.columns++;
  }
  for (const Index v : members) {
    if (!block.general && side[v] != 0) continue;
    ++block.matrix.rows;
    for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
      if (!left_out.empty() && left_out[k]) continue;
      block.matrix.column.push_back(number[graph.column[k]]);
      block.matrix.value.push_back(value[k]);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
}

}  // namespace

Sides two_colour(const SparsePattern& graph, const std::vector<bool>& left_out) {
  constexpr std::uint8_t unknown = 3;
  Sides result;
  result.side.assign(graph.rows, unknown);
  result.component.assign(graph.rows, no_index);
  std::vector<Index> queue;
  for (Index root = 0; root < graph.rows; ++root) {
    if (result.side[root] != unknown) continue;
    result.side[root] = 0;
    queue.assign(1, root);
    bool two_colourable = true;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      result.component[v] = result.components;
      for (std::uint64_t k = graph.row_start[v]; k < graph.row_start[v + std::uint64_t{1}]; ++k) {
        if (!left_out.empty() && left_out[k]) continue;
        const Index w = graph.column[k];
        if (result.side[w] == unknown) {
          result.side[w] = result.side[v] ^ 1U;
          queue.push_back(w);
        } else if (result.side[w] == result.side[v]) {
          two_colourable = false;
        }
      }
    }
    if (!two_colourable) {
      for (const Index v : queue) result.side[v] = Sides::odd;
    }
    ++result.components;
  }
  return result;
}

GeneralStructure analyse_general(const SparsePattern& graph, const Poll& poll) {
  GeneralStructure structure;
  structure.matching = general_maximum_matching(graph);
  if (2 * std::uint64_t{structure.matching.size} != graph.rows) {
    structure.violator = tutte_violator(graph, structure.matching);
    return structure;
  }
  structure.forbidden.assign(graph.entries(), false);
  ForbiddenEdges(graph, structure, poll).run();
  Sides sides = two_colour(graph, structure.forbidden);
  structure.components = sides.components;
  structure.component = std::move(sides.component);
  return structure;
}

template <class Value>
std::vector<Block<Value>> general_blocks(const SparsePattern& graph, const std::vector<Value>& value,
                                         const GeneralStructure& structure) {
  const Sides sides = two_colour(graph, structure.forbidden);
  const Groups groups = grouped(sides.component, sides.components);
  std::vector<Block<Value>> blocks;
  blocks.reserve(sides.components);
  std::vector<Index> number(graph.rows);
  for (Index c = 0; c < sides.components; ++c) {
    append_block(
        graph, value, structure.forbidden, sides.side,
        {groups.members.begin() + groups.start[c], groups.members.begin() + groups.start[c + std::size_t{1}]},
        number, blocks);
  }
  return blocks;
}

template std::vector<Block<std::int64_t>> general_blocks(const SparsePattern&,
                                                         const std::vector<std::int64_t>&,
                                                         const GeneralStructure&);
template std::vector<Block<mpq_class>> general_blocks(const SparsePattern&, const std::vector<mpq_class>&,
                                                      const GeneralStructure&);
template std::vector<Block<ComplexRational>> general_blocks(const SparsePattern&,
                                                            const std::vector<ComplexRational>&,
                                                            const GeneralStructure&);

}  // namespace countpm
