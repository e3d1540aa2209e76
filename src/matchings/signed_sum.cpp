#include "src/matchings/signed_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "graph/clock.hpp"
#include "graph/validate.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/input/report.hpp"
#include "src/input/with_graph.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/matching_check.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/matchings/ratio_journal.hpp"
#include "src/matchings/signed_tally.hpp"
#include "src/matchings/union_graph.hpp"
#include "src/sampling/block_key.hpp"
#include "src/sampling/check_options.hpp"
#include "src/sampling/missed_goal.hpp"
#include "src/sampling/sample_chunks.hpp"

namespace countpm {
namespace {

using Complex = std::complex<double>;

// Streams of these samples are told from those of other uses of a seed.
constexpr std::uint64_t signed_stream = std::uint64_t{1} << 53;
constexpr unsigned bits_of_absolute = 128;
constexpr double grace_of_signed_samples = 0.2;
constexpr const char* question = "signed sums";

/// The graph with the absolute values of its weights, and what each edge's weight is over that.
struct SignedGraph {
  ReadResult absolute;
  std::vector<Complex> sign;
};

mpq_class absolute_of(const ComplexRational& weight) {
  if (weight.im == 0) return abs(weight.re);
  if (weight.re == 0) return abs(weight.im);
  const mpf_class square(mpq_class(weight.re * weight.re + weight.im * weight.im), bits_of_absolute);
  const mpf_class root(sqrt(square), bits_of_absolute);
  return mpq_class(root);
}

ComplexRational weight_at(const Values& values, std::size_t edge) {
  return std::visit(
      [&](const auto& list) -> ComplexRational {
        using List = std::decay_t<decltype(list)>;
        if constexpr (std::is_same_v<List, std::monostate>) {
          return {1, 0};
        } else if constexpr (std::is_same_v<List, std::vector<ComplexRational>>) {
          return list[edge];
        } else if constexpr (std::is_same_v<List, std::vector<std::int64_t>>) {
          return {mpq_class(static_cast<std::int64_t>(list[edge])), 0};
        } else {
          return {list[edge], 0};
        }
      },
      values);
}

SignedGraph signed_graph(const ReadResult& read) {
  SignedGraph graph{read, {}};
  std::vector<mpq_class> values;
  for (std::size_t e = 0; e < read.graph.edges.size(); ++e) {
    const ComplexRational weight = weight_at(read.graph.values, e);
    const mpq_class absolute = absolute_of(weight);
    graph.sign.emplace_back(mpq_class(weight.re / absolute).get_d(), mpq_class(weight.im / absolute).get_d());
    values.push_back(absolute);
  }
  graph.absolute.graph.values = std::move(values);
  graph.absolute.graph.weight_kind = WeightKind::rational;
  return graph;
}

/// What each piece is to reach.
struct SignedGoal {
  const EstimateOptions& options;
  double pieces = 1;  // errors add up in squares over them

  /// How many times too large the error of such a mean is.
  double excess(const SignedMean& mean) const {
    const double size = std::abs(mean.sign);
    const double reach = options.ln_error
                             ? std::sqrt(mean.error_square())
                             : two_sided_quantile(options.confidence) * std::sqrt(mean.variance) +
                                   mean.missed * std::sqrt(pieces);
    const double wanted = options.ln_error.value_or(options.relative_error) / std::sqrt(pieces);
    return reach / (size * wanted);
  }
};

/// The samples of one piece.
class SignedPiece {
 public:
  SignedPiece(const Piece& piece, std::uint64_t number, const std::vector<double>& re,
              const std::vector<double>& im, const CountOptions& options, const EstimateOptions& sampling)
      : piece_(piece),
        entries_(piece),
        sampling_(sampling),
        key_(block_key(piece.block, options.seed)),
        stream_(number | signed_stream),
        sampler_(make_matching_sampler(piece.block, sampling.sampler.kind, key_, stream_)) {
    std::vector<double> real;
    std::vector<double> imaginary;
    for (const std::uint64_t entry : piece.entries) {
      real.push_back(re[entry]);
      imaginary.push_back(im[entry]);
    }
    entries_.from_either(real);
    entries_.from_either(imaginary);
    for (std::size_t k = 0; k < real.size(); ++k) sign_.emplace_back(real[k], imaginary[k]);
  }

