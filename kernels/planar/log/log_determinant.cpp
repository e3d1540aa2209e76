#include "kernels/planar/log/log_determinant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/log/gram_matrix.hpp"
#include "kernels/planar/log/log_elimination.hpp"
#include "kernels/support/nested_dissection.hpp"

namespace countpm::planar {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a row's logarithm may be off by before more digits are taken: 10^-10.
constexpr double error_a_row = 1e-10;
constexpr double least_tolerance = 1e-9;

/// How many vectors the trace is estimated from, and the factor that its mean is multiplied by: the chance
/// that this is less than the trace is below 10^-9 for either. In doubles the factor is what the error
/// reported is too large by; of numbers with more digits it costs some of those.
struct TraceVectors {
  std::size_t count;
  double factor;
};
constexpr TraceVectors in_doubles{32, 8};
constexpr TraceVectors in_more_digits{4, 1e6};

// Where so many bits leave nothing, the sum is taken for 0, which weights of both signs may give.
constexpr mpfr_prec_t most_bits_of_signed = 1 << 15;
constexpr mpfr_prec_t most_bits = 1 << 17;
constexpr mpfr_prec_t first_bits = 192;

/// One elimination: the logarithm with its error, infinite where rounding leaves nothing; and how many bits
/// would do, 0 where it is not known.
struct Attempt {
  LogDeterminant log{0, infinity};
  double bits_wanted = 0;
};

/// What the walk through the fronts keeps at most beside what FrontWork says: the vectors' numbers.
double numbers_of_vectors(const FrontTree& tree, std::size_t vectors) {
  std::vector<std::size_t> stack;
  std::size_t kept = 0;
  std::size_t peak = 0;
  for (const Front& front : tree.fronts) {
    peak = std::max(peak, kept + front.own.size() + front.border.size());
    for (Index c = 0; c < front.children; ++c) {
      kept -= stack.back();
      stack.pop_back();
    }
    if (front.border.empty()) continue;
    stack.push_back(front.border.size());
    kept += stack.back();
    peak = std::max(peak, kept + front.own.size() + front.border.size());
  }
  return static_cast<double>(peak * vectors);
}

class LogOfMatrix {
 public:
  LogOfMatrix(const SignedMatrix& matrix, const LogDeterminantLimits& limits, const StopSignal& stop)
      : matrix_(matrix),
        limits_(limits),
        stop_(stop),
        adjacent_(adjacency(matrix.graph)),
        scales_(gram_scales(matrix, adjacent_)) {}

  LogDeterminant run() {
    const BlockGraph& graph = matrix_.graph;
    if (scales_.empty_row || (!graph.bipartite && graph.vertices % 2 != 0)) return {0, infinity};
    const double rows = graph.bipartite ? graph.rows : graph.vertices;
    tolerance_ = std::max(least_tolerance, error_a_row * rows);
    PlainField plain;
    Attempt best = eliminate(plain, in_doubles);
    if (best.log.error <= tolerance_) return best.log;
    PairField pairs;
    best = better(best, eliminate(pairs, in_more_digits));

    const bool of_both_signs = std::any_of(matrix_.values.begin(), matrix_.values.end(),
                                           [](const mpq_class& value) { return value < 0; });
    const mpfr_prec_t most = of_both_signs ? most_bits_of_signed : most_bits;
    for (mpfr_prec_t bits = first_bits; best.log.error > tolerance_ && bits <= most;) {
      MpfrField field(bits);
      best = better(best, eliminate(field, in_more_digits));
      const double wanted =
          std::clamp(best.bits_wanted, 2.0 * static_cast<double>(bits), 4.0 * static_cast<double>(bits));
      bits = (static_cast<mpfr_prec_t>(wanted) + 63) / 64 * 64;
    }
    return best.log;
  }

 private:
  static Attempt better(const Attempt& before, const Attempt& after) {
    return {after.log.error < before.log.error ? after.log : before.log, after.bits_wanted};
  }

  template <class Field>
  Attempt eliminate(Field& field, const TraceVectors& vectors) const {
    const GramMatrix<Field> gram = gram_matrix(matrix_, adjacent_, scales_, field);
    FrontTree tree;
    {
      const Adjacency adjacent = adjacency(gram.graph);
      std::vector<Index> order = nested_dissection(adjacent.start, adjacent.neighbour, 1);
      if (order.size() != gram.graph.vertices)
        throw std::runtime_error("planar: METIS found no nested dissection");
      tree = front_tree(gram.graph, order);
    }
    limits_.refuse_beyond(field.bytes() *
                          (static_cast<double>(tree.total.front_words + tree.total.stack_words) +
                           numbers_of_vectors(tree, vectors.count)));
    LogElimination<Field> elimination(gram, tree, vectors.count, field, stop_);
    Attempt result;
    if (!elimination.run()) return result;

    const double rows = gram.graph.vertices;
    const double log2_trace = std::log2(vectors.factor) + elimination.log2_trace();
    if (!std::isfinite(log2_trace)) return result;
    // For an error that a 64th of the tolerance covers.
    result.bits_wanted = 6 + log2_trace - std::log2(tolerance_);
    const double bound = std::exp2(log2_trace + field.log2_unit());
    if (!(bound < 0.5)) return result;
    const double squared = elimination.squared().ln();
    // Two roundings a pivot, and those of the logarithms of the product, of 2 and of their sums.
    const double scales = static_cast<double>(scales_.total) * std::numbers::ln2;
    const double roundings = (rows + 4) + 4 * (std::abs(squared) / 2 + std::abs(scales) + 1);
    const double ln = squared / 2 + scales;
    const double error = -std::log1p(-bound) / 2 + std::numeric_limits<double>::epsilon() * roundings;
    result.log = matrix_.graph.bipartite ? LogDeterminant{ln, error} : LogDeterminant{ln / 2, error / 2};
    return result;
  }

  const SignedMatrix& matrix_;
  const LogDeterminantLimits& limits_;
  const StopSignal& stop_;
  Adjacency adjacent_;
  GramScales scales_;
  double tolerance_ = 0;
};

}  // namespace

void LogDeterminantLimits::refuse_beyond(double bytes) const {
  if (bytes <= static_cast<double>(memory_bytes)) return;
  throw UnableError(fmt::format("the elimination needs {:.0f} MiB of memory", bytes / (1 << 20)),
                    "a larger --memory-limit, where the machine has it");
}

LogDeterminant log_determinant(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                               const StopSignal& stop) {
  return LogOfMatrix(matrix, limits, stop).run();
}

}  // namespace countpm::planar
