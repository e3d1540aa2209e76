#pragma once
// Rule 3, forbert-marx-3: a line with entries at d, e and f. Zeroing d and e leaves f alone: rule 1 follows
// at once in the first half, and the second half has lost a line: both are one row smaller. See
// forbert_marx_step.hpp for the formula. H. Forbert, D. Marx, Comput. Phys. Commun. 150 (2003) 267.
#include <array>

#include "matching/forbert_marx_step.hpp"

namespace countpm::rule_forbert_marx_3 {

template <class Workspace>
bool applicable(const Workspace& work, Side side, Index line) {
  return work.degree(side, line) == 3;
}

/// The best choice of d and e: the first half loses the entries of f, the second those that d and e share.
/// Lines that this leaves with two entries count double: rule 2 follows (terms of will57, memoised: 172,551
/// without, 19,889 with; 2-core Xeon, 2026-11-21).
template <class Workspace>
ForbertMarxStep best_step(const Workspace& work, Side side, Index line) {
  std::array<Index, 3> cross{};
  std::size_t count = 0;
  work.for_each(side, line, [&](Index at, const auto&) { cross[count++] = at; });
  ForbertMarxStep best;
  for (std::size_t f = 0; f < 3; ++f) {
    const Index d = cross[(f + 1) % 3];
    const Index e = cross[(f + 2) % 3];
    const Side across = other(side);
    int score = static_cast<int>(work.degree(across, cross[f])) +
                forbert_marx_step::overlap(work, across, d, e, line);
    for (const Index at : cross) score += work.degree(across, at) == 3 ? 2 : 0;
    score += 2 * forbert_marx_step::doubles_made(work, across, cross[f], cross[f], line);
    score += 2 * forbert_marx_step::doubles_made(work, across, d, e, line);
    if (score > best.score) best = {side, line, d, e, score};
  }
  return best;
}

}  // namespace countpm::rule_forbert_marx_3
