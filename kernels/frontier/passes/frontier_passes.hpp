#pragma once
// Forward and backward passes of the frontier method over one block: how often every edge is used by its
// perfect matchings, and perfect matchings drawn at random, both exactly.
//
// The forward pass stores the layers (layers.hpp); backward_pass.hpp and backward_draw.hpp walk them back.
// Twins are one class (class_graph.hpp): an edge's share is that of its classes' edges, and
// a draw of classes becomes one of vertices by a random order of each class's members; an inner edge of a
// class of m stands for m (m - 1) / 2 edges. With monomers a loop is an entry like another, and a vertex that
// stays alone a pair with itself. Time O(sum over layers of states * degree), each in words of 64
// bits; memory the layers, or what the limit leaves of them.
#include <functional>
#include <memory>
#include <vector>

#include "kernels/frontier/order/elimination.hpp"
#include "kernels/frontier/tables/integer_weights.hpp"
#include "kernels/method.hpp"
#include "kernels/orders/class_graph.hpp"
#include "kernels/passes/edge_uses.hpp"
#include "kernels/passes/layer_limits.hpp"

namespace countpm {

class FrontierPasses {
 public:
  /// progress(share) is called with how much of a pass is done. `elimination`: linear, of class_graph(block).
  /// Throws std::invalid_argument for complex values, and UnableError for a frontier of more than widest_key
  /// bits.
  FrontierPasses(const AnyBlock& block, const ClassGraph& graph, const ClassLines& lines,
                 const Elimination& elimination, LayerLimits limits,
                 std::function<void(double)> progress = {});
  ~FrontierPasses();
  FrontierPasses(FrontierPasses&&) noexcept;
  FrontierPasses& operator=(FrontierPasses&&) noexcept;

  static constexpr unsigned widest_key = 1023;

  /// Of a stored layer, and of a table of the backward pass.
  std::uint64_t bytes_per_state() const;
  /// How many layers there are beside the first, the empty state's.
  std::size_t rounds() const;

  /// (State, stream) pairs a second of the forward pass, by its first layers of many states: makes layers
  /// for about so many seconds, which total() need not make again. 0: none of these has many. Throws
  /// Stopped.
  double measured_rate(double seconds, const StopSignal& stop);

  /// The sum over all perfect matchings of the products of weights, up to a positive factor that depends on
  /// the block alone. Throws Stopped and LayersTooLarge; so do the others. May be run again.
  const mpz_class& total(const StopSignal& stop);
  /// All 0 where there is no perfect matching.
  EdgeUses edge_uses(const StopSignal& stop);
  /// Draws number first .. first + count - 1 of the block's stream of independent draws. Preconditions: no
  /// negative weight, total not 0.
  std::vector<PairList> draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                             std::uint64_t count, const StopSignal& stop);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace countpm
