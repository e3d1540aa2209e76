#pragma once
// Where to put a graph's vertices: on the lattice that it is, or so that no two edges cross.
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "graph/lattices/lattice_geometry.hpp"

namespace countpm::draw {

struct Layout {
  std::vector<Point> position;  // of every vertex; of a bipartite graph the left ones, then the right ones
  std::vector<Point> periods;   // as lattice_periods()
  std::string about;            // "on the lattice", "planar: all inner faces regular", ...
  std::optional<double> mirror = {};  // as lattice_mirror()
};

/// By the labels that lattice_graph() gives. O(vertices).
Layout lattice_layout(const LatticeInfo& lattice, const LabelTable& labels);

/// A drawing of a planar graph with straight edges that do not cross; nullopt where the graph is not planar.
/// Components lie side by side. Where a component's faces fit together as regular polygons with sides of
/// length 1 (a benzenoid, a board, a chain of rings) they are these. Else the longest face becomes the convex
/// border, and every other vertex comes to the weighted mean of its neighbours, W. T. Tutte, How to draw a
/// graph, Proc. London Math. Soc. 13 (1963) 743; where the graph is not 3-connected helper vertices in the
/// faces keep vertices apart, M. S. Floater, One-to-one piecewise linear mappings over triangulations, Math.
/// Comp. 72 (2003) 685; weights grow with the lengths that they give, which makes lengths more equal. Where
/// that leaves vertices too near to each other, they get a grid's points, M. Chrobak, T. H. Payne, A
/// linear-time algorithm for drawing a planar graph on a grid, Inf. Proc. Letters 54 (1995) 241 (Boost's).
/// Arcs and their directions play no part, nor do loops. O(vertices + edges) for regular faces; otherwise
/// some hundred sweeps. Throws UnableError beyond most_layout_vertices.
std::optional<Layout> planar_layout(const Graph& graph);
inline constexpr std::size_t most_layout_vertices = 20'000;

/// What --draw auto does: lattices lie as they are, planar graphs so that no edges cross. nullopt for all
/// others, directed graphs and those of more vertices: they are drawn as matrices.
std::optional<Layout> automatic_layout(const Graph& graph, const std::optional<std::string>& lattice);

}  // namespace countpm::draw
