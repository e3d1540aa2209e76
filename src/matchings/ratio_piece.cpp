#include "src/matchings/ratio_piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/block_key.hpp"
#include "src/matchings/range_bytes.hpp"

namespace countpm {
namespace {

// Streams of these samples are told from those of other uses of a seed.
constexpr std::uint64_t ratio_stream = std::uint64_t{1} << 56;
// As of estimates: samples worth more than this share of their number have no tail that could matter.
constexpr double worth_of_steady = 0.5;
// ln of weights in two graphs that differ by less do by rounding.
constexpr double same_log = 1e-13;

}  // namespace

RatioPiece::RatioPiece(const Piece& piece, const std::vector<double>& log_a, const std::vector<double>& log_b)
    : piece_(piece), entries_(piece) {
  for (const std::uint64_t entry : piece.entries) {
    log_a_.push_back(log_a[entry]);
    log_b_.push_back(log_b[entry]);
  }
  entries_.from_either(log_a_);
  entries_.from_either(log_b_);
}

std::optional<double> RatioPiece::known() const {
  std::optional<double> difference;
  for (std::size_t k = 0; k < log_a_.size(); ++k) {
    if (std::isnan(log_a_[k])) continue;  // the other direction of an edge
    if (std::isinf(log_a_[k]) || std::isinf(log_b_[k])) return std::nullopt;
    const double own = log_a_[k] - log_b_[k];
    if (!difference) difference = own;
    if (std::abs(own - *difference) > same_log) return std::nullopt;
  }
  const auto lines = static_cast<double>(piece_.rows.size());
  return difference.value_or(0) * (is_general(piece_.block) ? lines / 2 : lines);
}

void RatioPiece::prepare(const EstimateOptions& options, std::uint64_t seed, std::uint64_t number) {
  key_ = block_key(piece_.block, seed);
  stream_ = number | ratio_stream;
  sampler_ = make_matching_sampler(piece_.block, options.sampler.kind, key_, stream_);
}

std::string RatioPiece::name() const {
  return std::string(sampler_info(sampler_->kind()).name);
}

RatioTally RatioPiece::draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const {
  RatioTally drawn;
  sampler_->draw(first, count, stop, [&](double log, const VertexPairs& matching) {
    double log_a = log;
    double log_b = log;
    for (const auto& [u, v] : matching) {
      const std::size_t entry = entries_.entry_of(u, v);
      log_a += log_a_[entry];
      log_b += log_b_[entry];
    }
    drawn.add(log, log_a, log_b);
    return true;
  });
  return drawn;
}

ChunkGoal RatioPiece::look(const RatioGoal& goal) {
  mean_a = sampled_mean(tally.moments_a);
  mean_b = sampled_mean(tally.moments_b);
  const double apart = unseen() * std::sqrt(goal.pieces);
  double error = std::sqrt(variance() + apart * apart);
  if (goal.samples > 0 || error <= goal.error) {
    if (has_both()) tail = tail_of(tally, steady());
    error += std::max(tail.above, tail.below) * std::sqrt(goal.pieces) / two_sided_quantile(goal.confidence);
  }
  last_ = {error / goal.error, doubt().empty()};
  return last_;
}

RatioTally RatioPiece::chunk(std::uint64_t number, const RatioGoal& goal, const StopSignal& stop) const {
  return draw(number * samples_a_chunk, samples_of_chunk(number, goal.samples), stop);
}

SampleChunks<RatioTally> RatioPiece::chunks(const RatioGoal& goal, double end, Monitor& monitor) {
  return {[this, goal, &monitor](std::uint64_t number) { return chunk(number, goal, monitor.stop_signal()); },
          [this](RatioTally&& next) {
            tally.join(std::move(next));
            ++drawn_;
          },
          end, monitor};
}

bool RatioPiece::draw_first(const RatioGoal& goal, double end, int threads, Monitor& monitor) {
  const double begin = monitor.elapsed();
  const std::uint64_t all = (goal.samples + samples_a_chunk - 1) / samples_a_chunk;
  chunks(goal, end, monitor).draw(all == 0 ? first_chunks : std::min(first_chunks, all), threads);
  if (drawn_ == 0) monitor.throw_if_stopped();
  look(goal);
  seconds_ += monitor.elapsed() - begin;
  return goal.samples > 0 ? drawn_ == all : last_.trusted && last_.excess <= 1;
}

bool RatioPiece::draw_to(const RatioGoal& goal, double end, int threads, Monitor& monitor,
                         const OtherRanks& others) {
  const double begin = monitor.elapsed();
  SampleChunks<RatioTally> next = chunks(goal, end, monitor);
  next.begin_together(drawn_);
  const auto draw_up_to = [&](std::uint64_t wanted) {
    return others.shared == nullptr ? next.draw(wanted, threads)
                                    : draw_on_ranks(next, wanted, goal, end, threads, monitor, others);
  };
  const bool reached =
      draw_to_goal(draw_up_to, goal.samples, end, monitor, [&](double) { return look(goal); });
  if (has_both()) tail = tail_of(tally, steady());
  seconds_ += monitor.elapsed() - begin;
  return reached;
}

std::string RatioPiece::chunks_for_rank_0(const UnitRange& numbers, const RatioGoal& goal, int threads,
                                          Monitor& monitor) {
  std::vector<RatioTally> drawn;
  SampleChunks<RatioTally> some(
      [&](std::uint64_t number) { return chunk(number, goal, monitor.stop_signal()); },
      [&](RatioTally&& next) { drawn.push_back(std::move(next)); }, std::numeric_limits<double>::infinity(),
      monitor);
  some.begin_together(numbers.first);
  some.draw_some(numbers, threads);
  monitor.throw_if_stopped();
  return ratio_tallies_to_bytes(drawn);
}

/// Up to number `wanted`; returns how many there are then.
std::uint64_t RatioPiece::draw_on_ranks(SampleChunks<RatioTally>& chunks, std::uint64_t wanted,
                                        const RatioGoal& goal, double end, int threads, Monitor& monitor,
                                        const OtherRanks& others) {
  std::optional<std::pair<std::uint64_t, RatioTally>> of_others;  // the last that came
  SharedRanges::Work work;
  work.task = others.piece;
  work.numbers = {chunks.drawn(), wanted};
  work.own = [&](const UnitRange& numbers) { chunks.draw_some(numbers, threads); };
  work.take = [&](const UnitRange& numbers, const std::string& bytes) {
    std::vector<RatioTally> some = ratio_tallies_from_bytes(bytes, numbers.size());
    of_others.emplace(numbers.last - 1, some.back());
    for (std::uint64_t k = 0; k < numbers.size(); ++k) chunks.give(numbers.first + k, std::move(some[k]));
  };
  work.ended = [&] { return monitor.elapsed() > end; };
  chunks.begin_together(chunks.drawn());
  others.shared->run(work, monitor);
  if (!of_others || monitor.elapsed() >= end) return chunks.drawn();
  try {
    if (alike(chunk(of_others->first, goal, monitor.stop_signal()), of_others->second)) return chunks.drawn();
  } catch (const Stopped&) {
    if (!monitor.limit_is_over()) throw;
    return chunks.drawn();
  }
  throw CheckError(fmt::format("samples {} to {} of piece {} are others when they are drawn again here",
                               of_others->first * samples_a_chunk,
                               (of_others->first + 1) * samples_a_chunk - 1, others.piece + 1));
}

CheckedSamples RatioPiece::checked(const SampledMean& mean) const {
  return {piece_.block, *sampler_, mean, tally.moments_both.samples, key_, stream_};
}

void RatioPiece::check_by_another(SecondOpinion how, double confidence, double deadline, int threads,
                                  Monitor& monitor) {
  const SampledMean mean = sampled_mean(tally.moments_both);
  check = check_samples(checked(mean), how, confidence, deadline, threads, monitor);
}

PieceForecast RatioPiece::forecast(const RatioGoal& goal, SecondOpinion how, double end, int threads,
                                   Monitor& monitor) {
  PieceForecast piece = forecast_of(piece_, *sampler_);
  TrialSamples trials;
  trials.reached = draw_to(goal, end, threads, monitor);
  trials.drawn = tally.moments_a.samples;
  trials.seconds = seconds_;
  trials.goal = last_;
  foretell(trials, goal.samples, piece);
  piece.trials = trials.drawn;
  piece.effective_trials = std::min(mean_a.effective, mean_b.effective);
  piece.pareto_k = std::fmax(std::fmax(mean_a.pareto_k, mean_b.pareto_k), tail.pareto_k);
  piece.doubt = doubt();
  foretell_check(checked(mean_a), how, monitor, piece);
  return piece;
}

double RatioPiece::variance() const {
  if (!has_both()) return std::numeric_limits<double>::infinity();
  const auto samples = static_cast<double>(tally.moments_a.samples);
  return tally.variance() * std::max(missing_factor(mean_a, samples), missing_factor(mean_b, samples));
}

double RatioPiece::unseen() const {
  return std::max(mean_a.unseen, mean_b.unseen);
}

std::string RatioPiece::doubt() const {
  if (!mean_a.doubt.empty()) return mean_a.doubt;
  if (!mean_b.doubt.empty()) return mean_b.doubt;
  if (tail.pareto_k > largest_pareto_k && !steady())
    return fmt::format(
        "the tail of differences of {} samples is too heavy for an interval: Pareto k {:.2f}, above {}",
        tally.moments_a.samples, tail.pareto_k, largest_pareto_k);
  return check.contradiction;
}

bool RatioPiece::steady() const {
  return std::min(mean_a.effective, mean_b.effective) >=
         worth_of_steady * static_cast<double>(tally.moments_a.samples);
}

}  // namespace countpm
