#pragma once
// Which of many primes divide an integer of thousands of words.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

namespace countpm {

/// For each prime. From remainders by products of up to 256 of them, halved again and again (a remainder
/// tree, J. von zur Gathen, J. Gerhard, Modern Computer Algebra, section 10.1), rather than by one after the
/// other: 24,000 primes and 22,659 words. Looks at check_stop() between those products.
std::vector<bool> which_divide(const std::vector<std::uint64_t>& primes, const mpz_class& value);

}  // namespace countpm
