#include "kernels/orders/class_graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/stop_signal.hpp"
#include "matching/general_twins.hpp"
#include "matching/rule_twins.hpp"

namespace countpm {
namespace {

/// The class of each line and the lines that stand for the classes: the first of each, ascending.
struct Classes {
  std::vector<Index> of;
  std::vector<Index> first;
};

Classes from_class_of(std::vector<Index> of, Index classes) {
  Classes result{std::move(of), std::vector<Index>(classes, no_index)};
  for (Index line = 0; line < result.of.size(); ++line) {
    Index& first = result.first[result.of[line]];
    if (first == no_index) first = line;
  }
  return result;
}

Classes singletons(Index lines) {
  std::vector<Index> of(lines);
  std::iota(of.begin(), of.end(), Index{0});
  return from_class_of(std::move(of), lines);
}

template <class Value>
Classes column_twins(const SparseMatrix<Value>& matrix, bool merge) {
  if (!merge) return singletons(matrix.columns);
  Index classes = 0;
  std::vector<Index> of = rule_twins::column_classes(matrix, classes);
  return from_class_of(std::move(of), classes);
}

template <class Value>
Classes row_twins(const SparseMatrix<Value>& matrix, bool merge) {
  return merge ? column_twins(transpose(matrix), true) : singletons(matrix.rows);
}

/// Calls edge(row class, column class, entry) for every entry of the first row of each class that stands in
/// the first column of its class: by ascending row class, then column. loops_apart: not for the diagonal.
template <class Value, class Edge>
void for_each_edge(const SparseMatrix<Value>& matrix, const Classes& rows, const Classes& columns,
                   bool loops_apart, const Edge& edge) {
  for (Index r = 0; r < rows.first.size(); ++r) {
    const Index i = rows.first[r];
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = matrix.column[k];
      if (loops_apart && i == j) continue;
      if (columns.first[columns.of[j]] == j) edge(r, columns.of[j], k);
    }
  }
}

/// Classes are numbered by their first line, so that edges come in ascending order from both ends.
template <class Value>
void add_edges(ClassGraph& graph, const SparseMatrix<Value>& matrix, const Classes& rows,
               const Classes& columns) {
  const Index shift = graph.row_classes;
  const bool both_ways = !graph.general;  // a symmetric matrix has both directions by itself
  graph.start.assign(graph.classes() + std::uint64_t{1}, 0);
  for_each_edge(matrix, rows, columns, graph.monomers, [&](Index r, Index c, std::uint64_t) {
    ++graph.start[r + std::uint64_t{1}];
    if (both_ways) ++graph.start[c + shift + std::uint64_t{1}];
  });
  std::partial_sum(graph.start.begin(), graph.start.end(), graph.start.begin());
  graph.neighbour.resize(graph.start.back());
  graph.entry.resize(graph.start.back());
  std::vector<std::uint64_t> next(graph.start.begin(), graph.start.end() - 1);
  const auto put = [&](Index from, Index to, std::uint64_t entry) {
    graph.neighbour[next[from]] = to;
    graph.entry[next[from]++] = entry;
  };
  for_each_edge(matrix, rows, columns, graph.monomers, [&](Index r, Index c, std::uint64_t entry) {
    put(r, c + shift, entry);
    if (both_ways) put(c + shift, r, entry);
  });
}

/// Of a general block, with the inner edges.
template <class Value>
Classes vertex_twins(const SparseMatrix<Value>& matrix, bool merge, ClassGraph& graph) {
  if (!merge) return singletons(matrix.rows);
  GeneralTwins twins = graph.monomers ? general_twins_with_loops(matrix) : general_twins(matrix);
  static_assert(GeneralTwins::no_entry == ClassGraph::no_entry);
  if (std::any_of(twins.inside.begin(), twins.inside.end(),
                  [](std::uint64_t entry) { return entry != ClassGraph::no_entry; }))
    graph.inner = std::move(twins.inside);
  return from_class_of(std::move(twins.class_of), twins.classes);
}

/// Of a block with monomers: the loop of every vertex.
template <class Value>
std::vector<std::uint64_t> loops_of(const SparseMatrix<Value>& matrix) {
  std::vector<std::uint64_t> loops(matrix.rows, ClassGraph::no_entry);
  for (Index v = 0; v < matrix.rows; ++v) {
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k) {
      if (matrix.column[k] == v) loops[v] = k;
    }
  }
  return loops;
}

