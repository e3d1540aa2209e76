#include "src/matchings/ratio_apart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "src/estimate/estimate.hpp"
#include "src/estimate/estimate_graph.hpp"
#include "src/estimate/explain_estimates.hpp"
#include "src/matchings/passes.hpp"
#include "src/sampling/foretell.hpp"
#include "src/sampling/missed_goal.hpp"
#include "src/sampling/split_blocks.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t samples_of_trial = 128;
constexpr double share_of_trial = 1.0 / 8;  // of the time limit
constexpr std::size_t longest_name = 400;
constexpr double least_seconds = 0.1;
constexpr std::size_t most_rounds = 4;
static_assert(most_rounds * Checkpoint::sums_a_round <= Journal::most_sums);
// Where the error is too large, so much less is asked for than would just do.
constexpr double tighter = 0.95;

/// Of one sum alone.
EstimateOptions options_of_sum(const EstimateOptions& options, const ApartGoal& goal, double error) {
  EstimateOptions own = options;
  if (!options.sampler.kind) {
    own.sampler.kind = goal.kind;
    if (options.second == SecondOpinion::automatic) own.second = SecondOpinion::other;
  }
  own.ln_error = std::min(error, most_ln_error);
  own.device = "cpu";
  own.gpus = 0;
  return own;
}

/// The standard error of each sum, so that both are known as well as is asked for: of N samples of each their
/// ratio has the variance V / (2 N) and, of what none has met, 6 / N.
double error_of_each(const ApartGoal& goal) {
  const double both = goal.trial.variance / 2;
  const double square = goal.error * goal.error;
  if (!goal.trial.trusted || !(both < std::numeric_limits<double>::max())) return goal.error / std::sqrt(2.0);
  const double samples = (both + std::sqrt(both * both + 144 * square)) / (2 * square);
  return std::sqrt(both / (2 * samples) + 9 / (samples * samples));
}

/// To three digits, for a journal's goal: those that machines round otherwise are not among them.
double rounded_down(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::floor(value / unit) * unit;
}

/// Of the block that has the fewest.
std::uint64_t fewest_samples(const EstimateResult& result) {
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  for (const EstimatedBlock& block : result.blocks) {
    if (!block.exact) fewest = std::min(fewest, block.samples);
  }
  return fewest;
}

/// Two estimates, and what they say together.
class BothSums {
 public:
  BothSums(const ReadResult& a, const ReadResult& b, const CountOptions& own, const EstimateOptions& options,
           const ApartGoal& goal, const ApartPlace& place)
      : read_{&a, &b}, own_(own), options_(options), goal_(goal), place_(place) {
    if (place.checkpoint != nullptr) return;
    in_memory_ = Checkpoint::in_memory();
    place_.checkpoint = in_memory_.get();
  }

  /// The next round: each until its standard error is at most so large, from where the round before ended.
  void draw(double error) {
    const EstimateOptions asked = options_of_sum(options_, goal_, error);
    EstimateOptions of_sum = asked;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const double left = std::max(options_.time_limit_seconds - (seconds_now() - begin_), least_seconds);
      CountOptions limited = own_;
      limited.time_limit_seconds = of_sum.time_limit_seconds = k == 0 ? left / 2 : left;
      limited.checkpoint.file = place_.file;
      sum_[k] = estimate_kept(ReadResult(*read_[k]), limited, of_sum, part_of(k, asked));
      if (sum_[k].estimate && std::isinf(sum_[k].estimate->log10))
        throw UnableError("none of the samples is a matching of " + quoted(read_[k]->info.path, longest_name),
                          "--samples and --time-limit allow more of them");
    }
    ++round_;
  }

  double ln_error() const {
    double variance = 0;
    double unseen = 0;
    for (const EstimateResult& sum : sum_) {
      if (!sum.estimate) continue;
      variance += sum.estimate->variance;
      unseen += sum.estimate->unseen;
    }
    return std::sqrt(variance + unseen * unseen);
  }

  /// Whether more samples are wanted, and the time limit has not ended these.
  bool may_go_on(double error) const {
    return !missed() && doubt().empty() && ln_error() > error &&
           seconds_now() - begin_ < options_.time_limit_seconds / 2;
  }

  void tell(RatioResult& result) const {
    result.apart = true;
    result.sampler.clear();
    result.ln = log_of(sum_[0]) - log_of(sum_[1]);
    result.ln_error = ln_error();
    result.doubt = doubt();
    const double ends = two_sided_quantile(options_.confidence) * result.ln_error;
    result.high = result.ln + ends + tail_of_sum(sum_[0]);
    result.low = result.ln - ends - tail_of_sum(sum_[1]);
    bool first = true;
    for (const EstimateResult& sum : sum_) {
      if (!sum.estimate) continue;
      const std::uint64_t samples = fewest_samples(sum);
      const double effective = sum.estimate->effective_samples;
      result.samples = first ? samples : std::min(result.samples, samples);
      result.effective_samples = first ? effective : std::min(result.effective_samples, effective);
      result.pareto_k = std::fmax(result.pareto_k, sum.estimate->pareto_k);
      if (result.sampler.find(sum.sampler) == std::string::npos) add_method(sum.sampler, result.sampler);
      take_check(sum, result);
      first = false;
    }
    tell_goal(result);
  }

 private:
  /// What is kept of a sum in this round.
  Checkpoint& part_of(std::size_t k, const EstimateOptions& asked) {
    const std::size_t number = round_ * Checkpoint::sums_a_round + k;
    if (round_ == 0) return place_.checkpoint->sum(number, std::nullopt);
    Journal before = place_.checkpoint->sum(number - Checkpoint::sums_a_round, std::nullopt).state();
    before.header.estimate.value().goal = estimate_goal_text(asked);
    return place_.checkpoint->sum(number, std::move(before));
  }
  static double log_of(const EstimateResult& sum) {
    return sum.estimate ? sum.estimate->log() : sum.exact_log10 * std::log(10.0);
  }
  static double tail_of_sum(const EstimateResult& sum) {
    return sum.estimate ? sum.estimate->tail_excess : 0;
  }
  static void take_check(const EstimateResult& sum, RatioResult& result) {
    for (const EstimatedBlock& block : sum.blocks) {
      if (!block.second) continue;
      add_method(block.second->sampler, result.second);
      result.second_samples += block.second->samples;
    }
  }

  bool missed() const { return sum_[0].missed || sum_[1].missed; }
  std::string doubt() const {
    for (const EstimateResult& sum : sum_) {
      if (sum.estimate && !sum.estimate->doubt.empty()) return sum.estimate->doubt;
    }
    return {};
  }

  void tell_goal(RatioResult& result) const {
    const bool error_is_goal = options_.samples == 0;
    const bool known = error_is_goal && result.doubt.empty();
    if (error_is_goal ? known && result.ln_error <= goal_.error : !missed()) return;
    const double times = result.ln_error / goal_.error;
    const double wanted = known ? times * times : 0;
    result.goal_missed = missed_text(goal_.text, wanted, 0, options_.time_limit_seconds);
  }

  std::array<const ReadResult*, 2> read_;
  const CountOptions& own_;
  const EstimateOptions& options_;
  const ApartGoal& goal_;
  ApartPlace place_;
  std::unique_ptr<Checkpoint> in_memory_;
  std::size_t round_ = 0;
  double begin_ = seconds_now();
  std::array<EstimateResult, 2> sum_;
};

}  // namespace

