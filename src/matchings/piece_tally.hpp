#pragma once
// How much weight every edge of a piece has in samples of its matchings, and pairs of edges.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/estimate/samples/graph_sampler.hpp"
#include "src/api/sampled_result.hpp"
#include "src/structure/pieces.hpp"

namespace countpm {

/// Which entry of a piece's matrix a pair of the sampled graph's vertices is.
class PieceEntries {
 public:
  explicit PieceEntries(const Piece& piece);
  /// O(entries of its row). Of a general piece that of the smaller vertex's row.
  std::size_t entry_of(std::uint32_t u, std::uint32_t v) const;
  std::size_t entries() const { return column_.size(); }
  /// The entry that entry_of() has for the same pair of vertices.
  std::size_t tallied(std::size_t entry) const;
  /// Whether no matching has both edges, or they are one. Precondition: entry_of() has them.
  bool meet(std::size_t one, std::size_t other) const;
  /// Where the smaller vertex's row has NaN, and the other not, copies it from there.
  void from_either(std::vector<double>& values) const;
  /// Copies what the entry of the smaller vertex's row has to the other; nothing of a bipartite piece.
  void mirror(std::vector<double>& values) const;

 private:
  std::pair<std::uint32_t, std::uint32_t> line_of(std::size_t entry) const;

  bool general_;
  std::vector<std::uint64_t> row_start_;
  std::vector<Index> column_;
};

/// Pairs of different entries, each once.
class EntryPairs {
 public:
  using Pair = std::pair<std::size_t, std::size_t>;
  EntryPairs(std::size_t entries, std::vector<Pair> pairs);
  std::size_t size() const { return pairs_.size(); }
  std::size_t second(std::size_t place) const { return pairs_[place].second; }
  /// The places of those that begin with an entry.
  std::pair<std::size_t, std::size_t> places(std::size_t first) const {
    return {start_[first], start_[first + 1]};
  }
  /// None: it is not one of them. O(log size).
  std::optional<std::size_t> place_of(std::size_t first, std::size_t second) const;

 private:
  std::vector<Pair> pairs_;  // in order
  std::vector<std::size_t> start_;
};

/// Precondition: ln is no NaN; -infinity is 0.
Scaled scaled_exponential(double ln);

/// Weights are in units of e^unit, so that the largest is about 1.
struct PieceTally {
  double unit = 0;
  double weights = 0;  // their sum, and that of their squares; 0: none is known yet, nor a unit
  double squares = 0;
  std::vector<double> entry_weights;  // of the samples that have the entry
  std::vector<double> entry_squares;
  std::vector<double> pair_weights;  // of the samples that have both entries
  std::vector<double> pair_squares;
  SampleMoments moments;

  /// What comes after it. The order decides how sums are rounded.
  void join(PieceTally&& next);
  /// (sum X)^2 / sum X^2. Precondition: weights > 0.
  double effective() const { return weights * weights / squares; }
  /// The share of an entry's weights, and its standard error; heavy samples that have not come may add so
  /// much to the weights, over their sum, with the entry or without (tail_excess). Precondition: weights > 0.
  std::pair<double, double> share_of(std::size_t entry, double tail_excess) const;
  /// Of two entries. The covariance is the weighted mean of D = ([e in M] - P(e)) ([f in M] - P(f)), and its
  /// error that of such a mean, sqrt(sum X^2 (D - covariance)^2) / sum X: to first order it takes the errors
  /// of P(e) and P(f) in. place: theirs among the pairs. Without one, and if they are not the same, no
  /// matching has both: their joint share is 0, without error. Precondition: weights > 0.
  PairShares shares_of(std::size_t first, std::size_t second, std::optional<std::size_t> place,
                       double tail_excess) const;

 private:
  /// What samples may have missed, as a standard error.
  double missed_share(double tail_excess) const;
  std::pair<double, double> share_with_error(double part, double part_squares, double tail_excess) const;
};

/// Of samples first .. first + count - 1.
PieceTally tally_samples(const MatchingSampler& sampler, const PieceEntries& entries, const EntryPairs& pairs,
                         std::uint64_t first, std::uint64_t count, const StopSignal& stop);

}  // namespace countpm
