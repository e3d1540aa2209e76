#pragma once
// The random numbers of a block: of the seed and of what the block is.
#include <cstdint>

#include "matching/block.hpp"

namespace countpm {

/// How random numbers follow from seed and block, for journals: rule 1 was the seed alone, so that the same
/// seed erred alike on different inputs.
inline constexpr unsigned random_rule = 2;

/// What stands for the seed in a block's random numbers: 64 bits of a SHA-256 of the seed and the block's
/// fingerprint, the same on every machine. Errors of different blocks are independent whatever seeds they
/// have. O(entries).
std::uint64_t block_key(const AnyBlock& block, std::uint64_t seed);

}  // namespace countpm
