#include "src/matchings/sampled_marginals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/estimate/block_key.hpp"
#include "src/estimate/foretell.hpp"
#include "src/estimate/missed_goal.hpp"
#include "src/estimate/sample_chunks.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/channel.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/matching_check.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/matchings/reported_names.hpp"

namespace countpm {
namespace {

// Streams of these samples are told from those of other uses of a seed.
constexpr std::uint64_t marginal_stream = std::uint64_t{1} << 57;
constexpr double check_confidence = 0.95;
// The time limit ends what is under way so much later.
constexpr double grace_seconds_of_chunks = 0.2;
constexpr double largest_edge_error = 0.5;

void check_sampling(const EdgeSampling& sampling) {
  if (!(sampling.error > 0) || !(sampling.error < largest_edge_error))
    throw UsageError(fmt::format("the standard error of edge probabilities must be above 0 and below {}",
                                 largest_edge_error));
  if (!(sampling.time_limit_seconds > 0)) throw UsageError("the time limit must be above 0 seconds");
}

/// The samples of one piece.
class SampledPiece {
 public:
  SampledPiece(const Piece& piece, std::uint64_t number, const CountOptions& options,
               const EdgeSampling& sampling)
      : piece_(piece),
        entries_(piece),
        sampling_(sampling),
        key_(block_key(piece.block, options.seed)),
        stream_(number | marginal_stream),
        sampler_(make_matching_sampler(
            piece.block,
            sampling.sampler == "auto" ? std::nullopt : std::optional(sampler_named(sampling.sampler)), key_,
            stream_)) {}

  std::string name() const { return std::string(sampler_info(sampler_->kind()).name); }
  const PieceTally& tally() const { return tally_; }
  const SampledMean& mean() const { return mean_; }
  const std::vector<double>& shares() const { return shares_; }
  const std::vector<double>& errors() const { return errors_; }
  const MatchingCheck& check() const { return check_; }

  /// Chunks of samples, each by itself.
  std::vector<PieceTally> tallies(const UnitRange& numbers, int threads, Monitor& monitor) const {
    std::vector<PieceTally> result;
    SampleChunks<PieceTally> chunks([&](std::uint64_t number) { return tally_of(number, monitor); },
                                    [&](PieceTally&& next) { result.push_back(std::move(next)); },
                                    std::numeric_limits<double>::infinity(), monitor);
    chunks.begin_together(numbers.first);
    chunks.draw_some(numbers, threads);
    return result;
  }

  /// Whether the goal was reached before the deadline; then a check by another sampler, here alone. shared:
  /// the other ranks, to which this is piece number `piece`; null: there are none.
  template <class Tell>
  bool draw(double deadline, int threads, Monitor& monitor, SharedRanges* shared, std::size_t piece,
            const Tell& tell) {
    const double now = monitor.elapsed();
    const double end = now + share_before_check(second()) * std::max(deadline - now, 0.0);
    const bool reached = draw_before(end, threads, monitor, shared, piece, tell);
    check_ = check_samples(checked(), second(), check_confidence, deadline, threads, monitor);
    return reached;
  }

  /// The first samples of draw(), until `end`, and what they foretell.
  PieceForecast forecast(double end, int threads, Monitor& monitor) {
    PieceForecast piece = forecast_of(piece_, *sampler_);
    const double begin = monitor.elapsed();
    TrialSamples trials;
    trials.reached = draw_before(end, threads, monitor, nullptr, 0, [](double) {});
    trials.drawn = tally_.moments.samples;
    trials.seconds = monitor.elapsed() - begin;
    trials.goal = {largest_error_ / sampling_.error, mean_.doubt.empty()};
    foretell(trials, sampling_.samples, piece);
    piece.trials = trials.drawn;
    piece.effective_trials = mean_.effective;
    piece.pareto_k = mean_.pareto_k;
    piece.doubt = mean_.doubt;
    foretell_check(checked(), second(), monitor, piece);
    return piece;
  }

 private:
  CheckedSamples checked() const {
    return {piece_.block, *sampler_, mean_, tally_.moments.samples, key_, stream_};
  }

  /// Whether the goal was reached before `end`.
  template <class Tell>
  bool draw_before(double end, int threads, Monitor& monitor, SharedRanges* shared, std::size_t piece,
                   const Tell& tell) {
    SampleChunks<PieceTally> chunks([&](std::uint64_t number) { return tally_of(number, monitor); },
                                    [&](PieceTally&& next) { tally_.join(std::move(next)); }, end, monitor);
    const auto draw_up_to = [&](std::uint64_t wanted) {
      return shared == nullptr ? chunks.draw(wanted, threads)
                               : draw_on_ranks(chunks, wanted, end, threads, monitor, *shared, piece);
    };
    return draw_to_goal(draw_up_to, sampling_.samples, end, monitor, [&](double share) -> ChunkGoal {
      look();
      const double excess = largest_error_ / sampling_.error;
      tell(sampling_.samples > 0 ? share : std::min(1 / (excess * excess), 1.0));
      return {excess, mean_.doubt.empty()};
    });
  }

