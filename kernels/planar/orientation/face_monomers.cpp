#include "kernels/planar/orientation/face_monomers.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/stop_poll.hpp"
#include "kernels/planar/orientation/block_graph.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {
namespace {

std::vector<Index> vertices_with_loops(const SparsePattern& pattern) {
  std::vector<Index> result;
  for (Index v = 0; v < pattern.rows; ++v) {
    for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
      if (pattern.column[k] == v) result.push_back(v);
    }
  }
  return result;
}

/// Whether all edges but loops lead from one of two classes to the other.
bool two_colourable(const SparsePattern& pattern) {
  std::vector<std::int8_t> colour(pattern.rows, -1);
  std::vector<Index> queue;
  StopPoll poll;
  for (Index root = 0; root < pattern.rows; ++root) {
    if (colour[root] >= 0) continue;
    colour[root] = 0;
    queue.assign(1, root);
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Index v = queue[head];
      poll.steps(pattern.row_degree(v));
      for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
        const Index w = pattern.column[k];
        if (w == v || colour[w] == 1 - colour[v]) continue;
        if (colour[w] == colour[v]) return false;
        colour[w] = static_cast<std::int8_t>(1 - colour[v]);
        queue.push_back(w);
      }
    }
  }
  return true;
}

/// Whether Euler's formula alone rules out that `alone` >= 2 vertices lie on one face: with one more vertex,
/// which is joined to them, a planar graph has no more edges than three times its vertices, less 6. Where
/// there are no odd cycles, the only faces of fewer than 4 edges are at that vertex, one between two
/// neighbours: 2 edges + alone <= 4 vertices - 4.
bool too_many_to_be_on_a_face(const SparsePattern& pattern, std::uint64_t edges, std::uint64_t alone) {
  const std::uint64_t vertices = pattern.rows;
  if (too_many_edges(vertices + 1, edges + alone, false)) return true;
  return 2 * edges + alone > 4 * vertices - 4 && two_colourable(pattern);
}

/// The vertices with loops in the order in which a face has them: that around one more vertex, which is
/// joined to them all. Empty where the graph with that vertex is not planar.
std::optional<std::vector<Index>> order_on_a_face(const SparsePattern& pattern) {
  std::vector<Index> alone = vertices_with_loops(pattern);
  if (alone.size() <= 1) return alone;
  const std::uint64_t edges = (pattern.entries() - alone.size()) / 2;
  if (too_many_to_be_on_a_face(pattern, edges, alone.size())) return std::nullopt;
  BlockGraph graph;
  graph.bipartite = false;
  graph.rows = graph.vertices = pattern.rows + 1;
  graph.edges.reserve(edges + alone.size());
  StopPoll poll;
  for (Index v = 0; v < pattern.rows; ++v) {
    poll.steps(pattern.row_degree(v));
    for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
      const Index w = pattern.column[k];
      if (v <= w) graph.edges.push_back({v, v == w ? pattern.rows : w, k});
    }
  }
  const Planarity planarity = test_planarity(graph);
  if (!planarity.planar) return std::nullopt;
  const Embedding& embedding = planarity.embedding;
  alone.clear();
  for (std::uint64_t k = embedding.start[pattern.rows]; k < embedding.start[graph.vertices]; ++k)
    alone.push_back(graph.edges[embedding.around[k]].a);
  return alone;
}

template <class Value>
Value weight_one() {
  if constexpr (std::is_same_v<Value, ComplexRational>) {
    return {1, 0};
  } else {
    return 1;
  }
}

/// The larger graph's matrix, row by row.
template <class Value>
class WithPath {
 public:
  WithPath(const SparseMatrix<Value>& matrix, const std::vector<Index>& order)
      : matrix_(matrix), place_(matrix.rows, no_index), order_(order) {
    for (Index j = 0; j < order.size(); ++j) place_[order[j]] = j;
    const bool odd = matrix.rows % 2 != 0;
    if (!order.empty()) length_ = 2 * static_cast<Index>(order.size()) - (odd ? 1 : 0);
    loop_.resize(order.size());
  }

  Block<Value> block() {
    result_.general = true;
    result_.matrix.rows = result_.matrix.columns = matrix_.rows + length_;
    for (Index v = 0; v < matrix_.rows; ++v) put_vertex(v);
    for (Index place = 0; place < length_; ++place) put_path(place);
    return std::move(result_);
  }

 private:
  /// Whether the vertex of a loop is joined to that place, one of its own two.
  bool joined(Index place) const {
    if (place >= length_ || place == 1) return false;
    return place + 2 != length_ || length_ % 2 != 0;
  }

  void put(Index column, const Value& value) {
    result_.matrix.column.push_back(column);
    result_.matrix.value.push_back(value);
  }
  void end_row() { result_.matrix.row_start.push_back(result_.matrix.column.size()); }

  void put_vertex(Index v) {
    for (std::uint64_t k = matrix_.row_start[v]; k < matrix_.row_start[v + std::uint64_t{1}]; ++k) {
      if (matrix_.column[k] != v) {
        put(matrix_.column[k], matrix_.value[k]);
      } else {
        loop_[place_[v]] = k;
      }
    }
    for (Index side = 0; side < 2 && place_[v] != no_index; ++side) {
      const Index place = 2 * place_[v] + side;
      if (joined(place)) put(matrix_.rows + place, matrix_.value[loop_[place_[v]]]);
    }
    end_row();
  }

  void put_path(Index place) {
    if (joined(place)) put(order_[place / 2], matrix_.value[loop_[place / 2]]);
    if (place > 0) put(matrix_.rows + place - 1, weight_one<Value>());
    if (place + 1 < length_) put(matrix_.rows + place + 1, weight_one<Value>());
    end_row();
  }

  const SparseMatrix<Value>& matrix_;
  std::vector<Index> place_;  // of a vertex in the order; no_index: it has no loop
  const std::vector<Index>& order_;
  Index length_ = 0;                 // of the path
  std::vector<std::uint64_t> loop_;  // the entry of each in the order
  Block<Value> result_;
};

}  // namespace

std::variant<AnyBlock, Refusal> with_monomer_path(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) -> std::variant<AnyBlock, Refusal> {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        if (block.tiles != 0)
          return Refusal{RefusalKind::structure,
                         "it counts matchings only, and here larger sets cover vertices, too"};
        const auto order = order_on_a_face(block.matrix);
        if (!order)
          return Refusal{RefusalKind::structure,
                         "vertices may stay alone, and no drawing of the graph in the plane has all of them "
                         "on one face"};
        return AnyBlock(WithPath<Value>(block.matrix, *order).block());
      },
      any_block);
}

}  // namespace countpm::planar
