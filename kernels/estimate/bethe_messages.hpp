#pragma once
// Belief propagation for perfect matchings on what is left of a graph, where it has changed most first.
//
// A vertex sends to each neighbour 1 / (the sum of weight * message over its other edges + kappa times that
// over the edge itself). With kappa = 0 that is, on a tree, the ratio of the weights of matchings without it
// to those with it, both of the part beyond: the chances of v's edges are then in proportion to weight *
// message received, exactly on trees, and nearly so where cycles are long. Where weights differ much, cycles
// make that one all or nothing, and what it gives up can be a tenth of the count. With kappa = 1 messages are
// Sinkhorn's factors: too even, but never nothing. A little of it, the less the more choices a walk has to
// make, is best of both: 0.3 / sqrt(rows) (bench/results/2026-11-22-estimate-bethe.md). J. S. Yedidia, W. T.
// Freeman, Y. Weiss, IEEE Trans. Inf. Theory 51 (2005); for permanents: P. O. Vontobel, The Bethe permanent
// of a nonnegative matrix, IEEE Trans. Inf. Theory 59 (2013); between the two: M. Chertkov, A. B. Yedidia,
// Approximating the permanent with fractional belief propagation, J. Mach. Learn. Res. 14 (2013). Which
// vertex next: G. Elidan, I. McGraw, D. Koller, Residual belief propagation, UAI (2006).
//
// A warp's lanes send for a vertex each, all of one side of the graph, so that none reads what another one
// writes; on the CPU they come one after another (kernels/cuda/cpu_executor.hpp).
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/cuda/atomic.hpp"
#include "kernels/cuda/cpu_executor.hpp"
#include "kernels/cuda/prefetch.hpp"
#include "kernels/estimate/bethe_graph.hpp"

namespace countpm {

struct BetheSettings {
  explicit BetheSettings(std::uint32_t rows);

  double kappa;
  std::uint64_t least_due;      // that is worth sending
  std::uint32_t most_vertices;  // that send between two choices
};

/// A warp of one thread, which need not ask its lanes who comes first: three times as fast as CpuWarp, which
/// goes through the GPU's steps, and the same messages.
struct LoneWarp : CpuWarp {
  LoneWarp() : CpuWarp(0, 1) {}
};

/// Which vertices have what to send: of a graph whose lists are empty at first.
template <class Warp>
class BetheMessages {
 public:
  using Vertex = BetheGraph::Vertex;

  COUNTPM_HD BetheMessages(Warp& warp, const BetheGraph& graph, const BetheSettings& settings)
      : warp_(warp), graph_(graph), settings_(settings) {}

  /// By one lane: the sum of what v receives has changed by about this share of itself.
  COUNTPM_HD void changed(Vertex v, double share) const {
    BetheGraph::Record& record = graph_.record(v);
    record.due += due_of(share);
    const std::uint16_t level = level_of(record.due);
    if (level >= record.level) return;
    record.level = level;
    const unsigned list = list_of(graph_.side(v), level);
    BetheGraph::Head& head = graph_.head();
    if (head.end[list] - head.first[list] == graph_.waiting())
      forget(list, graph_.in_list(list, head.first[list]++));
    graph_.in_list(list, head.end[list]++) = v;
  }

  /// Lets the vertices with the largest changes send, those of one side at a time, until none has what is
  /// worth sending or `most_vertices` have sent; what is then still due remains so. O(degree) each.
  COUNTPM_HD void pass(std::uint64_t most_vertices) const {
    std::uint64_t sent = 0;
    while (sent < most_vertices) {
      Batch batch;
      if (!take(batch)) return;
      send(batch);
      sent += batch.size;
    }
  }

 private:
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;
  using Edge = BetheGraph::Edge;

  struct Batch {
    PerLane<Vertex> vertex;  // of the first `size` lanes
    unsigned size;
    unsigned side;
  };

  // By powers of two; changes of 8 times and above have the first level.
  static constexpr unsigned levels = BetheGraph::levels;
  static constexpr int most_change_exponent = 3;
  static constexpr double most_change = 8;
  // A batch is filled up from levels that are at most so many after its first.
  static constexpr unsigned levels_a_batch = 2;
  // Messages stay within these, so that products of a weight and two messages, and sums of them, stay finite.
  static constexpr double least_message = 0x1p-300;
  static constexpr double most_message = 0x1p+300;
  static constexpr double due_unit = 0x1p-32;

  // Integers, whose sums are the same in any order.
  COUNTPM_HD static std::uint64_t due_of(double share) {
    return static_cast<std::uint64_t>((share < most_change ? share : most_change) / due_unit);
  }
  /// Of a vertex with so much to send; BetheGraph::nowhere where that is too little.
  COUNTPM_HD std::uint16_t level_of(std::uint64_t due) const {
    if (due < settings_.least_due) return BetheGraph::nowhere;
    const int below = most_change_exponent + 32 - static_cast<int>(highest_bit(due));
    return static_cast<std::uint16_t>(below < 0 ? 0 : below < static_cast<int>(levels) ? below : levels - 1);
  }
  COUNTPM_HD static unsigned list_of(unsigned side, unsigned level) { return side * levels + level; }