bool better_apart(const RatioTrial& together, const RatioTrial& apart) {
  if (apart.trusted != together.trusted) return apart.trusted;
  return apart.variance < together.variance;
}

RatioTrial try_apart(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                     const EstimateOptions& options, const ApartGoal& goal) {
  CountOptions quiet = own;
  quiet.progress = nullptr;
  EstimateOptions trial = options_of_sum(options, goal, most_ln_error);
  trial.samples = options.samples > 0 ? std::min(samples_of_trial, options.samples) : samples_of_trial;
  trial.second = SecondOpinion::none;
  trial.time_limit_seconds = options.time_limit_seconds * share_of_trial;
  RatioTrial both{0, true};
  bool sampled = false;
  for (const ReadResult* one : {&a, &b}) {
    try {
      const EstimateResult result = estimate(ReadResult(*one), quiet, trial);
      if (!result.estimate) continue;  // nothing to sample
      sampled = true;
      // So many samples are half of those that both have.
      both.variance += 2 * result.estimate->variance * static_cast<double>(fewest_samples(result));
      both.trusted = both.trusted && result.estimate->doubt.empty();
    } catch (const UnableError&) {
      return {std::numeric_limits<double>::infinity(), false};
    }
  }
  if (!sampled) return {std::numeric_limits<double>::infinity(), false};  // samples are asked for
  return both;
}

void ratio_apart(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                 const EstimateOptions& options, const ApartGoal& goal, const ApartPlace& place,
                 RatioResult& result) {
  BothSums both(a, b, own, options, goal, place);
  double each = error_of_each(goal);
  both.draw(each);
  // What neither has met adds up, errors do so in squares: the errors of both may be more than foretold.
  for (std::size_t round = 1; round < most_rounds && options.samples == 0 && both.may_go_on(goal.error);
       ++round) {
    each = rounded_down(each * tighter * goal.error / both.ln_error());
    both.draw(each);
  }
  both.tell(result);
}

void foretell_apart(const ReadResult& a, const ReadResult& b, const CountOptions& own,
                    const EstimateOptions& options, const ApartGoal& goal, SamplingForecast& forecast) {
  const EstimateOptions of_sum = options_of_sum(options, goal, error_of_each(goal));
  forecast.pieces.clear();
  forecast.seconds = 0;
  for (const ReadResult* one : {&a, &b}) {
    const SamplingForecast sum = explain_estimate(*one, own, of_sum);
    for (PieceForecast piece : sum.pieces) {
      piece.of = one->info.path;
      forecast.pieces.push_back(std::move(piece));
    }
    forecast.count_seconds += sum.count_seconds;
  }
  forecast.seconds = forecast.count_seconds;
  forecast.notes.emplace_back("each sum is drawn for itself, as that takes fewer samples here");
  add_up(forecast);
}

}  // namespace countpm
