#pragma once
// The chain of hashes of a proof: the statement's, then one for every round, from which the challenges come
// (A. Fiat, A. Shamir, How to prove yourself, CRYPTO 1986). docs/internals/proof-format.md, "The hash and the
// prime" and "Rounds".
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/proof/prime_field.hpp"

namespace countpm {

using HashBytes = std::array<std::uint8_t, 32>;

/// SHA-256 of the bytes.
HashBytes hash_of(std::string_view bytes);
/// Of the hash followed by the word.
HashBytes hash_of(const HashBytes& hash, std::string_view word);
/// Most significant byte first.
mpz_class number_of(const HashBytes& hash);

/// The field of a statement: of the least prime that is at least 2^126 + (the first 16 bytes of the hash of
/// "prime", modulo 2^126).
PrimeField field_of(const HashBytes& statement);
/// What the letter is worth.
FieldElement letter_value(const PrimeField& field, const HashBytes& statement, char letter);

/// What a round sends: q_0, q_2, .., q_m, or q_0 alone.
using ProofRound = std::vector<FieldElement>;
/// 16 bytes each, most significant byte first, in base64.
std::string text_of(const PrimeField& field, const ProofRound& round);

class Transcript {
 public:
  explicit Transcript(const HashBytes& statement) : hash_(statement) {}

  /// Takes the round's numbers in, and says the challenge that follows.
  FieldElement challenge(const PrimeField& field, const ProofRound& round);

 private:
  HashBytes hash_;
};

}  // namespace countpm
