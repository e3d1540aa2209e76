#include "kernels/proof/prime_field.hpp"

#include <stdexcept>
#include <utility>

namespace countpm {
namespace {

FieldElement words_of(const mpz_class& number) {
  std::uint64_t words[2] = {0, 0};
  mpz_export(words, nullptr, -1, sizeof(std::uint64_t), 0, 0, number.get_mpz_t());
  return {words[0], words[1]};
}

}  // namespace

PrimeField::PrimeField(const mpz_class& p) : prime_(p) {
  if (mpz_sizeinbase(p.get_mpz_t(), 2) != 127 || mpz_even_p(p.get_mpz_t()))
    throw std::invalid_argument("the prime of a field of proofs has 127 bits");
  const FieldElement words = words_of(p);
  low_ = words.low;
  high_ = words.high;
  modulus_ = static_cast<uint128>(high_) << 64 | low_;
  std::uint64_t inverse = low_;  // right modulo 8; each step doubles the bits
  for (int k = 0; k < 5; ++k) inverse *= 2 - low_ * inverse;
  inverse_ = ~inverse + 1;
  ratio_ = words_of(mpz_class((mpz_class(1) << 190) / p)).low;
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 2, 128);
  one_ = words_of(mpz_class(power % p));
  square_ = words_of(mpz_class(power * power % p));
}

FieldElement PrimeField::reduce(const ProductSum& sum) const {
  uint128 high = sum.high;
  while (high >= modulus_) high -= modulus_;  // p is at least 2^126: at most four times
  std::uint64_t t0 = static_cast<std::uint64_t>(sum.low);
  std::uint64_t t1 = static_cast<std::uint64_t>(sum.low >> 64);
  // Two steps on the low half: (low + m p) / 2^128 is at most p.
  step(t0, t1, 0);
  step(t0, t1, 0);
  FieldElement result = reduced((static_cast<uint128>(t1) << 64 | t0) + high);
  if (sum.top != 0) result = add(result, multiply({sum.top, 0}, square_));
  return result;
}

FieldElement PrimeField::inverse(const FieldElement& a) const {
  mpz_class result;
  if (mpz_invert(result.get_mpz_t(), number(a).get_mpz_t(), prime_.get_mpz_t()) == 0)
    throw std::invalid_argument("0 has no inverse");
  return element(result);
}

void PrimeField::invert_all(std::vector<FieldElement>& elements) const {
  if (elements.empty()) return;
  std::vector<FieldElement> before(elements.size());
  FieldElement product = one_;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    before[i] = product;
    product = multiply(product, elements[i]);
  }
  FieldElement rest = inverse(product);
  for (std::size_t i = elements.size(); i-- > 0;) {
    const FieldElement own = elements[i];
    elements[i] = multiply(rest, before[i]);
    rest = multiply(rest, own);
  }
}

FieldElement PrimeField::element(const mpz_class& number) const {
  mpz_class residue;
  mpz_fdiv_r(residue.get_mpz_t(), number.get_mpz_t(), prime_.get_mpz_t());
  return multiply(words_of(residue), square_);
}

FieldElement PrimeField::element(const mpq_class& number) const {
  const FieldElement numerator = element(number.get_num());
  if (number.get_den() == 1) return numerator;
  return multiply(numerator, inverse(element(number.get_den())));
}

FieldElement PrimeField::element(std::uint64_t number) const {
  return multiply({number, 0}, square_);
}

mpz_class PrimeField::number(const FieldElement& a) const {
  const FieldElement plain = multiply(a, {1, 0});
  const std::uint64_t words[2] = {plain.low, plain.high};
  mpz_class result;
  mpz_import(result.get_mpz_t(), 2, -1, sizeof(std::uint64_t), 0, 0, words);
  return result;
}

std::array<std::uint8_t, 16> PrimeField::bytes(const FieldElement& a) const {
  const FieldElement plain = multiply(a, {1, 0});
  std::array<std::uint8_t, 16> result{};
  for (int k = 0; k < 8; ++k) {
    result[15 - k] = static_cast<std::uint8_t>(plain.low >> (8 * k));
    result[7 - k] = static_cast<std::uint8_t>(plain.high >> (8 * k));
  }
  return result;
}

}  // namespace countpm