  std::string name() const { return std::string(sampler_info(sampler_->kind()).name); }

  /// Whether the goal was reached before the deadline; then a check by another sampler.
  bool draw(const SignedGoal& goal, double deadline, int threads, Monitor& monitor) {
    const double now = monitor.elapsed();
    const double end = now + share_before_check(second()) * std::max(deadline - now, 0.0);
    SampleChunks<SignedTally> chunks([&](std::uint64_t number) { return tally_of(number, monitor); },
                                     [&](SignedTally&& next) { tally.join(next); }, end, monitor);
    const bool reached = draw_to_goal([&](std::uint64_t wanted) { return chunks.draw(wanted, threads); },
                                      sampling_.samples, end, monitor,
                                      [&](double) -> ChunkGoal {
                                        if (!(tally.weights > 0)) return {infinite, false};
                                        mean = signed_mean(tally);
                                        return {goal.excess(mean), mean.weight.doubt.empty()};
                                      });
    if (tally.weights > 0)
      check = check_samples({piece_.block, *sampler_, mean.weight, tally.moments.samples, key_, stream_},
                            second(), sampling_.confidence, deadline, threads, monitor);
    return reached;
  }

  SignedTally tally;
  SignedMean mean;
  MatchingCheck check;

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// A sampler that was asked for stands alone, unless a check was asked for, too.
  SecondOpinion second() const {
    const bool unasked = sampling_.second == SecondOpinion::automatic;
    return unasked && sampling_.sampler.kind ? SecondOpinion::none : sampling_.second;
  }

  SignedTally tally_of(std::uint64_t number, Monitor& monitor) const {
    SignedTally drawn;
    sampler_->draw(number * samples_a_chunk, samples_of_chunk(number, sampling_.samples),
                   monitor.stop_signal(), [&](double ln, const VertexPairs& matching) {
                     Complex sign = 1;
                     if (std::isfinite(ln)) {
                       for (const auto& [u, v] : matching) sign *= sign_[entries_.entry_of(u, v)];
                     }
                     drawn.add(ln, sign);
                     return true;
                   });
    return drawn;
  }

  const Piece& piece_;
  PieceEntries entries_;
  const EstimateOptions& sampling_;
  std::uint64_t key_;
  std::uint64_t stream_;
  std::unique_ptr<const MatchingSampler> sampler_;
  std::vector<Complex> sign_;  // of an entry
};

/// Independent means multiply: |Z|^2 and the square of its error grow to products of sums.
class SignedProduct {
 public:
  void take(const SignedPiece& piece) {
    const SignedMean& mean = piece.mean;
    const double size = std::norm(mean.sign);
    sign *= mean.sign;
    ln_absolute += mean.weight.log_mean;
    absolute_variance += mean.weight.variance;
    unseen += mean.weight.unseen;
    squares_ *= size;
    with_variance_ *= size + mean.variance;
    with_error_ *= size + mean.error_square();
    with_sign_variance_ *= size + mean.sign_variance + mean.weight.unseen * mean.weight.unseen;
    missed_.emplace_back(mean.missed, std::sqrt(size + mean.error_square()));
  }
  double error() const { return root_of(with_error_); }
  double sign_error() const { return root_of(with_sign_variance_); }
  double reach(double confidence) const {
    double missed = 0;
    for (std::size_t p = 0; p < missed_.size(); ++p) {
      double others = missed_[p].first;
      for (std::size_t q = 0; q < missed_.size(); ++q) others *= q == p ? 1 : missed_[q].second;
      missed += others;
    }
    return two_sided_quantile(confidence) * root_of(with_variance_) + missed;
  }

