#include "src/matchings/ratio_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "matching/fingerprint.hpp"
#include "src/checks/rerun_seconds.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/matchings/shared_uses.hpp"
#include "src/sampling/foretell.hpp"
#include "src/sampling/missed_goal.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

constexpr double ratio_grace_seconds = 0.2;
constexpr double no_entry = std::numeric_limits<double>::quiet_NaN();

}  // namespace

bool RatioRun::begin(UnionGraph all) {
  prepare(std::move(all));
  take_up();
  monitor_.allow_grace(ratio_grace_seconds);
  monitor_.begin_stage("ratio", 1);
  bool reached = true;
  for (RatioPiece& piece : pieces_)
    reached =
        piece.draw_first(goal_of_piece(), options_.time_limit_seconds, result_.threads, monitor_) && reached;
  return reached;
}

RatioTrial RatioRun::trial() const {
  RatioTrial trial{0, trusted()};
  for (const RatioPiece& piece : pieces_)
    trial.variance += piece.variance() * static_cast<double>(piece.tally.moments_a.samples);
  return trial;
}

void RatioRun::run(Channel* channel) {
  keep();
  if (channel != nullptr && !pieces_.empty()) share_ranges(*channel, plan(), shared_);
  sample();
  report();
}

void RatioRun::follow(UnionGraph all, Channel& channel) {
  prepare(std::move(all));
  if (input_->start.violator) return;
  const auto run = [&](std::size_t piece, const UnitRange& numbers) {
    if (piece >= pieces_.size()) throw CheckError("rank 0 asks for samples of no piece");
    return pieces_[piece].chunks_for_rank_0(numbers, goal_of_piece(), result_.threads, monitor_);
  };
  const RangeWorker worker{[](std::size_t) {}, run};
  follow_ranges(channel, plan(), worker, monitor_);
}

void RatioRun::foretell(SamplingForecast& forecast) {
  const auto pieces = static_cast<double>(pieces_.size());
  for (RatioPiece& piece : pieces_) {
    forecast.pieces.push_back(piece.forecast(
        goal_of_piece(), second(), monitor_.elapsed() + trial_seconds / pieces, result_.threads, monitor_));
  }
  add_up(forecast);
}

void RatioRun::prepare(UnionGraph all) {
  ReadResult read;
  read.graph = std::move(all.graph);
  read.info = result_.input;
  input_.emplace(prepare_passes(std::move(read), count_options_, monitor_));
  const PassInput& input = *input_;
  std::vector<double> log_a(input.instance.pattern.entries(), no_entry);
  std::vector<double> log_b(log_a);
  const std::vector<std::uint64_t> entries = entries_of_edges(input.instance, input.edges);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    log_a[entries[e]] = all.log_a[e];
    log_b[entries[e]] = all.log_b[e];
  }
  // What is in every perfect matching of both together is in each one's.
  for (const std::uint64_t entry : input.pieces.forced) {
    if (!std::isnan(log_a[entry])) known_ += log_a[entry] - log_b[entry];
  }
  result_.threads = resources_for(count_options_).threads;
  for (std::size_t p = 0; p < input.pieces.pieces.size(); ++p) {
    RatioPiece piece(input.pieces.pieces[p], log_a, log_b);
    if (const std::optional<double> known = piece.known()) {
      known_ += *known;
      continue;
    }
    piece.prepare(options_, count_options_.seed, p);
    add_method(piece.name(), result_.sampler);
    pieces_.push_back(std::move(piece));
  }
}

/// What an earlier session chose and drew; where there was none, a place for what this one draws.
void RatioRun::take_up() {
  if (!journal_.kept()) return;
  if (!journal_.way()) {
    for (RatioPiece& piece : pieces_) piece.keep_in(*ledgers_.emplace_back(std::make_unique<RatioLedger>()));
    return;
  }
  keep();
  check_again();
}

/// Draws some of what the journal brought again: at least one sample.
void RatioRun::check_again() const {
  std::vector<std::pair<const RatioPiece*, std::uint64_t>> chunks;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const RatioLedger& ledger = journal_.ledger(p);
    for (const std::uint64_t number : ledger.chunks()) {
      journal_.check([&] { pieces_[p].check_chunk(number, *ledger.get(number), goal_of_piece()); });
      chunks.emplace_back(&pieces_[p], number);
    }
  }
  std::mt19937_64 random{std::random_device{}()};
  std::shuffle(chunks.begin(), chunks.end(), random);
  const double end =
      monitor_.elapsed() + rerun_seconds(journal_.seconds_before(), options_.time_limit_seconds);
  bool first = true;
  for (const auto& [piece, number] : chunks) {
    if (!std::exchange(first, false) && monitor_.elapsed() >= end) return;
    piece->draw_again(number, end, monitor_);
  }
}

/// From now on in the journal's file, with what was drawn before.
void RatioRun::keep() {
  if (!journal_.kept() || journal_.begun()) return;
  JournalRatio how;
  how.way = RatioWay::together;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const AnyBlock& block = pieces_[p].piece().block;
    how.pieces.push_back({p, fingerprint(block), rows_of(block), entries_of(block), pieces_[p].name()});
  }
  journal_.begin(std::move(how));
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    RatioLedger& kept = journal_.ledger(p);
    if (p < ledgers_.size()) {
      for (const RatioRecord& record : ledgers_[p]->take(p, true)) kept.put(record.chunk, record.samples);
    }
    pieces_[p].keep_in(kept);
  }
  ledgers_.clear();
}