  /// A sampler that was asked for stands alone.
  SecondOpinion second() const {
    return sampling_.sampler == "auto" ? SecondOpinion::automatic : SecondOpinion::none;
  }

  PieceTally tally_of(std::uint64_t number, Monitor& monitor) const {
    return tally_samples(*sampler_, entries_, number * samples_a_chunk,
                         samples_of_chunk(number, sampling_.samples), monitor.stop_signal());
  }

  /// Whether a chunk is the same again, or the time limit does not let that be known.
  bool drawn_alike(std::uint64_t number, const PieceTally& tally, Monitor& monitor) const {
    try {
      return alike(tally_of(number, monitor), tally);
    } catch (const Stopped&) {
      if (!monitor.limit_is_over()) throw;
      return true;
    }
  }

  /// Chunks up to number `wanted`; returns how many there are then.
  std::uint64_t draw_on_ranks(SampleChunks<PieceTally>& chunks, std::uint64_t wanted, double deadline,
                              int threads, Monitor& monitor, SharedRanges& shared, std::size_t piece) {
    std::optional<std::pair<std::uint64_t, PieceTally>> of_others;  // the last that came
    SharedRanges::Work work;
    work.task = piece;
    work.numbers = {chunks.drawn(), wanted};
    work.own = [&](const UnitRange& numbers) { chunks.draw_some(numbers, threads); };
    work.take = [&](const UnitRange& numbers, const std::string& bytes) {
      std::vector<PieceTally> some = tallies_from_bytes(bytes, numbers.size(), entries_.entries());
      of_others.emplace(numbers.last - 1, some.back());
      for (std::uint64_t k = 0; k < numbers.size(); ++k) chunks.give(numbers.first + k, std::move(some[k]));
    };
    work.ended = [&] { return monitor.elapsed() > deadline; };
    chunks.begin_together(chunks.drawn());
    shared.run(work, monitor);
    if (of_others && monitor.elapsed() < deadline &&
        !drawn_alike(of_others->first, of_others->second, monitor)) {
      throw CheckError(fmt::format("samples {} to {} of piece {} are others when they are drawn again here",
                                   of_others->first * samples_a_chunk,
                                   (of_others->first + 1) * samples_a_chunk - 1, piece + 1));
    }
    return chunks.drawn();
  }

  void look() {
    mean_ = sampled_mean(tally_.moments);
    shares_.assign(entries_.entries(), 0);
    errors_.assign(entries_.entries(), 0);
    largest_error_ = std::numeric_limits<double>::infinity();
    if (!(tally_.weights > 0)) return;
    for (std::size_t k = 0; k < shares_.size(); ++k)
      std::tie(shares_[k], errors_[k]) = tally_.share_of(k, mean_.tail_excess);
    entries_.mirror(shares_);
    entries_.mirror(errors_);
    largest_error_ = errors_.empty() ? 0 : *std::max_element(errors_.begin(), errors_.end());
  }

  const Piece& piece_;
  PieceEntries entries_;
  const EdgeSampling& sampling_;
  std::uint64_t key_;
  std::uint64_t stream_;
  std::unique_ptr<const MatchingSampler> sampler_;
  MatchingCheck check_;
  PieceTally tally_;
  SampledMean mean_;
  std::vector<double> shares_;
  std::vector<double> errors_;
  double largest_error_ = 0;
};

/// What a piece says of all of them.
void take_figures(const SampledPiece& piece, bool first, SampledMarginals& result) {
  const SampledMean& mean = piece.mean();
  const std::uint64_t samples = piece.tally().moments.samples;
  result.samples = first ? samples : std::min(result.samples, samples);
  result.effective_samples = first ? mean.effective : std::min(result.effective_samples, mean.effective);
  result.pareto_k = first ? mean.pareto_k : std::fmax(result.pareto_k, mean.pareto_k);
  if (result.doubt.empty()) result.doubt = mean.doubt;
  if (result.doubt.empty()) result.doubt = piece.check().contradiction;
  add_method(piece.name(), result.sampler);
  if (!piece.check().sampler.empty()) add_method(piece.check().sampler, result.second);
  result.second_samples += piece.check().samples;
}

/// How many times as many the goal is predicted to take; 0: not known.
double wanted_samples(const SampledMarginals& result, const std::vector<double>& errors,
                      const EdgeSampling& sampling) {
  if (sampling.samples > 0)
    return static_cast<double>(sampling.samples) /
           static_cast<double>(std::max<std::uint64_t>(result.samples, 1));
  const double times = errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end()) / sampling.error;
  return result.doubt.empty() && std::isfinite(times) ? times * times : 0;
}

std::string goal_text(const EdgeSampling& sampling) {
  return sampling.samples > 0 ? fmt::format("{} samples", sampling.samples)
                              : fmt::format("a standard error of {:.2g} of every edge", sampling.error);
}

/// Within its error, to two digits of that.
std::string share_text(double share, double error) {
  if (error == 0) return share == 0 ? "0" : "1";
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 17);
  return fmt::format("{:.{}f}", share, places);
}

