#include "kernels/planar/crossings/planar_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/planar/crossings/disjoint_sets.hpp"
#include "kernels/planar/crossings/exchange.hpp"
#include "kernels/planar/orientation/faces.hpp"

namespace countpm::planar {
namespace {

// In vertices and edges tested: a planarity test takes about 1.5 microseconds for each (2-core AMD EPYC, Zen
// 4, loaded, 2026-11-25), and the sum some microseconds a set, for each eight primes.
constexpr double seconds_of_one = 1.5e-6;
constexpr double least_tests_in_all = 24;
constexpr double tests_of_an_order = 120;
constexpr double work_of_an_order = 1e6;  // at most
constexpr double work_a_set = 1;          // of looking for fewer of them
constexpr double vertices_of_a_group = 1000;
constexpr std::uint64_t few_sets = 16;  // no other orders are tried
constexpr std::size_t few_edges = 32;   // are tested one by one
constexpr std::size_t most_crossing = 256;
constexpr std::size_t most_to_exchange = 48;  // where they have too many sets
constexpr double tests_of_exchange = 200;
constexpr unsigned most_rounds = 64;
// Of graphs with longer tests, only the last so many edges of an order may be left.
constexpr double most_work_of_many_tests = 3000;
constexpr std::size_t most_left_of_large = 64;
constexpr std::size_t most_apexes = 4;

std::uint64_t most_planar_edges(const BlockGraph& graph) {
  const std::uint64_t vertices = graph.vertices;
  if (vertices < 3) return graph.edges.size();
  return graph.bipartite ? 2 * vertices - 4 : 3 * vertices - 6;
}

/// The length of a shortest cycle through the edge, looked for among so many vertices; else the longest.
class ShortCycles {
 public:
  explicit ShortCycles(const BlockGraph& graph)
      : graph_(graph), adjacent_(adjacency(graph)), mark_(graph.vertices, no_index), depth_(graph.vertices) {}

  unsigned through(Index edge) {
    constexpr std::size_t most_seen = 160;
    const Index from = graph_.edges[edge].a;
    const Index to = graph_.edges[edge].b;
    queue_.assign(1, from);
    mark_[from] = edge;
    depth_[from] = 0;
    for (std::size_t head = 0; head < queue_.size() && queue_.size() < most_seen; ++head) {
      const Index v = queue_[head];
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
        const Index w = adjacent_.neighbour[k];
        if (adjacent_.edge[k] == edge || mark_[w] == edge) continue;
        if (w == to) return depth_[v] + 2;
        mark_[w] = edge;
        depth_[w] = depth_[v] + 1;
        queue_.push_back(w);
      }
    }
    return ~0U;
  }

 private:
  const BlockGraph& graph_;
  Adjacency adjacent_;
  std::vector<Index> mark_;
  std::vector<unsigned> depth_;
  std::vector<Index> queue_;
};

BlockGraph subgraph_of(const BlockGraph& graph, const std::vector<Index>& edges) {
  BlockGraph part;
  part.bipartite = graph.bipartite;
  part.rows = graph.rows;
  part.vertices = graph.vertices;
  part.edges.reserve(edges.size());
  for (const Index e : edges) part.edges.push_back(graph.edges[e]);
  return part;
}

class Search {
 public:
  Search(const BlockGraph& graph, const PartLimits& limits)
      : graph_(graph),
        adjacent_(adjacency(graph)),
        components_(spanning_forest(graph).components),
        most_sets_(std::min(limits.sets, most_sets)),
        all_work_left_(std::max(limits.seconds / seconds_of_one, least_tests_in_all * one_test())),
        taken_(graph.vertices, 0) {}

