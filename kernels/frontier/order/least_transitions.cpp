#include "kernels/frontier/order/least_transitions.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/arithmetic/log2_sum.hpp"

namespace countpm {
double log2_least_transitions(const ClassGraph& graph) {
  if (graph.classes() == 0) return 0;
  Index least = graph.degree(0);
  for (Index v = 1; v < graph.classes(); ++v) least = std::min(least, graph.degree(v));
  const double degree = least;
  if (!graph.general) return degree;  // the sum of C(d, k)
  double most = 0;
  for (double k = 1; 2 * k <= degree + 1; ++k) most = std::max(most, log2_binomial(degree + 1 - k, k));
  return most;
}

}  // namespace countpm