  Complex sign = 1;
  double ln_absolute = 0;
  double absolute_variance = 0;
  double unseen = 0;

 private:
  double root_of(double all) const { return std::sqrt(std::max(all - squares_, 0.0)); }

  double squares_ = 1;
  double with_variance_ = 1;
  double with_error_ = 1;
  double with_sign_variance_ = 1;
  std::vector<std::pair<double, double>> missed_;  // of a piece, and its size with its error
};

std::string signed_goal_text(const EstimateOptions& options) {
  if (options.samples > 0) return fmt::format("{} samples", options.samples);
  if (options.ln_error) return fmt::format("a standard error of {:.2g} in ln of the sum", *options.ln_error);
  return fmt::format("an error of {:.2g} of the sum", options.relative_error);
}

void check_signed(const ReadResult& read, const CountOptions& options) {
  validate(read.graph, read.info.path);
  refuse_kinds(GraphQuestion::signed_sum, read.graph, read.info, options);
}

/// Where that takes no longer than it may.
std::string counted_sum(const ReadResult& read, const CountOptions& options, double seconds) {
  CountOptions quick = options;
  quick.time_limit_seconds = seconds;
  quick.progress = nullptr;
  try {
    const CountResult result = count(ReadResult(read), quick);
    return result.exact ? result.count : result.count + " +- " + result.error_bound;
  } catch (const UnableError&) {
    return {};
  }
}

/// Of all pieces. Throws UnableError where every sample of one is 0.
bool draw_pieces(std::vector<SignedPiece>& pieces, const EstimateOptions& options, int threads,
                 Monitor& monitor) {
  const SignedGoal goal{options, static_cast<double>(std::max<std::size_t>(pieces.size(), 1))};
  bool reached = true;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    SignedPiece& piece = pieces[p];
    monitor.describe(piece.name(), p + 1, pieces.size());
    const double left = std::max(options.time_limit_seconds - monitor.elapsed(), 0.0);
    const double deadline = monitor.elapsed() + left / static_cast<double>(pieces.size() - p);
    reached = piece.draw(goal, deadline, threads, monitor) && reached;
    if (!(piece.tally.weights > 0))
      throw UnableError(
          fmt::format("all of {} samples are zero: they say nothing of the sum", piece.tally.moments.samples),
          "--samples and --time-limit allow more of them");
    monitor.finish(1 / goal.pieces);
  }
  return reached;
}

void take_signed_piece(const SignedPiece& piece, bool first, SignedSum& result) {
  const SampledMean& weight = piece.mean.weight;
  const std::uint64_t samples = piece.tally.moments.samples;
  result.samples = first ? samples : std::min(result.samples, samples);
  result.effective_samples = first ? weight.effective : std::min(result.effective_samples, weight.effective);
  result.pareto_k = std::fmax(result.pareto_k, weight.pareto_k);
  if (result.doubt.empty()) result.doubt = weight.doubt;
  if (result.doubt.empty()) result.doubt = piece.check.contradiction;
  add_method(piece.name(), result.sampler);
  if (!piece.check.sampler.empty()) add_method(piece.check.sampler, result.second);
  result.second_samples += piece.check.samples;
}

/// How many times as many samples the goal is predicted to take; 0: not known.
double wanted_of(const SignedSum& result, const EstimateOptions& options) {
  if (options.samples > 0)
    return static_cast<double>(options.samples) /
           static_cast<double>(std::max<std::uint64_t>(result.samples, 1));
  if (!result.doubt.empty() || !result.differs_from_zero()) return 0;
  const double times =
      (options.ln_error ? result.error / *options.ln_error : result.half_width / options.relative_error) /
      std::abs(result.mean_sign);
  return times * times;
}

void sample_sum(const ReadResult& read, const CountOptions& own, const EstimateOptions& options,
                Monitor& monitor, SignedSum& result) {
  SignedGraph graph = signed_graph(read);
  const PassInput input = prepare_passes(std::move(graph.absolute), own, monitor);
  constexpr double no_edge = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> re(input.instance.pattern.entries(), no_edge);
  std::vector<double> im(re);
  const std::vector<std::uint64_t> entries = entries_of_edges(input.instance, input.edges);
  SignedProduct product;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    re[entries[e]] = graph.sign[e].real();
    im[entries[e]] = graph.sign[e].imag();
  }
  std::vector<bool> forced(re.size(), false);
  for (const std::uint64_t entry : input.pieces.forced) forced[entry] = true;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (!forced[entries[e]]) continue;
    product.sign *= graph.sign[e];
    product.ln_absolute += log_of_positive(absolute_of(weight_at(read.graph.values, e)));
  }
  result.threads = resources_for(own).threads;
  monitor.allow_grace(grace_of_signed_samples);
  monitor.begin_stage("signed sum", 1);
  std::vector<SignedPiece> pieces;
  for (std::size_t p = 0; p < input.pieces.pieces.size(); ++p)
    pieces.emplace_back(input.pieces.pieces[p], p, re, im, own, options);
  const double begin = monitor.elapsed();
  const bool reached = draw_pieces(pieces, options, result.threads, monitor);
  monitor.lift_limit();
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    product.take(pieces[p]);
    take_signed_piece(pieces[p], p == 0, result);
  }
  result.mean_sign = product.sign;
  result.ln_absolute = product.ln_absolute;
  result.absolute_error = std::hypot(std::sqrt(product.absolute_variance), product.unseen);
  result.error = product.error();
  result.sign_error = product.sign_error();
  result.half_width = product.reach(options.confidence);
  if (!reached)
    result.goal_missed =
        missed_text(signed_goal_text(options), wanted_of(result, options), begin, options.time_limit_seconds);
}

