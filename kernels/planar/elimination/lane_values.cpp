#include "kernels/planar/elimination/lane_values.hpp"

#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm::planar {

LaneValues::LaneValues(const SignedMatrix& matrix, const LaneArithmetic& lanes)
    : value_of_(matrix.value_of), width_(lanes.width()), plus_(matrix.values.size() * lanes.width()) {
  for (std::size_t v = 0; v < matrix.values.size(); ++v) {
    for (std::size_t lane = 0; lane < width_; ++lane) {
      const std::uint64_t prime = lanes.primes().prime[lane];
      const PrimeRing ring(prime);
      const uint128 residue = ring.to_residue(ring.from_mpq(matrix.values[v]));
      plus_[v * width_ + lane] = static_cast<std::uint64_t>(residue * lanes.primes().one[lane] % prime);
    }
  }
  minus_ = plus_;
  for (std::size_t v = 0; v < matrix.values.size(); ++v) lanes.negate(minus_.data() + v * width_);
}

}  // namespace countpm::planar