RangePlan plan_of_samples(const PassInput& input, const CountOptions& options, const EdgeSampling& sampling) {
  return {
      fmt::format("{} samples by {} of {}", sampling.samples, sampling.sampler, pieces_digest(input.pieces)),
      shared_name(input.start.input), options.seed};
}

/// Called with all that is known but the edges, which are in `input`.
using ReportSampled = std::function<void(const PassInput& input, const SampledMarginals& result)>;

SampledMarginals sampled_of(ReadResult read, const CountOptions& options, const EdgeSampling& sampling,
                            Monitor& monitor, const ReportSampled& report) {
  SampledMarginals result;
  result.weighted = read.graph.weight_kind != WeightKind::none;
  result.seed = options.seed;
  result.pareto_k = no_pareto_k;
  PassInput input = prepare_passes(std::move(read), options, monitor);
  const bool none = input.start.violator.has_value();
  const std::vector<Piece>& pieces = input.pieces.pieces;
  std::vector<double> shares(input.instance.pattern.entries(), 0);
  std::vector<double> errors(shares.size(), 0);
  for (const std::uint64_t entry : input.pieces.forced) shares[entry] = 1;
  const int threads = resources_for(options).threads;
  monitor.allow_grace(grace_seconds_of_chunks);
  PassProgress progress(monitor, "marginals", pieces);
  std::optional<SharedRanges> shared;
  if (options.channel != nullptr && !none) {
    if (shared_name(input.start.input).empty())
      throw UsageError("several ranks need an input that each of them can read");
    if (options.channel->ranks() > 1)
      shared.emplace(*options.channel, plan_of_samples(input, options, sampling));
  }
  bool reached = true;
  const double begin = monitor.elapsed();
  for (std::size_t p = 0; p < pieces.size() && !none; ++p) {
    progress.begin(p);
    if (shared) shared->prepare(p);
    SampledPiece piece(pieces[p], p, options, sampling);
    progress.describe(piece.name());
    const double left = std::max(sampling.time_limit_seconds - monitor.elapsed(), 0.0);
    const double deadline = monitor.elapsed() + left / static_cast<double>(pieces.size() - p);
    if (!piece.draw(deadline, threads, monitor, shared ? &*shared : nullptr, p,
                    [&](double share) { progress.set(share); }))
      reached = false;
    take_figures(piece, p == 0, result);
    if (!(piece.tally().weights > 0)) {
      throw UnableError(fmt::format("all of {} samples are zero: they say nothing of the edges",
                                    piece.tally().moments.samples),
                        "--samples and --time-limit allow more of them");
    }
    for (std::size_t k = 0; k < pieces[p].entries.size(); ++k) {
      shares[pieces[p].entries[k]] = piece.shares()[k];
      errors[pieces[p].entries[k]] = piece.errors()[k];
    }
  }
  monitor.lift_limit();
  if (!reached)
    result.goal_missed = missed_text(goal_text(sampling), wanted_samples(result, errors, sampling), begin,
                                     sampling.time_limit_seconds);
  input.start.method = result.sampler;
  if (!none) {
    for (const std::uint64_t entry : entries_of_edges(input.instance, input.edges)) {
      result.probability.push_back(shares[entry]);
      result.error.push_back(errors[entry]);
    }
  }
  if (report) report(input, result);
  result.edge = std::move(input.edges);
  if (none) result.edge.clear();
  static_cast<ListStart&>(result) = std::move(input.start);
  return result;
}

