#include "src/draw/barycentric.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "graph/stop_signal.hpp"

namespace countpm::draw {
namespace {

constexpr double helper_weight = 0.12;  // of an edge to a helper vertex; edges of the graph begin with 1
constexpr int rounds = 12;              // of solving and weighing anew
constexpr std::size_t small = 2'000;    // springs; more get fewer rounds

struct Spring {
  Index a;
  Index b;
  double weight;
};

/// Vertices, fixed ones among them, and springs between them.
class SpringNet {
 public:
  explicit SpringNet(const PlanePart& part) : part_(part), vertices_(part.graph.vertices) {
    for (const auto& [a, b, entry] : part.graph.edges) springs_.push_back({a, b, 1});
    const std::vector<Index> border = vertices_of(part.outer);
    std::vector<Index> sorted = border;
    std::sort(sorted.begin(), sorted.end());
    const bool simple =
        border.size() >= 3 && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    const std::vector<Index> fixed = simple ? border : add_ring(border);
    for (Index face = 0; face < part.faces.count(); ++face) {
      if (face != part.outer) fill(face);
    }
    position_.resize(vertices_);
    fixed_.assign(vertices_, 0);
    const double step = 2 * std::numbers::pi / static_cast<double>(fixed.size());
    for (std::size_t k = 0; k < fixed.size(); ++k) {
      const double angle = -std::numbers::pi / 2 + (static_cast<double>(k) + 0.5) * step;
      position_[fixed[k]] = {std::cos(angle), std::sin(angle)};
      fixed_[fixed[k]] = 1;
    }
  }

  std::vector<Point> run() {
    const int times = springs_.size() <= small ? rounds : 3;
    for (int round = 0; round < times; ++round) {
      solve();
      if (round + 1 < times) weigh();
    }
    position_.resize(part_.graph.vertices);
    double total = 0;
    for (const auto& edge : part_.graph.edges) total += length(edge.a, edge.b);
    const double mean = total / static_cast<double>(part_.graph.edges.size());
    for (Point& point : position_) point = {point.x / mean, point.y / mean};
    return position_;
  }

 private:
  // In the order of the walk around the face.
  std::vector<Index> vertices_of(Index face) const {
    std::vector<Index> result;
    for (std::uint64_t k = part_.faces.start[face]; k < part_.faces.start[face + std::size_t{1}]; ++k)
      result.push_back(tail(part_.graph, part_.faces.half_edge[k]));
    return result;
  }

  // A cycle of new vertices along the walk, the triangles between both filled in. Walks of 1 or 2 steps (a
  // single edge, from both sides) are gone twice, so that the ring is a cycle.
  std::vector<Index> add_ring(std::vector<Index> corners) {
    while (corners.size() < 3) {
      const std::vector<Index> again = corners;
      corners.insert(corners.end(), again.begin(), again.end());
    }
    std::vector<Index> ring;
    for (std::size_t k = 0; k < corners.size(); ++k) ring.push_back(vertices_++);
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const std::size_t next = (k + 1) % ring.size();
      springs_.push_back({ring[k], corners[k], helper_weight});
      springs_.push_back({ring[k], corners[next], helper_weight});
      springs_.push_back({ring[k], ring[next], helper_weight});
    }
    return ring;
  }

  void fill(Index face) {
    const std::vector<Index> ring = add_ring(vertices_of(face));
    const Index middle = vertices_++;
    for (const Index helper : ring) springs_.push_back({helper, middle, helper_weight});
  }

  double length(Index a, Index b) const {
    return std::hypot(position_[a].x - position_[b].x, position_[a].y - position_[b].y);
  }

  // What is long pulls more the next time.
  void weigh() {
    const std::size_t edges = part_.graph.edges.size();
    double total = 0;
    for (std::size_t e = 0; e < edges; ++e) total += length(springs_[e].a, springs_[e].b);
    const double mean = total / static_cast<double>(edges);
    for (std::size_t e = 0; e < edges; ++e) {
      const double share = length(springs_[e].a, springs_[e].b) / mean;
      springs_[e].weight *= std::clamp(std::sqrt(share), 0.5, 2.0);
      springs_[e].weight = std::clamp(springs_[e].weight, 0.1, 30.0);
    }
  }

  // gradient := weights times differences, at the vertices that may move.
  void apply(const std::vector<Point>& from, std::vector<Point>& gradient) const {
    std::fill(gradient.begin(), gradient.end(), Point{});
    for (const Spring& spring : springs_) {
      const double dx = spring.weight * (from[spring.a].x - from[spring.b].x);
      const double dy = spring.weight * (from[spring.a].y - from[spring.b].y);
      gradient[spring.a].x += dx, gradient[spring.a].y += dy;
      gradient[spring.b].x -= dx, gradient[spring.b].y -= dy;
    }
    for (std::size_t v = 0; v < gradient.size(); ++v) {
      if (fixed_[v]) gradient[v] = {};
    }
  }

  // Conjugate gradients for x and y together, preconditioned by the diagonal. M. R. Hestenes, E. Stiefel, J.
  // Res. Nat. Bur. Standards 49 (1952) 409.
  void solve() {
    std::vector<double> diagonal(vertices_, 0);
    for (const Spring& spring : springs_) {
      diagonal[spring.a] += spring.weight;
      diagonal[spring.b] += spring.weight;
    }
    std::vector<Point> residual(vertices_);
    apply(position_, residual);
    std::vector<Point> direction(vertices_);
    std::vector<Point> image(vertices_);
    double size = 0;
    for (std::size_t v = 0; v < residual.size(); ++v) {
      residual[v] = {-residual[v].x, -residual[v].y};
      direction[v] = {residual[v].x / diagonal[v], residual[v].y / diagonal[v]};
      size += residual[v].x * direction[v].x + residual[v].y * direction[v].y;
    }
    constexpr double relative = 1e-24;  // of the squared residual
    const double enough = size * relative;
    for (std::size_t steps = 0; steps < 10 * residual.size() && size > enough && size > 0; ++steps) {
      check_stop();
      apply(direction, image);
      double energy = 0;
      for (std::size_t v = 0; v < image.size(); ++v)
        energy += direction[v].x * image[v].x + direction[v].y * image[v].y;
      const double step = size / energy;
      double next = 0;
      for (std::size_t v = 0; v < image.size(); ++v) {
        position_[v].x += step * direction[v].x, position_[v].y += step * direction[v].y;
        residual[v].x -= step * image[v].x, residual[v].y -= step * image[v].y;
        next += (residual[v].x * residual[v].x + residual[v].y * residual[v].y) / diagonal[v];
      }
      for (std::size_t v = 0; v < image.size(); ++v) {
        direction[v].x = residual[v].x / diagonal[v] + next / size * direction[v].x;
        direction[v].y = residual[v].y / diagonal[v] + next / size * direction[v].y;
      }
      size = next;
    }
  }

  const PlanePart& part_;
  Index vertices_;               // helpers too
  std::vector<Spring> springs_;  // the graph's edges first
  std::vector<Point> position_;
  std::vector<std::uint8_t> fixed_;
};

}  // namespace

std::vector<Point> place_barycentric(const PlanePart& part) {
  return SpringNet(part).run();
}

}  // namespace countpm::draw
