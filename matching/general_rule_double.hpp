#pragma once
// Rule 2 on a general graph: a vertex v of degree 2, alpha to d and beta to e, goes, and d and e become one
// vertex c:
//   haf(A) = haf(B),  B: b_cx = alpha a_ex + beta a_dx for every other x.
// For v is matched to d, and then e to some x (never to d: an edge de is in no perfect matching with v left
// over), or the other way around. A factor that alpha and beta share comes out. Exact on every commutative
// ring. Not taken where a new value would not fit. Cost as in rule_double.hpp.
#include <stdexcept>
#include <utility>

#include "matching/entry_ops.hpp"
#include "matching/rules.hpp"
#include "matching/side.hpp"

namespace countpm::general_rule_double {

template <class Workspace>
bool applicable(const Workspace& work, Index vertex) {
  return work.degree(Side::rows, vertex) == 2;
}

/// False, and nothing has changed but for an edge de that is gone, where a value would not fit.
template <class Workspace>
bool apply(Workspace& work, Index vertex, RuleTally& tally) {
  using Value = typename Workspace::Value;
  Index d = no_index;
  Index e = no_index;
  Value alpha{};
  Value beta{};
  work.for_each(Side::rows, vertex, [&](Index at, const Value& value) {
    if (d == no_index) {
      d = at;
      alpha = value;
    } else {
      e = at;
      beta = value;
    }
  });
  if (work.has(Side::rows, d, e)) {
    work.erase_entry(Side::rows, d, e);
    work.erase_entry(Side::rows, e, d);
  }
  if (work.degree(Side::rows, d) < work.degree(Side::rows, e)) {
    std::swap(d, e);
    std::swap(alpha, beta);
  }
  Value common = take_common_factor(alpha, beta);
  if (work.degree(Side::rows, d) > 64) make_unit(beta, alpha, common);  // as in rule_double.hpp
  if (!work.merge(Side::rows, d, e, beta, alpha, vertex)) return false;
  // The same values once more: they fit.
  if (!work.merge(Side::columns, d, e, beta, alpha, vertex))
    throw std::logic_error(
        "general_rule_double: the columns of a symmetric matrix did not merge as its rows");
  work.factor().multiply(common);
  ++tally[Rule::doubles].applied;
  ++tally[Rule::doubles].removed;
  return true;
}

}  // namespace countpm::general_rule_double
