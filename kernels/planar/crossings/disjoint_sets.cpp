#include "kernels/planar/crossings/disjoint_sets.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"

namespace countpm::planar {
namespace {

/// The edges' ends, numbered from 0.
struct Ends {
  std::vector<std::pair<Index, Index>> of;
  Index vertices = 0;
};

Ends numbered_ends(const BlockGraph& graph, const std::vector<Index>& edges) {
  std::vector<Index> vertices;
  for (const Index e : edges) {
    vertices.push_back(graph.edges[e].a);
    vertices.push_back(graph.edges[e].b);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  const auto number = [&](Index v) {
    return static_cast<Index>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin());
  };
  Ends ends;
  ends.vertices = static_cast<Index>(vertices.size());
  for (const Index e : edges) ends.of.emplace_back(number(graph.edges[e].a), number(graph.edges[e].b));
  return ends;
}

}  // namespace

std::vector<std::uint64_t> disjoint_sets(const BlockGraph& graph, const std::vector<Index>& edges,
                                         std::uint64_t most) {
  const Ends ends = numbered_ends(graph, edges);
  std::vector<std::uint64_t> result{1};
  std::vector<std::uint8_t> taken(ends.vertices, 0);
  std::vector<std::size_t> set;  // descending
  StopPoll poll;
  for (std::size_t last = 0; last < edges.size() && result.back() <= most; ++last) {
    // Those with `last` as their last edge.
    std::uint64_t sets = 0;
    const auto mark = [&](std::size_t k, std::uint8_t as) {
      taken[ends.of[k].first] = as;
      taken[ends.of[k].second] = as;
    };
    set.assign(1, last);
    mark(last, 1);
    ++sets;
    for (std::size_t next = last; !set.empty() && result.back() + sets <= most;) {
      poll.step();
      while (next > 0 && (taken[ends.of[next - 1].first] != 0 || taken[ends.of[next - 1].second] != 0))
        --next;
      if (next > 0) {
        --next;
        set.push_back(next);
        mark(next, 1);
        ++sets;
      } else {
        next = set.back();
        mark(next, 0);
        set.pop_back();
      }
    }
    for (const std::size_t k : set) mark(k, 0);
    result.push_back(result.back() + sets);
  }
  return result;
}

}  // namespace countpm::planar
