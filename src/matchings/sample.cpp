// Samples: each piece's draws, put together to whole matchings.
#include <algorithm>
#include <utility>

#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/edge_probabilities.hpp"
#include "src/matchings/matching_assembly.hpp"
#include "src/matchings/matching_labels.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/sample_aztec.hpp"

namespace countpm {
namespace {

// Of the memory limit.
constexpr double sample_layers_share = 0.65;

/// The draws of every piece, a batch at a time. The passes of an only piece are kept between batches.
class PieceDraws {
 public:
  PieceDraws(const PassInput& input, const CountOptions& options, std::uint64_t draws, PassProgress& progress,
             Monitor& monitor)
      : input_(input), options_(options), draws_(draws), progress_(progress), monitor_(monitor) {}

  // By piece, then by draw.
  std::vector<std::vector<PairList>> batch(std::uint64_t first, std::uint64_t count) {
    std::vector<std::vector<PairList>> draws;
    for (std::size_t p = 0; p < input_.pieces.pieces.size(); ++p) {
      progress_.begin(p);
      if (!passes_) {
        const Piece& piece = input_.pieces.pieces[p];
        passes_.emplace(
            piece, options_, PassUse{sample_layers_share, draws_},
            [this](double share) { progress_.set(share); }, monitor_.stop_signal());
      }
      progress_.describe(passes_->method());
      add_method(passes_->method(), methods_);
      passes_->prepare_draws(monitor_.stop_signal());
      if (input_.instance.problem == Problem::matchings && passes_->total(monitor_.stop_signal()) == 0)
        throw_no_probabilities(input_.instance);
      progress_.second_half();
      draws.push_back(passes_->draw(options_.seed, p, first, count, monitor_.stop_signal()));
      if (input_.pieces.pieces.size() > 1) passes_.reset();
    }
    return draws;
  }

  const std::string& methods() const { return methods_; }

 private:
  const PassInput& input_;
  const CountOptions& options_;
  std::uint64_t draws_;  // in all
  PassProgress& progress_;
  Monitor& monitor_;
  std::optional<PiecePasses> passes_;
  std::string methods_;
};

std::uint64_t draw_matchings(ReadResult read, Monitor& monitor, const CountOptions& options,
                             const SampleOptions& sample_options, const SinkFor& sink_for) {
  if (sample_options.read) sample_options.read(read.graph);
  PassInput input = prepare_passes(std::move(read), options, monitor);
  refuse_negative(input.instance);
  // The method is known once something was drawn.
  bool begun = false;
  const auto begin = [&] {
    if (!std::exchange(begun, true) && sample_options.started) sample_options.started(input.start);
  };
  if (input.start.violator || sample_options.count == 0) {
    begin();
    return 0;
  }

  const std::uint64_t batch = most_draws_held(resources_for(options), input.instance.pattern.rows);
  PassProgress progress(monitor, "sample", input.pieces.pieces, (sample_options.count + batch - 1) / batch);
  PieceDraws draws(input, options, sample_options.count, progress, monitor);
  MatchingAssembly assembly(input);
  const MatchingIdSink sink = sink_for(input.instance);
  std::uint64_t written = 0;
  while (written < sample_options.count) {
    const std::uint64_t count = std::min(batch, sample_options.count - written);
    const auto drawn = explained(monitor, [&] { return draws.batch(written, count); });
    input.start.method = draws.methods();
    begin();
    for (std::uint64_t k = 0; k < count; ++k) {
      monitor.throw_if_stopped();
      for (std::size_t p = 0; p < drawn.size(); ++p) assembly.put(input.pieces.pieces[p], drawn[p][k]);
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
  return with_graph(source, read_options, options, [&](Monitor& monitor, ReadResult read) {
    return draw_matchings(std::move(read), monitor, options, sample_options, with_labels(sink));
  });
}

std::uint64_t sample_matchings(Graph graph, const CountOptions& options, const SampleOptions& sample_options,
                               const MatchingSink& sink) {
  require_sink(sink, "matchings");
  return with_graph(in_memory(std::move(graph)), options, [&](Monitor& monitor, ReadResult checked) {
    return draw_matchings(std::move(checked), monitor, options, sample_options, with_labels(sink));
  });
}

std::uint64_t sample_matchings(ReadResult read, const CountOptions& options,
                               const SampleOptions& sample_options, const MatchingIdSink& sink) {
  require_sink(sink, "matchings");
  return with_graph(std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    return draw_matchings(std::move(checked), monitor, options, sample_options, with_ids(sink));
  });
}

}  // namespace countpm
