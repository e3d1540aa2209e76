#include "kernels/arithmetic/counter_random.hpp"

#include <bit>
#include <vector>

#include "kernels/arithmetic/philox.hpp"
#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm {

std::uint64_t CounterRandom::next() {
  if (left_ == 0) {
    const PhiloxBlock block = philox_block(seed_, stream_, substream_, block_++);
    for (unsigned i = 0; i < 4; ++i) ready_[i] = block.number[i];
    left_ = 4;
  }
  return ready_[4 - left_--];
}

std::uint64_t CounterRandom::below(std::uint64_t bound) {
  const int unused = std::countl_zero((bound - 1) | 1U);
  for (;;) {
    const std::uint64_t number = next() >> static_cast<unsigned>(unused);
    if (number < bound) return number;
  }
}

mpz_class CounterRandom::below(const mpz_class& bound) {
  const mpz_class most = bound - 1;
  const std::size_t bits = mpz_sizeinbase(most.get_mpz_t(), 2);  // 1 for 0
  std::vector<std::uint64_t> words((bits + 63) / 64);
  mpz_class number;
  do {
    for (std::uint64_t& word : words) word = next();
    if (bits % 64 != 0) words.back() >>= 64 - bits % 64;
    number = to_mpz(words.data(), words.size(), false);
  } while (number > most);
  return number;
}

}  // namespace countpm
