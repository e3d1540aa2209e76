#pragma once
// A square pattern with a perfect matching, seen by Boost.Graph as a digraph: vertices are rows; an entry (i,
// j) is an arc from row i to the row that column j is matched to. Its strong components are the fine
// Dulmage-Mendelsohn blocks: contracting the matched pairs of the oriented bipartite graph changes none.
// Copies nothing: arcs are positions in pattern.column.
#include <boost/graph/graph_traits.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <cstdint>
#include <utility>

#include "graph/stop_poll.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm {

/// Models Boost's IncidenceGraph and VertexListGraph. Holds references: pattern and matching must outlive it.
struct MatchedDigraph {
  const SparsePattern& pattern;
  const std::vector<Index>& column_mate;
  StopPoll& poll;  // Boost's search can be stopped where it asks for a row's arcs

  struct Arc {
    Index source;
    std::uint64_t position;
    bool operator==(const Arc&) const = default;
  };

  class ArcIterator : public boost::iterator_facade<ArcIterator, Arc, boost::forward_traversal_tag, Arc> {
   public:
    ArcIterator() = default;
    explicit ArcIterator(Arc arc) : arc_(arc) {}

   private:
    friend class boost::iterator_core_access;
    Arc dereference() const { return arc_; }
    bool equal(const ArcIterator& other) const { return arc_ == other.arc_; }
    void increment() { ++arc_.position; }
    Arc arc_{no_index, 0};
  };

  // What boost::graph_traits reads.
  using vertex_descriptor = Index;                                                          // NOLINT
  using edge_descriptor = Arc;                                                              // NOLINT
  using out_edge_iterator = ArcIterator;                                                    // NOLINT
  using vertex_iterator = boost::iterators::counting_iterator<Index>;                       // NOLINT
  using directed_category = boost::directed_tag;                                            // NOLINT
  using edge_parallel_category = boost::disallow_parallel_edge_tag;                         // NOLINT
  struct traversal_category : boost::incidence_graph_tag, boost::vertex_list_graph_tag {};  // NOLINT
  using vertices_size_type = Index;                                                         // NOLINT
  using edges_size_type = std::uint64_t;                                                    // NOLINT
  using degree_size_type = std::uint64_t;                                                   // NOLINT

  static vertex_descriptor null_vertex() { return no_index; }
};

inline std::pair<MatchedDigraph::vertex_iterator, MatchedDigraph::vertex_iterator> vertices(
    const MatchedDigraph& graph) {
  return {MatchedDigraph::vertex_iterator(0), MatchedDigraph::vertex_iterator(graph.pattern.rows)};
}
inline Index num_vertices(const MatchedDigraph& graph) {
  return graph.pattern.rows;
}
inline std::pair<MatchedDigraph::ArcIterator, MatchedDigraph::ArcIterator> out_edges(
    Index row, const MatchedDigraph& graph) {
  graph.poll.steps(graph.pattern.row_degree(row));
  return {MatchedDigraph::ArcIterator({row, graph.pattern.row_start[row]}),
          MatchedDigraph::ArcIterator({row, graph.pattern.row_start[row + std::uint64_t{1}]})};
}
inline std::uint64_t out_degree(Index row, const MatchedDigraph& graph) {
  return graph.pattern.row_degree(row);
}
inline Index source(const MatchedDigraph::Arc& arc, const MatchedDigraph&) {
  return arc.source;
}
inline Index target(const MatchedDigraph::Arc& arc, const MatchedDigraph& graph) {
  return graph.column_mate[graph.pattern.column[arc.position]];
}

}  // namespace countpm
