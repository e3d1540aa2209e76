#pragma once
// Powers in a ring that one product at a time would take too long for.
#include <cstdint>

namespace countpm {

/// O(log exponent) products.
template <class Ring>
typename Ring::Element ring_power(const Ring& ring, typename Ring::Element base, std::uint64_t exponent) {
  typename Ring::Element result = ring.one();
  for (; exponent != 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = ring.mul(result, base);
    base = ring.mul(base, base);
  }
  return result;
}

}  // namespace countpm
