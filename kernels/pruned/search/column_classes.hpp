#pragma once
// The forms of one permanent that a pruned job chooses from: classes of equal columns kept or written out,
// and the transpose.
#include <optional>

#include "kernels/subsets/integer_columns.hpp"

namespace countpm {

/// A node's weight, a product of C(m, t) <= 2^m over its classes, is a signed word.
inline constexpr Index most_class_copies = 62;

/// Classes written out as single columns, the smallest first, until those left have at most most_class_copies
/// copies together and there are `singles` single columns or no class is left. A class of more copies than
/// that stays as it is: no lanes walk it. O(entries written).
template <class Int>
IntegerColumns<Int> with_few_classes(IntegerColumns<Int> columns, Index singles);

/// The transpose with its equal columns gathered to classes. Empty where a column's sum is too heavy for
/// int64. O(rows^2) memory at most.
template <class Int>
std::optional<IntegerColumns<Int>> transposed(const IntegerColumns<Int>& columns);

}  // namespace countpm
