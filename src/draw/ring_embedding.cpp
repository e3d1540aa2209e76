#include "src/draw/ring_embedding.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace countpm::draw {
namespace {

using planar::Adjacency;
using planar::BlockGraph;

constexpr std::size_t most_sides = 8;
constexpr std::uint64_t most_degree = 8;

using Ring = std::vector<Index>;  // vertices in order

class RingSearch {
 public:
  explicit RingSearch(const BlockGraph& graph) : adjacent_(planar::adjacency(graph)), rows_(graph.vertices) {}

  bool degrees_are_small() const {
    for (Index v = 0; v < rows_; ++v) {
      if (adjacent_.start[v + std::size_t{1}] - adjacent_.start[v] > most_degree) return false;
    }
    return true;
  }

  // Each once.
  std::vector<Ring> run() {
    std::set<Ring> seen;
    std::vector<Ring> rings;
    for (Index v = 0; v < rows_; ++v) {
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
        for (std::uint64_t l = adjacent_.start[v]; l < k; ++l) {
          Ring ring = shortest_ring(v, adjacent_.neighbour[k], adjacent_.neighbour[l]);
          if (ring.empty() || has_chord(ring)) continue;
          Ring key = ring;
          std::sort(key.begin(), key.end());
          if (seen.insert(std::move(key)).second) rings.push_back(std::move(ring));
        }
      }
    }
    return rings;
  }

 private:
  // from - via - to, and back by a shortest path around `via`.
  Ring shortest_ring(Index via, Index from, Index to) const {
    std::map<Index, Index> before{{from, from}};
    std::vector<Index> queue{from};
    std::size_t level_end = 1;
    std::size_t steps = 0;
    for (std::size_t at = 0; at < queue.size() && !before.contains(to); ++at) {
      if (at == level_end) {
        level_end = queue.size();
        if (++steps > most_sides - 3) return {};
      }
      const Index v = queue[at];
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k) {
        const Index next = adjacent_.neighbour[k];
        if (next != via && before.emplace(next, v).second) queue.push_back(next);
      }
    }
    if (!before.contains(to)) return {};
    Ring ring{via};
    for (Index v = to; v != from; v = before.at(v)) ring.push_back(v);
    ring.push_back(from);
    return ring.size() <= most_sides ? ring : Ring{};
  }

  bool has_chord(const Ring& ring) const {
    std::size_t ends = 0;
    for (const Index v : ring) {
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k)
        ends += std::find(ring.begin(), ring.end(), adjacent_.neighbour[k]) != ring.end() ? 1 : 0;
    }
    return ends != 2 * ring.size();
  }

  Adjacency adjacent_;
  Index rows_;
};

// Edge e becomes the halves 2e and 2e + 1 with a vertex between; then come the spokes.
BlockGraph with_hubs(const BlockGraph& graph, const std::vector<Ring>& rings) {
  std::map<std::pair<Index, Index>, Index> edge_of;
  BlockGraph result;
  result.bipartite = false;
  result.vertices = graph.vertices + static_cast<Index>(graph.edges.size());
  for (Index e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b, entry] = graph.edges[e];
    edge_of[{a, b}] = edge_of[{b, a}] = e;
    result.edges.push_back({a, graph.vertices + e, 0});
    result.edges.push_back({b, graph.vertices + e, 0});
  }
  for (const Ring& ring : rings) {
    const Index hub = result.vertices++;
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Index middle = graph.vertices + edge_of.at({ring[k], ring[(k + 1) % ring.size()]});
      result.edges.push_back({ring[k], hub, 0});
      result.edges.push_back({middle, hub, 0});
    }
  }
  return result;
}

}  // namespace

std::optional<planar::Embedding> ring_embedding(const BlockGraph& graph) {
  RingSearch search(graph);
  if (!search.degrees_are_small()) return std::nullopt;
  const std::vector<Ring> rings = search.run();
  if (rings.empty()) return std::nullopt;
  const planar::Planarity planarity = planar::test_planarity(with_hubs(graph, rings));
  if (!planarity.planar) return std::nullopt;
  planar::Embedding embedding{{0}, {}};
  for (Index v = 0; v < graph.vertices; ++v) {
    const std::vector<std::uint64_t>& start = planarity.embedding.start;
    const std::vector<Index>& around = planarity.embedding.around;
    for (std::uint64_t k = start[v]; k < start[v + std::size_t{1}]; ++k) {
      if (around[k] < 2 * graph.edges.size()) embedding.around.push_back(around[k] / 2);
    }
    embedding.start.push_back(embedding.around.size());
  }
  return embedding;
}

}  // namespace countpm::draw
