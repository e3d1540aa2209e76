// Samples: each piece's draws, put together to whole matchings.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "src/api/entries.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/machine/channel.hpp"
#include "src/matchings/edge_probabilities.hpp"
#include "src/matchings/explain_draws.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/matching_assembly.hpp"
#include "src/matchings/matching_labels.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/matchings/sample_aztec.hpp"

namespace countpm {
namespace {

// A piece's draws of a batch are done in so many parts for each rank: the passes are walked back for each
// part anew.
constexpr std::uint64_t parts_a_rank = 4;

/// The passes of a piece, for so many draws in all.
PiecePasses passes_for_draws(const Piece& piece, const CountOptions& options, std::uint64_t draws,
                             std::function<void(double)> on_progress, const StopSignal& stop) {
  return {piece, options, PassUse{sample_layers_share, draws}, std::move(on_progress), stop};
}

RangePlan plan_of_draws(const PassInput& input, const CountOptions& options, std::uint64_t draws) {
  return {fmt::format("{} matchings of {}", draws, pieces_digest(input.pieces)),
          shared_name(input.start.input), options.seed};
}

/// The draws of every piece, a batch at a time. The passes of an only piece are kept between batches. shared:
/// the other ranks; null: there are none.
class PieceDraws {
 public:
  PieceDraws(const PassInput& input, const CountOptions& options, std::uint64_t draws, std::uint64_t batches,
             Monitor& monitor, SharedRanges* shared)
      : input_(input),
        options_(options),
        draws_(draws),
        batches_(batches),
        monitor_(monitor),
        shared_(shared) {}
  PieceDraws(const PieceDraws&) = delete;
  PieceDraws& operator=(const PieceDraws&) = delete;

  /// The passes of all pieces. Throws as PiecePasses() does.
  void plan() {
    monitor_.enter("planning how to draw");
    for (const TreePiece& tree : input_.trees) {
      trees_.emplace_back(tree.tree);
      if (trees_.back().is_zero()) throw_no_probabilities(input_.instance);
      add_method(tree_method, methods_);
    }
    for (const Piece& piece : input_.pieces.pieces) {
      monitor_.throw_if_stopped();
      planned_.emplace_back(passes_of(piece));
      method_names_.push_back(planned_.back()->method());
      add_method(method_names_.back(), methods_);
      forecasts_.push_back(planned_.back()->forecast());
      // The layers of a trial: there is room for those of one piece at a time.
      if (input_.pieces.pieces.size() > 1 && forecasts_.back().measured) planned_.back().reset();
    }
  }

  /// What all draws are predicted to take.
  DrawForecast forecast() const {
    DrawForecast forecast = begin_draw_forecast(input_.start, options_, draws_);
    for (std::size_t p = 0; p < forecasts_.size(); ++p) {
      add_to_forecast(input_.pieces.pieces[p], {{method_names_[p], forecasts_[p], "", true}}, batches_,
                      forecasts_.size() == 1, forecast);
    }
    add_to_forecast(input_.trees, forecast);
    return forecast;
  }

  void begin() {
    const auto batches = static_cast<double>(batches_);
    const bool kept = forecasts_.size() == 1;
    std::vector<PieceSeconds> seconds;
    for (const PassForecast& forecast : forecasts_) {
      seconds.push_back({least_seconds + forecast.prepare_seconds / (kept ? batches : 1.0),
                         least_seconds + forecast.draw_seconds * static_cast<double>(draws_) / batches});
    }
    progress_.emplace(monitor_, "sample", seconds, batches_);
  }

  // By piece, then by draw.
  std::vector<std::vector<PairList>> batch(std::uint64_t first, std::uint64_t count) {
    std::vector<std::vector<PairList>> draws;
    for (std::size_t p = 0; p < input_.pieces.pieces.size(); ++p) {
      progress_->begin(p);
      if (shared_ != nullptr) shared_->prepare(p);
      passes_ = std::exchange(planned_[p], std::nullopt);
      if (!passes_) passes_.emplace(passes_of(input_.pieces.pieces[p]));
      progress_->describe(passes_->method());
      passes_->prepare_draws(monitor_.stop_signal());
      if (input_.instance.problem == Problem::matchings && passes_->total(monitor_.stop_signal()) == 0)
        throw_no_probabilities(input_.instance);
      progress_->second_half();
      draws.push_back(shared_ != nullptr ? draw_on_ranks(p, first, count) : draw(p, first, count));
      if (input_.pieces.pieces.size() == 1) planned_[p] = std::move(passes_);
      passes_.reset();
    }
    return draws;
  }

