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
#include <cstdint>
#include <vector>

#include "kernels/estimate/bethe_graph.hpp"

namespace countpm {

/// Which vertices have what to send: of one graph at a time. Not thread-safe.
class BetheMessages {
 public:
  /// For a graph of `rows` rows and as many columns.
  explicit BetheMessages(std::uint32_t rows);

  /// Forgets which vertices wait. Precondition: nothing is due in the graph that comes next.
  void begin();
  /// The same, and makes it so. O(rows).
  void forget(BetheGraph& graph);
  /// The sum of what v receives has changed by about this share of itself.
  void changed(BetheGraph& graph, BetheGraph::Vertex v, double share);
  /// Lets the vertices with the largest changes send, one after another, until no change is above
  /// 1 / (8 sqrt(rows)) or `most_vertices` have sent; what is then still due remains so. O(degree) each.
  void pass(BetheGraph& graph, std::uint64_t most_vertices);

 private:
  // By powers of two; changes of 8 times and above have the first level.
  static constexpr std::uint16_t levels = 24;

  // Large graphs are waited for in memory: for those of several vertices at once.
  static constexpr std::size_t vertices_a_batch = 8;

  /// The next vertices of the first level, and what sending touches, fetched ahead.
  void take_batch(BetheGraph& graph);
  void send(BetheGraph& graph, BetheGraph::Vertex v);

  double kappa_;
  double least_change_;                              // that is worth sending
  std::vector<BetheGraph::Vertex> waiting_[levels];  // those whose level is another one are skipped
  std::uint16_t first_ = levels;                     // no level before it has any
  std::vector<BetheGraph::Vertex> batch_;
  std::vector<double> brought_;  // for send
  std::vector<double> beyond_;
};

}  // namespace countpm
