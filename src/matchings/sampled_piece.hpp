#pragma once
// The weighted samples of one piece, and what they say of its edges and of pairs of these.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/estimate/samples/interval.hpp"
#include "src/api/entries.hpp"
#include "src/api/sampled_result.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/matchings/matching_check.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/sampling/foretell.hpp"
#include "src/sampling/sample_chunks.hpp"

namespace countpm {

/// Of the entries of a piece's matrix.
using EntryPair = std::pair<std::size_t, std::size_t>;

class SampledPiece {
 public:
  /// pairs: those that are asked for.
  SampledPiece(const Piece& piece, std::uint64_t number, const CountOptions& options,
               const EdgeSampling& sampling, const std::vector<EntryPair>& pairs);

  std::string name() const;
  const PieceTally& tally() const { return tally_; }
  const SampledMean& mean() const { return mean_; }
  const std::vector<double>& shares() const { return shares_; }
  const std::vector<double>& errors() const { return errors_; }
  /// In the order of the pairs.
  const std::vector<PairShares>& pair_shares() const { return pair_shares_; }
  /// Of an edge or a pair.
  double largest_error() const { return largest_error_; }
  const MatchingCheck& check() const { return check_; }

  /// Chunks of samples, each by itself.
  std::vector<PieceTally> tallies(const UnitRange& numbers, int threads, Monitor& monitor) const;

  using Tell = std::function<void(double share)>;
  /// Whether the goal was reached before the deadline; then a check by another sampler, here alone. shared:
  /// the other ranks, to which this is piece number `piece`; null: there are none.
  bool draw(double deadline, int threads, Monitor& monitor, SharedRanges* shared, std::size_t piece,
            const Tell& tell);

  /// The first samples of draw(), until `end`, and what they foretell.
  PieceForecast forecast(double end, int threads, Monitor& monitor);

 private:
  CheckedSamples checked() const;
  bool draw_before(double end, int threads, Monitor& monitor, SharedRanges* shared, std::size_t piece,
                   const Tell& tell);
  SecondOpinion second() const;
  PieceTally tally_of(std::uint64_t number, Monitor& monitor) const;
  bool drawn_alike(std::uint64_t number, const PieceTally& tally, Monitor& monitor) const;
  std::uint64_t draw_on_ranks(SampleChunks<PieceTally>& chunks, std::uint64_t wanted, double deadline,
                              int threads, Monitor& monitor, SharedRanges& shared, std::size_t piece);
  void look();

  const Piece& piece_;
  PieceEntries entries_;
  std::vector<EntryPair> pairs_;  // each edge by the entry that is tallied
  EntryPairs tallied_;            // of these, those that need it
  const EdgeSampling& sampling_;
  std::uint64_t key_;
  std::uint64_t stream_;
  std::unique_ptr<const MatchingSampler> sampler_;
  MatchingCheck check_;
  PieceTally tally_;
  SampledMean mean_;
  std::vector<double> shares_;
  std::vector<double> errors_;
  std::vector<PairShares> pair_shares_;
  double largest_error_ = 0;
};

}  // namespace countpm
