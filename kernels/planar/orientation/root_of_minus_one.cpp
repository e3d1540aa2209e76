#include "kernels/planar/orientation/root_of_minus_one.hpp"

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/support/ring_power.hpp"

namespace countpm::planar {

std::uint64_t root_of_minus_one(std::uint64_t prime) {
  const PrimeRing ring(prime);
  const PrimeRing::Element minus_one = ring.neg(ring.one());
  for (std::uint64_t candidate = 2;; ++candidate) {
    const PrimeRing::Element root = ring_power(ring, ring.from_residue(candidate), (prime - 1) / 4);
    if (ring.mul(root, root) == minus_one) return static_cast<std::uint64_t>(ring.to_residue(root));
  }
}

}  // namespace countpm::planar
