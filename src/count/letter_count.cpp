#include "src/count/letter_count.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/polynomial_method.hpp"
#include "src/machine/channel.hpp"
#include "src/plan/planned_block.hpp"

namespace countpm {
namespace {

/// Every block with the instance's values as they are.
std::vector<mpq_class> block_counts(const Instance& instance, const Analysis& analysis,
                                    const CountOptions& options, const Resources& resources,
                                    Monitor& monitor) {
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  ReducedInstance reduced = reduce_blocks(instance, analysis, options.rules, poll);
  const std::vector<PlannedBlock> planned =
      plan_blocks(std::move(reduced.blocks), instance.weight_kind, options, resources, monitor);
  refuse_if_beyond_limits(planned, options, resources, monitor.elapsed());
  const BlockCounts counts = run_planned(planned, NumberArithmetic(), "count at 1", resources, monitor);
  std::vector<mpq_class> result;
  result.reserve(counts.counts.size());
  for (const Number& one : counts.counts) result.push_back(std::get<mpq_class>(one));
  return result;
}

/// Of a block of magnitudes: of its own and its denominator's product, by the best bound that is soon known.
double log2_bound_of(const AnyBlock& block) {
  double bound = log2_upper_bound(block);
  for (const Method* method : exact_methods()) {
    if (!is_polynomial(*method)) continue;
    const double other = prepare(*method, block)->log2_bound();
    if (!std::isfinite(other)) continue;
    bound = std::min(bound, other);
    break;  // what they have in common
  }
  return bound;
}

}  // namespace

LetterCount::LetterCount(std::shared_ptr<const LetterWeights> letters, const Instance& instance,
                         const Analysis& analysis, const Poll& poll)
    : packed_(instance, analysis, std::move(letters), poll) {}

void LetterCount::count_at_one(Instance& instance, const Analysis& analysis, const CountOptions& options,
                               const Resources& resources, Monitor& monitor) {
  if (options.channel != nullptr && options.channel->ranks() > 1)
    throw UnableError("polynomials are counted on one machine, and here are several",
                      "--at gives letters numbers");
  instance.values = packed_.at_one(true);
  at_one_ = block_counts(instance, analysis, options, resources, monitor);
  packed_.set_digits(at_one_);
  if (packed_.has_negative()) {
    instance.values = packed_.at_one(false);
    at_one_ = block_counts(instance, analysis, options, resources, monitor);
  }
  instance.values = packed_.packed();
}

void LetterCount::pack_by_bounds(Instance& instance, const Analysis& analysis, const Poll& poll) {
  instance.values = packed_.at_one(true);
  RuleSet none;
  none.enabled.fill(false);
  std::vector<double> bounds;
  for (const ReducedBlock& block : reduce_blocks(instance, analysis, none, poll).blocks)
    bounds.push_back(log2_bound_of(block.original));
  packed_.set_digits(bounds);
  instance.values = packed_.packed();
}

Number LetterCount::report(const Factor& factor, const std::vector<Number>& counts, Checks& checks,
                           CountResult& result) const {
  const std::string name = "sum of coefficients";
  std::vector<std::vector<mpq_class>> coefficients;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    std::vector<mpq_class> own = packed_.coefficients(b, std::get<mpq_class>(counts[b]));
    mpq_class sum;
    for (const mpq_class& one : own) sum += one;
    if (sum != at_one_[b]) Checks::failed(name, at_one_[b].get_str(), sum.get_str());
    checks.passed(name, "that is what was counted before with 1 for every letter");
    coefficients.push_back(std::move(own));
  }
  if (counts.empty()) checks.not_applicable(name, "there is one perfect matching, of single entries");
  result.polynomial = packed_.product(std::get<mpq_class>(factor), std::move(coefficients));
  mpq_class total;
  for (const PolynomialTerm& term : result.polynomial->terms) total += term.coefficient;
  return total;
}

}  // namespace countpm
