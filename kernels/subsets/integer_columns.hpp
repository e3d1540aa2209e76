#pragma once
// A block as integer columns: what the exact inclusion-exclusion methods walk over. Every row is scaled by
// the least common multiple of its denominators, so that per(block) = per(columns) / scale.
#include <gmpxx.h>

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "matching/block.hpp"

namespace countpm {

/// Compressed columns: column j has the entries start[j] .. start[j + 1] - 1, by ascending row.
/// Int: int64_t or mpz_class. For int64_t: sum over j of multiplicity_j |a_ij| = row_bound[i] <= 2^61, so
/// that doubled and half-shifted row sums (all within +-row_bound) and doubled entries stay inside 63 bits.
template <class Int>
struct IntegerColumns {
  Index rows = 0;
  std::vector<std::uint64_t> start{0};
  std::vector<Index> row;
  std::vector<Int> value;
  std::vector<Index> multiplicity;  // one a column, >= 1
  std::vector<Int> row_sum;         // with multiplicities
  std::vector<Int> row_bound;       // sum of absolute values, with multiplicities
  mpz_class scale = 1;

  Index columns() const { return static_cast<Index>(multiplicity.size()); }
  std::uint64_t entries_of(Index column) const { return start[column + std::uint64_t{1}] - start[column]; }
};

using AnyIntegerColumns = std::variant<IntegerColumns<std::int64_t>, IntegerColumns<mpz_class>>;

/// Whether a column has copies: equal columns are counted together.
inline bool has_twins(const std::vector<Index>& multiplicity) {
  return std::any_of(multiplicity.begin(), multiplicity.end(), [](Index copies) { return copies != 1; });
}
/// What a method's device_obstacle() says then.
inline constexpr const char* no_gpu_form_for_twins =
    "no form for GPUs where equal columns are counted together";

/// The narrow form where it fits, whatever the block's own type; never for ComplexRational (precondition).
/// O(entries).
AnyIntegerColumns integer_columns(const AnyBlock& block);

/// bound + |value| * copies, the sum of magnitudes of a row so far; false, and bound as it was, beyond 2^61
/// (int64_t only).
bool add_magnitude(std::int64_t& bound, std::int64_t value, Index copies);
bool add_magnitude(mpz_class& bound, const mpz_class& value, Index copies);

/// The same permanent with those classes of equal columns written out as single columns. O(entries written).
template <class Int>
IntegerColumns<Int> written_out(IntegerColumns<Int> columns, const std::vector<bool>& classes);

/// The same permanent with the largest classes of equal columns written out as single columns, until the
/// product of (multiplicity + 1) over the classes left is at most `choices`.
template <class Int>
IntegerColumns<Int> with_few_choices(IntegerColumns<Int> columns, std::uint64_t choices);

}  // namespace countpm
