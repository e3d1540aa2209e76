#pragma once
// FLINT's determinants of a dense square matrix, behind a wall.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

namespace countpm::bench {

struct DenseEntry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  int value = 0;
};

bool have_flint();
/// fmpz_mat_det of the size x size matrix with these entries; zero where FLINT is not there.
mpz_class flint_determinant(std::uint32_t size, const std::vector<DenseEntry>& entries);
/// nmod_mat_det: the same modulo one prime.
std::uint64_t flint_determinant_modulo(std::uint32_t size, const std::vector<DenseEntry>& entries,
                                       std::uint64_t prime);

}  // namespace countpm::bench
