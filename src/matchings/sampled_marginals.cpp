#include "src/matchings/sampled_marginals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "graph/sha256.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/channel.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/edge_names.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/matchings/reported_names.hpp"
#include "src/matchings/sampled_piece.hpp"
#include "src/sampling/foretell.hpp"
#include "src/sampling/missed_goal.hpp"

namespace countpm {
namespace {

// The time limit ends what is under way so much later.
constexpr double grace_seconds_of_chunks = 0.2;
constexpr double largest_edge_error = 0.5;

void check_sampling(const EdgeSampling& sampling) {
  if (!(sampling.error > 0) || !(sampling.error < largest_edge_error))
    throw UsageError(fmt::format("the standard error of edge probabilities must be above 0 and below {}",
                                 largest_edge_error));
  if (!(sampling.time_limit_seconds > 0)) throw UsageError("the time limit must be above 0 seconds");
}

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
double wanted_samples(const SampledMarginals& result, double largest_error, const EdgeSampling& sampling) {
  if (sampling.samples > 0)
    return static_cast<double>(sampling.samples) /
           static_cast<double>(std::max<std::uint64_t>(result.samples, 1));
  const double times = largest_error / sampling.error;
  return result.doubt.empty() && std::isfinite(times) ? times * times : 0;
}

std::string goal_text(const EdgeSampling& sampling, bool pairs) {
  return sampling.samples > 0 ? fmt::format("{} samples", sampling.samples)
                              : fmt::format("a standard error of {:.2g} of every edge{}", sampling.error,
                                            pairs ? " and pair" : "");
}

/// Within its error, to two digits of that.
std::string share_text(double share, double error) {
  if (error == 0) return share == 0 ? "0" : "1";
  const int places = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 17);
  std::string text = fmt::format("{:.{}f}", share, places);
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return text;
}

RangePlan plan_of_samples(const PassInput& input, const CountOptions& options, const EdgeSampling& sampling,
                          const PlacePairs& pairs) {
  Sha256 sum;
  for (const auto& [first, second] : pairs) {
    sum.update_number(first);
    sum.update_number(second);
  }
  return {
      fmt::format("{} samples by {} of {}{}", sampling.samples, sampling.sampler, pieces_digest(input.pieces),
                  pairs.empty() ? "" : fmt::format(" and of {} pairs, {}", pairs.size(), sum.digest())),
      shared_name(input.start.input), options.seed};
}

/// Pairs of edges, and which piece has both edges of each.
class PlacedPairs {
 public:
  PlacedPairs(const PassInput& input, const PlacePairs& pairs) : of_piece_(input.pieces.pieces.size()) {
    if (pairs.empty() || input.start.violator) return;
    const std::size_t all = input.instance.pattern.entries();
    std::vector<std::size_t> piece(all, of_piece_.size());  // of none
    std::vector<std::size_t> place(all, 0);
    for (std::size_t p = 0; p < of_piece_.size(); ++p) {
      const std::vector<std::uint64_t>& entries = input.pieces.pieces[p].entries;
      for (std::size_t k = 0; k < entries.size(); ++k) {
        piece[entries[k]] = p;
        place[entries[k]] = k;
      }
    }
    const std::vector<std::uint64_t> entry = entries_of_edges(input.instance, input.edges);
    for (const auto& [first, second] : pairs) {
      const std::uint64_t a = entry[first];
      const std::uint64_t b = entry[second];
      Pair pair{a, b, piece[a], 0};
      if (piece[a] != piece[b]) pair.piece = of_piece_.size();
      if (pair.piece < of_piece_.size()) {
        pair.number = of_piece_[pair.piece].size();
        of_piece_[pair.piece].emplace_back(place[a], place[b]);
      }
      pairs_.push_back(pair);
    }
  }

  const std::vector<EntryPair>& of_piece(std::size_t piece) const { return of_piece_[piece]; }

