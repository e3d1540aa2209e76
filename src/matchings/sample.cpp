// Samples: each piece's draws, put together to whole matchings.
#include <algorithm>
#include <utility>

#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/edge_probabilities.hpp"
#include "src/matchings/matching_labels.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/sample_aztec.hpp"

namespace countpm {
namespace {

// Of the memory limit: layers, and draws held at a time.
constexpr double sample_layers_share = 0.65;
constexpr std::uint64_t draws_divisor = 4;
// Draws held at a time; that many of a large graph take some share of the memory at most.
constexpr std::uint64_t most_batch = 65536;

std::uint64_t batch_size(const Resources& resources, Index rows) {
  // A row's column, its pair while drawn, its entry on the path, with room to spare.
  const std::uint64_t bytes_a_draw = 64 * (std::uint64_t{rows} + 4);
  return std::clamp<std::uint64_t>(resources.memory_bytes / draws_divisor / bytes_a_draw, 1, most_batch);
}

void refuse_negative(const Instance& instance) {
  if (!has_negative(instance.values)) return;
  throw UnableError(
      "negative weights are no probabilities to draw with",
      instance.problem == Problem::matchings
          ? "'countpm marginals' takes negative weights"
          : "without --weights every perfect matching is equally likely; 'countpm marginals' takes "
            "negative weights");
}

/// Whole matchings from draws of the pieces, and what a user reads of them.
class Assembly {
 public:
  explicit Assembly(const PassInput& input) : input_(input) {
    const SparsePattern& pattern = input.instance.pattern;
    mate_.assign(pattern.rows, no_index);
    for (const std::uint64_t entry : input.pieces.forced) {
      const auto after = std::upper_bound(pattern.row_start.begin(), pattern.row_start.end(), entry);
      join(static_cast<Index>(after - pattern.row_start.begin()) - 1, pattern.column[entry]);
    }
  }

  void put(const Piece& piece, const PairList& pairs) {
    const std::vector<Index>& columns = general() ? piece.rows : piece.columns;
    for (const auto& [row, column] : pairs) join(piece.rows[row], columns[column]);
  }

  // By rows; of a general graph by the first vertex of each pair. Vertices that stay alone are left out.
  const std::vector<Edge>& matching() {
    const Instance& instance = input_.instance;
    matching_.clear();
    for (Index i = 0; i < mate_.size(); ++i) {
      if (general() && mate_[i] <= i) continue;
      const Edge edge{vertex_of_row(instance, i),
                      general() ? vertex_of_row(instance, mate_[i]) : vertex_of_column(instance, mate_[i])};
      // With a vertex that was added: the other one is free.
      if (edge.from != no_index && edge.to != no_index) matching_.push_back(edge);
    }
    return matching_;
  }

 private:
  bool general() const {
    const Problem problem = input_.instance.problem;
    return problem == Problem::general_perfect_matchings || problem == Problem::matchings;
  }
  void join(Index row, Index column) {
    mate_[row] = column;
    if (general()) mate_[column] = row;
  }

  const PassInput& input_;
  std::vector<Index> mate_;
  std::vector<Edge> matching_;
};

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

  const std::uint64_t batch = batch_size(resources_for(options), input.instance.pattern.rows);
  PassProgress progress(monitor, "sample", input.pieces.pieces, (sample_options.count + batch - 1) / batch);
  PieceDraws draws(input, options, sample_options.count, progress, monitor);
  Assembly assembly(input);
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
