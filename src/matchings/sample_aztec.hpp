#pragma once
// Samples of Aztec diamonds, which need no graph: domino shuffling (kernels/planar/passes/aztec_shuffle.hpp).
#include <optional>

#include "src/api/entries.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// A whole Aztec diamond, with weights by direction.
struct AztecDiamond {
  std::string spec;
  std::uint64_t order = 1;
  mpz_class horizontal = 1;
  mpz_class vertical = 1;
};

/// What the source is, where it is one: without removed vertices, taken as an undirected graph, weights
/// (where they count) positive and real. The errors of lattice_info().
std::optional<AztecDiamond> aztec_diamond(const Source& source, const ReadOptions& options);

/// What is told of it before anything is drawn.
ListStart start_of_aztec(const AztecDiamond& diamond);

/// As sample_matchings(). On several ranks these draw them together.
std::uint64_t sample_aztec(const AztecDiamond& diamond, Monitor& monitor, const CountOptions& options,
                           const SampleOptions& sample_options, const MatchingSink& sink);
/// What another rank does meanwhile.
[[noreturn]] void follow_aztec(const AztecDiamond& diamond, Monitor& monitor, const CountOptions& options,
                               const SampleOptions& sample_options);

}  // namespace countpm
