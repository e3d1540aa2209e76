#include "src/matchings/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "graph/text.hpp"
#include "graph/validate.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/estimate/block_key.hpp"
#include "src/estimate/check_options.hpp"
#include "src/estimate/missed_goal.hpp"
#include "src/estimate/sample_chunks.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/matching_check.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/matchings/ratio_tally.hpp"
#include "src/matchings/union_graph.hpp"
#include "src/structure/analysis.hpp"
#include "src/text/format_duration.hpp"

namespace countpm {
namespace {

constexpr double no_number = -std::numeric_limits<double>::infinity();
// Streams of these samples are told from those of other uses of a seed.
constexpr std::uint64_t ratio_stream = std::uint64_t{1} << 56;
// As of estimates: samples worth more than this share of their number have no tail that could matter.
constexpr double worth_of_steady = 0.5;
constexpr double ratio_grace_seconds = 0.2;
constexpr std::size_t longest_path = 400;
// ln of weights in two graphs that differ by less do by rounding.
constexpr double same_log = 1e-13;

class RatioPiece {
 public:
  RatioPiece(const Piece& piece, const std::vector<double>& log_a, const std::vector<double>& log_b)
      : piece_(piece), entries_(piece) {
    for (const std::uint64_t entry : piece.entries) {
      log_a_.push_back(log_a[entry]);
      log_b_.push_back(log_b[entry]);
    }
    entries_.from_either(log_a_);
    entries_.from_either(log_b_);
  }

