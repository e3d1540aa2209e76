#include "kernels/planar/crossings/curves.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <random>
#include <tuple>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/planar/orientation/faces.hpp"

namespace countpm::planar {
namespace {

/// A place on the rim of a face: the corner before a half-edge of its walk, or a point on it; curves on the
/// same edge in their order along the walk.
using Port = std::tuple<std::uint64_t, int, std::int64_t>;

/// Where a curve enters and leaves a face.
struct Passage {
  std::size_t curve;
  Port in;
  Port out;
};

/// Over which half-edges a curve leaves its faces, and at which corners (half-edges that leave its ends) it
/// begins and ends.
struct Course {
  std::vector<std::uint64_t> over;
  std::uint64_t first_corner;
  std::uint64_t last_corner;
};

class Drawing {
 public:
  Drawing(const PlanarPart& part, std::uint64_t seed)
      : part_(part),
        faces_(trace_faces(part.graph, part.embedding)),
        place_(2 * part.graph.edges.size()),
        cost_(2 * part.graph.edges.size()),
        from_(2 * part.graph.edges.size()),
        entered_(faces_.count()),
        last_corner_(faces_.count(), no_half_edge),
        noise_(part.graph.edges.size(), 0) {
    for (std::uint64_t k = 0; k < faces_.half_edge.size(); ++k) place_[faces_.half_edge[k]] = k;
    if (seed == 1) return;
    std::mt19937_64 random(seed);
    for (std::uint8_t& one : noise_) one = static_cast<std::uint8_t>(random() % (most_noise + 1));
  }

  /// Vertices that are added count: two by a crossed edge, one where it shares the other with the edge
  /// before, which is its neighbour along the face. Dijkstra's algorithm over half-edges.
  Course course(Index first, Index last) {
    const std::vector<std::uint64_t> leaving = leaving_half_edges(last);
    for (const std::uint64_t h : leaving) last_corner_[faces_.of[h]] = h;
    Course course = shortest(first);
    for (const std::uint64_t h : leaving) last_corner_[faces_.of[h]] = no_half_edge;
    return course;
  }
  /// Whether the crossing edge goes from the course's first end to its last.
  bool goes_forward(const Course& course, const Orientation& orientation) const {
    bool odd = false;
    std::uint64_t at = course.first_corner;
    std::size_t crossed = 0;
    std::uint64_t steps = 0;
    for (StopPoll poll; at != course.last_corner || crossed != course.over.size(); ++steps) {
      poll.step();
      if (steps > 2 * orientation.size()) throw CheckError("nearly-planar: a curve leaves its faces");
      if (crossed < course.over.size() && at == course.over[crossed]) {
        at = next(at ^ 1);
        ++crossed;
        continue;
      }
      odd ^= (at % 2 == 0) == (orientation[at / 2] != 0);
      at = next(at);
    }
    // The face is closed by the edge from the last end to the first: an odd number with it.
    return odd;
  }

  void note_passages(std::size_t curve, const Course& course) {
    const auto number = static_cast<std::int64_t>(curve);
    const auto corner = [&](std::uint64_t h) { return Port{place_[h], 0, number}; };
    const auto point = [&](std::uint64_t h) { return Port{place_[h], 1, h % 2 == 0 ? number : -number}; };
    Port in = corner(course.first_corner);
    for (const std::uint64_t h : course.over) {
      passages_[faces_.of[h]].push_back({curve, in, point(h)});
      in = point(h ^ 1);
    }
    passages_[faces_.of[course.last_corner]].push_back({curve, in, corner(course.last_corner)});
  }

  /// Reverses odd[i][j] for each face in which curves i and j cross.
  void find_crossings(std::vector<std::vector<std::uint8_t>>& odd) const {
    for (const auto& [face, passages] : passages_) {
      for (std::size_t i = 0; i < passages.size(); ++i) {
        const auto [low, high] = std::minmax(passages[i].in, passages[i].out);
        const auto inside = [low = low, high = high](const Port& port) { return low < port && port < high; };
        for (std::size_t j = 0; j < i; ++j) {
          if (inside(passages[j].in) == inside(passages[j].out)) continue;
          odd[passages[i].curve][passages[j].curve] ^= 1;
          odd[passages[j].curve][passages[i].curve] ^= 1;
        }
      }
    }
  }

 private:
  static constexpr std::uint64_t most_noise = 3;
  static constexpr std::uint64_t one_vertex = 8;

  /// To any face that has a last corner.
  Course shortest(Index first) {
    std::fill(cost_.begin(), cost_.end(), ~std::uint64_t{0});
    std::fill(entered_.begin(), entered_.end(), std::uint8_t{0});
    queue_ = {};
    for (const std::uint64_t h : leaving_half_edges(first)) {
      const Index face = faces_.of[h];
      if (last_corner_[face] != no_half_edge) return {{}, h, last_corner_[face]};
      enter(face, 0, no_half_edge);
    }
    StopPoll poll;
    while (!queue_.empty()) {
      poll.step();
      const auto [cost, h] = queue_.top();
      queue_.pop();
      if (cost != cost_[h]) continue;
      const Index face = faces_.of[h ^ 1];
      if (last_corner_[face] != no_half_edge) {
        Course course{{}, no_half_edge, last_corner_[face]};
        for (std::uint64_t at = h; at != no_half_edge; at = from_[at]) course.over.push_back(at);
        std::reverse(course.over.begin(), course.over.end());
        course.first_corner = corner_at(first, faces_.of[course.over.front()]);
        return course;
      }
      enter(face, cost, h);
      relax(next(h ^ 1), cost + one_vertex, h);
      relax(previous(h ^ 1), cost + one_vertex, h);
    }
    throw CheckError("nearly-planar: no curve between the ends of a crossing edge");
  }

