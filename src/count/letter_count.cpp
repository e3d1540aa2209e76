#include "src/count/letter_count.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/arithmetic/bound.hpp"
#include "kernels/polynomial_method.hpp"
#include "src/plan/plan_at_points.hpp"

namespace countpm {
namespace {

// Below so many coefficients, and so many of them times rows, closer bounds save less than they take.
constexpr std::size_t many_coefficients = 64;
constexpr std::uint64_t worth_bounding = 100000;
// At these powers of 2, and of 1/2, coefficients are bounded.
constexpr std::array<unsigned, 4> tilts = {1, 2, 4, 8};

/// Every block with the instance's values as they are.
struct CountedBlocks {
  std::vector<mpq_class> counts;
  std::vector<bool> by_points;  // whether all of it was counted by methods that count at points
  std::vector<std::uint64_t> rows;
};

/// Whether all of it is counted by methods that count at points, too.
bool is_by_points(const PlannedBlock& block) {
  return !block.plans.empty() &&
         std::all_of(block.plans.begin(), block.plans.end(), [](const BlockPlan& plan) {
           const auto* polynomial = dynamic_cast<const PolynomialMethod*>(plan.method);
           return polynomial != nullptr && polynomial->has_points();
         });
}

/// For counts that take a moment each: a GPU would take longer to start.
CountOptions on_cpu(const CountOptions& options) {
  CountOptions here = options;
  here.device = "cpu";
  here.gpus = 0;
  return here;
}

/// skip: blocks that are left out, with count 0; none where it is empty.
CountedBlocks block_counts(const Instance& instance, const Analysis& analysis, const CountOptions& options,
                           const Resources& resources, Monitor& monitor, const std::vector<bool>& skip = {}) {
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  ReducedInstance reduced = reduce_blocks(instance, analysis, options.rules, poll);
  CountedBlocks result;
  const std::size_t many = reduced.blocks.size();
  std::vector<ReducedBlock> blocks;
  for (std::size_t b = 0; b < many; ++b) {
    if (skip.empty() || !skip[b]) blocks.push_back(std::move(reduced.blocks[b]));
  }
  const std::vector<PlannedBlock> planned =
      plan_blocks(std::move(blocks), instance.weight_kind, options, resources, monitor);
  refuse_if_beyond_limits(planned, options, resources, monitor.elapsed());
  const BlockCounts counts = run_planned(planned, NumberArithmetic(), "count at 1", resources, monitor);
  std::size_t next = 0;
  for (std::size_t b = 0; b < many; ++b) {
    const bool skipped = !skip.empty() && skip[b];
    result.counts.push_back(skipped ? mpq_class(0) : std::get<mpq_class>(counts.counts[next]));
    result.by_points.push_back(!skipped && is_by_points(planned[next]));
    result.rows.push_back(skipped ? 0 : rows_of(planned[next].block.original));
    if (!skipped) ++next;
  }
  return result;
}

/// Whether the header's block is without reductions: one that may be counted at points.
bool is_unreduced(const JournalHeader& header, std::size_t block) {
  return block < header.blocks.size() && !header.blocks[block].reduced;
}

/// Of a block of magnitudes: of its own and its denominator's product, by the best bound that is soon known.
double log2_bound_of(const AnyBlock& block) {
  double bound = log2_upper_bound(block);
  for (const Method* method : exact_methods()) {
    if (!is_polynomial(*method)) continue;
    const double other = prepare(*method, block)->log2_bound(1);
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
                               const Resources& resources, Monitor& monitor, const JournalHeader* before) {
  instance.values = packed_.at_one(true);
  CountedBlocks counted = block_counts(instance, analysis, options, resources, monitor);
  at_one_ = std::move(counted.counts);
  packed_.set_digits(at_one_);
  forms_.assign(at_one_.size(), std::nullopt);
  bool large = false;
  for (std::size_t b = 0; b < forms_.size(); ++b) {
    // Which method counts at 1 depends on what was measured: a journal's blocks stay as they are.
    if (before == nullptr ? !counted.by_points[b] : !is_unreduced(*before, b)) continue;
    forms_[b] = packed_.form(b);
    if (!forms_[b]) continue;
    const std::uint64_t coefficients = forms_[b]->log2_bounds.size();
    large = large || (coefficients >= many_coefficients && coefficients * counted.rows[b] >= worth_bounding);
  }
  if (large) bound_coefficients(instance, analysis, options, resources, monitor);
  if (packed_.has_negative()) {
    instance.values = packed_.at_one(false);
    at_one_ = block_counts(instance, analysis, options, resources, monitor).counts;
  }
  instance.values = packed_.packed();
}

void LetterCount::pack_as_told(Instance& instance, const JournalHeader& header, const std::string& file) {
  std::vector<std::uint64_t> bits;
  bits.reserve(header.blocks.size());
  for (const JournalBlock& block : header.blocks) bits.push_back(block.digit_bits);
  if (!packed_.set_digit_bits(bits)) throw_other_block(file, "polynomials with other digits");
  for (std::size_t b = 0; b < bits.size(); ++b)
    forms_.push_back(is_unreduced(header, b) ? packed_.form(b) : std::nullopt);
  instance.values = packed_.packed();
  told_ = true;
}

PackedBlocks LetterCount::packed_blocks() const {
  return {[this](std::size_t block) { return form(block); },
          [this](std::size_t block) { return packed_.digit_bits(block); }, !told_};
}

/// With y = 2^t for the letter's place all terms of the sum are at most the sum, as with 1.
void LetterCount::bound_coefficients(Instance& instance, const Analysis& analysis,
                                     const CountOptions& options, const Resources& resources,
                                     Monitor& monitor) {
  // Sums and differences of logarithms are right within far less.
  constexpr double rounding = 1e-6;
  const CountOptions here = on_cpu(options);
  Resources own = resources;
  own.gpus.clear();
  own.cpu = true;
  std::vector<bool> skip;
  for (const std::optional<PackedForm>& form : forms_) skip.push_back(!form);
  const bool palindromic =
      std::all_of(forms_.begin(), forms_.end(), [](const auto& form) { return !form || form->palindromic; });
  for (const bool reversed : {false, true}) {
    if (reversed && palindromic) break;  // they bound one half, and so the other
    for (const unsigned tilt : tilts) {
      auto values = packed_.tilted(forms_, tilt, reversed);
      if (!values) break;
      instance.values = std::move(*values);
      const CountedBlocks counted = block_counts(instance, analysis, here, own, monitor, skip);
      for (std::size_t b = 0; b < forms_.size(); ++b) {
        if (!forms_[b]) continue;
        PackedForm& form = *forms_[b];
        const double all = log2_above(mpq_class(counted.counts[b] * form.denominator)) + rounding;
        for (std::size_t d = 0; d < form.log2_bounds.size(); ++d) {
          const std::uint64_t power = PackedPolynomial::power_at(form, d, reversed);
          form.log2_bounds[d] = std::min(form.log2_bounds[d], all - tilt * static_cast<double>(power));
        }
      }
    }
  }
}

ReducedInstance LetterCount::reduced(const Instance& instance, const Analysis& analysis, const RuleSet& rules,
                                     const Poll& poll) const {
  if (std::none_of(forms_.begin(), forms_.end(), [](const auto& form) { return form.has_value(); }))
    return reduce_blocks(instance, analysis, rules, poll);
  RuleSet none;
  none.enabled.fill(false);
  ReducedInstance result = reduce_blocks(instance, analysis, none, poll);
  for (std::size_t b = 0; b < result.blocks.size(); ++b) {
    if (forms_[b]) continue;
    result.blocks[b] = reduce_block(std::move(result.blocks[b].original), rules, result.tally, poll);
  }
  return result;
}

const PackedForm* LetterCount::form(std::size_t block) const {
  return block < forms_.size() && forms_[block] ? &*forms_[block] : nullptr;
}

std::vector<PlannedBlock> LetterCount::plan(std::vector<ReducedBlock> blocks, const CountOptions& options,
                                            const Resources& resources, WeightKind weight_kind,
                                            Monitor& monitor) const {
  std::vector<PlannedBlock> planned;
  std::uint64_t points_left = PointResidues::most_points;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    std::optional<BlockPlan> at_points;
    if (form(b) != nullptr)
      at_points = plan_at_points(blocks[b].original, *form(b), options, resources, false, monitor);
    if (at_points && at_points->choice.arithmetic.moduli.size() <= points_left) {
      points_left -= at_points->choice.arithmetic.moduli.size();
      planned.emplace_back(std::move(blocks[b])).plans.push_back(std::move(*at_points));
    } else {
      std::vector<ReducedBlock> one;
      one.push_back(std::move(blocks[b]));
      std::vector<PlannedBlock> own = plan_blocks(std::move(one), weight_kind, options, resources, monitor);
      planned.push_back(std::move(own.front()));
    }
    planned.back().reduced = form(b) == nullptr;
    planned.back().digit_bits = packed_.digit_bits(b);
  }
  return planned;
}

void LetterCount::forecast(Instance& instance, const Analysis& analysis, const CountOptions& options,
                           Monitor& monitor) {
  // The other numbers that bound coefficients take up to some fifty times as long: a few hundredths of the
  // count.
  constexpr double moment_seconds = 0.1;
  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  CountOptions here = on_cpu(options);
  here.assumed = {};
  here.time_limit_seconds = std::numeric_limits<double>::infinity();
  const Resources resources = resources_for(here);
  instance.values = packed_.at_one(true);
  const std::vector<PlannedBlock> planned =
      plan_blocks(reduce_blocks(instance, analysis, options.rules, poll).blocks, instance.weight_kind, here,
                  resources, monitor);
  if (predicted_seconds(planned) <= moment_seconds)
    return count_at_one(instance, analysis, here, resources, monitor, nullptr);
  std::vector<double> bounds;
  bounds.reserve(planned.size());
  for (const PlannedBlock& block : planned) bounds.push_back(log2_bound_of(block.block.original));
  packed_.set_digits(bounds);
  for (std::size_t b = 0; b < bounds.size(); ++b)
    forms_.push_back(is_by_points(planned[b]) ? packed_.form(b) : std::nullopt);
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
