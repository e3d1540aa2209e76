#pragma once
// Every edge of an input with its probability, in whichever form: what marginals and pairs of edges share.
#include <cstdint>
#include <functional>
#include <vector>

#include "graph/errors.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/shared_uses.hpp"

namespace countpm {

/// Where the weights add up to 0. Throws UnableError.
[[noreturn]] void throw_no_probabilities(const Instance& instance);

/// Of the memory limit, what the sums of trees may take.
std::uint64_t memory_for_trees(const CountOptions& options);

/// Of every edge of the input; input.start learns the methods. `form` makes what is reported of numerator and
/// denominator. Throws Stopped, and UnableError where the sum over all matchings is 0. Precondition: there is
/// a perfect matching. shared: the other ranks; null: there are none.
template <class Share>
std::vector<Share> edge_probabilities(PassInput& input, const CountOptions& options, Monitor& monitor,
                                      const std::function<Share(const mpz_class&, const mpz_class&)>& form,
                                      SharedRanges* shared = nullptr) {
  // Of every entry of the instance's matrix; of a general graph's, both directions.
  std::vector<Share> shares(input.instance.pattern.entries(), form(0, 1));
  for (const std::uint64_t entry : input.pieces.forced) shares[entry] = form(1, 1);
  PassProgress progress(monitor, "marginals", input.pieces.pieces);
  UsesOfPieces of_pieces(input, options, progress, monitor, shared);
  for (std::size_t p = 0; p < input.pieces.pieces.size(); ++p) {
    const Piece& piece = input.pieces.pieces[p];
    const PieceUses found = of_pieces.of(p);
    add_method(found.method, input.start.method);
    if (found.total == 0) throw_no_probabilities(input.instance);
    const EdgeUses& uses = found.uses;
    for (std::size_t k = 0; k < piece.entries.size(); ++k) {
      monitor.stop_signal().check();
      shares[piece.entries[k]] =
          form(uses.uses[uses.place[k]], found.total * mpz_class(static_cast<std::uint64_t>(uses.pairs[k])));
    }
  }
  for (const TreePiece& tree : input.trees) {
    add_method(tree_method, input.start.method);
    if (!put_tree_shares(tree, memory_for_trees(options), form, shares))
      throw_no_probabilities(input.instance);
  }
  std::vector<Share> of_edges;
  of_edges.reserve(input.edges.size());
  for (const std::uint64_t entry : entries_of_edges(input.instance, input.edges))
    of_edges.push_back(shares[entry]);
  return of_edges;
}

/// Throws UsageError for digits that there are not.
void check_marginal_digits(const MarginalOptions& options);

/// In lowest terms.
mpq_class probability_fraction(const mpz_class& numerator, const mpz_class& denominator);

}  // namespace countpm