/// What all ranks have to agree on.
RangePlan RatioRun::plan() const {
  if (shared_name(result_.input).empty() || shared_name(result_.other).empty())
    throw UsageError("several ranks need an input that each of them can read");
  return {fmt::format("{} samples by {} for a ratio of {}", options_.samples, result_.sampler,
                      pieces_digest(input_->pieces)),
          shared_name(result_.input) + ' ' + shared_name(result_.other), count_options_.seed};
}

RatioGoal RatioRun::goal_of_piece() const {
  const auto pieces = static_cast<double>(std::max<std::size_t>(pieces_.size(), 1));
  return {error_wanted(options_) / std::sqrt(pieces), pieces, options_.samples, options_.confidence};
}

/// Of ln of the quotient, with what walks may not have met.
double RatioRun::error() const {
  double variance = 0;
  double unseen = 0;
  for (const RatioPiece& piece : pieces_) {
    variance += piece.variance();
    unseen += piece.unseen();
  }
  return std::sqrt(variance + unseen * unseen);
}

void RatioRun::sample() {
  const double begin = monitor_.elapsed();
  double told = 0;
  const RatioGoal goal = goal_of_piece();
  bool reached = true;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    RatioPiece& piece = pieces_[p];
    monitor_.describe(piece.name(), p + 1, pieces_.size());
    const double left = std::max(options_.time_limit_seconds - monitor_.elapsed(), 0.0);
    const double begun = monitor_.elapsed();
    const double deadline = begun + left / (goal.pieces - static_cast<double>(p));
    const double end = begun + share_before_check(second()) * (deadline - begun);
    if (!piece.draw_to(goal, end, result_.threads, monitor_, {shared_ ? &*shared_ : nullptr, p}))
      reached = false;
    piece.check_by_another(second(), options_.confidence, deadline, result_.threads, monitor_);
    const double now = (static_cast<double>(p) + 1) / goal.pieces;
    monitor_.finish(now - std::exchange(told, now));
  }
  monitor_.lift_limit();
  if (!reached && !(options_.samples == 0 && trusted() && goal_error() <= error_wanted(options_)))
    result_.goal_missed =
        missed_text(ratio_goal_text(options_), wanted_samples(), begin, options_.time_limit_seconds);
}

/// How many times as many the goal is predicted to take; 0: not known.
double RatioRun::wanted_samples() const {
  if (options_.samples > 0) {
    std::uint64_t fewest = options_.samples;
    for (const RatioPiece& piece : pieces_) fewest = std::min(fewest, piece.tally.moments_a.samples);
    return static_cast<double>(options_.samples) / static_cast<double>(std::max<std::uint64_t>(fewest, 1));
  }
  const double times = goal_error() / error_wanted(options_);
  return trusted() && std::isfinite(times) ? times * times : 0;
}

/// The error, and what the tails may add to an end of the interval.
double RatioRun::goal_error() const {
  double tails = 0;
  for (const RatioPiece& piece : pieces_) tails += std::max(piece.tail.above, piece.tail.below);
  return error() + tails / two_sided_quantile(options_.confidence);
}

bool RatioRun::trusted() const {
  return std::all_of(pieces_.begin(), pieces_.end(),
                     [](const RatioPiece& piece) { return piece.doubt().empty(); });
}

/// A sampler that was asked for stands alone, unless a check was asked for, too.
SecondOpinion RatioRun::second() const {
  const bool unasked = options_.second == SecondOpinion::automatic;
  return unasked && options_.sampler.kind ? SecondOpinion::none : options_.second;
}

void RatioRun::report() {
  result_.ln = known_;
  double above = 0;
  double below = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const RatioPiece& piece = pieces_[p];
    const std::uint64_t samples = piece.tally.moments_a.samples;
    const double effective = std::min(piece.mean_a.effective, piece.mean_b.effective);
    if (!piece.has_both()) {
      throw UnableError(fmt::format("none of {} samples is a matching of {}", samples,
                                    piece.tally.a > 0 ? "the second graph" : "the first graph"),
                        "--samples and --time-limit allow more of them");
    }
    result_.ln += piece.tally.log_ratio();
    result_.samples = p == 0 ? samples : std::min(result_.samples, samples);
    result_.effective_samples = p == 0 ? effective : std::min(result_.effective_samples, effective);
    result_.pareto_k = std::fmax(result_.pareto_k, std::fmax(piece.mean_a.pareto_k, piece.mean_b.pareto_k));
    result_.pareto_k = std::fmax(result_.pareto_k, piece.tail.pareto_k);
    if (result_.doubt.empty()) result_.doubt = piece.doubt();
    if (!piece.check.sampler.empty()) add_method(piece.check.sampler, result_.second);
    result_.second_samples += piece.check.samples;
    above += piece.tail.above;
    below += piece.tail.below;
  }
  result_.ln_error = error();
  const double apart = two_sided_quantile(options_.confidence) * result_.ln_error;
  result_.low = result_.ln - apart - below;
  result_.high = result_.ln + apart + above;
}

}  // namespace countpm
