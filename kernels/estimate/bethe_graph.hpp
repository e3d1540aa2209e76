#pragma once
// What is left of a matrix during a walk by belief propagation (bethe_walk.hpp): a bipartite graph with
// weights and messages on its edges, from which vertices are removed and in which vertices of degree 2 are
// contracted.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/estimate/sample_matrix.hpp"
#include "kernels/huge_pages.hpp"

namespace countpm {

/// Rows are the vertices 0 .. size - 1, columns size .. 2 size - 1. The side of a row is 0, that of a
/// column 1.
class BetheGraph {
 public:
  using Vertex = std::uint32_t;
  using EdgeNumber = std::uint32_t;

  // Half a cache line: walks on large graphs wait for memory more than for anything else.
  struct alignas(32) Edge {
    double weight;      // above 0
    double message[2];  // message[s] is sent by end[s]; above 0
    Vertex end[2];

    /// The edge's chance to be in a perfect matching, over one minus it, by its messages.
    double odds() const { return weight * message[0] * message[1]; }
    /// What it brings to its end on side `s`.
    double brought_to(unsigned s) const { return weight * message[1 - s]; }
  };

  /// All messages 1, nothing due. UnableError beyond 2^31 - 1 rows or 2^32 - 1 entries. O(entries).
  explicit BetheGraph(const SampleMatrix& matrix);

  std::uint32_t size() const { return size_; }
  /// Rows, and as many columns, that are left.
  std::uint32_t left() const { return left_; }
  unsigned side(Vertex v) const { return v < size_ ? 0 : 1; }
  bool is_left(Vertex v) const { return records_[v].left; }
  /// Valid until an edge comes to v or leaves it.
  std::span<const EdgeNumber> edges(Vertex v) const { return {list(records_[v]), records_[v].degree}; }
  std::uint32_t degree(Vertex v) const { return records_[v].degree; }
  /// Of the edge in the list of its end on side `s`.
  std::uint32_t place(EdgeNumber e, unsigned s) const { return places_[e][s]; }
  /// What v has to send, and the list that it waits in, or `nowhere`: kept by bethe_messages.hpp, but here,
  /// so that they lie beside the vertex's edges.
  static constexpr std::uint16_t nowhere = 0xffff;
  double& due(Vertex v) { return records_[v].due; }
  std::uint16_t& level(Vertex v) { return records_[v].level; }
  Edge& edge(EdgeNumber e) { return edges_[e]; }
  const Edge& edge(EdgeNumber e) const { return edges_[e]; }
  Vertex neighbour(Vertex v, EdgeNumber e) const { return edges_[e].end[1 - side(v)]; }

  /// All vertices of the least degree; in an order that depends on what was done so far, and on nothing else.
  /// Precondition: some are left. O(least degree).
  const std::vector<Vertex>& of_least_degree() const;

  /// Takes v away. lost(edge, neighbour) is called first for each of its edges.
  template <class Lost>
  void remove(Vertex v, const Lost& lost) {
    leave_bin(v);
    records_[v].left = false;
    const unsigned s = side(v);
    for (const EdgeNumber e : edges(v)) {
      lost(edges_[e], edges_[e].end[1 - s]);
      unlink(e, 1 - s);
    }
    clear_list(v);
    if (s == 0) --left_;
  }

  /// Where v has two edges, of weights a and b to x and y: the permanent is factor times that of the graph
  /// without v and with x and y as one vertex, whose edges have the weights (a (weight to y) + b (weight to
  /// x)) / factor. x, the one with more edges, becomes that vertex; the messages stay.
  struct Contraction {
    Vertex kept = 0;         // x
    Vertex other = 0;        // y, which goes
    double kept_share = 0;   // what the weights of x's edges are multiplied by, at most 1
    double other_share = 0;  // what those of y's are
    double factor = 0;
  };
  /// Precondition: degree(v) == 2.
  Contraction contraction(Vertex v) const;
  /// Whether the kept vertex has at most `most_degree` edges then, and all weights stay within 2^-320 ..
  /// 2^320.
  bool fits(const Contraction& contraction, std::uint32_t most_degree) const;
  /// Does it; changed(neighbour) is called for every vertex that then has an edge to the kept one.
  template <class Changed>
  void contract(Vertex v, const Contraction& contraction, const Changed& changed) {
    remove(v, [](const Edge&, Vertex) {});
    merge(contraction);
    for (const EdgeNumber e : edges(contraction.kept)) changed(neighbour(contraction.kept, e));
  }

 private:
  static constexpr std::uint32_t most_inline = 12;
  static constexpr EdgeNumber no_edge = ~EdgeNumber{0};

  // A cache line. The edges of a vertex with more than most_inline are in long_lists_[edge[0]].
  struct alignas(64) Record {
    double due = 0;
    std::uint16_t level = nowhere;
    bool left = true;
    std::uint32_t degree = 0;
    EdgeNumber edge[most_inline];
  };
  static_assert(sizeof(Record) == 64);

  EdgeNumber* list(Record& record) {
    return record.degree <= most_inline ? record.edge : long_lists_[record.edge[0]].data();
  }
  const EdgeNumber* list(const Record& record) const {
    return record.degree <= most_inline ? record.edge : long_lists_[record.edge[0]].data();
  }
  /// At the end of v's list.
  void append(Vertex v, EdgeNumber e);
  void drop_last(Vertex v);
  void clear_list(Vertex v);

  void merge(const Contraction& contraction);
  /// Takes the edge out of the list of its end on side `s`.
  void unlink(EdgeNumber e, unsigned s);
  void enter_bin(Vertex v);
  /// Precondition: the degree is still the one that v has entered with.
  void leave_bin(Vertex v);

  std::uint32_t size_ = 0;
  std::uint32_t left_ = 0;
  std::vector<Edge, HugePageAllocator<Edge>> edges_;
  std::vector<std::array<std::uint32_t, 2>> places_;
  std::vector<Record, HugePageAllocator<Record>> records_;  // of the vertices
  std::vector<std::vector<EdgeNumber>> long_lists_;
  std::vector<EdgeNumber> unused_lists_;   // their numbers
  std::vector<std::vector<Vertex>> bins_;  // by degree
  std::vector<std::uint32_t> place_in_bin_;
  std::vector<EdgeNumber> edge_to_;  // of a neighbour of the kept vertex, during merge; else no_edge
};

}  // namespace countpm
