#pragma once
// Rule 2, double: a line with two entries, alpha at d and beta at e, goes, and the two lines d and e that it
// joins become one:
//   per(A) = per([alpha e + beta d | B]), e and d without that line, B the rest.
// Expand along the line: alpha per(e B) + beta per(d B), and the permanent is linear in a line. A factor that
// alpha and beta share comes out. Exact on every commutative ring. Not taken where a new entry would not fit.
// O(degree of the shorter of d and e) where the other's coefficient is 1 (always so for 0/1 entries and equal
// weights), else O(degree of both) for int64; for rationals a line longer than 64 gets coefficient 1 by
// division. H. Forbert, D. Marx, Comput. Phys. Commun. 150 (2003) 267.
#include <utility>

#include "matching/entry_ops.hpp"
#include "matching/rules.hpp"
#include "matching/side.hpp"

namespace countpm::rule_double {

template <class Workspace>
bool applicable(const Workspace& work, Side side, Index line) {
  return work.degree(side, line) == 2;
}

/// False, and nothing has changed, where an entry would not fit.
template <class Workspace>
bool apply(Workspace& work, Side side, Index line, RuleTally& tally) {
  using Value = typename Workspace::Value;
  Index d = no_index;
  Index e = no_index;
  Value alpha{};
  Value beta{};
  work.for_each(side, line, [&](Index cross, const Value& value) {
    if (d == no_index) {
      d = cross;
      alpha = value;
    } else {
      e = cross;
      beta = value;
    }
  });
  if (work.degree(other(side), d) < work.degree(other(side), e)) {
    std::swap(d, e);
    std::swap(alpha, beta);
  }
  Value common = take_common_factor(alpha, beta);
  // Scaling a long line once a step would be quadratic on a star with weights; fractions are the lesser evil.
  if (work.degree(other(side), d) > 64) make_unit(beta, alpha, common);
  if (!work.merge(other(side), d, e, beta, alpha, line)) return false;
  work.factor().multiply(common);
  ++tally[Rule::doubles].applied;
  ++tally[Rule::doubles].removed;
  return true;
}

}  // namespace countpm::rule_double