  std::vector<std::uint64_t> leaving_half_edges(Index v) const {
    std::vector<std::uint64_t> result;
    for (std::uint64_t k = part_.embedding.start[v]; k < part_.embedding.start[v + std::size_t{1}]; ++k) {
      const std::uint64_t e = part_.embedding.around[k];
      result.push_back(2 * e + (part_.graph.edges[e].a == v ? 0 : 1));
    }
    return result;
  }

  /// A half-edge that leaves the vertex along this face.
  std::uint64_t corner_at(Index v, Index face) const {
    for (const std::uint64_t h : leaving_half_edges(v)) {
      if (faces_.of[h] == face) return h;
    }
    throw CheckError("nearly-planar: a curve begins elsewhere");
  }

  std::uint64_t next(std::uint64_t h) const {
    const std::uint64_t at = place_[h] + 1;
    const Index face = faces_.of[h];
    return faces_.half_edge[at == faces_.start[face + std::size_t{1}] ? faces_.start[face] : at];
  }
  std::uint64_t previous(std::uint64_t h) const {
    const Index face = faces_.of[h];
    const std::uint64_t at = place_[h];
    return faces_.half_edge[at == faces_.start[face] ? faces_.start[face + std::size_t{1}] - 1 : at - 1];
  }

  /// The first time, which is the cheapest.
  void enter(Index face, std::uint64_t cost, std::uint64_t from) {
    if (entered_[face] != 0) return;
    entered_[face] = 1;
    for (std::uint64_t k = faces_.start[face]; k < faces_.start[face + std::size_t{1}]; ++k)
      relax(faces_.half_edge[k], cost + 2 * one_vertex, from);
  }

  void relax(std::uint64_t h, std::uint64_t cost, std::uint64_t from) {
    cost += noise_[h / 2];
    if (cost >= cost_[h]) return;
    cost_[h] = cost;
    from_[h] = from;
    queue_.emplace(cost, h);
  }

  const PlanarPart& part_;
  Faces faces_;
  std::vector<std::uint64_t> place_;        // of each half-edge in Faces::half_edge
  std::vector<std::uint64_t> cost_;         // of each half-edge: of a course that ends by crossing it
  std::vector<std::uint64_t> from_;         // the half-edge crossed before
  std::vector<std::uint8_t> entered_;       // faces
  std::vector<std::uint64_t> last_corner_;  // of each face: a corner of the vertex that is looked for
  std::vector<std::uint8_t> noise_;
  std::priority_queue<std::pair<std::uint64_t, std::uint64_t>,
                      std::vector<std::pair<std::uint64_t, std::uint64_t>>, std::greater<>>
      queue_;
  std::map<Index, std::vector<Passage>> passages_;  // by face
};

}  // namespace

Curves draw_curves(const BlockGraph& whole, const PlanarPart& part, std::uint64_t seed) {
  const Orientation planar = kasteleyn_orientation(part.graph, part.embedding);
  Curves curves;
  curves.orientation.assign(whole.edges.size(), 0);
  for (Index e = 0; e < part.edge.size(); ++e) curves.orientation[part.edge[e]] = planar[e];
  const std::size_t count = part.crossing.size();
  curves.odd.assign(count, std::vector<std::uint8_t>(count, 0));
  if (count == 0) return curves;
  Drawing drawing(part, seed);
  for (std::size_t i = 0; i < count; ++i) {
    const Index edge = part.crossing[i];
    const Course course = drawing.course(whole.edges[edge].a, whole.edges[edge].b);
    std::vector<Index>& crossed = curves.crossed.emplace_back();
    for (const std::uint64_t h : course.over) crossed.push_back(part.edge[h / 2]);
    curves.orientation[edge] = drawing.goes_forward(course, planar) ? 1 : 0;
    drawing.note_passages(i, course);
  }
  drawing.find_crossings(curves.odd);
  return curves;
}

std::vector<Index> concerned(const BlockGraph& whole, const PlanarPart& part, const Curves& curves,
                             std::size_t crossing) {
  std::vector<Index> vertices;
  const auto add_ends = [&](Index e) {
    vertices.push_back(whole.edges[e].a);
    vertices.push_back(whole.edges[e].b);
  };
  add_ends(part.crossing[crossing]);
  for (const Index e : curves.crossed[crossing]) add_ends(e);
  return vertices;
}

int sign_with_curves(const BlockGraph& whole, const PlanarPart& part, const Curves& curves,
                     const std::vector<Index>& matching) {
  Orientation orientation = curves.orientation;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < part.crossing.size(); ++i) {
    if (std::find(matching.begin(), matching.end(), part.crossing[i]) != matching.end()) used.push_back(i);
  }
  int sign = 1;
  for (const std::size_t i : used) {
    for (const Index e : curves.crossed[i]) orientation[e] ^= 1;
    for (const std::size_t j : used) {
      if (j < i && curves.odd[i][j] != 0) sign = -sign;
    }
  }
  return sign * term_sign(whole, orientation, matching);
}

}  // namespace countpm::planar