  /// Empty where too many edges would be left.
  std::optional<std::vector<Index>> run() {
    if (is_planar(all_edges())) return std::vector<Index>();
    const std::vector<Index> first = by_suspicion(true);
    const std::vector<Index> apexes = of_many_neighbours();
    for (const Index apex : apexes) try_in_time(first, {apex}, true);
    if (apexes.size() > 1) try_in_time(first, {apexes[0], apexes[1]}, true);
    try_first(first);
    if (!best_ && is_large()) try_first(by_suspicion(false));
    for (const Index apex : apexes) try_in_time(first, {apex}, false);
    if (best_ && !few()) exchange();
    if (!best_ || best_->sets > most_sets_) return std::nullopt;
    if (!few()) restart(first);
    return best_->edges;
  }

 private:
  struct Left {
    std::vector<Index> edges;
    std::uint64_t sets = 0;
  };
  /// Edges order[from] .. order[to - 1], of which something will not fit where `crosses`.
  struct Segment {
    std::size_t from;
    std::size_t to;
    bool crosses;
  };

  std::vector<Index> all_edges() const {
    std::vector<Index> edges(graph_.edges.size());
    std::iota(edges.begin(), edges.end(), Index{0});
    return edges;
  }

  /// Those that are likely to cross others last: those on no short cycle, or those between vertices of many
  /// neighbours; then by the other.
  std::vector<Index> by_suspicion(bool by_cycles_first) {
    if (cycles_.empty()) {
      ShortCycles cycles(graph_);
      for (Index e = 0; e < graph_.edges.size(); ++e) {
        check_stop();
        cycles_.push_back(cycles.through(e));
      }
    }
    const auto key = [&](Index e) {
      const std::uint64_t neighbours = std::min(degree(graph_.edges[e].a), degree(graph_.edges[e].b));
      const std::uint64_t length = cycles_[e];
      return by_cycles_first ? std::pair(length, neighbours) : std::pair(neighbours, length);
    };
    std::vector<Index> edges = all_edges();
    std::stable_sort(edges.begin(), edges.end(), [&](Index a, Index b) { return key(a) < key(b); });
    return edges;
  }

  /// More than two more than twice the average.
  std::vector<Index> of_many_neighbours() const {
    std::vector<Index> vertices;
    for (Index v = 0; v < graph_.vertices; ++v) {
      if (graph_.vertices * degree(v) > 4 * graph_.edges.size() + 2 * std::uint64_t{graph_.vertices})
        vertices.push_back(v);
    }
    std::stable_sort(vertices.begin(), vertices.end(),
                     [&](Index a, Index b) { return degree(a) > degree(b); });
    if (vertices.size() > most_apexes) vertices.resize(most_apexes);
    return vertices;
  }

  std::uint64_t degree(Index v) const { return adjacent_.start[v + std::size_t{1}] - adjacent_.start[v]; }

  /// What it may take to find fewer sets than there are now.
  double work_of_fewer(double most_tests) const {
    const double most = std::min(work_of_an_order, most_tests * one_test());
    if (!best_ || best_->sets > most_sets_) return most;
    return std::min(most, work_a_set * static_cast<double>(best_->sets) *
                              (1 + static_cast<double>(graph_.vertices) / vertices_of_a_group));
  }

  void exchange() {
    allow(work_of_fewer(tests_of_exchange));
    if (work_left_ <= 0) return;
    Left left{exchanged(graph_, best_->edges, work_left_), 0};
    all_work_left_ -= work_left_;
    left.sets = sets_of(left);
    take_if_better(std::move(left));
  }

  bool is_large() const { return one_test() > most_work_of_many_tests; }
  double one_test() const {
    return static_cast<double>(graph_.vertices) + static_cast<double>(graph_.edges.size());
  }

  /// Orders that begin with some of what is left over, in turns with orders in which all else is shuffled.
  void restart(const std::vector<Index>& first) {
    allow(work_of_fewer(tests_of_an_order));
    std::mt19937_64 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp)
    for (unsigned round = 0; round < most_rounds && work_left_ > 0; ++round) {
      if (few()) return;
      std::vector<Index> order = first;
      if (round % 2 == 0) {
        std::vector<Index> moved = best_->edges;
        std::shuffle(moved.begin(), moved.end(), random);
        moved.resize(1 + random() % std::min<std::size_t>(moved.size(), 3));
        const auto is_left = [&](Index e) {
          return std::find(best_->edges.begin(), best_->edges.end(), e) != best_->edges.end();
        };
        const auto is_moved = [&](Index e) {
          return std::find(moved.begin(), moved.end(), e) != moved.end();
        };
        std::stable_partition(order.begin(), order.end(), [&](Index e) { return !is_left(e); });
        std::stable_partition(order.begin(), order.end(), is_moved);
      } else {
        std::shuffle(order.begin(), order.end(), random);
      }
      try_order(order, {}, false);
    }
  }

