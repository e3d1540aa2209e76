#include "src/draw/regular_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "graph/stop_signal.hpp"
#include "src/draw/paths.hpp"

namespace countpm::draw {
namespace {

using planar::BlockGraph;

constexpr std::size_t most_regular_sides = 8;
constexpr double tolerance = 1e-6;
constexpr double full_turn = 2 * std::numbers::pi;

/// Twice the signed area of the triangle a b c.
double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool cross(const Point& a, const Point& b, const Point& c, const Point& d) {
  return turn(a, b, c) * turn(a, b, d) < -tolerance && turn(c, d, a) * turn(c, d, b) < -tolerance;
}

/// The walk over one part.
class Turtle {
 public:
  explicit Turtle(const PlanePart& part)
      : part_(part),
        position_(part.graph.vertices),
        leaving_(part.embedding.around.size()),
        slot_(leaving_.size()),
        angle_(leaving_.size()) {
    for (Index v = 0; v < part.graph.vertices; ++v) {
      for (std::uint64_t k = first_slot(v); k < last_slot(v); ++k) {
        const std::uint64_t e = part.embedding.around[k];
        leaving_[k] = 2 * e + (part.graph.edges[e].a == v ? 0 : 1);
        slot_[leaving_[k]] = k;
      }
    }
  }

  bool run() {
    for (Index v = 0; v < part_.graph.vertices; ++v) {
      if (!set_angles(v)) return false;
    }
    walk();
    return edges_are_of_length_1() && nothing_meets();
  }

  const std::vector<Point>& position() const { return position_; }

 private:
  std::uint64_t first_slot(Index v) const { return part_.embedding.start[v]; }
  std::uint64_t last_slot(Index v) const { return part_.embedding.start[v + std::size_t{1}]; }
  Index head(std::uint64_t half_edge) const { return tail(part_.graph, half_edge ^ 1); }

  // Of the corner between a slot and the next; 0 where the face is to have no regular shape.
  double regular_angle(std::uint64_t slot) const {
    const Index face = part_.faces.of[leaving_[slot] ^ 1];
    const std::uint64_t sides = part_.faces.start[face + std::size_t{1}] - part_.faces.start[face];
    if (face == part_.outer || sides > most_regular_sides || sides < 3) return 0;
    return std::numbers::pi * static_cast<double>(sides - 2) / static_cast<double>(sides);
  }

  // false where the regular polygons around the vertex take more or less than a full turn.
  bool set_angles(Index v) {
    double taken = 0;
    std::uint64_t open = 0;
    for (std::uint64_t k = first_slot(v); k < last_slot(v); ++k) {
      angle_[k] = regular_angle(k);
      taken += angle_[k];
      open += angle_[k] == 0 ? 1 : 0;
    }
    if (open == 0) return std::abs(taken - full_turn) < tolerance;
    if (taken > full_turn - 0.1 * static_cast<double>(open)) return false;
    for (std::uint64_t k = first_slot(v); k < last_slot(v); ++k) {
      if (angle_[k] == 0) angle_[k] = (full_turn - taken) / static_cast<double>(open);
    }
    return true;
  }

  void walk() {
    std::vector<std::uint8_t> seen(part_.graph.vertices, 0);
    struct Arrival {
      Index vertex;
      std::uint64_t slot;  // an edge whose direction is known
      double direction;
    };
    const Index root = 0;
    position_[root] = {0, 0};
    seen[root] = 1;
    std::vector<Arrival> queue{{root, first_slot(root), 0}};
    for (std::size_t at = 0; at < queue.size(); ++at) {
      auto [v, slot, direction] = queue[at];
      for (std::uint64_t turned = first_slot(v); turned < last_slot(v); ++turned) {
        const std::uint64_t way = leaving_[slot];
        const Index next = head(way);
        if (!seen[next]) {
          seen[next] = 1;
          position_[next] = {position_[v].x + std::cos(direction), position_[v].y + std::sin(direction)};
          queue.push_back({next, slot_[way ^ 1], direction + std::numbers::pi});
        }
        direction += angle_[slot];
        if (++slot == last_slot(v)) slot = first_slot(v);
      }
    }
  }

