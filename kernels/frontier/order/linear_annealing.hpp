#pragma once
// Simulated annealing of linear orders on log2 of the work. S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi,
// Optimization by simulated annealing, Science 220 (1983) 671.
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/orders/linear_order.hpp"

namespace countpm {

/// A chain of moves over sequences (linear_order.hpp): one class or a segment goes elsewhere, a segment is
/// turned round. The work at a place depends only on the set that is eliminated before it, so that a move is
/// judged by the places between its ends alone: O(window * (degree + classes / 64)).
/// The cost is that of a table of multiplicity 1 a class, C(a + b, .) or 2^(width - 1), times the choices;
/// where there are larger multiplicities, its normal approximation.
class LinearAnnealing {
 public:
  /// Some 24 bytes * classes^2 / 64 of memory: for graphs of at most most_classes.
  static constexpr Index most_classes = 4096;
  LinearAnnealing(const ClassGraph& graph, Drivers drivers, std::uint64_t seed);
  ~LinearAnnealing();
  LinearAnnealing(LinearAnnealing&&) noexcept;
  LinearAnnealing& operator=(LinearAnnealing&&) noexcept;

  /// From here on; the sequence names every driver. Forgets the best.
  void start(std::vector<Index> sequence);
  /// Anneals from `hot` to `cold` (in bits of work) and spends about `effort` word operations; the chain goes
  /// on from where it stands. The result depends on the calls made, not on the clock. Throws Stopped.
  void run(double hot, double cold, std::uint64_t effort, const StopSignal& stop);

  const std::vector<Index>& best() const;
  std::uint64_t moves() const;

 private:
  struct Chain;
  std::unique_ptr<Chain> chain_;
};

}  // namespace countpm