  bool is_planar(const std::vector<Index>& edges) {
    check_stop();
    if (too_many_edges(graph_.vertices, edges.size(), graph_.bipartite)) return false;
    const double work = static_cast<double>(graph_.vertices) + static_cast<double>(edges.size());
    work_left_ -= work;
    all_work_left_ -= work;
    return test_planarity(subgraph_of(graph_, edges)).planar;
  }

  void try_in_time(const std::vector<Index>& order, const std::vector<Index>& apexes, bool only_apexes) {
    if (few()) return;
    allow(work_of_fewer(tests_of_an_order));
    if (work_left_ <= 0) return;
    try_order(order, apexes, only_apexes);
  }

  /// Large graphs have no time for more than a few tests, unless these say that few edges cross.
  void try_first(const std::vector<Index>& order) {
    constexpr double least_tests = 6;
    if (few()) return;
    allow(std::max(work_of_fewer(tests_of_an_order), best_ ? 0 : least_tests * one_test()));
    try_order(order, {}, false);
  }

  /// Takes the edges as they come, those of the apexes last. only_apexes: no edge but theirs may be left.
  void try_order(std::vector<Index> order, const std::vector<Index>& apexes, bool only_apexes) {
    std::erase_if(order, [&](Index e) { return is_among(apexes, e); });
    accepted_.clear();
    Left left;
    std::vector<Segment> segments;
    if (!only_apexes) {
      segments = first_segments(order);
    } else if (!fits(order, 0, order.size())) {
      return;
    }
    while (!segments.empty()) {
      if (work_left_ <= 0) return;
      const Segment at = segments.back();
      segments.pop_back();
      const bool crosses = at.crosses || !fits(order, at.from, at.to);
      if (!crosses) continue;
      if (at.to - at.from == 1) {
        left.edges.push_back(order[at.from]);
        if (hopeless(left)) return;
        continue;
      }
      const std::size_t middle = at.from + (at.to - at.from) / 2;
      const bool first_half = fits(order, at.from, middle);
      segments.push_back({middle, at.to, first_half});
      if (!first_half) segments.push_back({at.from, middle, true});
    }
    for (const Index apex : apexes) {
      if (!place(apex, left)) return;
    }
    left.sets = sets_of(left);
    if (spanning_forest(subgraph_of(graph_, accepted_)).components == components_)
      take_if_better(std::move(left));
  }

  /// One more than most_sets where there are more.
  std::uint64_t sets_of(const Left& left) const {
    return std::min(disjoint_sets(graph_, left.edges, most_sets).back(), most_sets + 1);
  }

  void take_if_better(Left left) {
    if (left.edges.size() > (left.sets > most_sets ? most_to_exchange : most_crossing)) return;
    if (!best_ || left.sets < best_->sets ||
        (left.sets == best_->sets && left.edges.size() < best_->edges.size()))
      best_ = std::move(left);
  }

  bool is_among(const std::vector<Index>& vertices, Index e) const {
    return std::any_of(vertices.begin(), vertices.end(),
                       [&](Index v) { return graph_.edges[e].a == v || graph_.edges[e].b == v; });
  }