  bool edges_are_of_length_1() const {
    return std::all_of(part_.graph.edges.begin(), part_.graph.edges.end(), [&](const BlockGraph::Edge& edge) {
      return std::abs(distance(edge.a, edge.b) - 1) < tolerance;
    });
  }

  // Edges of length 1 only meet where their middles lie in the same or in neighbouring cells of side 1.
  bool nothing_meets() const {
    using Cell = std::pair<std::int64_t, std::int64_t>;
    const auto cell = [](double x, double y) {
      return Cell{static_cast<std::int64_t>(std::floor(x)), static_cast<std::int64_t>(std::floor(y))};
    };
    std::map<Cell, std::vector<std::pair<Index, Index>>> edges;
    std::map<Cell, std::vector<Index>> vertices;
    for (Index v = 0; v < part_.graph.vertices; ++v)
      vertices[cell(position_[v].x, position_[v].y)].push_back(v);
    for (const auto& [a, b, entry] : part_.graph.edges) {
      edges[cell((position_[a].x + position_[b].x) / 2, (position_[a].y + position_[b].y) / 2)].emplace_back(
          a, b);
    }
    const auto clashes = [](const auto& cells, const Cell& at, const auto& clash) {
      for (std::int64_t dx = -1; dx <= 1; ++dx) {
        for (std::int64_t dy = -1; dy <= 1; ++dy) {
          const auto found = cells.find({at.first + dx, at.second + dy});
          if (found != cells.end() && std::any_of(found->second.begin(), found->second.end(), clash))
            return true;
        }
      }
      return false;
    };
    for (const auto& [at, some] : vertices) {
      check_stop();
      for (const Index v : some) {
        if (clashes(vertices, at, [&](Index w) { return v != w && near(v, w); })) return false;
      }
    }
    for (const auto& [at, some] : edges) {
      check_stop();
      for (const auto& [a, b] : some) {
        if (clashes(edges, at, [&, a = a, b = b](const std::pair<Index, Index>& other) {
              return cross(position_[a], position_[b], position_[other.first], position_[other.second]);
            }))
          return false;
      }
    }
    return true;
  }

  bool near(Index v, Index w) const {
    constexpr double least_distance = 0.4;
    return distance(v, w) < least_distance;
  }
  double distance(Index v, Index w) const {
    return std::hypot(position_[v].x - position_[w].x, position_[v].y - position_[w].y);
  }

  const PlanePart& part_;
  std::vector<Point> position_;
  std::vector<std::uint64_t> leaving_;  // the half-edge that leaves by each slot of the rotations
  std::vector<std::uint64_t> slot_;     // where each half-edge leaves
  std::vector<double> angle_;           // between each slot's edge and the next
};

// Turned by a multiple of 15 degrees so that it is as broad as it can be.
std::vector<Point> lying_broad(const std::vector<Point>& position) {
  constexpr int turns = 12;
  std::vector<Point> best;
  double least_height = std::numeric_limits<double>::infinity();
  for (int k = 0; k < turns; ++k) {
    const double cosine = std::cos(k * std::numbers::pi / turns);
    const double sine = std::sin(k * std::numbers::pi / turns);
    std::vector<Point> turned;
    turned.reserve(position.size());
    for (const Point& p : position) turned.push_back({p.x * cosine - p.y * sine, p.x * sine + p.y * cosine});
    const double height = bounds(turned).height();
    if (height < least_height - tolerance) {
      least_height = height;
      best = std::move(turned);
    }
  }
  return best;
}

}  // namespace

std::optional<std::vector<Point>> place_regular_faces(const PlanePart& part) {
  Turtle turtle(part);
  if (!turtle.run()) return std::nullopt;
  return lying_broad(turtle.position());
}

}  // namespace countpm::draw
