#include "src/matchings/approximate_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "kernels/arithmetic/uniform.hpp"
#include "kernels/estimate/samples/interval.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/matching_assembly.hpp"
#include "src/matchings/matching_labels.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/sampling/block_key.hpp"
#include "src/sampling/sample_chunks.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {
namespace {

// Streams of these samples, and of the numbers that accept them, are told from those of other uses of a seed.
constexpr std::uint64_t draw_stream = std::uint64_t{1} << 55;
constexpr std::uint64_t accept_stream = std::uint64_t{1} << 54;
// Samples of draw k are numbered from k * 2^16 on, trials from 2^60 on.
constexpr unsigned attempt_bits = 16;
constexpr std::uint64_t first_trial = std::uint64_t{1} << 60;
constexpr std::uint64_t fewest_trials = 64;
constexpr std::uint64_t most_trials = 512;
constexpr std::uint64_t trials_a_chunk = 4;
/// Half as many again, in whole chunks.
constexpr std::uint64_t more_trials(std::uint64_t trials) {
  return trials + trials / (2 * trials_a_chunk) * trials_a_chunk;
}
constexpr double bound_over_largest_trial = 1.5;
// What N samples miss with a chance of 5 % is less probable than 3/N.
constexpr double missed_by_samples = 3;
// More draws at a time, as long as that many take no longer: those of large graphs are handed on early.
constexpr double seconds_of_more_draws = 0.2;

/// What became of a draw.
struct Draw {
  PairList pairs;
  bool accepted = false;
  SampleMoments weights;
  double above = 0;  // what of the weights is above the bound, over the bound
};

/// The draws of one piece.
class DrawnPiece {
 public:
  DrawnPiece(const Piece& piece, std::uint64_t number, std::uint64_t seed, const std::string& sampler)
      : rows_(is_general(piece.block) ? 0 : static_cast<std::uint32_t>(rows_of(piece.block))),
        key_(block_key(piece.block, seed)),
        number_(number),
        sampler_(make_matching_sampler(
            piece.block, sampler == "auto" ? std::nullopt : std::optional(sampler_named(sampler)), key_,
            number | draw_stream, MatchingUse::draws)) {}

  std::string name() const { return std::string(sampler_info(sampler_->kind()).name); }

  /// Trial samples, by which the bound is set: more where these say little.
  void prepare(int threads, Monitor& monitor) {
    const auto make = [&](std::uint64_t number) {
      SampleMoments trials;
      sampler_->draw(first_trial + number * trials_a_chunk, trials_a_chunk, monitor.stop_signal(),
                     [&](double ln, const VertexPairs&) {
                       trials.add(scaled_exponential(ln));
                       return true;
                     });
      return trials;
    };
    SampleChunks<SampleMoments> chunks(
        make, [&](SampleMoments&& next) { weights_.join(next); }, endless, monitor);
    for (std::uint64_t wanted = fewest_trials;; wanted = std::min(most_trials, more_trials(wanted))) {
      if (chunks.draw(wanted / trials_a_chunk, threads) < wanted / trials_a_chunk) monitor.throw_if_stopped();
      if (wanted >= most_trials || sampled_mean(weights_).doubt.empty()) break;
    }
    if (weights_.nonzero == 0) {
      throw UnableError(fmt::format("all of {} trial samples of {} are zero: no matching can be drawn",
                                    weights_.samples, name()),
                        "another --sampler may find some");
    }
    log_bound_ = weights_.largest.log2() * std::log(2.0) + std::log(bound_over_largest_trial);
  }

  std::vector<PairList> draw(std::uint64_t first, std::uint64_t count, int threads, Monitor& monitor) {
    std::vector<PairList> draws;
    draws.reserve(count);
    SampleChunks<Draw> chunks(
        [&](std::uint64_t number) { return draw_one(first + number, monitor.stop_signal()); },
        [&](Draw&& next) {
          weights_.join(next.weights);
          above_ += next.above;
          if (next.accepted) draws.push_back(std::move(next.pairs));
        },
        endless, monitor);
    if (chunks.draw(count, threads) < count) monitor.throw_if_stopped();
    if (draws.size() < count) {
      throw UnableError(
          fmt::format("hardly any sample of {} is accepted: in 2^{} of them there was none for a draw",
                      name(), attempt_bits),
          "another --sampler may have steadier weights");
    }
    return draws;
  }

  const SampleMoments& weights() const { return weights_; }
  /// By how much the chances of what is drawn may be off: what is above the bound, and what samples missed.
  double off() const {
    const double sum = std::exp(weights_.sum.log2() * std::log(2.0) - log_bound_);
    return above_ / sum + missed_by_samples / static_cast<double>(weights_.samples);
  }

 private:
  static constexpr double endless = std::numeric_limits<double>::infinity();

  Draw draw_one(std::uint64_t draw, const StopSignal& stop) const {
    Draw result;
    std::uint64_t number = draw << attempt_bits;
    sampler_->draw(number, std::uint64_t{1} << attempt_bits, stop,
                   [&](double ln, const VertexPairs& matching) {
                     result.weights.add(scaled_exponential(ln));
                     const double chance = std::isinf(ln) ? 0 : std::exp(ln - log_bound_);
                     result.above += std::max(chance - 1, 0.0);
                     WalkRandom random(key_, number_ | accept_stream, number++);
                     if (unit_interval(random.next()) >= chance) return true;
                     result.accepted = true;
                     result.pairs.reserve(matching.size());
                     for (const auto& [u, v] : matching)
                       result.pairs.emplace_back(std::min(u, v), std::max(u, v) - rows_);
                     return false;
                   });
    return result;
  }