  /// Where both have the same weights but for a factor: ln of the quotient, without any sample.
  std::optional<double> known() const {
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

  void prepare(const EstimateOptions& options, std::uint64_t seed, std::uint64_t number) {
    key_ = block_key(piece_.block, seed);
    stream_ = number | ratio_stream;
    sampler_ = make_matching_sampler(piece_.block, options.sampler.kind, key_, stream_);
  }
  std::string name() const { return std::string(sampler_info(sampler_->kind()).name); }

  RatioTally draw(std::uint64_t first, std::uint64_t count, const StopSignal& stop) const {
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

  RatioTally tally;
  SampledMean mean_a;
  SampledMean mean_b;
  RatioTail tail;
  MatchingCheck check;

  void look() {
    mean_a = sampled_mean(tally.moments_a);
    mean_b = sampled_mean(tally.moments_b);
  }
  /// After look(). O(samples).
  void look_at_tail() {
    if (has_both()) tail = tail_of(tally, steady());
  }
  /// Samples of another sampler, of what both graphs have.
  void check_by_another(SecondOpinion how, double confidence, double deadline, int threads,
                        Monitor& monitor) {
    const SampledMean mean = sampled_mean(tally.moments_both);
    check = check_samples({piece_.block, *sampler_, mean, tally.moments_both.samples, key_, stream_}, how,
                          confidence, deadline, threads, monitor);
  }
  bool has_both() const { return tally.a > 0 && tally.b > 0; }
  /// Of ln of the quotient, but for what was not met.
  double variance() const {
    if (!has_both()) return std::numeric_limits<double>::infinity();
    const auto samples = static_cast<double>(tally.moments_a.samples);
    return tally.variance() * std::max(missing_factor(mean_a, samples), missing_factor(mean_b, samples));
  }
  double unseen() const { return std::max(mean_a.unseen, mean_b.unseen); }
  std::string doubt() const {
    if (!mean_a.doubt.empty()) return mean_a.doubt;
    if (!mean_b.doubt.empty()) return mean_b.doubt;
    if (tail.pareto_k > largest_pareto_k && !steady())
      return fmt::format(
          "the tail of differences of {} samples is too heavy for an interval: Pareto k {:.2f}, above {}",
          tally.moments_a.samples, tail.pareto_k, largest_pareto_k);
    return check.contradiction;
  }

 private:
  bool steady() const {
    return std::min(mean_a.effective, mean_b.effective) >=
           worth_of_steady * static_cast<double>(tally.moments_a.samples);
  }

  const Piece& piece_;
  std::uint64_t key_ = 0;
  std::uint64_t stream_ = 0;
  PieceEntries entries_;
  std::vector<double> log_a_;
  std::vector<double> log_b_;
  std::unique_ptr<const MatchingSampler> sampler_;
};

/// Both counted, where that takes no longer than it may: A over B. Empty: it takes longer, or a number is
/// none that divides exactly.
std::optional<mpq_class> counted_ratio(const ReadResult& a, const ReadResult& b, const CountOptions& options,
                                       double seconds) {
  CountOptions quick = options;
  quick.time_limit_seconds = seconds;
  std::vector<mpq_class> counts;
  for (const ReadResult* one : {&a, &b}) {
    try {
      ReadResult exactly(*one);
      // Decimals are kept as the fractions that they spell.
      if (exactly.graph.weight_kind == WeightKind::real) exactly.graph.weight_kind = WeightKind::rational;
      const CountResult result = count(std::move(exactly), quick);
      if (const auto* integer = std::get_if<mpz_class>(&result.value)) {
        counts.emplace_back(*integer);
      } else if (const auto* fraction = std::get_if<mpq_class>(&result.value)) {
        counts.push_back(*fraction);
      } else {
        return std::nullopt;
      }
    } catch (const UnableError&) {
      return std::nullopt;
    }
  }
  return mpq_class(counts[0] / counts[1]);
}

bool has_perfect_matching(const ReadResult& read, Monitor& monitor) {
  const Instance instance = instance_of(Graph(read.graph), MatchingSize::perfect);
  std::vector<std::string> notes;
  return !analyse(
              instance, read.info, [&monitor] { monitor.throw_if_stopped(); }, notes)
              .violator.has_value();
}

class RatioRun {
 public:
  RatioRun(const EstimateOptions& options, const CountOptions& count_options, Monitor& monitor,
           RatioResult& result)
      : options_(options), count_options_(count_options), monitor_(monitor), result_(result) {}

  void run(UnionGraph all) {
    ReadResult read;
    read.graph = std::move(all.graph);
    read.info = result_.input;
    PassInput input = prepare_passes(std::move(read), count_options_, monitor_);
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
    sample();
    report();
  }

 private:
  static constexpr double no_entry = std::numeric_limits<double>::quiet_NaN();

  /// The standard error that is asked for.
  double goal() const {
    if (options_.log_error) return *options_.log_error;
    return std::log1p(options_.relative_error) / two_sided_quantile(options_.confidence);
  }

  /// Of ln of the quotient, with what walks may not have met.
  double error() const {
    double variance = 0;
    double unseen = 0;
    for (const RatioPiece& piece : pieces_) {
      variance += piece.variance();
      unseen += piece.unseen();
    }
    return std::sqrt(variance + unseen * unseen);
  }

  void sample() {
    const double begin = monitor_.elapsed();
    monitor_.allow_grace(ratio_grace_seconds);
    monitor_.begin_stage("ratio", 1);
    double told = 0;
    const auto pieces = static_cast<double>(std::max<std::size_t>(pieces_.size(), 1));
    const double share_of_error = goal() / std::sqrt(pieces);
    bool reached = true;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      RatioPiece& piece = pieces_[p];
      monitor_.describe(piece.name(), p + 1, pieces_.size());
      const double left = std::max(options_.time_limit_seconds - monitor_.elapsed(), 0.0);
      const double deadline = monitor_.elapsed() + left / (pieces - static_cast<double>(p));
      if (!sample(piece, share_of_error, pieces, deadline)) reached = false;
      const double now = (static_cast<double>(p) + 1) / pieces;
      monitor_.finish(now - std::exchange(told, now));
    }
    monitor_.lift_limit();
    if (!reached && !(options_.samples == 0 && trusted() && goal_error() <= goal()))
      result_.goal_missed = missed(begin);
  }

  /// In words; sampling began then.
  std::string missed(double begin) const {
    const double limit = options_.time_limit_seconds;
    const double wanted = wanted_samples();
    return fmt::format("the goal of {} was not reached within the time limit of {}{}",
                       options_.samples > 0
                           ? fmt::format("{} samples", options_.samples)
                           : fmt::format("a standard error of {:.2g} in ln of the ratio", goal()),
                       format_duration(limit), advice(wanted, advised_seconds(wanted, begin, limit)));
  }

  /// How many times as many the goal is predicted to take; 0: not known.
  double wanted_samples() const {
    if (options_.samples > 0) {
      std::uint64_t fewest = options_.samples;
      for (const RatioPiece& piece : pieces_) fewest = std::min(fewest, piece.tally.moments_a.samples);
      return static_cast<double>(options_.samples) / static_cast<double>(std::max<std::uint64_t>(fewest, 1));
    }
    const double times = goal_error() / goal();
    return trusted() && std::isfinite(times) ? times * times : 0;
  }

  /// The error, and what the tails may add to an end of the interval.
  double goal_error() const {
    double tails = 0;
    for (const RatioPiece& piece : pieces_) tails += std::max(piece.tail.above, piece.tail.below);
    return error() + tails / two_sided_quantile(options_.confidence);
  }

  bool trusted() const {
    return std::all_of(pieces_.begin(), pieces_.end(),
                       [](const RatioPiece& piece) { return piece.doubt().empty(); });
  }

  bool sample(RatioPiece& piece, double goal, double pieces, double deadline) {
    const double now = monitor_.elapsed();
    const double end = now + share_before_check(second()) * std::max(deadline - now, 0.0);
    SampleChunks<RatioTally> chunks(
        [&](std::uint64_t number) {
          return piece.draw(number * samples_a_chunk, samples_of_chunk(number, options_.samples),
                            monitor_.stop_signal());
        },
        [&](RatioTally&& next) { piece.tally.join(std::move(next)); }, end, monitor_);
    const double errors = two_sided_quantile(options_.confidence);
    const auto draw_up_to = [&](std::uint64_t wanted) { return chunks.draw(wanted, result_.threads); };
    const bool reached = draw_to_goal(draw_up_to, options_.samples, end, monitor_, [&](double) -> ChunkGoal {
      piece.look();
      // What was not met adds up over pieces, errors do so in squares.
      const double unseen = piece.unseen() * std::sqrt(pieces);
      double error = std::sqrt(piece.variance() + unseen * unseen);
      if (options_.samples > 0 || error <= goal) {
        piece.look_at_tail();
        error += std::max(piece.tail.above, piece.tail.below) * std::sqrt(pieces) / errors;
      }
      return {error / goal, piece.doubt().empty()};
    });
    piece.look_at_tail();
    piece.check_by_another(second(), options_.confidence, deadline, result_.threads, monitor_);
    return reached;
  }

  /// A sampler that was asked for stands alone, unless a check was asked for, too.
  SecondOpinion second() const {
    const bool unasked = options_.second == SecondOpinion::automatic;
    return unasked && options_.sampler.kind ? SecondOpinion::none : options_.second;
  }

  void report() {
    result_.log = known_;
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
      result_.log += piece.tally.log_ratio();
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
    result_.log_error = error();
    const double apart = two_sided_quantile(options_.confidence) * result_.log_error;
    result_.low = result_.log - apart - below;
    result_.high = result_.log + apart + above;
  }

  const EstimateOptions& options_;
  const CountOptions& count_options_;
  Monitor& monitor_;
  RatioResult& result_;
  std::vector<RatioPiece> pieces_;
  double known_ = 0;  // ln of what no sample is needed for
};

void check_ratio_options(const EstimateOptions& options) {
  check_estimate_options(options);
  if (options.guarantee) throw UsageError("a ratio and a guarantee exclude each other");
  if (options.replicates > 1) throw UsageError("a ratio and replicates exclude each other");
  if (options.weights) throw UsageError("a ratio and the weights of samples exclude each other");
  if (options.device == "gpu" || options.gpus > 0)
    throw UsageError("ratios are the CPU's work: without --device gpu and --gpus");
  if (options.sampler.kind && !draws_any_graph(*options.sampler.kind))
    throw UsageError("ratios are sampled by boundary, bethe or annealed");
}

void refuse_problems(const Graph& graph) {
  refuse_covers(graph, "ratios");
  refuse_letter(graph, "ratios");
  require_own_matchings(graph, "ratios");
  if (graph.monomers)
    throw UnableError("ratios are of perfect matchings and cycle covers, and here vertices may stay alone",
                      "'countpm estimate' of each says how many matchings there are");
}

}  // namespace

RatioResult ratio(ReadResult a, ReadResult b, const CountOptions& count_options,
                  const EstimateOptions& options) {
  check_ratio_options(options);
  const double begin = seconds_now();
  CountOptions own = monitored(count_options, options);
  own.matchings = MatchingSize::perfect;
  check_options(own);
  for (const ReadResult* one : {&a, &b}) {
    validate(one->graph, one->info.path);
    refuse_problems(one->graph);
  }
  RatioResult result;
  summarise_input(a.graph, a.info, result);
  result.problem = to_instance(a.graph).problem;
  result.other = b.info;
  result.weighted = a.graph.weight_kind != WeightKind::none || b.graph.weight_kind != WeightKind::none;
  result.confidence = options.confidence;
  result.seed = count_options.seed;
  result.pareto_k = no_pareto_k;
  UnionGraph all = unite(a, b);
  {
    Monitor monitor(own);
    monitor.explained([&] {
      monitor.enter("looking at the graphs' structure");
      if (!has_perfect_matching(b, monitor))
        throw UnableError(
            quoted(b.info.path, longest_path) + " has no perfect matching: there is no ratio to it",
            "'countpm' says why there is none");
      if (!has_perfect_matching(a, monitor)) result.exact = mpq_class(0);
    });
  }
  if (!result.exact && !options.all_sampled && options.exact_below_seconds > 0) {
    CountOptions of_count = own;
    of_count.progress = nullptr;
    result.exact = counted_ratio(a, b, of_count, options.exact_below_seconds);
  }
  if (result.exact) {
    const mpq_class& exact = *result.exact;
    result.log = result.low = result.high = exact == 0 ? no_number : log_of_positive(exact);
  } else {
    own.time_limit_seconds = std::max(options.time_limit_seconds - (seconds_now() - begin), 0.1);
    EstimateOptions left = options;
    left.time_limit_seconds = own.time_limit_seconds;
    Monitor monitor(own);
    monitor.explained([&] { RatioRun(left, own, monitor, result).run(std::move(all)); });
  }
  result.seconds = seconds_now() - begin;
  return result;
}

RatioResult ratio(const Source& a, const Source& b, const ReadOptions& read_options,
                  const CountOptions& count_options, const EstimateOptions& options) {
  check_ratio_options(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  std::vector<ReadResult> read;
  {
    Monitor monitor(own);
    monitor.explained([&] {
      monitor.enter("reading the input");
      for (const Source* source : {&a, &b}) read.push_back(read_graph(*source, read_options));
      monitor.throw_if_stopped();
    });
  }
  return ratio(std::move(read[0]), std::move(read[1]), count_options, options);
}

}  // namespace countpm
