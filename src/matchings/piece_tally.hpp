#pragma once
// How much weight every edge of a piece has in samples of its matchings.
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/estimate/samples/graph_sampler.hpp"
#include "src/structure/pieces.hpp"

namespace countpm {

/// Which entry of a piece's matrix a pair of the sampled graph's vertices is.
class PieceEntries {
 public:
  explicit PieceEntries(const Piece& piece);
  /// O(entries of its row). Of a general piece that of the smaller vertex's row.
  std::size_t entry_of(std::uint32_t u, std::uint32_t v) const;
  std::size_t entries() const { return column_.size(); }
  /// Where the smaller vertex's row has NaN, and the other not, copies it from there.
  void from_either(std::vector<double>& values) const;
  /// Copies what the entry of the smaller vertex's row has to the other; nothing of a bipartite piece.
  void mirror(std::vector<double>& values) const;

 private:
  bool general_;
  std::vector<std::uint64_t> row_start_;
  std::vector<Index> column_;
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
  SampleMoments moments;

  /// What comes after it. The order decides how sums are rounded.
  void join(PieceTally&& next);
  /// (sum X)^2 / sum X^2. Precondition: weights > 0.
  double effective() const { return weights * weights / squares; }
  /// The share of an entry's weights, and its standard error; heavy samples that have not come may add so
  /// much to the weights, over their sum, with the entry or without (tail_excess). Precondition: weights > 0.
  std::pair<double, double> share_of(std::size_t entry, double tail_excess) const;
};

/// Of samples first .. first + count - 1.
PieceTally tally_samples(const MatchingSampler& sampler, const PieceEntries& entries, std::uint64_t first,
                         std::uint64_t count, const StopSignal& stop);

}  // namespace countpm
