#pragma once
// Hashes of values: equal values have equal ones.
#include <cstdint>

#include "graph/weight.hpp"

namespace countpm::value_hash {

inline std::uint64_t mixed(std::uint64_t hash) {
  hash = (hash ^ (hash >> 32)) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}
inline std::uint64_t hash_of(std::int64_t value) {
  return mixed(static_cast<std::uint64_t>(value) + 1);
}
inline std::uint64_t hash_of(const mpq_class& value) {
  return mixed(mpz_getlimbn(value.get_num_mpz_t(), 0) + 3 * mpz_getlimbn(value.get_den_mpz_t(), 0) +
               (value < 0 ? 1 : 0));
}
inline std::uint64_t hash_of(const ComplexRational& value) {
  return mixed(hash_of(value.re) + 5 * hash_of(value.im));
}

}  // namespace countpm::value_hash