SamplingForecast forecast_with(ReadResult read, const CountOptions& options, const EdgeSampling& sampling,
                               Monitor& monitor) {
  PassInput input = prepare_passes(std::move(read), options, monitor);
  SamplingForecast forecast =
      begin_forecast(SampledQuestion::edge_probabilities, input.start, sampling.time_limit_seconds, options);
  forecast.goal = goal_text(sampling);
  forecast.violator = input.start.violator;
  forecast.notes = input.start.notes;
  if (forecast.violator) return forecast;
  monitor.begin_stage("trial samples", 1);
  const std::vector<Piece>& pieces = input.pieces.pieces;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const double end = monitor.elapsed() + trial_seconds / static_cast<double>(pieces.size());
    forecast.pieces.push_back(
        SampledPiece(pieces[p], p, options, sampling).forecast(end, forecast.threads, monitor));
  }
  add_up(forecast);
  return forecast;
}

CountOptions sampling_options(const CountOptions& options, const EdgeSampling& sampling) {
  CountOptions own = options;
  own.time_limit_seconds = sampling.time_limit_seconds;
  own.device = "cpu";
  own.gpus = 0;
  return own;
}

/// Another rank's pieces, one at a time.
class FollowedSamples {
 public:
  FollowedSamples(const PassInput& input, const CountOptions& options, const EdgeSampling& sampling,
                  Monitor& monitor)
      : input_(input),
        options_(options),
        sampling_(sampling),
        monitor_(monitor),
        threads_(resources_for(options).threads) {}

  void prepare(std::size_t piece) {
    const std::vector<Piece>& pieces = input_.pieces.pieces;
    if (piece >= pieces.size()) throw CheckError("rank 0 asks for samples of no piece");
    if (sampled_ && piece_ == piece) return;
    piece_ = piece;
    sampled_.emplace(pieces[piece], piece, options_, sampling_);
  }

  std::string run(std::size_t piece, const UnitRange& numbers) {
    prepare(piece);
    const std::vector<PieceTally> tallies = sampled_->tallies(numbers, threads_, monitor_);
    monitor_.throw_if_stopped();
    return tallies_to_bytes(tallies);
  }

 private:
  const PassInput& input_;
  const CountOptions& options_;
  const EdgeSampling& sampling_;
  Monitor& monitor_;
  int threads_;
  std::optional<SampledPiece> sampled_;
  std::size_t piece_ = 0;
};

}  // namespace

void follow_sampled_marginals(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options, const EdgeSampling& sampling) {
  check_sampling(sampling);
  CountOptions own = sampling_options(options, sampling);
  own.time_limit_seconds = std::numeric_limits<double>::infinity();  // rank 0 watches it
  check_options(own);
  Monitor monitor(own);
  monitor.explained([&] {
    const PassInput input =
        prepare_passes(read_as_rank_0(source, read_options, *own.channel, monitor), own, monitor);
    if (input.start.violator) return;
    FollowedSamples samples(input, own, sampling, monitor);
    const RangeWorker worker{
        [&](std::size_t piece) { samples.prepare(piece); },
        [&](std::size_t piece, const UnitRange& numbers) { return samples.run(piece, numbers); }};
    follow_ranges(*own.channel, plan_of_samples(input, own, sampling), worker, monitor);
  });
}

SampledMarginals sampled_marginals(ReadResult read, const CountOptions& options,
                                   const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
    return sampled_of(std::move(checked), own, sampling, monitor, nullptr);
  });
}

SampledMarginals sampled_marginals(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& options, const EdgeSampling& sampling,
                                   const MarginalOptions& marginal_options, const SampledEdgeSink& sink) {
  check_sampling(sampling);
  require_sink(sink, "probabilities");
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(source, reading_on_ranks(read_options, own), own, [&](Monitor& monitor, ReadResult read) {
    if (marginal_options.read) marginal_options.read(read.graph);
    return sampled_of(std::move(read), own, sampling, monitor,
                      [&](const PassInput& input, const SampledMarginals& result) {
                        if (marginal_options.started) marginal_options.started(input.start);
                        if (result.probability.empty()) return;
                        const ReportedNames names(input);
                        for (std::size_t e = 0; e < input.edges.size(); ++e) {
                          auto [from, to] = names.of(input.edges[e]);
                          const double error = result.error[e];
                          if (!sink({std::move(from), std::move(to), share_text(result.probability[e], error),
                                     error == 0 ? "0" : fmt::format("{:.2g}", error)}))
                            return;
                        }
                      });
  });
}

SamplingForecast explain_sampled_marginals(const Source& source, const ReadOptions& read_options,
                                           const CountOptions& options, const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(source, read_options, own, [&](Monitor& monitor, ReadResult read) {
    return forecast_with(std::move(read), own, sampling, monitor);
  });
}

SamplingForecast explain_sampled_marginals(ReadResult read, const CountOptions& options,
                                           const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
    return forecast_with(std::move(checked), own, sampling, monitor);
  });
}

}  // namespace countpm
