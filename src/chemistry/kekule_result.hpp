#pragma once
// What is known of a molecule's Kekule structures.
#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

struct KekuleResult : ListStart {
  Graph graph;           // the pi system: labels, and positions where the input has them
  mpz_class structures;  // how many Kekule structures
  /// Atoms of the pi system that have no double bond, however the others are paired: 0 where there are
  /// structures.
  std::uint64_t unpaired = 0;
  /// Pauling bond orders, beside graph.edges: the share of the structures in which the bond is double, exact.
  /// Empty where there are none.
  std::vector<mpq_class> order;
  /// The Clar covering (Zhang-Zhang) polynomial: in place k how many covers there are by k hexagons that
  /// share no atom and by double bonds for all other atoms; the last place is the Clar number. Empty where
  /// there is no structure, and where it takes longer than some seconds, which a note says.
  std::vector<mpz_class> clar_covers;
  /// Why the molecule has no pi system, of which structures could be counted: "it has only single bonds".
  /// Nothing is known then but what was read. Empty where there is one.
  std::string no_pi_system;
  std::string formula;  // "C24H12" of a molecule whose hydrogens are in the input; else empty
};

}  // namespace countpm
