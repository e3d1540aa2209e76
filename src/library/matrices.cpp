#include "src/library/matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/keep_edges.hpp"

namespace countpm {
namespace {

[[noreturn]] void refuse_asymmetric(const ReadResult& read, std::string found) {
  throw InputError(read.info.path, 0, "a symmetric matrix, as that of an undirected graph is",
                   std::move(found));
}

/// The numbers of all edges by their ends, first by (from, to), then by (to, from): two counting sorts each;
/// of few edges among many vertices, whose numbers alone might exceed the memory, by comparisons.
class SortedEdges {
 public:
  explicit SortedEdges(const Graph& graph) : edges_(graph.edges), vertices_(graph.left_labels.size()) {
    std::vector<std::size_t> all(edges_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto from = [this](std::size_t k) { return edges_[k].from; };
    const auto to = [this](std::size_t k) { return edges_[k].to; };
    by_rows_ = sorted(sorted(all, to), from);
    by_columns_ = sorted(sorted(std::move(all), from), to);
  }

  const std::vector<std::size_t>& by_rows() const { return by_rows_; }
  const std::vector<std::size_t>& by_columns() const { return by_columns_; }

 private:
  template <class Key>
  std::vector<std::size_t> sorted(std::vector<std::size_t> list, const Key& key) const {
    if (vertices_ / 16 > list.size()) {
      std::stable_sort(list.begin(), list.end(),
                       [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
      return list;
    }
    std::vector<std::size_t> next(vertices_ + std::size_t{1}, 0);
    for (const std::size_t k : list) ++next[key(k) + std::size_t{1}];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::size_t> result(list.size());
    for (const std::size_t k : list) result[next[key(k)]++] = k;
    return result;
  }

  const std::vector<Edge>& edges_;
  std::size_t vertices_;
  std::vector<std::size_t> by_rows_;
  std::vector<std::size_t> by_columns_;
};

bool same_value(const Values& values, std::size_t a, std::size_t b) {
  return std::visit(
      [&](const auto& list) {
        if constexpr (std::is_same_v<std::decay_t<decltype(list)>, std::monostate>) {
          return true;
        } else {
          return list[a] == list[b];
        }
      },
      values);
}

/// In sorted order the k-th entry and the k-th of the transposed matrix stand at the same place.
void check_symmetric(const ReadResult& read) {
  const Graph& graph = read.graph;
  const SortedEdges sorted(graph);
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const std::size_t here = sorted.by_rows()[k];
    const std::size_t there = sorted.by_columns()[k];
    const Edge& entry = graph.edges[here];
    const Edge mirror{graph.edges[there].to, graph.edges[there].from};
    if (entry == mirror) {
      if (!same_value(graph.values, here, there)) {
        refuse_asymmetric(
            read, fmt::format("the entry of row {} and column {} with another weight than its mirror image",
                              entry.from, entry.to));
      }
      continue;
    }
    // The smaller one is missing from the other list.
    const bool entry_first = std::pair(entry.from, entry.to) < std::pair(mirror.from, mirror.to);
    const Edge lonely = entry_first ? entry : graph.edges[there];
    refuse_asymmetric(read, fmt::format("the entry of row {} and column {} without its mirror image",
                                        lonely.from, lonely.to));
  }
}

/// Above the diagonal, and what is on it where that is asked for.
void keep_upper_half(Graph& graph, bool with_diagonal) {
  keep_edges(graph.edges, graph.values, [&](std::size_t k) {
    const Edge& edge = graph.edges[k];
    return with_diagonal ? edge.from <= edge.to : edge.from < edge.to;
  });
}

}  // namespace

ReadResult matrix_of(GraphQuestion question, ReadResult read, const Options& options) {
  refuse_kinds(question, read.graph, read.info, options);
  if (read.graph.kind != GraphKind::undirected) return read;
  ReadOptions both_ways;
  both_ways.kind = GraphKind::directed;
  both_ways.symmetric = true;
  read.graph = convert_graph(std::move(read.graph), read.info.path, both_ways, read.info);
  return read;
}

ReadResult adjacency_graph(ReadResult read) {
  Graph& graph = read.graph;
  if (graph.kind != GraphKind::bipartite) return read;
  if (graph.left_labels.size() != graph.right_labels.size()) {
    throw InputError(
        read.info.path, 0, "a square matrix, as an adjacency matrix is",
        fmt::format("{} rows and {} columns", graph.left_labels.size(), graph.right_labels.size()));
  }
  graph.kind = GraphKind::directed;
  graph.right_labels = LabelTable();
  return read;
}

ReadResult symmetric_graph(ReadResult read, LoopPolicy loops) {
  if (read.graph.kind == GraphKind::undirected) return read;
  read = adjacency_graph(std::move(read));
  Graph& graph = read.graph;
  const bool monomers = loops == LoopPolicy::monomer;
  for (const Edge& edge : graph.edges) {
    if (edge.from != edge.to || monomers) continue;
    if (loops == LoopPolicy::reject) {
      throw InputError(read.info.path, 0, "no loop in an undirected graph",
                       fmt::format("an entry on the diagonal, in row {}", edge.from));
    }
    ++read.info.loops_dropped;
  }
  check_symmetric(read);
  keep_upper_half(graph, monomers);
  graph.kind = GraphKind::undirected;
  graph.monomers = monomers;
  return read;
}

}  // namespace countpm
