#include "src/count/ln_z.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <variant>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/method.hpp"
#include "kernels/planar/log/log_torus.hpp"
#include "kernels/planar/passes/planar_passes.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/resources.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/structure/not_planar.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

constexpr double largest_error = 0.01;  // of ln Z: then Z itself is known to a percent

double ln_of(const mpz_class& value) {
  std::int64_t exponent = 0;
  const double mantissa = std::abs(mpz_get_d_2exp(&exponent, value.get_mpz_t()));
  return std::log(mantissa) + static_cast<double>(exponent) * std::numbers::ln2;
}

[[noreturn]] void refuse_block(const AnyBlock& block, const std::string& why) {
  throw UnableError(fmt::format("--ln-z cannot do a block of {} {}: {}", rows_of(block),
                                is_general(block) ? "vertices" : "rows", why),
                    "without --ln-z it may be counted exactly: 'countpm explain' shows how");
}

RuleSet no_rules() {
  RuleSet rules;
  rules.enabled.fill(false);
  return rules;
}

/// Pfaffians that are complex, or many, are added up as integers, whose logarithm loses no digit.
void add_exactly(const AnyBlock& block, const Resources& resources, Monitor& monitor, LnZResult& result) {
  try {
    PlanarPasses passes(block, {resources.memory_bytes, resources.threads});
    const mpz_class& total = passes.total(monitor.stop_signal());
    if (total == 0) refuse_block(block, "its sum is 0, which has no logarithm");
    result.ln_z += ln_of(total) - ln_of(passes.multiple());
  } catch (const Stopped&) {
    monitor.throw_if_stopped();
    throw;
  }
  ++result.blocks;
}

void add_block(const AnyBlock& block, bool dense, const Resources& resources, Monitor& monitor,
               LnZResult& result) {
  // Whether there are perfect matchings is known; with monomers the sign says whether there are matchings.
  const auto oriented = planar::oriented_terms(block, has_monomers(block));
  if (const auto* const why = std::get_if<Refusal>(&oriented)) refuse_block(block, why->text);
  const auto& terms = std::get<planar::Terms>(oriented);
  if (has_monomers(block) && terms.front().sign == 0) {
    result.ln_z = -std::numeric_limits<double>::infinity();
    return;
  }
  monitor.throw_if_stopped();
  constexpr std::size_t of_a_torus = 4;
  if (planar::are_complex(terms) || terms.size() > of_a_torus)
    return add_exactly(block, resources, monitor, result);
  const planar::LogDeterminantLimits limits{resources.threads, resources.memory_bytes};
  try {
    const GpuInfo* gpu = resources.gpus.empty() ? nullptr : &resources.gpus.front();
    const planar::LogDeterminant log = planar::log_of_terms(terms, dense, limits, monitor.stop_signal(), gpu);
    if (!(log.error < largest_error)) refuse_block(block, "rounding leaves no digit of its sum certain");
    result.ln_z += log.ln;
    result.ln_z_error += log.error;
  } catch (const Stopped&) {
    monitor.throw_if_stopped();
    throw;
  }
  ++result.blocks;
}

LnZResult ln_z_with(Monitor& monitor, Stopwatch& watch, ReadResult read, const CountOptions& options) {
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  LnZResult result;
  if (options.read) options.read(read.graph);
  summarise_input(read.graph, read.info, result);
  result.seconds.read = watch.lap();

  monitor.enter("looking at the graph's structure");
  const Instance instance = to_instance(std::move(read.graph));
  result.problem = instance.problem;
  result.notes = report_notes(instance, result.input);
  Analysis analysis = analyse(instance, result.input, poll, result.notes);
  result.seconds.structure = watch.lap();
  if (analysis.violator) {
    result.violator = std::move(analysis.violator);
    result.ln_z = -std::numeric_limits<double>::infinity();
    result.seconds.total = monitor.elapsed();
    return result;
  }

  const Resources resources = resources_for(options);
  monitor.enter("taking the logarithm of a determinant");
  result.threads = resources.threads;
  add_notes(resources, result.notes);
  if (!resources.gpus.empty()) result.gpu = resources.gpus.front().name;
  // The reductions would save little of what takes no digits.
  const ReducedInstance pieces = reduce_blocks(instance, analysis, no_rules(), poll);
  result.seconds.reduce = watch.lap();
  double magnitude = 1;  // of all terms and sums that are rounded
  const auto take_factor = [&](const Factor& factor) {
    const auto& value = std::get<mpq_class>(factor);
    result.of_absolute = result.of_absolute || value < 0;
    if (value == 0) {
      result.ln_z = -std::numeric_limits<double>::infinity();
      return;
    }
    const double of_numerator = ln_of(value.get_num());
    const double of_denominator = ln_of(value.get_den());
    result.ln_z += of_numerator - of_denominator;
    magnitude += std::abs(of_numerator) + std::abs(of_denominator) + std::abs(result.ln_z);
  };
  take_factor(pieces.factor);
  const bool dense =
      options.method != "auto" && method_named(options.method).traits().log_form == LogForm::dense;
  for (const ReducedBlock& piece : pieces.blocks) {
    if (std::isinf(result.ln_z)) break;
    take_factor(piece.factor);
    result.of_absolute = result.of_absolute || has_negative(piece.original);
    for (const AnyBlock& block : piece.reduced) {
      try {
        add_block(block, dense, resources, monitor, result);
        magnitude += std::abs(result.ln_z);
      } catch (const UnableError& error) {
        if (monitor.limit_is_over()) throw;
        refuse_not_planar(error, instance, result.input, analysis);
      }
    }
  }
  if (std::isinf(result.ln_z)) {
    result.notes.emplace_back("there is no matching: some vertices can neither be matched nor stay alone");
    result.ln_z_error = 0;
  } else {
    // The factors' logarithms, and the sums: of terms that may cancel.
    result.ln_z_error += 8 * std::numeric_limits<double>::epsilon() * magnitude;
  }
  result.seconds.count = watch.lap();
  result.seconds.total = monitor.elapsed();
  return result;
}

}  // namespace

LnZResult ln_z(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  Stopwatch watch;
  return with_graph(
      GraphQuestion::ln_z, source, read_options, options,
      [&](Monitor& monitor, ReadResult read) { return ln_z_with(monitor, watch, std::move(read), options); });
}

LnZResult ln_z(ReadResult read, const CountOptions& options) {
  Stopwatch watch;
  return with_graph(GraphQuestion::ln_z, std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    return ln_z_with(monitor, watch, std::move(checked), options);
  });
}

}  // namespace countpm