  /// Of a tree, by its number. Trees take so little that every rank could draw them; rank 0 does.
  std::vector<Index> of_tree(std::size_t tree, std::uint64_t draw) {
    return trees_[tree].draw(options_.seed, input_.pieces.pieces.size() + tree, draw);
  }

  const std::string& methods() const { return methods_; }

 private:
  // A piece's work, so that progress has a share to tell.
  static constexpr double least_seconds = 1e-6;

  PiecePasses passes_of(const Piece& piece) {
    return passes_for_draws(
        piece, options_, draws_, [this](double share) { show(share); }, monitor_.stop_signal());
  }
  void show(double share) {
    if (progress_ && !drawing_on_ranks_) progress_->set(share);
  }

  std::vector<PairList> draw(std::size_t piece, std::uint64_t first, std::uint64_t count) {
    return passes_->draw(options_.seed, piece, first, count, monitor_.stop_signal());
  }

  std::vector<PairList> draw_on_ranks(std::size_t piece, std::uint64_t first, std::uint64_t count) {
    std::vector<PairList> drawn(count);
    std::uint64_t there = 0;
    std::vector<std::uint64_t> of_others;  // one of each range
    const auto put = [&](const UnitRange& numbers, std::vector<PairList>&& some) {
      std::move(some.begin(), some.end(), drawn.begin() + static_cast<std::ptrdiff_t>(numbers.first - first));
      there += numbers.size();
      progress_->set(static_cast<double>(there) / static_cast<double>(count));
    };
    SharedRanges::Work work;
    work.task = piece;
    work.numbers = {first, first + count};
    work.grain = std::max<std::uint64_t>(
        count / (parts_a_rank * static_cast<std::uint64_t>(options_.channel->ranks())), 1);
    work.own = [&](const UnitRange& numbers) { put(numbers, draw(piece, numbers.first, numbers.size())); };
    work.take = [&](const UnitRange& numbers, const std::string& bytes) {
      put(numbers, draws_from_bytes(bytes, numbers.size(), input_.pieces.pieces[piece]));
      of_others.push_back(numbers.first +
                          std::uniform_int_distribution<std::uint64_t>(0, numbers.size() - 1)(chance_));
    };
    drawing_on_ranks_ = true;
    shared_->run(work, monitor_);
    drawing_on_ranks_ = false;
    if (of_others.empty()) return drawn;
    const std::uint64_t number =
        of_others[std::uniform_int_distribution<std::size_t>(0, of_others.size() - 1)(chance_)];
    if (draw(piece, number, 1).front() != drawn[number - first])
      throw CheckError(fmt::format("matching {} is another when it is drawn again here", number + 1));
    return drawn;
  }

  const PassInput& input_;
  const CountOptions& options_;
  std::uint64_t draws_;  // in all
  std::uint64_t batches_;
  Monitor& monitor_;
  SharedRanges* shared_;
  bool drawing_on_ranks_ = false;
  std::mt19937_64 chance_{std::random_device{}()};
  std::optional<PassProgress> progress_;
  std::vector<std::optional<PiecePasses>> planned_;  // of each piece, until it is its turn
  std::vector<PassForecast> forecasts_;
  std::vector<TreePasses> trees_;
  std::vector<std::string> method_names_;
  std::optional<PiecePasses> passes_;
  std::string methods_;
};

/// Another rank's.
class FollowedDraws {
 public:
  FollowedDraws(const PassInput& input, const CountOptions& options, std::uint64_t draws, Monitor& monitor)
      : input_(input), options_(options), draws_(draws), monitor_(monitor) {}

  void prepare(std::size_t piece) {
    if (piece >= input_.pieces.pieces.size()) throw CheckError("rank 0 asks for draws of no piece");
    if (passes_ && piece_ == piece) return;
    passes_.reset();
    passes_.emplace(
        passes_for_draws(input_.pieces.pieces[piece], options_, draws_, {}, monitor_.stop_signal()));
    piece_ = piece;
    passes_->prepare_draws(monitor_.stop_signal());
  }

  std::string run(std::size_t piece, const UnitRange& numbers) {
    prepare(piece);
    return draws_to_bytes(
        passes_->draw(options_.seed, piece, numbers.first, numbers.size(), monitor_.stop_signal()));
  }

