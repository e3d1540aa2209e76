#pragma once
// Rule 1 on a general graph: a vertex of degree 1, whose edge has value v, is matched through it:
//   haf(A) = v * haf(A without the two ends).
// The workspace holds the symmetric matrix: what happens to a row happens to its column. O(degree of the
// neighbour).
#include "graph/sparse_matrix.hpp"
#include "matching/rules.hpp"
#include "matching/side.hpp"

namespace countpm::general_rule_single {

template <class Workspace>
bool applicable(const Workspace& work, Index vertex) {
  return work.degree(Side::rows, vertex) == 1;
}

template <class Workspace>
void apply(Workspace& work, Index vertex, RuleTally& tally) {
  Index neighbour = no_index;
  work.for_each(Side::rows, vertex, [&](Index at, const auto& value) {
    neighbour = at;
    work.factor().multiply(value);
  });
  work.erase_pair(Side::rows, vertex, neighbour);
  work.erase_pair(Side::rows, neighbour, vertex);
  ++tally[Rule::single].applied;
  ++tally[Rule::single].removed;
}

}  // namespace countpm::general_rule_single
