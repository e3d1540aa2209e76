#pragma once
// From a graph most of whose matchings leave many vertices alone to one in which hardly any does: how the
// activities of holes go there, and how long that is to take.
//
// At every stage the activities a[v] are such that each vertex is a hole with about the same chance, which
// falls from stage to stage. Holes that are everywhere alike move about freely, whatever the graph is like:
// where they would gather, so that matchings beyond that place are hardly ever reached, activities pay for
// it. At the last stage half of all matchings or more are perfect. Activities are found by a chain that
// counts where its holes are, with random numbers that no sample has; they bear on the variance of samples
// alone.
//
// The weights of holes are those of M. Jerrum, A. Sinclair, E. Vigoda, J. ACM 51 (2004), kept for each vertex
// instead of each pair.
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/sample_graph.hpp"

namespace countpm {

struct AnnealingSchedule {
  struct Stage {
    double share = 0;                  // of the vertices that are holes, about
    std::vector<double> log_activity;  // -ln a[v] of every vertex
    double fluctuation = 0;            // variance of ln of a sample, times the moves, from here to the next
    std::uint64_t moves = 0;           // on the way there; of the last stage: after it
  };
  std::vector<Stage> stages;

  /// So many moves in all, in such shares that samples are spread least.
  void share_out(double moves);
  std::uint64_t moves() const;
  /// Those with which ln of a sample is spread by no more than that, as far as the fluctuations tell.
  double moves_for(double spread) const;
};

/// From a first stage at which that share of the vertices are holes. Throws Stopped. O(stages * (moves +
/// edges)).
AnnealingSchedule learn_schedule(const SampleGraph& graph, double first_share, std::uint64_t seed,
                                 std::uint64_t stream);

}  // namespace countpm
