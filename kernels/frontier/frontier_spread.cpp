// FrontierJob: tables spread over ranks.
#include "kernels/frontier/frontier_job.hpp"

#include <utility>

#include "kernels/frontier/tables/spread_program.hpp"

namespace countpm {
namespace {

// Blocks are dealt by a hash: no part has more than this times its share.
constexpr double uneven_shares = 1.02;
constexpr double log2_places_a_block = 6;
// Where one part's memory suffices: shared if that part alone would be busy so long, and all together are
// predicted to take this share of the time at most.
constexpr double worth_sharing_seconds = 5;
constexpr double worth_sharing_share = 0.7;

}  // namespace

bool FrontierJob::wants_parts() const {
  if (!may_be_shared()) return false;
  const bool no_passes_fit = !fits(value_bytes_) && (modulus_bytes_.size() < 2 || !fits(least_value_bytes()));
  return no_passes_fit || seconds_by_itself() > worth_sharing_seconds;
}

void FrontierJob::offer_parts(const PartsOffered& offered) {
  offered_ = offered;
  if (options_.plan) {
    if (shared_) log2_bytes_ = log2_shared_bytes(offered_);
  } else if (may_be_shared()) {
    if (!fits(least_value_bytes())) {
      // Orders compete by what all parts have room for.
      const StatesAllowed allowed{log2_shared_states(value_bytes_), log2_shared_states(least_value_bytes())};
      search_ = std::make_shared<OrderSearch>(*graph_, options_.seed, options_.order, allowed);
    }
    make_plan();
  }
}

bool FrontierJob::may_be_shared() const {
  return arithmetic_.kind == Arithmetic::Kind::residues && !for_gpus_alone_ &&
         (search_ != nullptr || shared_);
}

double FrontierJob::log2_shared_states(double value_bytes) const {
  const auto buffers = static_cast<double>(spread_buffer_bytes(offered_.bytes_each, options_.threads));
  return log2_states_in((static_cast<double>(offered_.bytes_each) - buffers) / uneven_shares, value_bytes) +
         std::log2(offered_.parts);
}

double FrontierJob::log2_shared_bytes(const PartsOffered& offered) const {
  const auto buffers = static_cast<double>(spread_buffer_bytes(offered.bytes_each, options_.threads));
  // There are no more blocks of places than that, and two tables are alive.
  const std::uint32_t key_bits = make_program(*graph_, *elimination_).key_bits;
  const double log2_blocks = key_bits - log2_places_a_block;
  const double block_bytes = key_bits <= 64 ? 20 : key_bits <= 128 ? 28 : 44;
  const double key_bytes = std::min(
      key_bytes_a_state, block_bytes * std::exp2(log2_blocks - (forecast_.log2_peak_bytes_states - 1)));
  return log2_sum(forecast_.log2_peak_bytes_states - std::log2(offered.parts / uneven_shares) +
                      std::log2(pass_bytes() + key_bytes),
                  std::log2(fixed_bytes + buffers));
}

bool FrontierJob::can_share() const {
  return offered_.parts > 1 && may_be_shared() && can_be_shared(search_->best_linear()) &&
         search_->linear_forecast().log2_peak_bytes_states <= log2_shared_states(least_value_bytes()) &&
         search_->linear_forecast().log2_peak_states < log2_most_states + std::log2(offered_.parts) - 0.1;
}

bool FrontierJob::can_be_shared(const Elimination& elimination) const {
  const auto joins = [](const EliminationStep& step) { return step.kind == EliminationStep::Kind::join; };
  return arithmetic_.kind == Arithmetic::Kind::residues &&
         std::none_of(elimination.steps.begin(), elimination.steps.end(), joins) &&
         make_program(*graph_, elimination).key_bits <= most_spread_key_bits;
}

double FrontierJob::shared_seconds() const {
  return std::exp2(search_->linear_forecast().log2_transitions) * shared_step_seconds(value_bytes_);
}

bool FrontierJob::sharing_is_faster() const {
  if (!can_share() || search_->linear_forecast().log2_peak_bytes_states > log2_shared_states(value_bytes_))
    return false;
  const double alone = seconds_by_itself();
  const double shared = shared_seconds() / offered_.parts / speed_up(options_.threads);
  return alone > worth_sharing_seconds && shared < worth_sharing_share * alone;
}

void FrontierJob::share() {
  elimination_ = std::make_shared<Elimination>(search_->best_linear());
  forecast_ = search_->linear_forecast();
  start_figures();
  if (forecast_.log2_peak_bytes_states > log2_shared_states(value_bytes_)) {
    double most = least_value_bytes();
    while (most * 2 < value_bytes_ && forecast_.log2_peak_bytes_states <= log2_shared_states(most * 2))
      most *= 2;
    auto sizes = group_moduli(modulus_bytes_, static_cast<std::uint64_t>(most));
    if (sizes.size() > 1) take_passes(std::move(sizes));
  }
  share_tables();
  log2_bytes_ = log2_shared_bytes(offered_);
}

void FrontierJob::share_tables() {
  shared_ = true;
  integers_ = false;
  both_ends_ = nullptr;
}

Partial FrontierJob::run_part(std::uint64_t unit, Exchange& exchange, const StopSignal& stop) const {
  const SomeModuli moduli = moduli_of(unit);
  if (passes() > 1 && moduli.places.empty()) return zero(arithmetic_);
  SpreadOptions options;
  options.threads = options_.threads;
  options.memory_bytes = offered_.bytes_each;
  options.code = code_;
  const double log2_moves = log2_work_ - std::log2(static_cast<double>(units()));
  options.progress = [&stop, log2_moves](std::uint64_t moves) {
    stop.report_share(std::min(1.0, static_cast<double>(moves) / std::exp2(log2_moves)));
  };
  const Partial value = run_spread(
      make_program(*graph_, *elimination_), [&] { return make_value_columns(block_, moduli.arithmetic); },
      exchange, stop, options);
  return passes() == 1 ? value : widened(value, moduli, arithmetic_);
}

}  // namespace countpm
