#include "src/count/bounds.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "src/count/planned_count.hpp"
#include "src/input/with_graph.hpp"
#include "src/number/number.hpp"

namespace countpm {
namespace {

/// How far a sum of logarithms, or their product with log10(2), can be off.
double slack(double value) {
  return std::abs(value) * 0x1p-50;
}

double log10_of_factor(const Factor& factor) {
  const auto* value = std::get_if<mpq_class>(&factor);
  if (value == nullptr || *value < 0)
    throw UnableError("bounds are of counts without negative or complex weights",
                      "without --weights every perfect matching counts 1");
  return log10_of(Number(*value));
}

BoundsReport bounds_with(Monitor& monitor, ReadResult read, const CountOptions& options) {
  Stopwatch watch;
  const ReducedCount count = reduce_count(std::move(read.graph), read.info, options, watch, monitor);
  BoundsReport total;
  if (count.result.violator) {
    total.log10_lower = total.log10_upper = -std::numeric_limits<double>::infinity();
    total.lower_by = total.upper_by = "structure";
    return total;
  }
  total.lower_by = total.upper_by = "reductions";
  double largest = -std::numeric_limits<double>::infinity();
  double magnitude = 0;  // of all that is added up
  const auto take_factor = [&](const Factor& factor) {
    const double log10 = log10_of_factor(factor);
    total.log10_lower += log10;
    total.log10_upper += log10;
    magnitude += std::abs(log10) + std::abs(total.log10_upper);
  };
  monitor.enter("bounding the blocks");
  take_factor(count.reduced->factor);
  for (const ReducedBlock& block : count.reduced->blocks) {
    if (has_negative(block.original)) log10_of_factor(mpq_class(-1));
    take_factor(block.factor);
    for (const AnyBlock& left : block.reduced) {
      monitor.throw_if_stopped();
      if (has_negative(left)) log10_of_factor(mpq_class(-1));
      const BoundsReport bounds = bounds_of(left, count.resources.threads);
      total.log10_lower += bounds.log10_lower;
      total.log10_upper += bounds.log10_upper;
      magnitude += std::abs(total.log10_lower) + std::abs(total.log10_upper);
      if (bounds.log10_upper <= largest) continue;
      largest = bounds.log10_upper;
      total.lower_by = bounds.lower_by;
      total.upper_by = bounds.upper_by;
    }
  }
  total.log10_lower -= slack(magnitude);
  total.log10_upper += slack(magnitude);
  return total;
}

}  // namespace

BoundsReport bounds_of(const AnyBlock& block, int threads) {
  const CertifiedBounds bounds = certified_bounds(block, threads);
  const double log10_of_2 = std::log10(2.0);
  // Away from each other, by more than the product can be off.
  BoundsReport report;
  report.log10_lower = bounds.log2_lower * log10_of_2;
  report.log10_lower -= slack(report.log10_lower);
  report.log10_upper = bounds.log2_upper * log10_of_2;
  report.log10_upper += slack(report.log10_upper);
  report.lower_by = bounds.lower_by;
  report.upper_by = bounds.upper_by;
  return report;
}

BoundsReport bounds(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  return with_graph(source, read_options, options, [&](Monitor& monitor, ReadResult read) {
    return bounds_with(monitor, std::move(read), options);
  });
}

BoundsReport bounds(ReadResult read, const CountOptions& options) {
  return with_graph(std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    return bounds_with(monitor, std::move(checked), options);
  });
}

}  // namespace countpm
