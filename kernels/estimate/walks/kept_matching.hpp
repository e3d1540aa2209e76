#pragma once
// A perfect matching of what is left of a graph, kept up while a walk takes edges: it tells which of them lie
// in one. BetheGraph::mate holds it. For the CPU and GPUs alike.
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/bethe/graph.hpp"

namespace countpm {

/// Whether some perfect matching of what is left may have the edge between the row and the column: where they
/// are not mates, whether an alternating path joins their mates without them. The search, from both ends,
/// ends where it has seen some dozen vertices, and then says yes. False is certain. By one lane; changes
/// nothing.
COUNTPM_HD inline bool may_take(const BetheGraph& graph, BetheGraph::Vertex row, BetheGraph::Vertex column) {
  using Vertex = BetheGraph::Vertex;
  if (graph.mate(row).mate == column) return true;
  constexpr std::uint32_t most_reached = 24;
  // Rows reached from the column's mate, columns from the row's.
  Vertex reached[2][most_reached] = {{graph.mate(column).mate}, {graph.mate(row).mate}};
  std::uint32_t count[2] = {1, 1};
  std::uint32_t next[2] = {0, 0};
  const auto has = [&](unsigned side, Vertex v) {
    for (std::uint32_t k = 0; k < count[side]; ++k) {
      if (reached[side][k] == v) return true;
    }
    return false;
  };
  while (next[0] < count[0] && next[1] < count[1]) {
    const unsigned s = count[0] - next[0] <= count[1] - next[1] ? 0 : 1;
    const Vertex v = reached[s][next[s]++];
    const Vertex own = graph.mate(v).mate;
    for (const BetheGraph::EdgeNumber e : graph.edges(v)) {
      const Vertex w = graph.edge(e).end[1 - s];
      if (w == own || w == (s == 0 ? column : row)) continue;
      if (has(1 - s, w)) return true;
      const Vertex mate = graph.mate(w).mate;
      if (mate == (s == 0 ? row : column) || has(s, mate)) continue;
      if (count[0] + count[1] == most_reached) return true;  // perhaps
      reached[s][count[s]++] = mate;
    }
  }
  return false;
}

/// What BetheGraph::contract does to v, whose neighbours are `kept` and `other`. By one lane, before it.
COUNTPM_HD inline void contract_in_matching(const BetheGraph& graph, BetheGraph::Vertex v,
                                            BetheGraph::Vertex kept, BetheGraph::Vertex other) {
  const BetheGraph::Vertex partner = graph.mate(graph.mate(v).mate == kept ? other : kept).mate;
  graph.mate(kept).mate = partner;
  graph.mate(partner).mate = kept;
}

/// Makes mates of rows and columns, by a warp that searches as one.
template <class Warp>
class KeptMatching {
 public:
  using Vertex = BetheGraph::Vertex;

  COUNTPM_HD KeptMatching(Warp& warp, const BetheGraph& graph) : warp_(warp), graph_(graph) {}

  /// False where no perfect matching has the edge, and nothing is changed. O(edges left) at worst, about the
  /// square root where paths branch.
  COUNTPM_HD bool take(Vertex row, Vertex column) const {
    if (graph_.mate(row).mate == column) return true;
    Meeting meeting;
    if (!join(row, column, meeting)) return false;
    warp_.once([&] { turn(row, column, meeting); });
    return true;
  }

 private:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  /// The edge in which the searches from the two mates have met.
  struct Meeting {
    Vertex row;
    Vertex column;
  };
  struct Search {
    std::uint32_t number;
    Vertex from[2];  // the row and the column
    std::uint32_t count[2];
    std::uint32_t next[2];
  };

  COUNTPM_HD bool join(Vertex row, Vertex column, Meeting& meeting) const {
    Search search{graph_.head().search + 1, {row, column}, {1, 1}, {0, 0}};
    const Vertex first[2] = {graph_.mate(column).mate, graph_.mate(row).mate};
    warp_.sync();
    warp_.once([&] {
      graph_.head().search = search.number;
      for (unsigned s = 0; s < 2; ++s) {
        graph_.reached(s)[0] = first[s];
        graph_.mate(first[s]).seen = search.number;
        graph_.mate(first[s]).before = search.from[s];
      }
    });
    while (search.next[0] < search.count[0] && search.next[1] < search.count[1]) {
      const unsigned s = search.count[0] - search.next[0] <= search.count[1] - search.next[1] ? 0 : 1;
      if (advance(search, s, meeting)) return true;
    }
    return false;
  }