  /// v has lost its place in the list, the longest there, to another one.
  COUNTPM_HD void forget(unsigned list, Vertex v) const {
    BetheGraph::Record& record = graph_.record(v);
    if (record.level == list % levels) record.level = BetheGraph::nowhere;
  }

  /// The next vertices, up to 32, which then wait no longer; false where none waits. May be none all the
  /// same: those that have changed their level in the meantime are met again.
  COUNTPM_HD bool take(Batch& batch) const {
    const BetheGraph::Head& head = graph_.head();
    std::uint32_t waiting[2];
    for (unsigned s = 0; s < 2; ++s) {
      waiting[s] = warp_.ballot(levels, [&](unsigned lane) {
        const unsigned list = list_of(s, lane);
        return head.first[list] != head.end[list];
      });
    }
    if ((waiting[0] | waiting[1]) == 0) return false;
    const bool columns =
        waiting[0] == 0 || (waiting[1] != 0 && lowest_bit(waiting[1]) < lowest_bit(waiting[0]));
    batch.side = columns ? 1 : 0;
    batch.size = 0;
    std::uint32_t rest = columns ? waiting[1] : waiting[0];
    const unsigned last = lowest_bit(rest) + levels_a_batch;
    for (; rest != 0 && lowest_bit(rest) <= last && batch.size < 32; rest &= rest - 1)
      take_from(list_of(batch.side, lowest_bit(rest)), batch);
    return true;
  }

  COUNTPM_HD void take_from(unsigned list, Batch& batch) const {
    BetheGraph::Head& head = graph_.head();
    const std::uint32_t end = head.end[list];
    const std::uint32_t all = end - head.first[list];
    const std::uint32_t room = 32 - batch.size;
    const std::uint32_t looked_at = all < room ? all : room;
    if constexpr (alone) {
      for (std::uint32_t k = 1; k <= looked_at; ++k) {
        const Vertex v = graph_.in_list(list, end - k);
        if (graph_.record(v).level == list % levels) add(batch, v);
      }
      head.end[list] = end - looked_at;
      return;
    }
    PerLane<Vertex> found;
    warp_.each(looked_at, [&](unsigned lane) {
      const Vertex v = graph_.in_list(list, end - 1 - lane);
      found[lane] = graph_.record(v).level == list % levels ? v : BetheGraph::no_vertex;
    });
    // One may be there twice.
    const PerLane<std::uint32_t> same = warp_.same(looked_at, found);
    const std::uint32_t taken = warp_.ballot(looked_at, [&](unsigned lane) {
      return found[lane] != BetheGraph::no_vertex && lowest_bit(same[lane]) == lane;
    });
    const unsigned count = bit_count(taken);
    PerLane<unsigned> source;
    warp_.each(batch.size + count, [&](unsigned lane) {
      source[lane] = lane >= batch.size ? nth_bit(taken, lane - batch.size) : lane;
    });
    const PerLane<Vertex> moved = warp_.from(found, source);
    warp_.each(batch.size + count, [&](unsigned lane) {
      if (lane < batch.size) return;
      batch.vertex[lane] = moved[lane];
      BetheGraph::Record& record = graph_.record(moved[lane]);
      record.level = BetheGraph::nowhere;
      record.due = 0;
    });
    warp_.once([&] { head.end[list] = end - looked_at; });
    batch.size += count;
  }

  /// By one thread.
  COUNTPM_HD void add(Batch& batch, Vertex v) const {
    batch.vertex[batch.size++] = v;
    graph_.record(v).level = BetheGraph::nowhere;
    graph_.record(v).due = 0;
  }

