#include "bench/flint/flint_determinant.hpp"

#ifdef COUNTPM_HAVE_FLINT
#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>
#endif

namespace countpm::bench {

#ifdef COUNTPM_HAVE_FLINT

bool have_flint() {
  return true;
}

mpz_class flint_determinant(std::uint32_t size, const std::vector<DenseEntry>& entries) {
  fmpz_mat_t matrix;
  fmpz_t value;
  fmpz_mat_init(matrix, static_cast<slong>(size), static_cast<slong>(size));
  fmpz_init(value);
  for (const DenseEntry& entry : entries) {
    fmpz_set_si(fmpz_mat_entry(matrix, static_cast<slong>(entry.row), static_cast<slong>(entry.column)),
                static_cast<slong>(entry.value));
  }
  fmpz_mat_det(value, matrix);
  mpz_class result;
  fmpz_get_mpz(result.get_mpz_t(), value);
  fmpz_clear(value);
  fmpz_mat_clear(matrix);
  return result;
}

std::uint64_t flint_determinant_modulo(std::uint32_t size, const std::vector<DenseEntry>& entries,
                                       std::uint64_t prime) {
  nmod_mat_t matrix;
  nmod_mat_init(matrix, static_cast<slong>(size), static_cast<slong>(size), prime);
  for (const DenseEntry& entry : entries) {
    const std::uint64_t value = entry.value < 0 ? prime - static_cast<std::uint64_t>(-entry.value)
                                                : static_cast<std::uint64_t>(entry.value);
    nmod_mat_set_entry(matrix, static_cast<slong>(entry.row), static_cast<slong>(entry.column), value);
  }
  const std::uint64_t result = nmod_mat_det(matrix);
  nmod_mat_clear(matrix);
  return result;
}

#else

bool have_flint() {
  return false;
}
mpz_class flint_determinant(std::uint32_t, const std::vector<DenseEntry>&) {
  return 0;
}
std::uint64_t flint_determinant_modulo(std::uint32_t, const std::vector<DenseEntry>&, std::uint64_t) {
  return 0;
}

#endif

}  // namespace countpm::bench
