#pragma once
// A block's fingerprint: equal for equal matrices on every machine, and for others never in practice.
#include <string>

#include "graph/sha256.hpp"
#include "matching/block.hpp"

namespace countpm {

/// Adds a number, exactly, whatever its type.
void add_to_fingerprint(Sha256& hash, std::int64_t value);
void add_to_fingerprint(Sha256& hash, const mpq_class& value);
void add_to_fingerprint(Sha256& hash, const ComplexRational& value);

/// Adds a matrix: its shape, where its entries stand, and their values. O(entries).
template <class Value>
void add_to_fingerprint(Sha256& hash, const SparseMatrix<Value>& matrix) {
  hash.update_number(matrix.rows);
  hash.update_number(matrix.columns);
  for (const std::uint64_t start : matrix.row_start) hash.update_number(start);
  for (const Index column : matrix.column) hash.update_number(column);
  for (const Value& value : matrix.value) add_to_fingerprint(hash, value);
}

/// 32 hexadecimal digits of the block's SHA-256: matrix, multiplicities, kind. O(entries).
std::string fingerprint(const AnyBlock& block);

}  // namespace countpm
