#pragma once
// Every edge of an input with its probability, in whichever form: what marginals and pairs of edges share.
#include <functional>
#include <vector>

#include "graph/errors.hpp"
#include "src/matchings/edge_entries.hpp"
#include "src/matchings/passes.hpp"

namespace countpm {

/// Of the memory limit, for what the passes hold; the rest is for the graph, the program and the text.
inline constexpr double marginal_layers_share = 0.9;

/// Where the weights add up to 0. Throws UnableError.
[[noreturn]] void throw_no_probabilities(const Instance& instance);

/// Of every edge of the input; input.start learns the methods. `form` makes what is reported of numerator and
/// denominator. Throws Stopped, and UnableError where the sum over all matchings is 0. Precondition: there is
/// a perfect matching.
template <class Share>
std::vector<Share> edge_probabilities(PassInput& input, const CountOptions& options, Monitor& monitor,
                                      const std::function<Share(const mpz_class&, const mpz_class&)>& form) {
  // Of every entry of the instance's matrix; of a general graph's, both directions.
  std::vector<Share> shares(input.instance.pattern.entries(), form(0, 1));
  for (const std::uint64_t entry : input.pieces.forced) shares[entry] = form(1, 1);
  PassProgress progress(monitor, "marginals", input.pieces.pieces);
  for (std::size_t p = 0; p < input.pieces.pieces.size(); ++p) {
    const Piece& piece = input.pieces.pieces[p];
    progress.begin(p);
    PiecePasses passes(
        piece, options, PassUse{marginal_layers_share, 0}, [&](double share) { progress.set(share); },
        monitor.stop_signal());
    progress.describe(passes.method());
    add_method(passes.method(), input.start.method);
    const mpz_class total = passes.total(monitor.stop_signal());
    if (total == 0) {
      throw_no_probabilities(input.instance);
    }
    progress.second_half();
    const EdgeUses uses = passes.edge_uses(monitor.stop_signal());
    for (std::size_t k = 0; k < piece.entries.size(); ++k) {
      monitor.stop_signal().check();
      shares[piece.entries[k]] =
          form(uses.uses[uses.place[k]], total * mpz_class(static_cast<unsigned long>(uses.pairs[k])));
    }
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
