#pragma once
// Rule 4, forbert-marx-4: a line with entries at d, e, f and g. Zeroing d and e leaves two: rule 2 follows at
// once in the first half and merges f and g, as the second half merges d and e: both are one row smaller. See
// forbert_marx_step.hpp for the formula. H. Forbert, D. Marx, Comput. Phys. Commun. 150 (2003) 267.
#include <array>

#include "matching/forbert_marx_step.hpp"

namespace countpm::rule_forbert_marx_4 {

template <class Workspace>
bool applicable(const Workspace& work, Side side, Index line) {
  return work.degree(side, line) == 4;
}

/// The best of the three pairings {d, e}, {f, g}: the halves lose the entries that the pairs share.
template <class Workspace>
ForbertMarxStep best_step(const Workspace& work, Side side, Index line) {
  std::array<Index, 4> cross{};
  std::size_t count = 0;
  work.for_each(side, line, [&](Index at, const auto&) { cross[count++] = at; });
  ForbertMarxStep best;
  const Side across = other(side);
  for (std::size_t partner = 1; partner < 4; ++partner) {
    const Index d = cross[0];
    const Index e = cross[partner];
    const Index f = cross[partner == 1 ? 2 : 1];
    const Index g = cross[partner == 3 ? 2 : 3];
    const int score = forbert_marx_step::overlap(work, across, d, e, line) +
                      forbert_marx_step::overlap(work, across, f, g, line);
    if (score > best.score) best = {side, line, d, e, score};
  }
  return best;
}

}  // namespace countpm::rule_forbert_marx_4