  std::uint32_t rows_;  // by which a column's number is too high
  std::uint64_t key_;
  std::uint64_t number_;
  std::unique_ptr<const MatchingSampler> sampler_;
  SampleMoments weights_;  // of all samples, trials too
  double log_bound_ = 0;
  double above_ = 0;
};

/// What all pieces say: of each figure that of the one that fares worst.
void take_figures(const DrawnPiece& piece, DrawnApproximately& result) {
  const SampledMean mean = sampled_mean(piece.weights());
  result.samples += piece.weights().samples;
  result.effective_samples = std::min(result.effective_samples, mean.effective);
  result.pareto_k = std::fmax(result.pareto_k, mean.pareto_k);
  result.off = std::min(result.off + piece.off(), 1.0);
  if (result.doubt.empty()) result.doubt = mean.doubt;
}

class ApproximateRun {
 public:
  ApproximateRun(const CountOptions& options, const std::string& sampler, const SampleOptions& sample_options,
                 Monitor& monitor)
      : options_(options),
        sample_options_(sample_options),
        sampler_(sampler),
        monitor_(monitor),
        threads_(resources_for(options).threads) {}

  DrawnApproximately run(ReadResult read, const SinkFor& sink_for) {
    result_.seed = options_.seed;
    result_.pareto_k = no_pareto_k;
    if (sample_options_.read) sample_options_.read(read.graph);
    PassInput input = prepare_passes(std::move(read), options_, monitor_);
    refuse_negative(input.instance);
    if (!input.start.violator && sample_options_.count > 0) prepare(input);
    result_.sampler = input.start.method;
    if (sample_options_.started) sample_options_.started(input.start);
    if (!input.start.violator && sample_options_.count > 0) draw(input, sink_for(input.instance));
    finish();
    return std::move(result_);
  }

 private:
  void prepare(PassInput& input) {
    const std::vector<Piece>& all = input.pieces.pieces;
    PassProgress progress(monitor_, "trial samples", all);
    pieces_.reserve(all.size());
    for (std::size_t p = 0; p < all.size(); ++p) {
      progress.begin(p);
      pieces_.emplace_back(all[p], p, options_.seed, sampler_);
      progress.describe(pieces_.back().name());
      add_method(pieces_.back().name(), input.start.method);
      pieces_.back().prepare(threads_, monitor_);
    }
    progress.second_half();
  }

  void draw(const PassInput& input, const MatchingIdSink& sink) {
    MatchingAssembly assembly(input);
    const std::uint64_t most = most_draws_held(resources_for(options_), input.instance.pattern.rows);
    std::uint64_t batch = std::min<std::uint64_t>(most, static_cast<std::uint64_t>(threads_));
    monitor_.begin_stage("sample", static_cast<double>(sample_options_.count));
    monitor_.describe(input.start.method, 1, 1);
    while (result_.draws < sample_options_.count) {
      const double begin = monitor_.elapsed();
      const std::uint64_t count = std::min(batch, sample_options_.count - result_.draws);
      std::vector<std::vector<PairList>> drawn;
      drawn.reserve(pieces_.size());
      for (DrawnPiece& piece : pieces_) drawn.push_back(piece.draw(result_.draws, count, threads_, monitor_));
      monitor_.finish(static_cast<double>(count));
      if (monitor_.elapsed() - begin < seconds_of_more_draws) batch = std::min(2 * batch, most);
      for (std::uint64_t k = 0; k < count; ++k) {
        monitor_.throw_if_stopped();
        for (std::size_t p = 0; p < drawn.size(); ++p) assembly.put(input.pieces.pieces[p], drawn[p][k]);
        ++result_.draws;
        if (!sink(assembly.matching())) return;
      }
    }
  }

  void finish() {
    if (pieces_.empty()) return;
    result_.effective_samples = std::numeric_limits<double>::infinity();
    for (const DrawnPiece& piece : pieces_) take_figures(piece, result_);
  }

  const CountOptions& options_;
  const SampleOptions& sample_options_;
  const std::string& sampler_;
  Monitor& monitor_;
  int threads_;
  std::vector<DrawnPiece> pieces_;
  DrawnApproximately result_;
};

/// Samples are the CPU's work.
CountOptions on_cpu(const CountOptions& options) {
  CountOptions own = options;
  own.device = "cpu";
  own.gpus = 0;
  return own;
}

}  // namespace

DrawnApproximately sample_approximately(const Source& source, const ReadOptions& read_options,
                                        const CountOptions& options, const std::string& sampler,
                                        const SampleOptions& sample_options, const MatchingSink& sink) {
  require_sink(sink, "matchings");
  const CountOptions own = on_cpu(options);
  return with_graph(GraphQuestion::sample, source, read_options, own, [&](Monitor& monitor, ReadResult read) {
    return ApproximateRun(own, sampler, sample_options, monitor).run(std::move(read), with_labels(sink));
  });
}

DrawnApproximately sample_approximately(ReadResult read, const CountOptions& options,
                                        const std::string& sampler, const SampleOptions& sample_options,
                                        const MatchingIdSink& sink) {
  require_sink(sink, "matchings");
  const CountOptions own = on_cpu(options);
  return with_graph(GraphQuestion::sample, std::move(read), own, [&](Monitor& monitor, ReadResult checked) {
    return ApproximateRun(own, sampler, sample_options, monitor).run(std::move(checked), with_ids(sink));
  });
}

}  // namespace countpm