  /// In the order of the pairs. Edges of different pieces, and those that the structure settles, are
  /// independent.
  std::vector<PairShares> shares(const std::vector<std::vector<PairShares>>& in_pieces,
                                 const std::vector<double>& share, const std::vector<double>& error) const {
    std::vector<PairShares> all;
    for (const Pair& pair : pairs_) {
      if (pair.piece < in_pieces.size()) {
        all.push_back(in_pieces[pair.piece][pair.number]);
        continue;
      }
      PairShares apart;
      apart.joint = share[pair.first] * share[pair.second];
      apart.joint_error =
          std::hypot(share[pair.first] * error[pair.second], share[pair.second] * error[pair.first],
                     error[pair.first] * error[pair.second]);
      all.push_back(apart);
    }
    return all;
  }

 private:
  struct Pair {
    std::uint64_t first = 0;  // entries
    std::uint64_t second = 0;
    std::size_t piece = 0;   // that has both; their number: none has
    std::size_t number = 0;  // in of_piece_
  };
  std::vector<Pair> pairs_;
  std::vector<std::vector<EntryPair>> of_piece_;
};

/// Called with all that is known but the edges, which are in `input`.
using ReportSampled = std::function<void(const PassInput& input, const SampledPairMarginals& result)>;

SampledPairMarginals sampled_of(ReadResult read, const PlacePairs& pairs, const CountOptions& options,
                                const EdgeSampling& sampling, Monitor& monitor, const ReportSampled& report) {
  SampledPairMarginals result;
  result.seed = options.seed;
  result.pareto_k = no_pareto_k;
  PassInput input = prepare_passes(std::move(read), options, monitor);
  const bool none = input.start.violator.has_value();
  const std::vector<Piece>& pieces = input.pieces.pieces;
  const PlacedPairs placed(input, pairs);
  std::vector<std::vector<PairShares>> in_pieces(pieces.size());
  std::vector<double> shares(input.instance.pattern.entries(), 0);
  std::vector<double> errors(shares.size(), 0);
  double largest_error = 0;
  for (const std::uint64_t entry : input.pieces.forced) shares[entry] = 1;
  const int threads = resources_for(options).threads;
  monitor.allow_grace(grace_seconds_of_chunks);
  PassProgress progress(monitor, "marginals", pieces);
  std::optional<SharedRanges> shared;
  if (options.channel != nullptr && !none) {
    if (shared_name(input.start.input).empty())
      throw UsageError("several ranks need an input that each of them can read");
    if (options.channel->ranks() > 1)
      shared.emplace(*options.channel, plan_of_samples(input, options, sampling, pairs));
  }
  bool reached = true;
  const double begin = monitor.elapsed();
  for (std::size_t p = 0; p < pieces.size() && !none; ++p) {
    progress.begin(p);
    if (shared) shared->prepare(p);
    SampledPiece piece(pieces[p], p, options, sampling, placed.of_piece(p));
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
    in_pieces[p] = piece.pair_shares();
    largest_error = std::max(largest_error, piece.largest_error());
  }
  monitor.lift_limit();
  if (!reached)
    result.goal_missed =
        missed_text(goal_text(sampling, !pairs.empty()), wanted_samples(result, largest_error, sampling),
                    begin, sampling.time_limit_seconds);
  input.start.method = result.sampler;
  if (!none) {
    for (const std::uint64_t entry : entries_of_edges(input.instance, input.edges)) {
      result.probability.push_back(shares[entry]);
      result.error.push_back(errors[entry]);
    }
    result.pairs = placed.shares(in_pieces, shares, errors);
  }
  if (report) report(input, result);
  result.edge = std::move(input.edges);
  if (none) result.edge.clear();
  static_cast<ListStart&>(result) = std::move(input.start);
  return result;
}

SamplingForecast forecast_with(ReadResult read, const PlacePairs& pairs, const CountOptions& options,
                               const EdgeSampling& sampling, Monitor& monitor) {
  PassInput input = prepare_passes(std::move(read), options, monitor);
  SamplingForecast forecast =
      begin_forecast(SampledQuestion::edge_probabilities, input.start, sampling.time_limit_seconds, options);
  forecast.goal = goal_text(sampling, !pairs.empty());
  forecast.violator = input.start.violator;
  forecast.notes = input.start.notes;
  if (forecast.violator) return forecast;
  const PlacedPairs placed(input, pairs);
  monitor.begin_stage("trial samples", 1);
  const std::vector<Piece>& pieces = input.pieces.pieces;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const double end = monitor.elapsed() + trial_seconds / static_cast<double>(pieces.size());
    forecast.pieces.push_back(SampledPiece(pieces[p], p, options, sampling, placed.of_piece(p))
                                  .forecast(end, forecast.threads, monitor));
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
  FollowedSamples(const PassInput& input, const PlacePairs& pairs, const CountOptions& options,
                  const EdgeSampling& sampling, Monitor& monitor)
      : input_(input),
        placed_(input, pairs),
        options_(options),
        sampling_(sampling),
        monitor_(monitor),
        threads_(resources_for(options).threads) {}

  void prepare(std::size_t piece) {
    const std::vector<Piece>& pieces = input_.pieces.pieces;
    if (piece >= pieces.size()) throw CheckError("rank 0 asks for samples of no piece");
    if (sampled_ && piece_ == piece) return;
    piece_ = piece;
    sampled_.emplace(pieces[piece], piece, options_, sampling_, placed_.of_piece(piece));
  }

  std::string run(std::size_t piece, const UnitRange& numbers) {
    prepare(piece);
    const std::vector<PieceTally> tallies = sampled_->tallies(numbers, threads_, monitor_);
    monitor_.throw_if_stopped();
    return tallies_to_bytes(tallies);
  }

 private:
  const PassInput& input_;
  PlacedPairs placed_;
  const CountOptions& options_;
  const EdgeSampling& sampling_;
  Monitor& monitor_;
  int threads_;
  std::optional<SampledPiece> sampled_;
  std::size_t piece_ = 0;
};

SampledMarginals without_pairs(SampledPairMarginals result) {
  return std::move(static_cast<SampledMarginals&>(result));
}

std::string error_text(double error) {
  return error == 0 ? "0" : fmt::format("{:.2g}", error);
}

/// Which pairs a graph's are.
using FindPairs = std::function<PlacePairs(const Graph& graph)>;

void follow_samples(GraphQuestion question, const Source& source, const ReadOptions& read_options,
                    const CountOptions& options, const EdgeSampling& sampling, const FindPairs& find) {
  check_sampling(sampling);
  CountOptions own = sampling_options(options, sampling);
  own.time_limit_seconds = std::numeric_limits<double>::infinity();  // rank 0 watches it
  check_options(own);
  Monitor monitor(own);
  monitor.explained([&] {
    ReadResult read = read_as_rank_0(source, read_options, *own.channel, monitor);
    refuse_kinds(question, read.graph, read.info, own);
    const PlacePairs pairs = find(read.graph);
    const PassInput input = prepare_passes(std::move(read), own, monitor);
    if (input.start.violator) return;
    FollowedSamples samples(input, pairs, own, sampling, monitor);
    const RangeWorker worker{
        [&](std::size_t piece) { samples.prepare(piece); },
        [&](std::size_t piece, const UnitRange& numbers) { return samples.run(piece, numbers); }};
    follow_ranges(*own.channel, plan_of_samples(input, own, sampling, pairs), worker, monitor);
  });
}

}  // namespace

