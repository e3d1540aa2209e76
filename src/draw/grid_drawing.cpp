#include "src/draw/grid_drawing.hpp"

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 says so of Boost's Boyer-Myrvold code
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/chrobak_payne_drawing.hpp>
#include <boost/graph/make_biconnected_planar.hpp>
#include <boost/graph/make_maximal_planar.hpp>
#include <boost/graph/planar_canonical_ordering.hpp>
#include <cmath>
#include <utility>

#include "kernels/planar/orientation/edge_lists.hpp"

namespace countpm::draw {
namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                         boost::property<boost::vertex_index_t, int>,
                                         boost::property<boost::edge_index_t, int>>;
using Rotations = std::vector<std::vector<boost::graph_traits<BoostGraph>::edge_descriptor>>;

struct GridPoint {
  std::size_t x = 0;
  std::size_t y = 0;
};

template <class Values>
auto by_vertex(Values& values, const BoostGraph& graph) {
  return boost::make_iterator_property_map(values.begin(), boost::get(boost::vertex_index, graph));
}

void number_edges(BoostGraph& graph) {
  int next = 0;
  const auto number = boost::get(boost::edge_index, graph);
  for (auto [edge, end] = boost::edges(graph); edge != end; ++edge) boost::put(number, *edge, next++);
}

// Numbers the edges. Precondition: planar.
Rotations embed(BoostGraph& graph) {
  number_edges(graph);
  Rotations around(boost::num_vertices(graph));
  planar::embed_in_plane(graph, boost::get(boost::vertex_index, std::as_const(graph)),
                         by_vertex(around, graph));
  return around;
}

}  // namespace

std::vector<Point> place_on_grid(const planar::BlockGraph& graph) {
  BoostGraph triangulated(graph.vertices);
  for (const auto& [a, b, entry] : graph.edges) boost::add_edge(a, b, triangulated);
  // Each step adds edges, which have to be embedded before the next.
  Rotations around = embed(triangulated);
  boost::make_biconnected_planar(triangulated, by_vertex(around, triangulated));
  around = embed(triangulated);
  boost::make_maximal_planar(triangulated, by_vertex(around, triangulated));
  around = embed(triangulated);
  std::vector<boost::graph_traits<BoostGraph>::vertex_descriptor> order;
  boost::planar_canonical_ordering(triangulated, by_vertex(around, triangulated), std::back_inserter(order));
  std::vector<GridPoint> grid(graph.vertices);
  boost::chrobak_payne_straight_line_drawing(triangulated, by_vertex(around, triangulated), order.begin(),
                                             order.end(), by_vertex(grid, triangulated));
  std::vector<Point> position;
  position.reserve(grid.size());
  for (const GridPoint& point : grid)
    position.push_back({static_cast<double>(point.x), -static_cast<double>(point.y)});
  double total = 0;
  for (const auto& [a, b, entry] : graph.edges)
    total += std::hypot(position[a].x - position[b].x, position[a].y - position[b].y);
  const double mean = total / static_cast<double>(graph.edges.size());
  for (Point& point : position) point = {point.x / mean, point.y / mean};
  return position;
}

}  // namespace countpm::draw
