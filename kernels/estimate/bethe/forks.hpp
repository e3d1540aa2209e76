#pragma once
// Walks that fork: where few rows are left, each goes on twice from there.
//
// A sample is the mean of all ends of its walk, so that its own mean stays (splitting: H. Kahn, T. E. Harris,
// Natl. Bur. Stand. Appl. Math. Ser. 12 (1951)). On large sparse graphs the choices between n and n / 2 rows
// left add about as much to the variance of a sample's logarithm as those between n / 2 and n / 4, and take
// twice the time and more (bench/results/estimates.md): walks fork where a quarter of the rows is left, and
// again at a quarter of those. What is left is kept in the walk's memory, without gaps; each branch begins
// with the same lists of what is to be sent, in the order of the vertices. O(what is left) time, O(size) once
// to look for it.
#include <cstddef>
#include <cstdint>

#include "kernels/arithmetic/bit_operations.hpp"
#include "kernels/arithmetic/scaled.hpp"
#include "kernels/estimate/bethe/graph.hpp"
#include "kernels/estimate/bethe/messages.hpp"

namespace countpm {

/// Where a walk stands among its branches.
struct BetheBranch {
  Scaled value;            // of this one, over the number of its like
  Scaled sum{0, 0};        // of those that have ended
  std::uint32_t next = 0;  // fork to come
  std::uint32_t open = 0;  // bit f: a branch of fork f is still to come
};

template <class Warp>
class BetheForks {
 public:
  COUNTPM_HD BetheForks(Warp& warp, const BetheGraph& graph, const BetheSettings& settings)
      : warp_(warp), graph_(graph), messages_(warp, graph, settings) {}

  /// Before a step: the walk forks where so few rows are left, if there is room.
  COUNTPM_HD void look(BetheBranch& branch) const {
    if (branch.next == graph_.forks() || graph_.left() > graph_.fork(branch.next).rows) return;
    const std::uint32_t number = branch.next++;
    if (branch.value.is_zero() || !keep(number, branch)) return;
    branch.open |= std::uint32_t{1} << number;
    wait_again(number);
  }

  /// After the end of a branch, whose value is added to the others'. False: it was the last one.
  COUNTPM_HD bool go_on(BetheBranch& branch) const {
    branch.sum.add(branch.value);
    if (branch.open == 0) return false;
    const std::uint32_t number = highest_bit(branch.open);
    branch.open ^= std::uint32_t{1} << number;
    branch.next = number + 1;
    restore(number, branch);
    wait_again(number);
    return true;
  }

 private:
  using Vertex = BetheGraph::Vertex;
  using EdgeNumber = BetheGraph::EdgeNumber;
  using Kept = BetheGraph::Kept;
  template <class T>
  using PerLane = typename Warp::template PerLane<T>;

  COUNTPM_HD std::uint32_t edges_left() const {
    PerLane<std::uint32_t> edges;
    warp_.each([&](unsigned lane) {
      std::uint32_t sum = 0;
      for (Vertex i = lane; i < graph_.size(); i += 32) sum += graph_.is_left(i) ? graph_.degree(i) : 0;
      edges[lane] = sum;
    });
    return warp_.reduce(edges, [](std::uint32_t a, std::uint32_t b) { return a + b; });
  }

  /// False: there are too many edges.
  COUNTPM_HD bool keep(std::uint32_t number, BetheBranch& branch) const {
    warp_.sync();
    const std::uint32_t edges = edges_left();
    if (edges > graph_.fork(number).most_edges) return false;
    branch.value.multiply(0.5);
    const Kept kept = graph_.kept(number);
    warp_.sync();
    warp_.once([&] {
      kept.head->value = branch.value;
      kept.head->left = graph_.left();
      kept.head->edges = edges;
    });
    warp_.each([&](unsigned lane) {
      for (std::uint32_t d = lane; d <= graph_.most_degree(); d += 32)
        kept.first_of_degree[d] = graph_.first_of_degree(d);
    });
    std::uint32_t vertices = 0;
    std::uint32_t first_edge = 0;
    for (unsigned s = 0; s < 2; ++s) {
      for (std::uint32_t base = 0; base < graph_.size(); base += 32) {
        const std::uint32_t some = warp_.ballot([&](unsigned lane) {
          return base + lane < graph_.size() && graph_.is_left(s * graph_.size() + base + lane);
        });
        if (some == 0) continue;
        PerLane<std::uint32_t> end;
        warp_.each([&](unsigned lane) {
          end[lane] = 0;
          if ((some >> lane & 1) == 0) return;
          const Vertex v = s * graph_.size() + base + lane;
          const std::uint32_t at = vertices + bit_count(some & ((std::uint32_t{1} << lane) - 1));
          kept.vertex[at] = v;
          kept.record[at] = graph_.record(v);
          kept.mate[at] = graph_.mate(v);
          if (s == 0) end[lane] = graph_.degree(v);
        });
        vertices += bit_count(some);
        if (s == 1) continue;
        const std::uint32_t all = warp_.running_sum(end);
        warp_.each([&](unsigned lane) {
          if ((some >> lane & 1) == 0) return;
          const BetheGraph::EdgeList list = graph_.edges(base + lane);
          const std::uint32_t from = first_edge + end[lane] - list.size();
          for (std::uint32_t k = 0; k < list.size(); ++k) {
            kept.number[from + k] = list[k];
            kept.edge[from + k] = graph_.edge(list[k]);
            kept.places[from + k] = graph_.places(list[k]);
          }
        });
        first_edge += all;
      }
    }
    warp_.sync();
    return true;
  }

  COUNTPM_HD void restore(std::uint32_t number, BetheBranch& branch) const {
    const Kept kept = graph_.kept(number);
    warp_.sync();
    branch.value = kept.head->value;
    const std::uint32_t left = kept.head->left;
    const std::uint32_t edges = kept.head->edges;
    warp_.once([&] { graph_.head().left = left; });
    warp_.each([&](unsigned lane) {
      for (std::uint32_t d = lane; d <= graph_.most_degree(); d += 32)
        graph_.first_of_degree(d) = kept.first_of_degree[d];
      for (std::uint32_t k = lane; k < 2 * left; k += 32) {
        graph_.record(kept.vertex[k]) = kept.record[k];
        graph_.mate(kept.vertex[k]) = kept.mate[k];
      }
      for (std::uint32_t k = lane; k < edges; k += 32) {
        graph_.edge(kept.number[k]) = kept.edge[k];
        graph_.places(kept.number[k]) = kept.places[k];
      }
    });
    warp_.sync();
    warp_.each([&](unsigned lane) {
      for (std::uint32_t k = lane; k < edges; k += 32) graph_.enter_long_lists(kept.number[k]);
    });
    warp_.sync();
  }

  /// What the vertices of the fork have to send, and nothing else.
  COUNTPM_HD void wait_again(std::uint32_t number) const {
    const Kept kept = graph_.kept(number);
    const std::uint32_t left = kept.head->left;
    messages_.forget_all();
    for (unsigned s = 0; s < 2; ++s) messages_.wait_again(kept.vertex + s * left, left, s);
  }

  Warp& warp_;
  const BetheGraph& graph_;
  BetheMessages<Warp> messages_;
};

}  // namespace countpm
