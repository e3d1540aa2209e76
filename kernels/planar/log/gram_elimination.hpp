#pragma once
// One elimination of K K^T in numbers of one field: its determinant, and what bounds the error of that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/arithmetic/big_float.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/log/gram_matrix.hpp"
#include "kernels/planar/log/log_determinant.hpp"
#include "kernels/planar/log/log_elimination.hpp"
#include "kernels/support/nested_dissection.hpp"

namespace countpm::planar {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// How many vectors the trace is estimated from, and the factor that its mean is multiplied by: the chance
/// that this is less than the trace is below 10^-9 for either. In doubles the factor is what the error told
/// is too large by; of numbers with more digits it costs some of those.
struct TraceVectors {
  std::size_t count;
  double factor;
};
inline constexpr TraceVectors in_doubles{32, 8};
inline constexpr TraceVectors in_more_digits{4, 1e6};

// Where so many bits leave nothing, the sum is taken for 0, which weights of both signs may give.
inline constexpr mpfr_prec_t most_bits_of_signed = 1 << 15;
inline constexpr mpfr_prec_t most_bits = 1 << 17;
inline constexpr mpfr_prec_t first_bits = 192;

/// The bits that are tried after `bits` where `wanted` would do; 0: it cannot be told.
inline mpfr_prec_t next_bits(mpfr_prec_t bits, double wanted) {
  const double next = std::clamp(wanted, 2.0 * static_cast<double>(bits), 4.0 * static_cast<double>(bits));
  return (static_cast<mpfr_prec_t>(next) + 63) / 64 * 64;
}

/// What a logarithm may be off by before more digits are taken: 10^-10 a row, 10^-9 in all.
double log_tolerance(const BlockGraph& graph);

/// What the walk through the fronts keeps at most beside what FrontWork says: the vectors' numbers.
double numbers_of_vectors(const FrontTree& tree, std::size_t vectors);

struct GramElimination {
  double rows = 0;  // of K K^T
  double log2_trace =
      std::numeric_limits<double>::infinity();  // of W M^-1; infinite: rounding leaves nothing
  /// b of log_elimination.hpp; det(K K^T) is known where it is below 1/2.
  double log2_bound = std::numeric_limits<double>::infinity();
  LongProduct squared;         // det(K K^T), scaled
  std::vector<double> weight;  // W, by line

  bool certain() const { return log2_bound < -1; }
};

/// `product`, if any, becomes det(K K^T), scaled, with a rounding of its own precision for each row. Throws
/// Stopped, and UnableError where the memory does not suffice.
template <class Field>
GramElimination eliminate_gram(const SignedMatrix& matrix, const Adjacency& adjacent,
                               const GramScales& scales, Field& field, const TraceVectors& vectors,
                               const LogDeterminantLimits& limits, const StopSignal& stop,
                               BigFloat* product = nullptr) {
  const GramMatrix<Field> gram = gram_matrix(matrix, adjacent, scales, field);
  FrontTree tree;
  {
    const Adjacency of_gram = adjacency(gram.graph);
    std::vector<Index> order = nested_dissection(of_gram.start, of_gram.neighbour, 1);
    if (order.size() != gram.graph.vertices)
      throw std::runtime_error("planar: METIS found no nested dissection");
    tree = front_tree(gram.graph, order);
  }
  limits.refuse_beyond(field.bytes() * (static_cast<double>(tree.total.front_words + tree.total.stack_words) +
                                        numbers_of_vectors(tree, vectors.count)));
  GramElimination result;
  result.rows = gram.graph.vertices;
  LogElimination<Field> elimination(gram, tree, vectors.count, field, stop);
  if (!elimination.run(product)) return result;
  const double log2_trace = std::log2(vectors.factor) + elimination.log2_trace();
  if (!std::isfinite(log2_trace)) return result;
  result.log2_trace = log2_trace;
  result.log2_bound = log2_trace + field.log2_unit();
  result.squared = elimination.squared();
  result.weight = elimination.weights();
  return result;
}

}  // namespace countpm::planar