template <class Value>
void add_tiles(ClassGraph& graph, const SparseMatrix<Value>& matrix, Index vertices) {
  std::vector<std::uint64_t> end(vertices + std::uint64_t{1}, 0);
  for (Index tile = vertices; tile < matrix.rows; ++tile) {
    const std::uint64_t first = matrix.row_start[tile];
    const std::uint64_t last = matrix.row_start[tile + std::uint64_t{1}];
    for (std::uint64_t k = first; k < last; ++k) {
      graph.tile_member.push_back(matrix.column[k]);
      ++end[matrix.column[k] + std::uint64_t{1}];
    }
    graph.tile_start.push_back(graph.tile_member.size());
    graph.tile_entry.push_back(first);
    graph.most_taken = std::max(graph.most_taken, static_cast<Index>(last - first - 1));
  }
  std::partial_sum(end.begin(), end.end(), end.begin());
  graph.tiles_at_start = end;
  graph.tile_at.resize(end.back());
  for (Index tile = 0; tile < graph.tiles(); ++tile) {
    for (const Index v : graph.members_of(tile)) graph.tile_at[end[v]++] = tile;
  }
}

/// Every vertex by itself; neighbours are those that share an edge or a tile.
template <class Value>
ClassGraph graph_with_tiles(const Block<Value>& block, ClassLines* lines) {
  const SparseMatrix<Value>& matrix = block.matrix;
  const Index vertices = matrix.rows - block.tiles;
  ClassGraph graph;
  graph.general = graph.monomers = true;
  graph.multiplicity.assign(vertices, 1);
  graph.loop = loops_of(matrix);
  graph.loop.resize(vertices);
  add_tiles(graph, matrix, vertices);
  std::vector<std::pair<Index, std::uint64_t>> around;
  for (Index v = 0; v < vertices; ++v) {
    check_stop();
    around.clear();
    for (std::uint64_t k = matrix.row_start[v]; k < matrix.row_start[v + std::uint64_t{1}]; ++k) {
      if (matrix.column[k] != v && matrix.column[k] < vertices) around.emplace_back(matrix.column[k], k);
    }
    for (const Index tile : graph.tiles_at(v)) {
      for (const Index u : graph.members_of(tile)) {
        if (u != v) around.emplace_back(u, ClassGraph::no_entry);
      }
    }
    // The edge, where there is one, before what only tiles make a neighbour.
    std::sort(around.begin(), around.end());
    for (std::size_t k = 0; k < around.size(); ++k) {
      if (k > 0 && around[k].first == around[k - 1].first) continue;
      graph.neighbour.push_back(around[k].first);
      graph.entry.push_back(around[k].second);
    }
    graph.start.push_back(graph.neighbour.size());
  }
  if (lines != nullptr) lines->row = singletons(vertices).of;
  return graph;
}

template <class Value>
ClassGraph graph_of(const Block<Value>& block, bool merge_twins, ClassLines* lines) {
  if (block.tiles != 0) return graph_with_tiles(block, lines);
  ClassGraph graph;
  graph.general = block.general;
  graph.monomers = block.monomers;
  const Classes columns = block.general ? vertex_twins(block.matrix, merge_twins, graph)
                                        : column_twins(block.matrix, merge_twins);
  // Symmetric: the classes of columns are those of rows.
  const Classes rows = block.general ? columns : row_twins(block.matrix, merge_twins);
  if (!block.general) {
    graph.row_classes = static_cast<Index>(rows.first.size());
    graph.multiplicity.assign(rows.first.size(), 0);
    for (const Index r : rows.of) ++graph.multiplicity[r];
  }
  graph.multiplicity.resize(graph.row_classes + columns.first.size(), 0);
  for (Index j = 0; j < block.matrix.columns; ++j) {
    graph.multiplicity[graph.row_classes + columns.of[j]] += block.multiplicity_of(j);
  }
  add_edges(graph, block.matrix, rows, columns);
  if (block.monomers) {
    const std::vector<std::uint64_t> loops = loops_of(block.matrix);
    for (const Index v : rows.first) graph.loop.push_back(loops[v]);
  }
  if (lines != nullptr) {
    lines->row = rows.of;
    lines->column.clear();
    for (const Index column : columns.of) {
      if (!block.general) lines->column.push_back(graph.row_classes + column);
    }
  }
  return graph;
}

}  // namespace

ClassGraph class_graph(const AnyBlock& block, bool merge_twins, ClassLines* lines) {
  return std::visit([&](const auto& b) { return graph_of(b, merge_twins, lines); }, block);
}

}  // namespace countpm
