#pragma once
// What stands for i modulo a prime.
#include <cstdint>

namespace countpm::planar {

/// r with r^2 = -1 modulo a prime that is 1 modulo 4, the same at every call. O(log prime) multiplications.
std::uint64_t root_of_minus_one(std::uint64_t prime);

}  // namespace countpm::planar
