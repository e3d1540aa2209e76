#include "graph/kinds/balanced_digits.hpp"

#include <algorithm>

#include "graph/stop_signal.hpp"

namespace countpm {
namespace {

/// Bits first .. first + count - 1 of a number that is not negative.
mpz_class bits_from(const mpz_class& number, std::uint64_t first, std::uint64_t count) {
  const std::size_t limbs = mpz_size(number.get_mpz_t());
  const std::size_t low = first / GMP_NUMB_BITS;
  if (low >= limbs) return 0;
  const std::size_t high = std::min<std::size_t>(limbs, (first + count) / GMP_NUMB_BITS + 1);
  mpz_t view;
  mpz_roinit_n(view, mpz_limbs_read(number.get_mpz_t()) + low, static_cast<mp_size_t>(high - low));
  mpz_class result;
  mpz_tdiv_q_2exp(result.get_mpz_t(), view, first % GMP_NUMB_BITS);
  mpz_tdiv_r_2exp(result.get_mpz_t(), result.get_mpz_t(), count);
  return result;
}

}  // namespace

std::optional<std::vector<mpz_class>> balanced_digits(const mpz_class& value, std::uint64_t width,
                                                      std::size_t many) {
  // Half of the base is added to every digit, so that none is negative.
  mpz_class half;
  mpz_setbit(half.get_mpz_t(), width - 1);
  mpz_class raised;
  // The highest first, so that memory is taken once.
  for (std::size_t k = many; k-- > 0;) mpz_setbit(raised.get_mpz_t(), (k + 1) * width - 1);
  raised += value;
  if (raised < 0 || (raised > 0 && mpz_sizeinbase(raised.get_mpz_t(), 2) > many * width)) return std::nullopt;
  std::vector<mpz_class> digits;
  digits.reserve(many);
  for (std::size_t k = 0; k < many; ++k) {
    check_stop();
    digits.emplace_back(bits_from(raised, k * width, width) - half);
  }
  return digits;
}

}  // namespace countpm
