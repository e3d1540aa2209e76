#include "kernels/planar/orientation/embedding.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 says so of Boost's Boyer-Myrvold code
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <boost/graph/adjacency_list.hpp>
#include <utility>

#include "kernels/planar/orientation/edge_lists.hpp"
#include "kernels/planar/orientation/short_cycle_embedding.hpp"
#include "kernels/support/abandonable.hpp"

namespace countpm::planar {
namespace {

/// Looks at no signal.
Planarity test_by_boost(const BlockGraph& graph) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                      boost::property<boost::vertex_index_t, int>,
                                      boost::property<boost::edge_index_t, int>>;
  using Edge = boost::graph_traits<Graph>::edge_descriptor;
  Graph boost_graph(graph.vertices);
  int number = 0;
  for (const BlockGraph::Edge& edge : graph.edges) boost::add_edge(edge.a, edge.b, number++, boost_graph);
  const auto edge_number = boost::get(boost::edge_index, boost_graph);

  std::vector<std::vector<Edge>> around(graph.vertices);
  Planarity result;
  result.planar =
      embed_in_plane(boost_graph, boost::get(boost::vertex_index, std::as_const(boost_graph)), around.data());
  if (!result.planar) return result;
  result.embedding.start.reserve(graph.vertices + std::size_t{1});
  result.embedding.start.push_back(0);
  result.embedding.around.reserve(2 * graph.edges.size());
  for (const std::vector<Edge>& edges : around) {
    for (const Edge& edge : edges) result.embedding.around.push_back(static_cast<Index>(edge_number[edge]));
    result.embedding.start.push_back(result.embedding.around.size());
  }
  return result;
}

// Square lattices with two long bonds: 10 ms for so many edges, 8 s for 200 times as many (2-core EPYC, Zen
// 4, 2026-11-27).
constexpr std::size_t many_edges = 10000;

}  // namespace

bool too_many_edges(std::uint64_t vertices, std::uint64_t edges, bool bipartite) {
  if (vertices < 3) return false;
  return edges > (bipartite ? 2 * vertices - 4 : 3 * vertices - 6);
}

Planarity test_planarity(const BlockGraph& graph) {
  if (std::optional<Embedding> lattice = short_cycle_embedding(graph, Surface::plane))
    return {true, std::move(*lattice)};
  if (graph.edges.size() < many_edges) return test_by_boost(graph);
  return done_or_abandoned([copy = graph] { return test_by_boost(copy); });
}

}  // namespace countpm::planar
