#include "kernels/planar/orientation/root_of_minus_one.hpp"

#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm::planar {

std::uint64_t root_of_minus_one(std::uint64_t prime) {
  const PrimeRing ring(prime);
  const PrimeRing::Element minus_one = ring.neg(ring.one());
  for (std::uint64_t candidate = 2;; ++candidate) {
    PrimeRing::Element root = ring.one();
    PrimeRing::Element square = ring.from_residue(candidate);
    for (std::uint64_t exponent = (prime - 1) / 4; exponent != 0; exponent >>= 1U) {
      if ((exponent & 1U) != 0) root = ring.mul(root, square);
      square = ring.mul(square, square);
    }
    if (ring.mul(root, root) == minus_one) return static_cast<std::uint64_t>(ring.to_residue(root));
  }
}

}  // namespace countpm::planar