  /// A vertex without edges into the face of what is accepted in which most of its neighbours are; its edges
  /// to others are left. False where it then would be apart from what it is joined to.
  bool place(Index apex, Left& left) {
    const BlockGraph part = subgraph_of(graph_, accepted_);
    const Planarity planarity = test_planarity(part);
    if (!planarity.planar) return false;
    const Faces faces = trace_faces(part, planarity.embedding);
    std::vector<std::uint32_t> neighbours(faces.count(), 0);
    const auto for_each_face = [&](Index v, const auto& visit) {
      for (std::uint64_t k = planarity.embedding.start[v]; k < planarity.embedding.start[v + std::size_t{1}];
           ++k) {
        const std::uint64_t e = planarity.embedding.around[k];
        visit(faces.of[2 * e + (part.edges[e].a == v ? 0 : 1)]);
      }
    };
    std::vector<Index> edges;
    for (std::uint64_t k = adjacent_.start[apex]; k < adjacent_.start[apex + std::size_t{1}]; ++k) {
      const Index e = adjacent_.edge[k];
      if (std::find(left.edges.begin(), left.edges.end(), e) != left.edges.end()) continue;
      edges.push_back(e);
      for_each_face(adjacent_.neighbour[k], [&](Index face) { ++neighbours[face]; });
    }
    if (neighbours.empty()) return false;
    const auto best =
        static_cast<Index>(std::max_element(neighbours.begin(), neighbours.end()) - neighbours.begin());
    for (const Index e : edges) {
      bool there = false;
      for_each_face(graph_.edges[e].a == apex ? graph_.edges[e].b : graph_.edges[e].a,
                    [&](Index face) { there = there || face == best; });
      (there ? accepted_ : left.edges).push_back(e);
    }
    return is_planar(accepted_);
  }

  bool few() const { return best_ && best_->sets <= few_sets; }

  /// For what comes next, as long as there is as much in all.
  void allow(double work) { work_left_ = std::min(work, all_work_left_); }

  /// Takes the longest beginning of the order that is planar of those that all but 1, 2, 4, ... edges are;
  /// what is left then is one segment that does not fit, and another.
  std::vector<Segment> first_segments(const std::vector<Index>& order) {
    const std::size_t all = order.size();
    if (all < graph_.edges.size() && fits(order, 0, all)) return {};
    std::size_t before = 0;
    for (std::size_t last = 1; last < all && work_left_ > 0; last *= 2) {
      if (is_large() && last > most_left_of_large) work_left_ = 0;
      if (fits(order, 0, all - last)) {
        std::vector<Segment> rest;
        if (last <= few_edges) {
          // Most of them cross.
          allow(std::max(work_left_, static_cast<double>(last) * one_test()));
          for (std::size_t k = all; k-- > all - last;) rest.push_back({k, k + 1, last == 1});
          return rest;
        }
        rest.push_back({all - before, all, false});
        rest.push_back({all - last, all - before, true});
        return rest;
      }
      before = last;
    }
    return {{0, all, true}};
  }

  /// Takes them where they fit.
  bool fits(const std::vector<Index>& order, std::size_t from, std::size_t to) {
    const std::size_t before = accepted_.size();
    accepted_.insert(accepted_.end(), order.begin() + static_cast<std::ptrdiff_t>(from),
                     order.begin() + static_cast<std::ptrdiff_t>(to));
    if (is_planar(accepted_)) return true;
    accepted_.resize(before);
    return false;
  }

  /// Whether there are too many sets already. Counting them takes milliseconds, so not at every edge.
  bool hopeless(const Left& left) {
    constexpr std::size_t first_count = 16;
    const std::size_t edges = left.edges.size();
    if (edges <= most_to_exchange && !best_) return false;
    const std::uint64_t limit = best_ ? best_->sets : most_sets_;
    if (edges > most_crossing || edges + 1 > limit) return true;
    std::uint64_t sets = 1;  // of disjoint edges, at least: all those of these
    for (const Index e : left.edges) {
      std::uint8_t& a = taken_[graph_.edges[e].a];
      std::uint8_t& b = taken_[graph_.edges[e].b];
      if (a != 0 || b != 0) continue;
      a = b = 1;
      sets = std::min(2 * sets, most_sets + 1);
    }
    for (const Index e : left.edges) taken_[graph_.edges[e].a] = taken_[graph_.edges[e].b] = 0;
    if (sets > limit) return true;
    return edges >= first_count && std::has_single_bit(edges) &&
           disjoint_sets(graph_, left.edges, limit).back() > limit;
  }

