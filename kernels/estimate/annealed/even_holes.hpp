#pragma once
// Activities with which each vertex is a hole with the same chance, as belief propagation has it.
//
// A vertex v sends its neighbour u the ratio t(v to u) = y_v * (chance to be a hole without u); where each is
// a hole with chance h, y_v sum over u of w_uv t(u to v) = (1 - h) / h, and edge uv is matched with chance b
// = h y_v w_uv t(u to v), so that t(v to u) = y_v h / (1 - b). On trees that is exact. O(edges) a sweep.
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/sample_graph.hpp"

namespace countpm {

class EvenHoles {
 public:
  /// Where a vertex may stay alone y is at most one over its own weight, and it is a hole less often.
  explicit EvenHoles(const SampleGraph& graph);

  /// From where it was to another chance. Throws Stopped.
  void settle(double share);
  /// ln y, and the most that it may be: infinity where a vertex must be matched.
  const std::vector<double>& log_activity() const { return log_activity_; }
  const std::vector<double>& most() const { return most_; }

 private:
  double sweep(double share);

  const SampleGraph& graph_;
  std::vector<double> most_;
  std::vector<std::uint64_t> reverse_;  // of every edge in a list the same in its other end's
  std::vector<double> log_weight_;
  std::vector<double> message_;  // ln t of the list's vertex
  std::vector<double> odds_;
  std::vector<double> log_activity_;
};

}  // namespace countpm