void follow_sampled_marginals(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options, const EdgeSampling& sampling) {
  follow_samples(GraphQuestion::marginals, source, read_options, options, sampling,
                 [](const Graph&) { return PlacePairs(); });
}

void follow_sampled_pair_marginals(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& options, const EdgeSampling& sampling,
                                   const MarginalOptions& marginal_options, const PairRequest& request) {
  follow_samples(GraphQuestion::pairs, source, read_options, options, sampling, [&](const Graph& graph) {
    if (marginal_options.read) marginal_options.read(graph);
    return places_of(request, graph, EdgeNames(graph));
  });
}

SampledMarginals sampled_marginals(ReadResult read, const CountOptions& options,
                                   const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return without_pairs(
      with_graph(GraphQuestion::marginals, std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
        return sampled_of(std::move(checked), {}, own, sampling, monitor, nullptr);
      }));
}

SampledMarginals sampled_marginals(const Source& source, const ReadOptions& read_options,
                                   const CountOptions& options, const EdgeSampling& sampling,
                                   const MarginalOptions& marginal_options, const SampledEdgeSink& sink) {
  check_sampling(sampling);
  require_sink(sink, "probabilities");
  const CountOptions own = sampling_options(options, sampling);
  const ReportSampled report = [&](const PassInput& input, const SampledPairMarginals& result) {
    if (marginal_options.started) marginal_options.started(input.start);
    if (result.probability.empty()) return;
    const ReportedNames names(input);
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
      auto [from, to] = names.of(input.edges[e]);
      const double error = result.error[e];
      if (!sink(
              {std::move(from), std::move(to), share_text(result.probability[e], error), error_text(error)}))
        return;
    }
  };
  return without_pairs(with_graph(GraphQuestion::marginals, source, reading_on_ranks(read_options, own), own,
                                  [&](Monitor& monitor, ReadResult read) {
                                    if (marginal_options.read) marginal_options.read(read.graph);
                                    return sampled_of(std::move(read), {}, own, sampling, monitor, report);
                                  }));
}

