#include "src/matchings/sampled_piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "kernels/estimate/samples/sampler.hpp"
#include "src/matchings/range_bytes.hpp"
#include "src/sampling/block_key.hpp"

namespace countpm {
namespace {

// Streams of these samples are told from those of other uses of a seed.
constexpr std::uint64_t marginal_stream = std::uint64_t{1} << 57;
constexpr double check_confidence = 0.95;

/// Each edge by the entry that is tallied.
std::vector<EntryPair> tallied_entries(const PieceEntries& entries, std::vector<EntryPair> pairs) {
  for (auto& [first, second] : pairs) {
    first = entries.tallied(first);
    second = entries.tallied(second);
  }
  return pairs;
}

/// Those that matchings may have both of.
EntryPairs apart(const PieceEntries& entries, std::vector<EntryPair> pairs) {
  std::erase_if(pairs, [&](const EntryPair& pair) { return entries.meet(pair.first, pair.second); });
  return {entries.entries(), std::move(pairs)};
}

}  // namespace

SampledPiece::SampledPiece(const Piece& piece, std::uint64_t number, const CountOptions& options,
                           const EdgeSampling& sampling, const std::vector<EntryPair>& pairs)
    : piece_(piece),
      entries_(piece),
      pairs_(tallied_entries(entries_, pairs)),
      tallied_(apart(entries_, pairs_)),
      sampling_(sampling),
      key_(block_key(piece.block, options.seed)),
      stream_(number | marginal_stream),
      sampler_(make_matching_sampler(
          piece.block,
          sampling.sampler == "auto" ? std::nullopt : std::optional(sampler_named(sampling.sampler)), key_,
          stream_)) {}

std::string SampledPiece::name() const {
  return std::string(sampler_info(sampler_->kind()).name);
}

std::vector<PieceTally> SampledPiece::tallies(const UnitRange& numbers, int threads, Monitor& monitor) const {
  std::vector<PieceTally> result;
  SampleChunks<PieceTally> chunks([&](std::uint64_t number) { return tally_of(number, monitor); },
                                  [&](PieceTally&& next) { result.push_back(std::move(next)); },
                                  std::numeric_limits<double>::infinity(), monitor);
  chunks.begin_together(numbers.first);
  chunks.draw_some(numbers, threads);
  return result;
}

bool SampledPiece::draw(double deadline, int threads, Monitor& monitor, SharedRanges* shared,
                        std::size_t piece, const Tell& tell) {
  const double now = monitor.elapsed();
  const double end = now + share_before_check(second()) * std::max(deadline - now, 0.0);
  const bool reached = draw_before(end, threads, monitor, shared, piece, tell);
  check_ = check_samples(checked(), second(), check_confidence, deadline, threads, monitor);
  return reached;
}

PieceForecast SampledPiece::forecast(double end, int threads, Monitor& monitor) {
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

CheckedSamples SampledPiece::checked() const {
  return {piece_.block, *sampler_, mean_, tally_.moments.samples, key_, stream_};
}

/// Whether the goal was reached before `end`.
bool SampledPiece::draw_before(double end, int threads, Monitor& monitor, SharedRanges* shared,
                               std::size_t piece, const Tell& tell) {
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
SecondOpinion SampledPiece::second() const {
  return sampling_.sampler == "auto" ? SecondOpinion::automatic : SecondOpinion::none;
}

PieceTally SampledPiece::tally_of(std::uint64_t number, Monitor& monitor) const {
  return tally_samples(*sampler_, entries_, tallied_, number * samples_a_chunk,
                       samples_of_chunk(number, sampling_.samples), monitor.stop_signal());
}

/// Whether a chunk is the same again, or the time limit does not let that be known.
bool SampledPiece::drawn_alike(std::uint64_t number, const PieceTally& tally, Monitor& monitor) const {
  try {
    return alike(tally_of(number, monitor), tally);
  } catch (const Stopped&) {
    if (!monitor.limit_is_over()) throw;
    return true;
  }
}

/// Chunks up to number `wanted`; returns how many there are then.
std::uint64_t SampledPiece::draw_on_ranks(SampleChunks<PieceTally>& chunks, std::uint64_t wanted,
                                          double deadline, int threads, Monitor& monitor,
                                          SharedRanges& shared, std::size_t piece) {
  std::optional<std::pair<std::uint64_t, PieceTally>> of_others;  // the last that came
  SharedRanges::Work work;
  work.task = piece;
  work.numbers = {chunks.drawn(), wanted};
  work.own = [&](const UnitRange& numbers) { chunks.draw_some(numbers, threads); };
  work.take = [&](const UnitRange& numbers, const std::string& bytes) {
    std::vector<PieceTally> some =
        tallies_from_bytes(bytes, numbers.size(), entries_.entries(), tallied_.size());
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

void SampledPiece::look() {
  mean_ = sampled_mean(tally_.moments);
  shares_.assign(entries_.entries(), 0);
  errors_.assign(entries_.entries(), 0);
  pair_shares_.clear();
  largest_error_ = std::numeric_limits<double>::infinity();
  if (!(tally_.weights > 0)) return;
  for (std::size_t k = 0; k < shares_.size(); ++k)
    std::tie(shares_[k], errors_[k]) = tally_.share_of(k, mean_.tail_excess);
  entries_.mirror(shares_);
  entries_.mirror(errors_);
  largest_error_ = errors_.empty() ? 0 : *std::max_element(errors_.begin(), errors_.end());
  for (const auto& [first, second] : pairs_) {
    pair_shares_.push_back(
        tally_.shares_of(first, second, tallied_.place_of(first, second), mean_.tail_excess));
    const PairShares& pair = pair_shares_.back();
    largest_error_ = std::max({largest_error_, pair.joint_error, pair.covariance_error});
  }
}

}  // namespace countpm
