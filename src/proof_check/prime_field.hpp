#pragma once
// Numbers modulo a prime of 127 bits, and hashes as they are drawn from in proofs.
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace countpm::proof_check {

__extension__ using Residue = unsigned __int128;

/// SHA-256: 32 bytes.
using Digest = std::array<std::uint8_t, 32>;
Digest sha256_of(std::string_view bytes);
/// Of a digest and what follows it.
Digest sha256_of(const Digest& digest, std::string_view more);

/// All operands are below the prime.
class PrimeField {
 public:
  /// Precondition: 2^64 < prime.
  explicit PrimeField(Residue prime) : prime_(prime) {}

  Residue prime() const { return prime_; }
  Residue plus(Residue a, Residue b) const { return b == 0 || a < prime_ - b ? a + b : a - (prime_ - b); }
  Residue minus(Residue a, Residue b) const { return a >= b ? a - b : a + (prime_ - b); }
  Residue less(Residue a) const { return a == 0 ? 0 : prime_ - a; }
  /// 1 - a
  Residue complement(Residue a) const { return minus(1, a); }
  Residue times(Residue a, Residue b) const;
  Residue power(Residue a, Residue exponent) const;
  /// a != 0.
  Residue inverse(Residue a) const { return power(a, prime_ - 2); }
  /// Of decimal digits. O(digits).
  Residue of_digits(std::string_view digits) const;
  /// The digest as a number, the most significant byte first.
  Residue of_digest(const Digest& digest) const;

 private:
  Residue prime_;
};

/// The least prime >= 2^126 + (the first half of SHA-256(h + "prime") modulo 2^126).
Residue prime_of(const Digest& h);
/// In decimal.
std::string text_of(Residue value);

}  // namespace countpm::proof_check
