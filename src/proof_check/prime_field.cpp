#include "src/proof_check/prime_field.hpp"

#include <algorithm>

#include "graph/sha256.hpp"

namespace countpm::proof_check {
namespace {

static_assert(GMP_NUMB_BITS == 64);

constexpr std::uint32_t bases[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29,
                                   31, 37, 41, 43, 47, 53, 59, 61, 67, 71};

/// Miller and Rabin; for candidates that a hash draws, above 2^126.
bool seems_prime(Residue p) {
  for (const std::uint32_t base : bases) {
    if (p % base == 0) return false;
  }
  const PrimeField field(p);
  Residue odd = p - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  return std::all_of(std::begin(bases), std::end(bases), [&](std::uint32_t base) {
    Residue x = field.power(base, odd);
    if (x == 1) return true;
    for (int k = 0; k < twos; ++k, x = field.times(x, x)) {
      if (x == p - 1) return true;
    }
    return false;
  });
}

unsigned hex_digit(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

}  // namespace

Digest sha256_of(std::string_view bytes) {
  Sha256 hasher;
  hasher.update(bytes);
  const std::string digits = hasher.digest();
  Digest digest{};
  for (std::size_t k = 0; k < digest.size(); ++k)
    digest[k] = static_cast<std::uint8_t>(hex_digit(digits[2 * k]) << 4 | hex_digit(digits[2 * k + 1]));
  return digest;
}

Digest sha256_of(const Digest& digest, std::string_view more) {
  std::string bytes(digest.begin(), digest.end());
  bytes += more;
  return sha256_of(bytes);
}

Residue PrimeField::times(Residue a, Residue b) const {
  const auto words = [](Residue x) {
    return std::array<mp_limb_t, 2>{static_cast<mp_limb_t>(x), static_cast<mp_limb_t>(x >> 64)};
  };
  const auto left = words(a), right = words(b), modulus = words(prime_);
  std::array<mp_limb_t, 4> product{};
  std::array<mp_limb_t, 3> quotient{};
  std::array<mp_limb_t, 2> rest{};
  mpn_mul_n(product.data(), left.data(), right.data(), 2);
  mpn_tdiv_qr(quotient.data(), rest.data(), 0, product.data(), 4, modulus.data(), 2);
  return Residue{rest[1]} << 64 | rest[0];
}

Residue PrimeField::power(Residue a, Residue exponent) const {
  Residue result = 1;
  for (; exponent != 0; exponent >>= 1, a = times(a, a)) {
    if ((exponent & 1) != 0) result = times(result, a);
  }
  return result;
}

Residue PrimeField::of_digits(std::string_view digits) const {
  Residue value = 0;
  while (!digits.empty()) {
    const std::size_t taken = std::min<std::size_t>(18, digits.size());
    std::uint64_t part = 0, shift = 1;
    for (const char c : digits.substr(0, taken)) {
      part = part * 10 + static_cast<std::uint64_t>(c - '0');
      shift *= 10;
    }
    value = plus(times(value, shift), part);
    digits.remove_prefix(taken);
  }
  return value;
}

Residue PrimeField::of_digest(const Digest& digest) const {
  Residue value = 0;
  for (const std::uint8_t byte : digest) value = plus(times(value, 256), byte);
  return value;
}

Residue prime_of(const Digest& h) {
  const Digest drawn = sha256_of(h, "prime");
  Residue offset = 0;
  for (std::size_t k = 0; k < 16; ++k) offset = offset << 8 | drawn[k];
  const Residue low = Residue{1} << 126;
  Residue p = low + offset % low;
  while (!seems_prime(p)) ++p;
  return p;
}

std::string text_of(Residue value) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace countpm::proof_check
