#include "kernels/proof/transcript.hpp"

#include <algorithm>

#include "graph/sha256.hpp"

namespace countpm {
namespace {

FieldElement residue_of(const PrimeField& field, const HashBytes& hash) {
  return field.element(number_of(hash));
}

unsigned digit_value(char digit) {
  return static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

std::string bytes_of(const PrimeField& field, const ProofRound& round) {
  std::string bytes;
  for (const FieldElement& element : round)
    for (const std::uint8_t byte : field.bytes(element)) bytes += static_cast<char>(byte);
  return bytes;
}

/// RFC 4648, with padding.
std::string base64_of(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = k; i < k + 3; ++i)
      group = group << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      text += k + i <= bytes.size() ? digits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::string_view text_view(const HashBytes& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

}  // namespace

HashBytes hash_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  const std::string digits = hash.digest();
  HashBytes result{};
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<std::uint8_t>(digit_value(digits[2 * i]) * 16 + digit_value(digits[2 * i + 1]));
  return result;
}

HashBytes hash_of(const HashBytes& hash, std::string_view word) {
  std::string bytes(text_view(hash));
  bytes += word;
  return hash_of(bytes);
}

mpz_class number_of(const HashBytes& hash) {
  mpz_class number;
  mpz_import(number.get_mpz_t(), hash.size(), 1, 1, 1, 0, hash.data());
  return number;
}

PrimeField field_of(const HashBytes& statement) {
  const mpz_class hash = number_of(hash_of(statement, "prime")) >> 128;
  const mpz_class least = (mpz_class(1) << 126) + hash % (mpz_class(1) << 126);
  // mpz_nextprime() is the next one beyond.
  mpz_class prime;
  mpz_nextprime(prime.get_mpz_t(), mpz_class(least - 1).get_mpz_t());
  return PrimeField(prime);
}

FieldElement letter_value(const PrimeField& field, const HashBytes& statement, char letter) {
  return residue_of(field, hash_of(statement, std::string("letter ") + letter));
}

std::string text_of(const PrimeField& field, const ProofRound& round) {
  return base64_of(bytes_of(field, round));
}

FieldElement Transcript::challenge(const PrimeField& field, const ProofRound& round) {
  std::string bytes(text_view(hash_));
  bytes += bytes_of(field, round);
  hash_ = hash_of(bytes);
  return residue_of(field, hash_);
}

}  // namespace countpm