SignedSum signed_of(const ReadResult& read, const CountOptions& own, const EstimateOptions& options) {
  const double begin = seconds_now();
  SignedSum result;
  summarise_input(read.graph, read.info, result);
  const Instance instance = to_instance(read.graph);
  result.problem = instance.problem;
  result.notes = report_notes(instance, read.info);
  result.complex = read.graph.weight_kind == WeightKind::complex;
  result.confidence = options.confidence;
  result.seed = own.seed;
  result.pareto_k = no_pareto_k;
  Monitor monitor(own);
  bool none = false;
  monitor.explained([&] {
    monitor.enter("looking at the graph's structure");
    none = !has_perfect_matching(read, monitor);
  });
  if (none) {
    result.exact = "0";
  } else if (!options.all_sampled && options.exact_below_seconds > 0) {
    result.exact = counted_sum(read, own, options.exact_below_seconds);
  }
  if (result.exact.empty()) monitor.explained([&] { sample_sum(read, own, options, monitor, result); });
  result.seconds = seconds_now() - begin;
  return result;
}

CountOptions signed_options(const CountOptions& count_options, const EstimateOptions& options) {
  check_matching_estimate(options, "a signed sum", question);
  if (count_options.checkpoint.used()) throw UsageError("a signed sum has no checkpoint");
  CountOptions own = monitored(count_options, options);
  own.channel = nullptr;
  check_options(own);
  return own;
}

}  // namespace

SignedSum signed_sum(const ReadResult& read, const CountOptions& count_options,
                     const EstimateOptions& options) {
  const CountOptions own = signed_options(count_options, options);
  check_signed(read, own);
  return signed_of(read, own, options);
}

SignedSum signed_sum(const Source& source, const ReadOptions& read_options, const CountOptions& count_options,
                     const EstimateOptions& options) {
  const CountOptions own = signed_options(count_options, options);
  const ReadResult read = with_graph(GraphQuestion::signed_sum, source, read_options, own,
                                     [](Monitor&, ReadResult one) { return one; });
  check_signed(read, own);
  return signed_of(read, own, options);
}

}  // namespace countpm