  COUNTPM_HD void send(const Batch& batch) const {
    const unsigned s = batch.side;
    PerLane<std::uint32_t> degree;
    warp_.each(batch.size, [&](unsigned lane) {
      degree[lane] = graph_.degree(batch.vertex[lane]);
      for (const BetheGraph::EdgeNumber e : graph_.edges(batch.vertex[lane])) prefetch(&graph_.edge(e));
    });
    warp_.each(batch.size, [&](unsigned lane) {
      for (const BetheGraph::EdgeNumber e : graph_.edges(batch.vertex[lane]))
        prefetch(&graph_.record(graph_.edge(e).end[1 - s]));
    });
    warp_.each(batch.size, [&](unsigned lane) { send(batch.vertex[lane], s, lane); });
    warp_.sync();
    const std::uint32_t most =
        warp_.reduce(degree, [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
    for (std::uint32_t k = 0; k < most; ++k) {
      PerLane<Vertex> to;
      PerLane<std::uint32_t> level;
      const std::uint32_t some = warp_.ballot(batch.size, [&](unsigned lane) {
        level[lane] = BetheGraph::nowhere;
        if (k >= degree[lane]) return false;
        to[lane] = graph_.edge(graph_.edges(batch.vertex[lane])[k]).end[1 - s];
        const BetheGraph::Record& record = graph_.record(to[lane]);
        const std::uint16_t now = level_of(record.due);
        if (now < record.level) level[lane] = now;
        return now < record.level;
      });
      if (some != 0) let_wait(batch.size, to, level, 1 - s);
    }
  }

  /// One vertex's messages, by one lane.
  COUNTPM_HD void send(Vertex v, unsigned s, unsigned lane) const {
    const BetheGraph::EdgeList edges = graph_.edges(v);
    const std::uint32_t degree = edges.size();
    // Sums over the other edges, from both ends: a difference would lose what is small.
    double beyond = 0;
    graph_.beyond(degree, lane) = 0;
    for (std::uint32_t k = degree; k > 0; --k) {
      beyond += graph_.edge(edges[k - 1]).brought_to(s);
      graph_.beyond(k - 1, lane) = beyond;
    }
    double before = 0;
    for (std::uint32_t k = 0; k < degree; ++k) {
      Edge& edge = graph_.edge(edges[k]);
      const double brought = edge.brought_to(s);
      const double sent = 1 / (before + graph_.beyond(k + 1, lane) + settings_.kappa * brought);
      const double message = sent < least_message ? least_message : sent > most_message ? most_message : sent;
      before += brought;
      const double old = edge.message[s];
      edge.message[s] = message;
      if (message == old) continue;
      const double change = message > old ? (message - old) / old : (old - message) / message;
      const double odds = edge.odds();
      const double share = (change < most_change ? change : most_change) * (odds / (1 + odds));
      add_atomically(&graph_.record(edge.end[1 - s]).due, due_of(share));
    }
  }

  /// The vertices of the first `count` lanes, all on side s, go to the lists of their levels but for those
  /// whose level is `nowhere`.
  COUNTPM_HD void let_wait(unsigned count, const PerLane<Vertex>& vertex, const PerLane<std::uint32_t>& level,
                           unsigned s) const {
    if constexpr (alone) return let_wait_alone(count, vertex, level, s);
    constexpr std::uint32_t none = BetheGraph::no_vertex;
    PerLane<std::uint32_t> key;
    warp_.each(count,
               [&](unsigned lane) { key[lane] = level[lane] == BetheGraph::nowhere ? none : vertex[lane]; });
    const PerLane<std::uint32_t> same = warp_.same(count, key);
    // Each once.
    warp_.each(count, [&](unsigned lane) {
      key[lane] = key[lane] != none && lowest_bit(same[lane]) == lane ? level[lane] : none;
    });
    const PerLane<std::uint32_t> peers = warp_.same(count, key);
    BetheGraph::Head& head = graph_.head();
    PerLane<Vertex> lost;
    warp_.each(count, [&](unsigned lane) {
      lost[lane] = none;
      if (key[lane] == none) return;
      const unsigned list = list_of(s, level[lane]);
      const std::uint32_t at = head.end[list] + bit_count(peers[lane] & ((std::uint32_t{1} << lane) - 1));
      Vertex& place = graph_.in_list(list, at);
      if (at - head.first[list] >= graph_.waiting()) lost[lane] = place;
      place = vertex[lane];
      graph_.record(vertex[lane]).level = static_cast<std::uint16_t>(level[lane]);
    });
    warp_.sync();
    warp_.each(count, [&](unsigned lane) {
      if (key[lane] == none) return;
      const unsigned list = list_of(s, level[lane]);
      if (lost[lane] != none) forget(list, lost[lane]);
      if (lowest_bit(peers[lane]) != lane) return;
      head.end[list] += bit_count(peers[lane]);
      if (head.end[list] - head.first[list] > graph_.waiting())
        head.first[list] = head.end[list] - graph_.waiting();
    });
    warp_.sync();
  }

  /// The same, one after another.
  COUNTPM_HD void let_wait_alone(unsigned count, const PerLane<Vertex>& vertex,
                                 const PerLane<std::uint32_t>& level, unsigned s) const {
    BetheGraph::Head& head = graph_.head();
    Vertex lost[32];
    unsigned from[32];
    unsigned losses = 0;
    for (unsigned lane = 0; lane < count; ++lane) {
      BetheGraph::Record& record = graph_.record(vertex[lane]);
      // Where a lane before it has had the same vertex, that has this level by now.
      if (level[lane] == BetheGraph::nowhere || record.level == level[lane]) continue;
      const unsigned list = list_of(s, level[lane]);
      const std::uint32_t at = head.end[list]++;
      Vertex& place = graph_.in_list(list, at);
      if (at - head.first[list] >= graph_.waiting()) {
        lost[losses] = place;
        from[losses++] = list;
      }
      place = vertex[lane];
      record.level = static_cast<std::uint16_t>(level[lane]);
    }
    for (unsigned k = 0; k < losses; ++k) {
      forget(from[k], lost[k]);
      head.first[from[k]] = head.end[from[k]] - graph_.waiting();
    }
  }

  static constexpr bool alone = std::is_same_v<Warp, LoneWarp>;

  Warp& warp_;
  const BetheGraph& graph_;
  const BetheSettings& settings_;
};

}  // namespace countpm