  /// The next vertices that side s has reached, up to 32, reach others; true where one has been reached from
  /// the other side.
  COUNTPM_HD bool advance(Search& search, unsigned s, Meeting& meeting) const {
    constexpr std::uint32_t none = BetheGraph::no_vertex;
    const std::uint32_t waiting = search.count[s] - search.next[s];
    const std::uint32_t size = waiting < 32 ? waiting : 32;
    PerLane<Vertex> vertex;
    PerLane<Vertex> own;
    PerLane<std::uint32_t> degree;
    warp_.each(size, [&](unsigned lane) {
      vertex[lane] = graph_.reached(s)[search.next[s] + lane];
      own[lane] = graph_.mate(vertex[lane]).mate;
      degree[lane] = graph_.degree(vertex[lane]);
    });
    search.next[s] += size;
    const std::uint32_t most =
        warp_.reduce(degree, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
    for (std::uint32_t k = 0; k < most; ++k) {
      PerLane<Vertex> to;
      PerLane<Vertex> reached;
      const std::uint32_t meetings = warp_.ballot(size, [&](unsigned lane) {
        reached[lane] = none;
        if (k >= degree[lane]) return false;
        to[lane] = graph_.edge(graph_.edges(vertex[lane])[k]).end[1 - s];
        if (to[lane] == own[lane] || to[lane] == search.from[1 - s]) return false;
        const BetheGraph::Mate& mate = graph_.mate(to[lane]);
        if (mate.mate != search.from[s] && graph_.mate(mate.mate).seen != search.number)
          reached[lane] = mate.mate;
        return mate.seen == search.number;
      });
      if (meetings != 0) {
        const unsigned lane = lowest_bit(meetings);
        const Vertex here = warp_.broadcast(vertex, lane);
        const Vertex there = warp_.broadcast(to, lane);
        meeting = s == 0 ? Meeting{here, there} : Meeting{there, here};
        return true;
      }
      const PerLane<std::uint32_t> same = warp_.same(size, reached);
      const std::uint32_t fresh = warp_.ballot(
          size, [&](unsigned lane) { return reached[lane] != none && lowest_bit(same[lane]) == lane; });
      warp_.each(size, [&](unsigned lane) {
        if ((fresh >> lane & 1) == 0) return;
        const unsigned rank = bit_count(fresh & ((std::uint32_t{1} << lane) - 1));
        graph_.reached(s)[search.count[s] + rank] = reached[lane];
        graph_.mate(reached[lane]).seen = search.number;
        graph_.mate(reached[lane]).before = vertex[lane];
      });
      warp_.sync();
      search.count[s] += bit_count(fresh);
    }
    return false;
  }

  /// Along the path that the searches have found.
  COUNTPM_HD void turn(Vertex row, Vertex column, const Meeting& meeting) const {
    // The columns from the meeting to the row's mate pass their rows on to the next, ...
    Vertex row_left = graph_.mate(meeting.column).mate;
    for (Vertex j = meeting.column; graph_.mate(j).before != column;) {
      j = graph_.mate(j).before;
      const Vertex next = graph_.mate(j).mate;
      marry(row_left, j);
      row_left = next;
    }
    // ... the rows from the meeting to the column's mate their columns.
    Vertex column_left = meeting.column;
    for (Vertex i = meeting.row; i != row; i = graph_.mate(i).before) {
      const Vertex next = graph_.mate(i).mate;
      marry(i, column_left);
      column_left = next;
    }
    marry(row, column);
  }

  COUNTPM_HD void marry(Vertex row, Vertex column) const {
    graph_.mate(row).mate = column;
    graph_.mate(column).mate = row;
  }

  Warp& warp_;
  const BetheGraph& graph_;
};

}  // namespace countpm
