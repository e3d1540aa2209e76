#include "matching/general_structure.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "graph/stop_poll.hpp"
#include "matching/alternating_forest.hpp"
#include "matching/line_groups.hpp"
#include "matching/parity_cuts.hpp"
#include "matching/structure.hpp"

namespace countpm {
namespace {

// Entries looked at by all searches together: on one core of an AMD EPYC (Zen 4), 2026-11-21, 8 ns each with
// 10^5 entries, 40 ns with 10^6, 200 ns with 3 * 10^6 (cubic graphs in random order): seconds at most. Enough
// for random cubic graphs of 5,000 vertices and lattices of 10^5.
constexpr std::uint64_t most_steps = 50'000'000;
constexpr std::uint64_t most_steps_beyond_the_cache = 20'000'000;
constexpr std::uint64_t entries_in_the_cache = 1'000'000;

/// Where the entry (v, column[k]) of row v stands in the row of its column.
std::uint64_t mirror(const SparsePattern& graph, Index v, std::uint64_t k) {
  const Index w = graph.column[k];
  const auto at = graph.column.begin();
  const auto found =
      std::lower_bound(at + static_cast<std::ptrdiff_t>(graph.row_start[w]),
                       at + static_cast<std::ptrdiff_t>(graph.row_start[w + std::uint64_t{1}]), v);
  return static_cast<std::uint64_t>(found - at);
}

/// The graph without the entries that are flagged, and where those that stay come from.
struct Pruned {
  SparsePattern graph;
  std::vector<std::uint64_t> source;

  Pruned(const SparsePattern& given, const std::vector<bool>& left_out) {
    graph.rows = graph.columns = given.rows;
    graph.row_start.reserve(given.row_start.size());
    StopPoll poll;
    for (Index v = 0; v < given.rows; ++v) {
      poll.steps(given.row_degree(v));
      for (std::uint64_t k = given.row_start[v]; k < given.row_start[v + std::uint64_t{1}]; ++k) {
        if (left_out[k]) continue;
        graph.column.push_back(given.column[k]);
        source.push_back(k);
      }
      graph.row_start.push_back(graph.column.size());
    }
  }
};

/// Finds the forbidden edges, component by component.
class ForbiddenEdges {
 public:
  ForbiddenEdges(const SparsePattern& graph, const std::vector<Index>& mate, const Poll& poll)
      : graph_(graph),
        poll_(poll),
        forest_(graph),
        mate_(mate),
        forbidden_(graph.entries(), false),
        decided_(graph.entries(), false),
        number_(graph.rows, no_index) {}

  /// False: not all were found.
  bool run() {
    const Sides sides = two_colour(graph_, {});
    const LineGroups groups = group_lines(sides.component, sides.components);
    bool complete = true;
    for (Index c = 0; c < sides.components; ++c) {
      const std::span<const Index> members = groups[c];
      if (sides.side[members.front()] != Sides::odd) {
        by_decomposition(members, sides.side);
      } else if (!by_searches(members)) {
        complete = false;
      }
    }
    return complete;
  }
  const std::vector<bool>& forbidden() const { return forbidden_; }

 private:
  void by_decomposition(std::span<const Index> members, const std::vector<std::uint8_t>& side) {
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

  bool by_searches(std::span<const Index> members) {
    const std::uint64_t limit =
        graph_.entries() > entries_in_the_cache ? most_steps_beyond_the_cache : most_steps;
    for (const Index v : members) {
      if (forest_.steps() > limit) return false;
      search(v);
    }
    return true;
  }

  /// Decides all edges of v.
  void search(Index v) {
    const Index root = mate_[v];
    undecided_.clear();
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      if (!decided_[k] && graph_.column[k] != root) undecided_.push_back(graph_.column[k]);
    }
    if (undecided_.empty()) return;
    if (poll_) poll_();
    mate_[v] = mate_[root] = no_index;
    forest_.remove(v);
    forest_.grow(root, mate_, undecided_);
    forest_.restore(v);
    mate_[v] = root;
    mate_[root] = v;
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      if (decided_[k]) continue;
      if (!forest_.is_outer(graph_.column[k])) forbid(v, k);
      decided_[mirror(graph_, v, k)] = true;
    }
  }

  void forbid(Index v, std::uint64_t k) { forbidden_[k] = forbidden_[mirror(graph_, v, k)] = true; }

  const SparsePattern& graph_;
  const Poll& poll_;
  AlternatingForest forest_;
  std::vector<Index> mate_;
  std::vector<bool> forbidden_;
  std::vector<bool> decided_;
  std::vector<Index> undecided_;  // neighbours
  std::vector<Index> number_;     // of a column within its component
};

template <class Value>
void append_block(const SparsePattern& graph, const std::vector<Value>& value,
                  const std::vector<bool>& left_out, const std::vector<std::uint8_t>& side,
                  std::span<const Index> members, std::vector<Index>& number,
                  std::vector<Block<Value>>& blocks) {
  Block<Value>& block = blocks.emplace_back();
  block.general = side[members.front()] == Sides::odd;
  for (const Index v : members) {
    if (side[v] != 0) number[v] = block.matrix.columns++;
  }
  StopPoll poll;
  for (const Index v : members) {
    poll.steps(graph.row_degree(v));
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
  StopPoll poll;
  for (Index root = 0; root < graph.rows; ++root) {
    if (result.side[root] != unknown) continue;
    result.side[root] = 0;
    queue.assign(1, root);
    bool two_colourable = true;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      result.component[v] = result.components;
      poll.steps(graph.row_degree(v));
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
  structure.forbidden = parity_cuts(graph);
  const Pruned pruned(graph, structure.forbidden);
  ForbiddenEdges search(pruned.graph, structure.matching.mate, poll);
  structure.complete = search.run();
  for (std::uint64_t k = 0; k < pruned.source.size(); ++k) {
    if (search.forbidden()[k]) structure.forbidden[pruned.source[k]] = true;
  }
  structure.edges_dropped =
      static_cast<std::uint64_t>(std::count(structure.forbidden.begin(), structure.forbidden.end(), true)) /
      2;
  Sides sides = two_colour(graph, structure.forbidden);
  structure.components = sides.components;
  structure.component = std::move(sides.component);
  return structure;
}

template <class Value>
std::vector<Block<Value>> general_blocks(const SparsePattern& graph, const std::vector<Value>& value,
                                         const GeneralStructure& structure) {
  const Sides sides = two_colour(graph, structure.forbidden);
  const LineGroups groups = group_lines(sides.component, sides.components);
  std::vector<Block<Value>> blocks;
  blocks.reserve(sides.components);
  std::vector<Index> number(graph.rows);
  for (Index c = 0; c < sides.components; ++c) {
    append_block(graph, value, structure.forbidden, sides.side, groups[c], number, blocks);
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
