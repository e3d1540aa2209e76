#include "src/matchings/ratio_piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/sampling/block_key.hpp"
#include "src/sampling/split_blocks.hpp"

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
  double most = 0;  // of an entry
  for (const std::vector<double>* logs : {&log_a_, &log_b_}) {
    for (const double log : *logs) {
      if (std::isfinite(log)) most = std::max(most, std::abs(log));
    }
  }
  most_log_ = log2_most_sample(piece.block) * std::log(2.0) + static_cast<double>(piece.rows.size()) * most;
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
  number_ = number;
  sampler_ = make_matching_sampler(piece_.block, options.sampler.kind, key_, stream_);
}

std::string RatioPiece::name() const {
  return std::string(sampler_info(sampler_->kind()).name);
}

RatioSamples RatioPiece::draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const {
  RatioSamples drawn;
  drawn.reserve(count);
  sampler_->draw(first, count, stop, [&](double log, const VertexPairs& matching) {
    RatioSample sample{log, log, log};
    for (const auto& [u, v] : matching) {
      const std::size_t entry = entries_.entry_of(u, v);
      sample.log_a += log_a_[entry];
      sample.log_b += log_b_[entry];
    }
    drawn.push_back(sample);
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

RatioSamples RatioPiece::drawn_chunk(std::uint64_t number, const RatioGoal& goal,
                                     const StopSignal& stop) const {
  return draw(number * samples_a_chunk, samples_of_chunk(number, goal.samples), stop);
}

/// Of the ledger, where it is there.
RatioChunk RatioPiece::chunk(std::uint64_t number, const RatioGoal& goal, const StopSignal& stop) const {
  std::optional<RatioSamples> kept = ledger_ != nullptr ? ledger_->get(number) : std::nullopt;
  return ratio_chunk(kept ? *std::move(kept) : drawn_chunk(number, goal, stop));
}

RatioPiece::Chunks RatioPiece::chunks(const RatioGoal& goal, double end, Monitor& monitor) {
  return {[this, goal, &monitor](std::uint64_t number) { return chunk(number, goal, monitor.stop_signal()); },
          [this](RatioChunk&& next) {
            tally.join(std::move(next.tally));
            if (ledger_ != nullptr) ledger_->put(drawn_, next.samples);
            ++drawn_;
          },
          end, monitor};
}

void RatioPiece::check_chunk(std::uint64_t number, const RatioSamples& samples, const RatioGoal& goal) const {
  const std::uint64_t first = number * samples_a_chunk;
  if (goal.samples > 0 && first >= goal.samples)
    throw CheckError(fmt::format("samples from number {} on, where {} are asked for", first, goal.samples));
  if (samples.size() != samples_of_chunk(number, goal.samples))
    throw CheckError(fmt::format("{} samples in chunk {}, and not {}", samples.size(), number,
                                 samples_of_chunk(number, goal.samples)));
  for (const RatioSample& sample : samples) {
    for (const double log : {sample.log, sample.log_a, sample.log_b}) {
      if (!std::isinf(log) && std::abs(log) > most_log_)
        throw CheckError(fmt::format("a sample of e^{:.6g}, which this piece cannot have", log));
    }
  }
}

std::uint64_t RatioPiece::draw_again(std::uint64_t number, double end, const Monitor& monitor) const {
  const std::optional<RatioSamples> kept = ledger_->get(number);
  std::uint64_t again = 0;
  while (kept && again < kept->size() && (again == 0 || monitor.elapsed() < end)) {
    const std::uint64_t sample = number * samples_a_chunk + again;
    if (!alike(draw(sample, 1, monitor.stop_signal()).front(), (*kept)[again]))
      throw CheckError(
          fmt::format("sample {} of piece {} is another when it is drawn again: the checkpoint "
                      "is damaged in a way that its checksums do not show, or of another machine",
                      sample, number_ + 1));
    ++again;
  }
  return again;
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
  Chunks next = chunks(goal, end, monitor);
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
  std::vector<RatioSamples> drawn;
  SampleChunks<RatioSamples> some(
      [&](std::uint64_t number) { return drawn_chunk(number, goal, monitor.stop_signal()); },
      [&](RatioSamples&& next) { drawn.push_back(std::move(next)); }, std::numeric_limits<double>::infinity(),
      monitor);
  some.begin_together(numbers.first);
  some.draw_some(numbers, threads);
  monitor.throw_if_stopped();
  return ratio_chunks_to_bytes(drawn);
}

/// Up to number `wanted`; returns how many there are then.
std::uint64_t RatioPiece::draw_on_ranks(Chunks& chunks, std::uint64_t wanted, const RatioGoal& goal,
                                        double end, int threads, Monitor& monitor, const OtherRanks& others) {
  std::optional<std::pair<std::uint64_t, RatioSample>> of_others;  // the last that came
  SharedRanges::Work work;
  work.task = others.piece;
  work.own = [&](const UnitRange& numbers) { chunks.draw_some(numbers, threads); };
  work.take = [&](const UnitRange& numbers, const std::string& bytes) {
    std::vector<RatioSamples> some = ratio_chunks_from_bytes(bytes, numbers.size());
    for (std::uint64_t k = 0; k < numbers.size(); ++k) check_chunk(numbers.first + k, some[k], goal);
    of_others.emplace((numbers.last - 1) * samples_a_chunk + some.back().size() - 1, some.back().back());
    for (std::uint64_t k = 0; k < numbers.size(); ++k)
      chunks.give(numbers.first + k, ratio_chunk(std::move(some[k])));
  };
  work.ended = [&] { return monitor.elapsed() > end; };
  chunks.begin_together(chunks.drawn());
  for (const UnitRange& missing : missing_chunks({chunks.drawn(), wanted})) {
    // What the ledger has need not be shared.
    chunks.draw_some({chunks.drawn(), missing.first}, threads);
    if (chunks.drawn() < missing.first) return chunks.drawn();
    if (missing.empty()) continue;
    work.numbers = missing;
    others.shared->run(work, monitor);
    if (chunks.drawn() < missing.last) break;
  }
  if (!of_others || monitor.elapsed() >= end) return chunks.drawn();
  try {
    const auto& [number, sample] = *of_others;
    if (alike(draw(number, 1, monitor.stop_signal()).front(), sample)) return chunks.drawn();
  } catch (const Stopped&) {
    if (!monitor.limit_is_over()) throw;
    return chunks.drawn();
  }
  throw CheckError(fmt::format("sample {} of piece {} is another when it is drawn again here",
                               of_others->first, others.piece + 1));
}

/// The ranges of those that the ledger has not, in order, and an empty one at the end.
std::vector<UnitRange> RatioPiece::missing_chunks(const UnitRange& numbers) const {
  std::vector<UnitRange> missing;
  std::uint64_t next = numbers.first;
  if (ledger_ != nullptr) {
    for (const std::uint64_t kept : ledger_->chunks()) {
      if (kept < next || kept >= numbers.last) continue;
      if (kept > next) missing.push_back({next, kept});
      next = kept + 1;
    }
  }
  if (next < numbers.last) missing.push_back({next, numbers.last});
  missing.push_back({numbers.last, numbers.last});
  return missing;
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
