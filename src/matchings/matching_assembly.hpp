#pragma once
// Whole matchings from those of the pieces of an instance.
#include <vector>

#include "kernels/passes/edge_uses.hpp"
#include "src/matchings/passes.hpp"

namespace countpm {

/// What a user reads of matchings that are drawn piece by piece.
class MatchingAssembly {
 public:
  /// Outlived by the input.
  explicit MatchingAssembly(const PassInput& input);

  /// A piece's lines that are matched with one another, a vertex with itself that stays alone.
  void put(const Piece& piece, const PairList& pairs);
  /// As TreePasses draws them.
  void put(const TreePiece& tree, const std::vector<Index>& mates);
  /// By rows; of a general graph by the first vertex of each pair. Vertices that stay alone are left out.
  const std::vector<Edge>& matching();

 private:
  bool general() const;
  void join(Index row, Index column);

  const PassInput& input_;
  std::vector<Index> mate_;
  std::vector<Edge> matching_;
};

/// Throws UnableError for negative weights: there is nothing to draw with.
void refuse_negative(const Instance& instance);

/// How many draws are held at a time: they take some share of the memory at most.
std::uint64_t most_draws_held(const Resources& resources, Index rows);

}  // namespace countpm
