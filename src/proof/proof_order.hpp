#pragma once
// In which order a proof eliminates the vertices: so that all its tables together have few states.
#include <vector>

#include "kernels/proof/eliminations.hpp"
#include "src/proof/statement.hpp"

namespace countpm {

/// An any-time search. Pieces that a perfect matching cannot connect come one after the other, and a finished
/// one leaves one state: each of them has no columns of pieces left that its rows see, or no rows that see
/// its own columns. The smallest goes first, for edges to other pieces that are still there make more states.
/// Within a piece it is the search of kernels/frontier/order/, for lines. A vertex that has one set left is
/// eliminated at once, for that makes no table larger.
class ProofOrder {
 public:
  explicit ProofOrder(const ProofStatement& statement);
  ~ProofOrder();
  ProofOrder(const ProofOrder&) = delete;
  ProofOrder& operator=(const ProofOrder&) = delete;

  /// log2 of the states of all tables, by a bound; infinity where no table is foreseen.
  double log2_states() const;
  /// log2 of the states of all tables, and of the largest one.
  struct Likely {
    double log2_states = 0, log2_widest = 0;
  };
  /// What of the bound is likely to be reached, by sampling for about so many seconds. Throws Stopped.
  Likely likely(double seconds);
  /// Whether there is anything left to search for.
  bool improvable() const;
  /// For about so many seconds. Throws Stopped.
  void improve(double seconds, int threads);
  /// Every vertex once.
  std::vector<Index> order() const;

 private:
  struct Piece;
  const ProofStatement& statement_;
  std::vector<Piece> pieces_;  // in their order
};

}  // namespace countpm
