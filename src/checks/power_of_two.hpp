#pragma once
// The permanent modulo a power of two, from few subsets of the columns.
//
// Ryser's sum holds with any integers c_i beside the row sums,
//   per(A) = sum over sets S of columns of (-1)^(n - |S|) prod_i (c_i + sum_{j in S} a_ij),
// since a product with a c_i in it lacks a column, and those cancel. Modulo 2^t only sets count that leave
// fewer than t of the n factors even. With x the set as a vector of bits and B = A mod 2 they are the
// solutions of B x = 1 + c + e over GF(2) for all e of fewer than t ones: one for each e on average, or,
// where B has no inverse, none for most and many for some. A. Bjoerklund, T. Husfeldt, I. Lyckberg, Computing
// the permanent modulo a prime power, Information Processing Letters 125 (2017).
#include <cstdint>
#include <optional>

#include "graph/sparse_matrix.hpp"

namespace countpm {

struct ResidueOfPermanent {
  unsigned bits = 0;          // modulo 2^bits
  std::uint64_t residue = 0;  // from 0 up to 2^bits
  std::uint64_t subsets = 0;  // that were summed over
};

constexpr unsigned most_bits_of_residue = 24;

/// The permanent of a square matrix modulo 2^t, t as large as so many seconds of a core are predicted to
/// allow, from 2 to most_bits_of_residue; nothing where they do not allow 2. O(sum_{j < t} C(n, j) entries)
/// time and n^2 / 4 bits of memory.
std::optional<ResidueOfPermanent> permanent_modulo_power_of_two(const SparseMatrix<std::int64_t>& matrix,
                                                                double seconds);

}  // namespace countpm
