#pragma once
// A perfect matching of what is left of a graph, kept up while a walk takes edges: it tells which of them lie
// in one.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/estimate/bethe_graph.hpp"
#include "kernels/huge_pages.hpp"

namespace countpm {

/// Not thread-safe.
class KeptMatching {
 public:
  using Vertex = BetheGraph::Vertex;

  /// mate[v]: a perfect matching of the graph.
  void reset(const std::vector<Vertex>& mate);

  Vertex mate(Vertex v) const { return states_[v].mate; }
  /// Whether some perfect matching of what is left may have the edge between the row and the column: where
  /// they are not mates, whether an alternating path joins their mates without them. The search, from both
  /// ends, ends where it has seen some dozen vertices, and then says yes. False is certain.
  bool may_take(const BetheGraph& graph, Vertex row, Vertex column);
  /// Makes them mates; false where no perfect matching has the edge, and nothing is changed. O(edges left) at
  /// worst, about the square root where paths branch.
  bool take(const BetheGraph& graph, Vertex row, Vertex column);
  /// What BetheGraph::contract does to v, whose neighbours are `kept` and `other`. To be called before it.
  void contract(Vertex v, Vertex kept, Vertex other);

 private:
  struct State {
    Vertex mate;
    std::uint32_t seen = 0;  // the number of the last search that has reached it, from its side
    Vertex before = 0;       // in that search
  };
  enum class Outcome { joined, apart, open };

  /// Whether the searches from the two mates meet, in meeting_; open after about `most_reached` vertices.
  Outcome join(const BetheGraph& graph, Vertex row, Vertex column, std::size_t most_reached);
  void begin_search();
  void reach(std::vector<Vertex>& reached, Vertex v, Vertex from);
  void marry(Vertex row, Vertex column);

  std::vector<State, HugePageAllocator<State>> states_;
  std::uint32_t search_ = 0;
  std::vector<Vertex> rows_;     // reached from the column's mate
  std::vector<Vertex> columns_;  // reached from the row's
  Vertex meeting_row_ = 0;       // the edge in which the two searches have met
  Vertex meeting_column_ = 0;
};

}  // namespace countpm
