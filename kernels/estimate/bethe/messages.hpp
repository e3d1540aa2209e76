#pragma once
// Belief propagation for perfect matchings on what is left of a graph, where it has changed most first.
//
// A vertex sends to each neighbour 1 / (the sum of weight * message over its other edges + kappa times that
// over the edge itself). With kappa = 0 that is, on a tree, the ratio of the weights of matchings without it
// to those with it, both of the part beyond: the chances of v's edges are then in proportion to weight *
// message received, exactly on trees, and nearly so where cycles are long. Where weights differ much, cycles
// make that one all or nothing, and what it gives up can be a tenth of the count. With kappa = 1 messages are
// Sinkhorn's factors: too even, but never nothing. A little of it, the less the more choices a walk has to
// make, is best of both: 0.3 / sqrt(rows) (bench/results/estimates.md). J. S. Yedidia, W. T.
// Freeman, Y. Weiss, IEEE Trans. Inf. Theory 51 (2005); for permanents: P. O. Vontobel, The Bethe permanent
// of a nonnegative matrix, IEEE Trans. Inf. Theory 59 (2013); between the two: M. Chertkov, A. B. Yedidia,
// Approximating the permanent with fractional belief propagation, J. Mach. Learn. Res. 14 (2013). Which
// vertex next: G. Elidan, I. McGraw, D. Koller, Residual belief propagation, UAI (2006).
//
// A warp's lanes send for a vertex each, all of one side of the graph, so that none reads what another one
// writes; on the CPU they come one after another (kernels/gpu/cpu_executor.hpp).
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/estimate/bethe/graph.hpp"
#include "kernels/gpu/atomic.hpp"
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/prefetch.hpp"

namespace countpm {

struct BetheSettings {
  explicit BetheSettings(std::uint32_t rows);

  double kappa;
  std::uint64_t least_due;      // that is worth sending
  std::uint32_t most_at_first;  // that send between two choices
  /// The same where so many rows are left: at first loops are long, and later what is wrong stays near.
  COUNTPM_HD std::uint32_t most_vertices(std::uint32_t left) const {
    const double later = vertices_of_one_row * std::sqrt(static_cast<double>(left));
    const auto wanted = static_cast<std::uint32_t>(later < most_at_first ? later : most_at_first);
    return wanted < fewest_vertices ? fewest_vertices : wanted;
  }

  static constexpr std::uint32_t fewest_vertices = 60;
  static constexpr double vertices_of_one_row = 6;
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

