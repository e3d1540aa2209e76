#include "kernels/planar/orientation/kuratowski.hpp"

#include <algorithm>
#include <utility>

#include "graph/stop_signal.hpp"
#include "kernels/planar/orientation/embedding.hpp"

namespace countpm::planar {
namespace {

/// Parts of the graph that stay or go together.
using Part = std::vector<Index>;

BlockGraph made_of(const BlockGraph& graph, const std::vector<Part>& parts) {
  BlockGraph result = graph;
  result.edges.clear();
  for (const Part& part : parts) {
    for (const Index e : part) result.edges.push_back(graph.edges[e]);
  }
  return result;
}

/// The paths whose inner vertices have degree 2, and single edges; edges that end in a vertex of degree 1,
/// and cycles by themselves, are in no Kuratowski subgraph and left out.
class Paths {
 public:
  Paths(const BlockGraph& graph, const std::vector<Part>& parts)
      : graph_(graph), at_(graph.vertices), alive_(graph.edges.size(), 0) {
    for (const Part& part : parts) {
      for (const Index e : part) {
        alive_[e] = 1;
        at_[graph.edges[e].a].push_back(e);
        at_[graph.edges[e].b].push_back(e);
      }
    }
  }

  std::vector<Part> find() {
    prune();
    std::vector<Part> result;
    for (Index v = 0; v < graph_.vertices; ++v) {
      if (degree(v) < 3) continue;
      for (const Index first : at_[v]) {
        if (!alive_[first]) continue;
        Part path = follow(v, first);
        for (const Index e : path) alive_[e] = 0;
        result.push_back(std::move(path));
      }
    }
    return result;
  }

 private:
  Index other_end(Index edge, Index v) const {
    return graph_.edges[edge].a == v ? graph_.edges[edge].b : graph_.edges[edge].a;
  }
  std::size_t degree(Index v) const { return at_[v].size(); }

  void drop(Index edge, Index v) { at_[v].erase(std::find(at_[v].begin(), at_[v].end(), edge)); }

  void prune() {
    std::vector<Index> leaves;
    for (Index v = 0; v < graph_.vertices; ++v) {
      if (degree(v) == 1) leaves.push_back(v);
    }
    while (!leaves.empty()) {
      const Index v = leaves.back();
      leaves.pop_back();
      if (degree(v) != 1) continue;
      const Index e = at_[v].front();
      const Index w = other_end(e, v);
      alive_[e] = 0;
      drop(e, v);
      drop(e, w);
      if (degree(w) == 1) leaves.push_back(w);
    }
  }

  Part follow(Index v, Index first) const {
    Part path{first};
    Index at = other_end(first, v);
    while (degree(at) == 2) {
      const Index next = at_[at][0] == path.back() ? at_[at][1] : at_[at][0];
      path.push_back(next);
      at = other_end(next, at);
    }
    return path;
  }

  const BlockGraph& graph_;
  std::vector<std::vector<Index>> at_;  // the edges at each vertex
  std::vector<std::uint8_t> alive_;     // not pruned, on no path yet
};

}  // namespace

std::vector<Index> kuratowski_subgraph(const BlockGraph& graph, unsigned most_tests) {
  std::vector<Part> parts;
  for (Index e = 0; e < graph.edges.size(); ++e) parts.push_back({e});
  parts = Paths(graph, parts).find();
  std::size_t chunk = (parts.size() + 1) / 2;
  std::size_t at = 0;
  bool removed = false;  // in this round
  for (unsigned test = 0; !parts.empty(); ++test) {
    check_stop();
    if (at >= parts.size()) {
      // A round over all parts that takes none of them away: every one is needed.
      if (chunk == 1 && !removed) break;
      if (chunk > 1) chunk = (chunk + 1) / 2;
      parts = Paths(graph, parts).find();
      at = 0;
      removed = false;
      continue;
    }
    if (test >= most_tests) return {};
    std::vector<Part> fewer(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(at));
    const std::size_t end = std::min(at + chunk, parts.size());
    fewer.insert(fewer.end(), parts.begin() + static_cast<std::ptrdiff_t>(end), parts.end());
    if (test_planarity(made_of(graph, fewer)).planar) {
      at = end;
    } else {
      parts = std::move(fewer);
      removed = true;
    }
  }
  std::vector<Index> result;
  for (const Part& part : parts) result.insert(result.end(), part.begin(), part.end());
  std::sort(result.begin(), result.end());
  return result;
}

KuratowskiPaths kuratowski_paths(const BlockGraph& graph, const std::vector<Index>& edges) {
  KuratowskiPaths result;
  for (const Part& part : Paths(graph, {edges}).find()) {
    // In the order of the path: the first edge's end that is not on the second is where it starts.
    std::vector<Index> path;
    const BlockGraph::Edge& first = graph.edges[part.front()];
    Index at = first.a;
    if (part.size() > 1) {
      const BlockGraph::Edge& second = graph.edges[part[1]];
      if (first.a == second.a || first.a == second.b) at = first.b;
    }
    path.push_back(at);
    for (const Index e : part) {
      at = graph.edges[e].a == at ? graph.edges[e].b : graph.edges[e].a;
      path.push_back(at);
    }
    for (const Index end : {path.front(), path.back()}) {
      if (std::find(result.ends.begin(), result.ends.end(), end) == result.ends.end())
        result.ends.push_back(end);
    }
    result.paths.push_back(std::move(path));
  }
  if (result.five()) return result;
  // Of K3,3, first the ends that no path joins to the first of them.
  std::vector<Index> across;
  for (const std::vector<Index>& path : result.paths) {
    if (path.front() == result.ends[0]) across.push_back(path.back());
    if (path.back() == result.ends[0]) across.push_back(path.front());
  }
  std::stable_partition(result.ends.begin(), result.ends.end(), [&](Index end) {
    return std::find(across.begin(), across.end(), end) == across.end();
  });
  return result;
}

}  // namespace countpm::planar
