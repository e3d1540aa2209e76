#include "src/draw/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/lattices/molecule_lattices.hpp"
#include "graph/stop_poll.hpp"
#include "src/draw/barycentric.hpp"
#include "src/draw/grid_drawing.hpp"
#include "src/draw/paths.hpp"
#include "src/draw/regular_faces.hpp"
#include "src/draw/ring_embedding.hpp"

namespace countpm::draw {
namespace {

using Ends = std::pair<Index, Index>;

std::size_t vertices_of(const Graph& graph) {
  return graph.left_labels.size() + std::size_t{graph.right_labels.size()};
}

// Each once, without loops or directions; right vertices after the left ones.
std::vector<Ends> simple_edges(const Graph& graph) {
  const Index shift = graph.kind == GraphKind::bipartite ? graph.left_labels.size() : 0;
  std::vector<Ends> edges;
  for (const Edge& edge : graph.edges) {
    const Index to = edge.to + shift;
    if (edge.from != to) edges.emplace_back(std::min(edge.from, to), std::max(edge.from, to));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// A connected part, with its own numbers of vertices.
struct Part {
  std::vector<Index> vertices;
  planar::BlockGraph graph;
};

std::vector<Part> connected_parts(std::size_t vertices, const std::vector<Ends>& edges) {
  // Union by pointers to roots, halved on the way.
  std::vector<Index> root(vertices);
  std::iota(root.begin(), root.end(), Index{0});
  const auto find = [&](Index v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& [a, b] : edges) root[find(std::max(a, b))] = find(std::min(a, b));
  std::vector<Part> parts;
  std::vector<Index> part_of(vertices);
  std::vector<Index> local(vertices);
  std::vector<Index> part_of_root(vertices, no_index);
  for (Index v = 0; v < vertices; ++v) {
    Index& part = part_of_root[find(v)];
    if (part == no_index) {
      part = static_cast<Index>(parts.size());
      parts.emplace_back();
      parts.back().graph.bipartite = false;
    }
    part_of[v] = part;
    local[v] = parts[part].graph.vertices++;
    parts[part].vertices.push_back(v);
  }
  for (const auto& [a, b] : edges) parts[part_of[a]].graph.edges.push_back({local[a], local[b], 0});
  return parts;
}

// Of the mean length of an edge: vertices nearer to each other are one dot.
constexpr double cramped = 0.04;

// By the points in order of x.
double least_distance(std::vector<Point> points) {
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < points.size(); ++k) {
    check_stop();
    for (std::size_t l = k + 1; l < points.size() && points[l].x - points[k].x < least; ++l)
      least = std::min(least, std::hypot(points[l].x - points[k].x, points[l].y - points[k].y));
  }
  return least;
}

struct Placed {
  std::vector<Point> position;
  bool regular = true;
};

std::optional<Placed> place(const planar::BlockGraph& graph) {
  if (graph.edges.empty()) return Placed{std::vector<Point>(graph.vertices), true};
  if (planar::too_many_edges(graph.vertices, graph.edges.size(), false)) return std::nullopt;
  planar::Planarity planarity = planar::test_planarity(graph);
  if (!planarity.planar) return std::nullopt;
  PlanePart part{graph, std::move(planarity.embedding), {}, 0};
  if (auto with_rings = ring_embedding(graph)) part.embedding = std::move(*with_rings);
  part.faces = planar::trace_faces(part.graph, part.embedding);
  const std::vector<std::uint64_t>& start = part.faces.start;
  for (Index face = 0; face < part.faces.count(); ++face) {
    if (start[face + std::size_t{1}] - start[face] > start[part.outer + std::size_t{1}] - start[part.outer])
      part.outer = face;
  }
  if (auto regular = place_regular_faces(part)) return Placed{std::move(*regular), true};
  std::vector<Point> position = place_barycentric(part);
  if (graph.vertices >= 3 && least_distance(position) < cramped) position = place_on_grid(graph);
  return Placed{std::move(position), false};
}

// Side by side in rows, about as broad as high; larger ones first.
void pack(const std::vector<Part>& parts, std::vector<Placed>& placed, std::vector<Point>& position) {
  constexpr double gap = 1;
  std::vector<Box> boxes;
  double area = 0;
  double widest = 0;
  for (const Placed& part : placed) {
    boxes.push_back(bounds(part.position));
    area += (boxes.back().width() + gap) * (boxes.back().height() + gap);
    widest = std::max(widest, boxes.back().width());
  }
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return boxes[a].height() > boxes[b].height(); });
  const double row_width = std::max(widest, 1.3 * std::sqrt(area));
  Point corner;
  double row_height = 0;
  for (const std::size_t k : order) {
    if (corner.x > 0 && corner.x + boxes[k].width() > row_width) {
      corner = {0, corner.y + row_height + gap};
      row_height = 0;
    }
    for (std::size_t v = 0; v < parts[k].vertices.size(); ++v) {
      const Point& p = placed[k].position[v];
      position[parts[k].vertices[v]] = {p.x - boxes[k].left + corner.x, p.y - boxes[k].top + corner.y};
    }
    corner.x += boxes[k].width() + gap;
    row_height = std::max(row_height, boxes[k].height());
  }
}

}  // namespace

Layout lattice_layout(const LatticeInfo& lattice, const LabelTable& labels) {
  Layout layout{{}, lattice_periods(lattice), "on the lattice", lattice_mirror(lattice)};
  layout.position.reserve(labels.size());
  StopPoll poll;
  for (Index v = 0; v < labels.size(); ++v) {
    poll.step();
    const std::optional<Point> position = lattice_position(lattice, labels.label(v));
    if (!position) throw std::invalid_argument("no label of a lattice: " + labels.label(v));
    layout.position.push_back(*position);
  }
  return layout;
}

std::optional<Layout> planar_layout(const Graph& graph) {
  if (vertices_of(graph) > most_layout_vertices) {
    throw UnableError(
        fmt::format("a drawing of {} vertices is more than there is room for", vertices_of(graph)),
        fmt::format("graphs of up to {} vertices and lattices of any size are drawn", most_layout_vertices));
  }
  const std::vector<Part> parts = connected_parts(vertices_of(graph), simple_edges(graph));
  std::vector<Placed> placed;
  for (const Part& part : parts) {
    check_stop();
    std::optional<Placed> one = place(part.graph);
    if (!one) return std::nullopt;
    placed.push_back(std::move(*one));
  }
  const bool regular =
      std::all_of(placed.begin(), placed.end(), [](const Placed& part) { return part.regular; });
  Layout layout{std::vector<Point>(vertices_of(graph)),
                {},
                regular ? "planar, every edge of the same length" : "without crossings; lengths mean nothing",
                std::nullopt};
  pack(parts, placed, layout.position);
  return layout;
}

std::optional<Layout> automatic_layout(const Graph& graph, const std::optional<std::string>& lattice) {
  if (!graph.positions.empty() && graph.kind != GraphKind::directed)
    return Layout{graph.positions, {}, "as in the input"};
  if (lattice && !is_molecule_spec(*lattice))
    return lattice_layout(lattice_info(*lattice), graph.left_labels);
  if (graph.kind == GraphKind::directed || vertices_of(graph) > most_layout_vertices) return std::nullopt;
  return planar_layout(graph);
}

}  // namespace countpm::draw
