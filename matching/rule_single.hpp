#pragma once
// Rule 1, single: a line with one entry, of value v, is matched through it: per(A) = v * per(A without the
// two lines that cross there). Exact on every commutative ring. O(degree of the crossing line).
#include "graph/sparse_matrix.hpp"
#include "matching/rules.hpp"
#include "matching/side.hpp"

namespace countpm::rule_single {

template <class Workspace>
bool applicable(const Workspace& work, Side side, Index line) {
  return work.degree(side, line) == 1;
}

template <class Workspace>
void apply(Workspace& work, Side side, Index line, RuleTally& tally) {
  Index cross = no_index;
  work.for_each(side, line, [&](Index at, const auto& value) {
    cross = at;
    work.factor().multiply(value);
  });
  work.erase_pair(side, line, cross);
  ++tally[Rule::single].applied;
  ++tally[Rule::single].removed;
}

}  // namespace countpm::rule_single