  /// Nobody waits.
  COUNTPM_HD void forget_all() const {
    warp_.sync();
    warp_.once([&] {
      BetheGraph::Head& head = graph_.head();
      for (unsigned list = 0; list < 2 * levels; ++list) head.first[list] = head.end[list] = 0;
    });
    warp_.sync();
  }
  /// Of `count` vertices of one side, none twice, those wait that have what is worth sending.
  COUNTPM_HD void wait_again(const Vertex* vertices, std::uint32_t count, unsigned side) const {
    for (std::uint32_t base = 0; base < count; base += 32) {
      const unsigned size = count - base < 32 ? count - base : 32;
      PerLane<Vertex> vertex;
      PerLane<std::uint32_t> level;
      warp_.each(size, [&](unsigned lane) {
        vertex[lane] = vertices[base + lane];
        BetheGraph::Record& record = graph_.record(vertex[lane]);
        record.level = BetheGraph::nowhere;
        level[lane] = level_of(record.due);
      });
      let_wait(size, vertex, level, side);
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

  // By powers of four; changes of 4 times and above have the first level.
  static constexpr unsigned levels = BetheGraph::levels;
  static constexpr int most_change_exponent = 3;
  static constexpr int octaves_a_level = 2;
  // 1 more or less is nothing to it.
  static constexpr double most_odds = 0x1p+60;
  static constexpr double most_change = 8;
  // A batch is filled up from levels that are at most so many after its first.
  static constexpr unsigned levels_a_batch = 1;
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
    const int octaves = most_change_exponent + 32 - static_cast<int>(highest_bit(due));
    const int below = octaves / octaves_a_level;
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
    std::uint32_t pairs = 0;
    if constexpr (alone) {
      pairs = send_in_turn(batch);
    } else {
      pairs = send_side_by_side(batch);
    }
    for (std::uint32_t base = 0; base < pairs; base += 32) {
      const unsigned size = pairs - base < 32 ? pairs - base : 32;
      PerLane<Vertex> to;
      PerLane<std::uint32_t> level;
      const std::uint32_t some = warp_.ballot(size, [&](unsigned lane) {
        to[lane] = graph_.pair(base + lane).vertex;
        const BetheGraph::Record& record = graph_.record(to[lane]);
        const std::uint16_t now = level_of(record.due);
        level[lane] = now < record.level ? now : BetheGraph::nowhere;
        return now < record.level;
      });
      if (some != 0) let_wait(size, to, level, 1 - s);
    }
  }

  /// By one thread. How many messages, whose receivers are put into pair(0), pair(1), ...
  COUNTPM_HD std::uint32_t send_in_turn(const Batch& batch) const {
    const unsigned s = batch.side;
    for (unsigned m = 0; m < batch.size; ++m) {
      for (const BetheGraph::EdgeNumber e : graph_.edges(batch.vertex[m])) prefetch(&graph_.edge(e));
    }
    for (unsigned m = 0; m < batch.size; ++m) {
      for (const BetheGraph::EdgeNumber e : graph_.edges(batch.vertex[m]))
        prefetch(&graph_.record(graph_.edge(e).end[1 - s]));
    }
    std::uint32_t pairs = 0;
    for (unsigned m = 0; m < batch.size; ++m) {
      const BetheGraph::EdgeList edges = graph_.edges(batch.vertex[m]);
      double beyond = 0;
      for (std::uint32_t k = edges.size(); k > 0; --k) {
        graph_.brought(k - 1) = beyond;
        beyond += graph_.edge(edges[k - 1]).brought_to(s);
      }
      double before = 0;
      for (std::uint32_t k = 0; k < edges.size(); ++k) {
        Edge& edge = graph_.edge(edges[k]);
        const double brought = edge.brought_to(s);
        send(edge, s, before, graph_.brought(k), brought);
        before += brought;
        graph_.pair(pairs++).vertex = edge.end[1 - s];
      }
    }
    return pairs;
  }

  /// The same, a message a lane.
  COUNTPM_HD std::uint32_t send_side_by_side(const Batch& batch) const {
    const unsigned s = batch.side;
    PerLane<std::uint32_t> degree;
    PerLane<std::uint32_t> first;
    warp_.each(batch.size, [&](unsigned lane) { degree[lane] = graph_.degree(batch.vertex[lane]); });
    const std::uint32_t pairs = sums_before(degree, first);
    warp_.each(batch.size, [&](unsigned lane) {
      const BetheGraph::EdgeList edges = graph_.edges(batch.vertex[lane]);
      for (std::uint32_t k = 0; k < edges.size(); ++k) {
        graph_.pair(first[lane] + k) = {{edges[k]}, lane};
        prefetch(&graph_.edge(edges[k]));
      }
    });
    warp_.sync();
    warp_.each([&](unsigned lane) {
      for (std::uint32_t p = lane; p < pairs; p += 32) {
        const Edge& edge = graph_.edge(graph_.pair(p).edge);
        graph_.brought(p) = edge.brought_to(s);
        prefetch(&graph_.record(edge.end[1 - s]));
      }
    });
    warp_.sync();
    for (std::uint32_t base = 0; base < pairs; base += 32) {
      PerLane<unsigned> owner;
      warp_.each(
          [&](unsigned lane) { owner[lane] = base + lane < pairs ? graph_.pair(base + lane).owner : 0; });
      const PerLane<std::uint32_t> begin = warp_.from(first, owner);
      const PerLane<std::uint32_t> size = warp_.from(degree, owner);
      warp_.each([&](unsigned lane) {
        const std::uint32_t p = base + lane;
        if (p >= pairs) return;
        double beyond = 0;
        for (std::uint32_t j = begin[lane] + size[lane] - 1; j > p; --j) beyond += graph_.brought(j);
        double before = 0;
        for (std::uint32_t j = begin[lane]; j < p; ++j) before += graph_.brought(j);
        Edge& edge = graph_.edge(graph_.pair(p).edge);
        send(edge, s, before, beyond, graph_.brought(p));
        graph_.pair(p).vertex = edge.end[1 - s];
      });
    }
    warp_.sync();
    return pairs;
  }

  /// Of all lanes' values, which are 0 beyond the batch: what comes before each lane; all of them.
  COUNTPM_HD std::uint32_t sums_before(const PerLane<std::uint32_t>& value,
                                       PerLane<std::uint32_t>& before) const {
    PerLane<std::uint32_t> sum = value;
    for (unsigned step = 1; step < 32; step *= 2) {
      PerLane<unsigned> source;
      warp_.each([&](unsigned lane) { source[lane] = lane >= step ? lane - step : lane; });
      const PerLane<std::uint32_t> other = warp_.from(sum, source);
      warp_.each([&](unsigned lane) { sum[lane] += lane >= step ? other[lane] : 0; });
    }
    warp_.each([&](unsigned lane) { before[lane] = sum[lane] - value[lane]; });
    return warp_.broadcast(sum, 31);
  }

  /// From the edge's end on side s. What its other edges bring: sums from both ends; a difference would lose
  /// what is small.
  COUNTPM_HD void send(Edge& edge, unsigned s, double before, double beyond, double brought) const {
    const double sent = 1 / (before + beyond + settings_.kappa * brought);
    const double message = sent < least_message ? least_message : sent > most_message ? most_message : sent;
    const double old = edge.message[s];
    edge.message[s] = message;
    if (message == old) return;
    add_atomically(&graph_.record(edge.end[1 - s]).due, due_of(share_of(message, old, edge.odds())));
  }

  /// How much of what its receiver gets has changed: the message's relative change, at most 8, times the
  /// chance of the edge.
  COUNTPM_HD static double share_of(double message, double old, double odds) {
    const double change = message > old ? message - old : old - message;
    const double smaller = message > old ? old : message;
    if (change >= most_change * smaller)
      return odds >= most_odds ? most_change : most_change * odds / (1 + odds);
    return odds >= most_odds ? change / smaller : change * odds / (smaller * (1 + odds));
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
