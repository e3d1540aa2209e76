#include "kernels/hafnian/entries.hpp"

namespace countpm::pair_sets {

std::vector<Index> heaviest_pairs(const SparsePattern& pattern, const std::vector<double>& magnitude) {
  struct Edge {
    double weight;
    Index a;
    Index b;
  };
  std::vector<Edge> edges;
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      if (pattern.column[k] < i) edges.push_back({magnitude[k], pattern.column[k], i});
    }
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const Edge& one, const Edge& other) { return one.weight > other.weight; });
  std::vector<Index> place(pattern.rows, no_index);
  Index next = 0;
  for (const Edge& edge : edges) {
    if (place[edge.a] != no_index || place[edge.b] != no_index) continue;
    place[edge.a] = next++;
    place[edge.b] = next++;
  }
  place.resize(pattern.rows + pattern.rows % 2, no_index);
  for (Index& one : place) {
    if (one == no_index) one = next++;
  }
  return place;
}

}  // namespace countpm::pair_sets
