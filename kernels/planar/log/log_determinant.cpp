#include "kernels/planar/log/log_determinant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "kernels/planar/log/gram_elimination.hpp"

namespace countpm::planar {
namespace {

/// One elimination: the logarithm with its error, infinite where rounding leaves nothing; and how many bits
/// would do, 0 where it is not known.
struct Attempt {
  LogDeterminant log{0, infinity};
  double bits_wanted = 0;
};

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
    tolerance_ = log_tolerance(graph);
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
      bits = next_bits(bits, best.bits_wanted);
    }
    return best.log;
  }

 private:
  static Attempt better(const Attempt& before, const Attempt& after) {
    return {after.log.error < before.log.error ? after.log : before.log, after.bits_wanted};
  }

  template <class Field>
  Attempt eliminate(Field& field, const TraceVectors& vectors) const {
    const GramElimination gram = eliminate_gram(matrix_, adjacent_, scales_, field, vectors, limits_, stop_);
    Attempt result;
    if (!std::isfinite(gram.log2_trace)) return result;
    // For an error that a 64th of the tolerance covers.
    result.bits_wanted = 6 + gram.log2_trace - std::log2(tolerance_);
    if (!gram.certain()) return result;
    const double bound = std::exp2(gram.log2_bound);
    const double squared = gram.squared.ln();
    // Two roundings a pivot, and those of the logarithms of the product, of 2 and of their sums.
    const double scales = static_cast<double>(scales_.total) * std::numbers::ln2;
    const double roundings = (gram.rows + 4) + 4 * (std::abs(squared) / 2 + std::abs(scales) + 1);
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

double log_tolerance(const BlockGraph& graph) {
  constexpr double error_a_row = 1e-10;
  constexpr double least = 1e-9;
  return std::max(least, error_a_row * (graph.bipartite ? graph.rows : graph.vertices));
}

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
