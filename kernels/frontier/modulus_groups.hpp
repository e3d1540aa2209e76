#pragma once
// Where values modulo all moduli do not fit the memory side by side, the tables are made several times, with
// the values modulo some of the moduli each time: in passes.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

/// Of a state's value, modulo each modulus of an arithmetic in turn: 16 modulo 2^128, 8 modulo 2^64 and
/// primes, 4 modulo primes below 2^31 (tables/narrow_prime_ring.hpp).
using ValueBytes = std::vector<std::uint64_t>;

ValueBytes value_bytes_of(const std::vector<Modulus>& moduli);
std::uint64_t sum_of(const ValueBytes& bytes);

/// The fewest groups of neighbours of at most `most_bytes` each, by their sizes, and of those the ones whose
/// largest is least: {3, 3}, not {5, 1}. Empty where one modulus alone is more. O(moduli log bytes).
std::vector<std::uint32_t> group_moduli(const ValueBytes& bytes, std::uint64_t most_bytes);

/// The bytes of the largest group.
std::uint64_t largest_group(const ValueBytes& bytes, const std::vector<std::uint32_t>& sizes);

/// The moduli of each group.
std::vector<std::vector<Modulus>> cut_moduli(const std::vector<Modulus>& moduli,
                                             const std::vector<std::uint32_t>& sizes);

/// Some moduli of an arithmetic: the arithmetic of these alone, and where each stands in the other.
struct SomeModuli {
  Arithmetic arithmetic;
  std::vector<std::uint32_t> places;
};

/// Those of `all` that are in `group`.
SomeModuli moduli_among(const Arithmetic& all, const std::vector<Modulus>& group);

/// A value modulo some of the moduli as one modulo all of them, 0 modulo the others: such values of all
/// groups add up to the value modulo all.
Partial widened(const Partial& value, const SomeModuli& some, const Arithmetic& all);

}  // namespace countpm