SampledPairMarginals sampled_pair_marginals(ReadResult read, const PlacePairs& pairs,
                                            const CountOptions& options, const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(GraphQuestion::pairs, std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
    require_places(pairs, checked.graph.edges.size());
    return sampled_of(std::move(checked), pairs, own, sampling, monitor, nullptr);
  });
}

SampledPairMarginals sampled_pair_marginals(const Source& source, const ReadOptions& read_options,
                                            const CountOptions& options, const EdgeSampling& sampling,
                                            const MarginalOptions& marginal_options,
                                            const PairRequest& request, const SampledPairSink& sink) {
  check_sampling(sampling);
  require_sink(sink, "pairs of edges");
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(
      GraphQuestion::pairs, source, reading_on_ranks(read_options, own), own,
      [&](Monitor& monitor, ReadResult read) {
        if (marginal_options.read) marginal_options.read(read.graph);
        const Graph graph = read.graph;
        const EdgeNames names(graph);
        const PlacePairs pairs = places_of(request, graph, names);
        return sampled_of(
            std::move(read), pairs, own, sampling, monitor,
            [&](const PassInput& input, const SampledPairMarginals& result) {
              if (marginal_options.started) marginal_options.started(input.start);
              const auto edge = [&](std::uint64_t place) -> SampledEdge {
                const double error = result.error[place];
                EdgeProbability one = names.reported(place, share_text(result.probability[place], error));
                return {std::move(one.from), std::move(one.to), std::move(one.probability),
                        error_text(error)};
              };
              for (std::size_t k = 0; k < result.pairs.size(); ++k) {
                const PairShares& pair = result.pairs[k];
                if (!sink({edge(pairs[k].first), edge(pairs[k].second),
                           share_text(pair.joint, pair.joint_error), error_text(pair.joint_error),
                           share_text(pair.covariance, pair.covariance_error),
                           error_text(pair.covariance_error)}))
                  return;
              }
            });
      });
}

SamplingForecast explain_sampled_marginals(const Source& source, const ReadOptions& read_options,
                                           const CountOptions& options, const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(GraphQuestion::marginals, source, read_options, own,
                    [&](Monitor& monitor, ReadResult read) {
                      return forecast_with(std::move(read), {}, own, sampling, monitor);
                    });
}

SamplingForecast explain_sampled_marginals(ReadResult read, const CountOptions& options,
                                           const EdgeSampling& sampling) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(GraphQuestion::marginals, std::move(read), own,
                    [&](Monitor& monitor, ReadResult checked) {
                      return forecast_with(std::move(checked), {}, own, sampling, monitor);
                    });
}

SamplingForecast explain_sampled_pair_marginals(const Source& source, const ReadOptions& read_options,
                                                const CountOptions& options, const EdgeSampling& sampling,
                                                const MarginalOptions& marginal_options,
                                                const PairRequest& request) {
  check_sampling(sampling);
  const CountOptions own = sampling_options(options, sampling);
  return with_graph(GraphQuestion::pairs, source, read_options, own, [&](Monitor& monitor, ReadResult read) {
    if (marginal_options.read) marginal_options.read(read.graph);
    const PlacePairs pairs = places_of(request, read.graph, EdgeNames(read.graph));
    return forecast_with(std::move(read), pairs, own, sampling, monitor);
  });
}

}  // namespace countpm
