#pragma once
// Determinants and Pfaffians of matrices of a few rows modulo one prime. O(size^3).
#include <cstddef>
#include <cstdint>
#include <vector>

namespace countpm::planar {

/// Rows by rows; residues below an odd prime < 2^62.
std::uint64_t small_determinant(const std::vector<std::uint64_t>& matrix, std::size_t size,
                                std::uint64_t prime);
/// Of a skew matrix, of which it reads what is above the diagonal.
std::uint64_t small_pfaffian(const std::vector<std::uint64_t>& matrix, std::size_t size, std::uint64_t prime);

}  // namespace countpm::planar