 private:
  const PassInput& input_;
  const CountOptions& options_;
  std::uint64_t draws_;
  Monitor& monitor_;
  std::optional<PiecePasses> passes_;
  std::size_t piece_ = 0;
};

std::uint64_t draw_matchings(ReadResult read, Monitor& monitor, const CountOptions& options,
                             const SampleOptions& sample_options, const SinkFor& sink_for) {
  if (sample_options.read) sample_options.read(read.graph);
  PassInput input = prepare_passes(std::move(read), options, monitor, Trees::apart);
  refuse_negative(input.instance);
  bool begun = false;
  const auto begin = [&] {
    if (!std::exchange(begun, true) && sample_options.started) sample_options.started(input.start);
  };
  if (input.start.violator || sample_options.count == 0) {
    begin();
    return 0;
  }

  const std::uint64_t batch = most_draws_held(resources_for(options), input.instance.pattern.rows);
  const std::uint64_t batches = (sample_options.count + batch - 1) / batch;
  std::optional<SharedRanges> shared;
  if (options.channel != nullptr) {
    if (shared_name(input.start.input).empty())
      throw UsageError("several ranks need an input that each of them can read");
    if (options.channel->ranks() > 1)
      shared.emplace(*options.channel, plan_of_draws(input, options, sample_options.count));
  }
  PieceDraws draws(input, options, sample_options.count, batches, monitor, shared ? &*shared : nullptr);
  explained(monitor, [&] { draws.plan(); });
  input.start.method = draws.methods();
  const DrawForecast forecast = draws.forecast();
  refuse_beyond_time(forecast, monitor.elapsed());
  if (sample_options.foretold) sample_options.foretold(forecast);
  draws.begin();
  MatchingAssembly assembly(input);
  const MatchingIdSink sink = sink_for(input.instance);
  std::uint64_t written = 0;
  while (written < sample_options.count) {
    const std::uint64_t count = std::min(batch, sample_options.count - written);
    const auto drawn = explained(monitor, [&] { return draws.batch(written, count); });
    begin();
    for (std::uint64_t k = 0; k < count; ++k) {
      monitor.throw_if_stopped();
      for (std::size_t p = 0; p < drawn.size(); ++p) assembly.put(input.pieces.pieces[p], drawn[p][k]);
      for (std::size_t t = 0; t < input.trees.size(); ++t)
        assembly.put(input.trees[t], draws.of_tree(t, written));
      ++written;
      if (!sink(assembly.matching())) return written;
    }
  }
  return written;
}

}  // namespace

std::uint64_t sample_matchings(const Source& source, const ReadOptions& read_options,
                               const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink) {
  require_sink(sink, "matchings");
  if (const std::optional<AztecDiamond> diamond = aztec_diamond(source, read_options)) {
    check_options(options);
    Monitor monitor(options);
    return sample_aztec(*diamond, monitor, options, sample_options, sink);
  }
  return with_graph(GraphQuestion::sample, source, reading_on_ranks(read_options, options), options,
                    [&](Monitor& monitor, ReadResult read) {
                      return draw_matchings(std::move(read), monitor, options, sample_options,
                                            with_labels(sink));
                    });
}

void follow_sample(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                   const SampleOptions& sample_options) {
  CountOptions own = options;
  own.time_limit_seconds = std::numeric_limits<double>::infinity();  // rank 0 watches it
  check_options(own);
  if (const std::optional<AztecDiamond> diamond = aztec_diamond(source, read_options)) {
    Monitor monitor(own);
    if (sample_options.count == 0) return;
    return monitor.explained([&] { follow_aztec(*diamond, monitor, own, sample_options); });
  }
  Monitor monitor(own);
  monitor.explained([&] {
    ReadResult read = read_as_rank_0(source, read_options, *own.channel, monitor);
    refuse_kinds(GraphQuestion::sample, read.graph, read.info, own);
    const PassInput input = prepare_passes(std::move(read), own, monitor, Trees::apart);
    if (input.start.violator || sample_options.count == 0) return;
    refuse_negative(input.instance);
    explained(monitor, [&] {
      FollowedDraws draws(input, own, sample_options.count, monitor);
      const RangeWorker worker{
          [&](std::size_t piece) { draws.prepare(piece); },
          [&](std::size_t piece, const UnitRange& numbers) { return draws.run(piece, numbers); }};
      follow_ranges(*own.channel, plan_of_draws(input, own, sample_options.count), worker, monitor);
    });
  });
}

std::uint64_t sample_matchings(Graph graph, const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink) {
  require_sink(sink, "matchings");
  return with_graph(
      GraphQuestion::sample, in_memory(std::move(graph)), options, [&](Monitor& monitor, ReadResult checked) {
        return draw_matchings(std::move(checked), monitor, options, sample_options, with_labels(sink));
      });
}

std::uint64_t sample_matchings(ReadResult read, const CountOptions& options,
                               const SampleOptions& sample_options, const MatchingIdSink& sink) {
  require_sink(sink, "matchings");
  return with_graph(
      GraphQuestion::sample, std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
        return draw_matchings(std::move(checked), monitor, options, sample_options, with_ids(sink));
      });
}

}  // namespace countpm