  const BlockGraph& graph_;
  Adjacency adjacent_;
  std::uint64_t components_;
  std::uint64_t most_sets_;
  double work_left_ = 0;
  double all_work_left_;
  std::vector<Index> accepted_;
  std::vector<std::uint8_t> taken_;
  std::vector<unsigned> cycles_;  // of each edge: the length of a shortest one
  std::optional<Left> best_;
};

}  // namespace

std::optional<PlanarPart> planar_rest(const BlockGraph& graph, std::vector<Index> crossing) {
  PlanarPart part;
  part.crossing = std::move(crossing);
  std::sort(part.crossing.begin(), part.crossing.end());
  for (Index e = 0; e < graph.edges.size(); ++e) {
    if (!std::binary_search(part.crossing.begin(), part.crossing.end(), e)) part.edge.push_back(e);
  }
  part.graph = subgraph_of(graph, part.edge);
  if (too_many_edges(part.graph.vertices, part.edge.size(), graph.bipartite)) return std::nullopt;
  Planarity planarity = test_planarity(part.graph);
  if (!planarity.planar || spanning_forest(part.graph).components != spanning_forest(graph).components)
    return std::nullopt;
  part.embedding = std::move(planarity.embedding);
  return part;
}

std::optional<PlanarPart> part_without(const BlockGraph& graph, std::vector<Index> crossing) {
  const std::uint64_t sets = disjoint_sets(graph, crossing, most_sets).back();
  if (sets > most_sets) return std::nullopt;
  std::optional<PlanarPart> part = planar_rest(graph, std::move(crossing));
  if (part) part->sets = sets;
  return part;
}

double least_sets(const BlockGraph& graph) {
  const std::uint64_t edges = graph.edges.size();
  const std::uint64_t most = most_planar_edges(graph);
  if (edges <= most) return 1;
  std::vector<std::uint64_t> degrees(graph.vertices, 0);
  for (const BlockGraph::Edge& edge : graph.edges) {
    ++degrees[edge.a];
    ++degrees[edge.b];
  }
  std::sort(degrees.begin(), degrees.end(), std::greater<>());
  // All edges of the vertices with the most: each takes another neighbour than those before, or none.
  std::uint64_t left = edges - most;
  double sets = 1;
  for (std::uint64_t k = 0; left > 0 && k < degrees.size(); ++k) {
    const std::uint64_t own = std::min(left, degrees[k]);
    sets *= static_cast<double>(1 + (own > k ? own - k : 0));
    left -= own;
  }
  return sets;
}

std::variant<PlanarPart, Refusal> planar_part(const BlockGraph& graph, const PartLimits& limits) {
  const std::uint64_t edges = graph.edges.size();
  const std::uint64_t most = most_planar_edges(graph);
  const auto most_of_use = static_cast<double>(std::min(limits.sets, most_sets));
  if (edges > most && (edges > most + most_crossing || least_sets(graph) > most_of_use))
    return Refusal{RefusalKind::structure,
                   fmt::format("the graph is far from planar: {} vertices, and with {} edges {} more than a "
                               "planar {}graph has",
                               graph.vertices, edges, edges - most, graph.bipartite ? "bipartite " : "")};
  if (most_of_use < 1)
    return Refusal{RefusalKind::structure, "others count it sooner than a planar part is found"};
  if (std::optional<std::vector<Index>> crossing = Search(graph, limits).run()) {
    if (std::optional<PlanarPart> part = part_without(graph, std::move(*crossing))) return std::move(*part);
  }
  std::string text = fmt::format(
      "the graph is far from planar: no planar part was found whose missing edges have at most {} sets of "
      "disjoint ones",
      limits.sets);
  if (std::isfinite(limits.seconds)) text += "; others count it soon, so that the search was short";
  return Refusal{RefusalKind::structure, std::move(text)};
}

}  // namespace countpm::planar
