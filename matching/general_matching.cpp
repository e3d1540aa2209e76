#include "matching/general_matching.hpp"

#include <algorithm>

#include "graph/stop_poll.hpp"
#include "matching/alternating_forest.hpp"

namespace countpm {
namespace {

/// While some vertex has one free neighbour left, match the two (no maximum matching is lost by that); where
/// there is none, match the next vertex to its free neighbour of least degree (a guess). R. M. Karp, M.
/// Sipser, Maximum matchings in sparse random graphs, FOCS 1981.
class GeneralKarpSipser {
 public:
  GeneralKarpSipser(const SparsePattern& graph, GeneralMatching& matching)
      : graph_(graph), matching_(matching), degree_(graph.rows) {
    for (Index v = 0; v < graph.rows; ++v) {
      degree_[v] = graph.row_degree(v);
      if (degree_[v] == 1) singles_.push_back(v);
    }
  }

  void run() {
    match_singles();
    for (Index v = 0; v < graph_.rows; ++v) {
      if (matching_.mate[v] != no_index || degree_[v] == 0) continue;
      match(v, free_neighbour_of_least_degree(v));
      match_singles();
    }
  }

 private:
  void match_singles() {
    while (!singles_.empty()) {
      const Index v = singles_.back();
      singles_.pop_back();
      if (matching_.mate[v] == no_index && degree_[v] == 1) match(v, free_neighbour_of_least_degree(v));
    }
  }

  Index free_neighbour_of_least_degree(Index v) const {
    Index best = no_index;
    for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
      const Index w = graph_.column[k];
      if (matching_.mate[w] == no_index && (best == no_index || degree_[w] < degree_[best])) best = w;
    }
    return best;
  }

  // degree_ counts free neighbours of free vertices; entries of singles_ may be stale when they are looked
  // at.
  void match(Index a, Index b) {
    matching_.mate[a] = b;
    matching_.mate[b] = a;
    ++matching_.size;
    poll_.steps(graph_.row_degree(a) + graph_.row_degree(b));
    for (const Index v : {a, b}) {
      for (std::uint64_t k = graph_.row_start[v]; k < graph_.row_start[v + std::uint64_t{1}]; ++k) {
        const Index w = graph_.column[k];
        if (--degree_[w] == 1 && matching_.mate[w] == no_index) singles_.push_back(w);
      }
    }
  }

  const SparsePattern& graph_;
  GeneralMatching& matching_;
  std::vector<Index> degree_;
  std::vector<Index> singles_;
  StopPoll poll_;
};

}  // namespace

GeneralMatching general_maximum_matching(const SparsePattern& graph) {
  GeneralMatching matching;
  matching.mate.assign(graph.rows, no_index);
  GeneralKarpSipser(graph, matching).run();

  AlternatingForest forest(graph);
  std::vector<Index> free;
  for (Index v = 0; v < graph.rows; ++v) {
    if (matching.mate[v] == no_index && graph.row_degree(v) > 0) free.push_back(v);
  }
  while (free.size() > 1) {
    const Index augmented = forest.augment(free, matching.mate);
    if (augmented == 0) break;
    matching.size += augmented;
    std::erase_if(free, [&](Index v) { return matching.mate[v] != no_index; });
  }
  return matching;
}

// The tree from a free vertex cannot be left but through its inner vertices: an edge from an outer vertex to
// an unlabelled one would have made the tree grow, one to another blossom would have shrunk the two, and one
// to a free vertex would augment. So its blossoms are components without the inner vertices; each is odd, and
// there is one more of them than inner vertices, since each inner vertex is matched to a base and the root is
// a base too.
TutteViolator tutte_violator(const SparsePattern& graph, const GeneralMatching& matching) {
  Index root = 0;
  while (matching.mate[root] != no_index) ++root;
  AlternatingForest forest(graph);
  forest.grow(root, matching.mate);
  TutteViolator violator;
  std::vector<Index> reached = forest.reached();
  std::sort(reached.begin(), reached.end());
  std::vector<Index> number(graph.rows, no_index);  // of the component, by its base
  for (const Index v : reached) {
    if (forest.is_inner(v)) {
      violator.removed.push_back(v);
      continue;
    }
    Index& component = number[forest.base(v)];
    if (component == no_index) {
      component = static_cast<Index>(violator.odd_components.size());
      violator.odd_components.emplace_back();
    }
    violator.odd_components[component].push_back(v);
  }
  return violator;
}

}  // namespace countpm
