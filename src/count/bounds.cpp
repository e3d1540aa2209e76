#include "src/count/bounds.hpp"

#include <limits>
#include <utility>
#include <variant>

#include "kernels/arithmetic/bound.hpp"
#include "src/count/bounded_product.hpp"
#include "src/count/planned_count.hpp"
#include "src/input/with_graph.hpp"

namespace countpm {
namespace {

CertainBounds bounds_with(Monitor& monitor, ReadResult read, const CountOptions& options) {
  Stopwatch watch;
  const ReducedCount count = reduce_count(std::move(read.graph), read.info, options, watch, monitor);
  CertainBounds total;
  if (count.result.violator) {
    total.log10_lower = total.log10_upper = -std::numeric_limits<double>::infinity();
    total.lower_by = total.upper_by = "structure";
    total.lower = total.upper = "0";
    return total;
  }
  total.lower_by = total.upper_by = "reductions";
  double largest = -std::numeric_limits<double>::infinity();
  monitor.enter("bounding the blocks");
  BoundedProduct interval;
  interval.multiply(positive(count.reduced->factor));
  for (const ReducedBlock& block : count.reduced->blocks) {
    refuse_negative(block.original);
    interval.multiply(positive(block.factor));
    for (const AnyBlock& left : block.reduced) {
      monitor.throw_if_stopped();
      refuse_negative(left);
      const CertifiedBounds bounds = certified_bounds(left, count.resources.threads);
      interval.multiply(bounds.log2_lower, bounds.log2_upper);
      if (bounds.log2_upper <= largest) continue;
      largest = bounds.log2_upper;
      total.lower_by = bounds.lower_by;
      total.upper_by = bounds.upper_by;
    }
  }
  total.log10_lower = interval.log10_lower();
  total.log10_upper = interval.log10_upper();
  const bool whole = count.weight_kind <= WeightKind::integer;
  total.lower = interval.lower_text(whole);
  total.upper = interval.upper_text(whole);
  return total;
}

}  // namespace

void refuse_to_bound() {
  throw UnableError("bounds are of counts without negative or complex weights",
                    "without --weights every perfect matching counts 1");
}

mpq_class positive(const Factor& factor) {
  const auto* value = std::get_if<mpq_class>(&factor);
  if (value == nullptr || *value < 0) refuse_to_bound();
  return *value;
}

void refuse_negative(const AnyBlock& block) {
  if (has_negative(block)) refuse_to_bound();
}

BoundsReport report_of(const CertifiedBounds& bounds) {
  BoundedProduct interval;
  interval.multiply(bounds.log2_lower, bounds.log2_upper);
  return {interval.log10_lower(), interval.log10_upper(), bounds.lower_by, bounds.upper_by};
}

BoundsReport bounds_of(const AnyBlock& block, int threads) {
  return report_of(certified_bounds(block, threads));
}

CertainBounds bounds(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  return with_graph(
      GraphQuestion::bounds, source, read_options, options,
      [&](Monitor& monitor, ReadResult read) { return bounds_with(monitor, std::move(read), options); });
}

CertainBounds bounds(ReadResult read, const CountOptions& options) {
  return with_graph(GraphQuestion::bounds, std::move(read), options,
                    [&](Monitor& monitor, ReadResult checked) {
                      return bounds_with(monitor, std::move(checked), options);
                    });
}

}  // namespace countpm
