#include "src/sampling/block_key.hpp"

#include <string>

#include "matching/fingerprint.hpp"

namespace countpm {

std::uint64_t block_key(const AnyBlock& block, std::uint64_t seed) {
  constexpr std::size_t digits = 16;
  Sha256 hash;
  hash.update("countpm estimate");
  hash.update_number(random_rule);
  hash.update_number(seed);
  hash.update(fingerprint(block));
  return std::stoull(hash.digest().substr(0, digits), nullptr, 16);
}

}  // namespace countpm
