// FrontierJob: which form it takes, of tables with and without keys, passes and branches.
#include "kernels/frontier/frontier_job.hpp"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/frontier/order/elimination_cost.hpp"
#include "kernels/frontier/ranked/ranked_cost.hpp"
#include "kernels/frontier/tables/integer_column.hpp"

namespace countpm {
namespace {

constexpr double seconds_for_both_ends = 0.1;
// Tables with keys that take no longer on one core are not compared with others: that takes some
// milliseconds.
constexpr double seconds_to_compare_tables = 0.1;
// Tables without keys lose where they have so many times the work (log2).
constexpr double log2_hopeless_moves = 5;
// Cutting into branches takes 0.05 to 0.3 s: not where even the whole, had it the memory, would be that many
// times as slow as another method.
constexpr double hopeless_factor = 2;
// Branches of small tables, and those that branch further, take longer than their transitions say: a dense
// matrix of 19 rows in 12 branches and four passes took far longer than predicted (2026-11-27).
constexpr double branches_are_slower = 3;

}  // namespace

void FrontierJob::start_figures() {
  branched_.clear();
  paths_.assign(1, {});
  pass_sizes_.clear();
  pass_moduli_.clear();
  ranked_ = nullptr;
  shared_ = false;
  log2_work_ = std::max(forecast_.log2_transitions, 0.0);
  log2_bytes_ = log2_bytes_for(forecast_.log2_peak_bytes_states);
  choose_values();
}

void FrontierJob::choose_values() {
  integers_ = count_joins() == 0;
  if (integers_) {
    if (!factor_words_) factor_words_ = words_of_integer_weights(block_, arithmetic_);
    integers_ = *factor_words_ != 0;
  }
  both_ends_ = nullptr;
  if (!integers_ || std::exp2(log2_work_) < seconds_for_both_ends * sorted_rate()) return;
  const Elimination backwards = reversed(*elimination_);
  const auto back = forecast_within(*graph_, backwards, forecast_.log2_transitions + 1);
  if (!back || back->log2_peak_bytes_states > forecast_.log2_peak_bytes_states + 0.5) return;
  const double log2_bytes = log2_bytes_for(back->log2_peak_bytes_states) + 1;
  if (log2_bytes > std::log2(static_cast<double>(options_.memory_bytes))) return;
  auto ends = make_both_ends(*graph_, *elimination_);
  if (!ends) return;
  both_ends_ = std::make_shared<const BothEnds>(*std::move(ends));
  log2_bytes_ = std::max(log2_bytes_, log2_bytes);
}

void FrontierJob::make_plan() {
  left_uncut_ = false;
  elimination_ = std::make_shared<Elimination>(search_->best());
  forecast_ = search_->forecast();
  start_figures();
  if (gpu_) {
    FormChoice choice = choose_form(*device_plan(), *gpu_, modulus_bytes_);
    if (choice.passes.size() > 1) take_passes(std::move(choice.passes));
    return;
  }
  std::vector<PlannedOrder> orders{{*elimination_, forecast_}};
  if (count_joins() != 0) orders.push_back({search_->best_linear(), search_->linear_forecast()});
  if (leave_keys_out(std::move(orders)) || fits(value_bytes_)) {
    if (sharing_is_faster()) share();
    return;
  }
  if (auto sizes = passes_that_fit(); !sizes.empty()) return take_passes(std::move(sizes));
  const bool shareable = can_share();
  left_uncut_ = !shareable && is_too_slow_to_cut();
  if (left_uncut_) {
    // Whatever the memory: tables have no more than 2^log2_most_states states.
    log2_bytes_ = std::max(log2_bytes_, std::log2(static_cast<double>(options_.memory_bytes)) + 1);
    return;
  }
  // Branches are dearer than passes, and the fewer the more states each may have. What does not fit is
  // reported as the least that it would take.
  auto sizes = group_moduli(modulus_bytes_, static_cast<std::uint64_t>(least_value_bytes()));
  if (sizes.size() > 1) take_passes(std::move(sizes));
  if (!shareable || !is_too_slow_to_cut()) branch();
  // Branches keep all parts busy, too, and exchange nothing, but are more work.
  if (shareable && (paths_.size() < static_cast<std::size_t>(offered_.parts) ||
                    branches_are_slower * std::exp2(log2_work_) / nominal_rate() > shared_seconds()))
    share();
}

bool FrontierJob::may_leave_keys_out() const {
  return arithmetic_.kind == Arithmetic::Kind::residues && !is_complex(block_);
}

bool FrontierJob::leave_keys_out(std::vector<PlannedOrder> orders) {
  if (!may_leave_keys_out()) return false;
  const bool keys_fit = fits(value_bytes_);
  const double with_keys = std::exp2(log2_work_) / sorted_rate();
  if (with_keys < seconds_to_compare_tables) return false;
  // From its other end a line is as much work for tables with keys, but other vertices are alike. (A plan
  // that is followed says from which.)
  if (search_ != nullptr) {
    for (std::size_t k = 0, ends = orders.size(); k < ends; ++k) {
      auto other = from_other_end(*graph_, orders[k].elimination);
      if (!other) continue;
      const auto forecast = forecast_within(*graph_, *other, orders[k].forecast.log2_transitions + 1);
      if (forecast) orders.push_back({*std::move(other), *forecast});
    }
  }
  const PlannedOrder* best = nullptr;
  std::optional<RankedProgram> program;
  double seconds = keys_fit ? with_keys : std::numeric_limits<double>::infinity();
  for (const PlannedOrder& order : orders) {
    if (keys_fit && (order.forecast.log2_transitions > log2_work_ + log2_hopeless_moves ||
                     least_ranked_seconds(order.elimination.steps.size()) > with_keys))
      continue;
    if (!weights_) weights_ = std::make_shared<const IntegerWeights>(integer_weights(block_));
    auto candidate = make_ranked_program(*graph_, *weights_, order.elimination, words_enough());
    if (!candidate || candidate->zero ||
        ranked_bytes(*candidate) > static_cast<double>(options_.memory_bytes))
      continue;
    const double of_candidate = ranked_seconds(*candidate);
    if (of_candidate > seconds) continue;
    best = &order;
    program = std::move(candidate);
    seconds = of_candidate;
  }
  if (best == nullptr) return false;
  forecast_ = best->forecast;
  elimination_ = std::make_shared<Elimination>(best->elimination);
  ranked_ = std::make_shared<const RankedProgram>(*std::move(program));
  ranked_seconds_ = seconds;
  gain_of_ranked_ = keys_fit ? with_keys / seconds : 0;
  integers_ = false;
  both_ends_ = nullptr;
  log2_work_ = std::log2(std::max(ranked_->moves, 1.0));
  log2_bytes_ = std::log2(ranked_bytes(*ranked_));
  return true;
}

std::uint32_t FrontierJob::words_enough() const {
  const bool one_power = arithmetic_.moduli.size() == 1 && arithmetic_.moduli[0].prime == 0;
  return one_power && weights_->scale == 1 ? (arithmetic_.moduli[0].power_of_two + 63) / 64
                                           : ~std::uint32_t{0};
}

bool FrontierJob::is_too_slow_to_cut() const {
  return std::exp2(forecast_.log2_transitions) > hopeless_factor * rival_seconds_ * nominal_rate();
}

std::vector<std::uint32_t> FrontierJob::passes_that_fit() const {
  if (modulus_bytes_.size() < 2 || !fits(least_value_bytes())) return {};
  const double bytes = (static_cast<double>(options_.memory_bytes) - fixed_bytes) /
                       std::exp2(forecast_.log2_peak_bytes_states);
  const double values = bytes - key_bytes_a_state;
  return group_moduli(modulus_bytes_, std::max(static_cast<std::uint64_t>(least_value_bytes()),
                                               static_cast<std::uint64_t>(std::min(values, value_bytes_))));
}

void FrontierJob::take_passes(std::vector<std::uint32_t> sizes) {
  integers_ = false;
  both_ends_ = nullptr;
  pass_sizes_ = std::move(sizes);
  pass_moduli_ = cut_moduli(arithmetic_.moduli, pass_sizes_);
  log2_work_ = std::max(forecast_.log2_transitions, 0.0) + std::log2(static_cast<double>(passes()));
  log2_bytes_ = log2_bytes_for(forecast_.log2_peak_bytes_states);
}

std::ptrdiff_t FrontierJob::count_joins() const {
  return std::count_if(elimination_->steps.begin(), elimination_->steps.end(),
                       [](const EliminationStep& step) { return step.kind == EliminationStep::Kind::join; });
}

}  // namespace countpm
