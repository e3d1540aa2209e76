#pragma once
// Rule 5, twins: identical columns become one with a multiplicity: counting then tells only how many of them
// are used, not which (product of (m + 1) subsets in place of 2^n). Where identical rows gain more, the
// transposed block is returned: per(A) = per(A^T). Columns are hashed and then compared in full. O(entries)
// expected.
#include "matching/block.hpp"
#include "matching/rules.hpp"

namespace countpm::rule_twins {

/// Class of each column: identical columns share one, classes are numbered by their first column. `classes`
/// is their number.
template <class Value>
std::vector<Index> column_classes(const SparseMatrix<Value>& matrix, Index& classes);

/// Merges twins; a block without any comes back as it was, multiplicity empty.
template <class Value>
Block<Value> apply(SparseMatrix<Value> matrix, RuleTally& tally);

}  // namespace countpm::rule_twins
