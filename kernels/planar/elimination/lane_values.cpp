#include "kernels/planar/elimination/lane_values.hpp"

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/planar/orientation/root_of_minus_one.hpp"

namespace countpm::planar {

LaneValues::LaneValues(const SignedMatrix& matrix, const LaneArithmetic& lanes)
    : value_of_(matrix.value_of), width_(lanes.width()), plus_(matrix.values.size() * lanes.width()) {
  for (std::size_t lane = 0; lane < width_; ++lane) {
    const std::uint64_t prime = lanes.primes().prime[lane];
    const PrimeRing ring(prime);
    const PrimeRing::Element root =
        matrix.imaginary.empty() ? ring.one() : ring.from_residue(root_of_minus_one(prime));
    for (std::size_t v = 0; v < matrix.values.size(); ++v) {
      PrimeRing::Element value = ring.from_mpq(matrix.values[v]);
      if (!matrix.imaginary.empty() && matrix.imaginary[v] != 0) value = ring.mul(value, root);
      take(v, lane, static_cast<std::uint64_t>(ring.to_residue(value)), lanes);
    }
  }
  negate(lanes);
}

LaneValues::LaneValues(const SignedMatrix& matrix, const LaneArithmetic& lanes,
                       const std::vector<std::vector<std::uint64_t>>& residues)
    : value_of_(matrix.value_of), width_(lanes.width()), plus_(matrix.values.size() * lanes.width()) {
  for (std::size_t lane = 0; lane < width_; ++lane) {
    // Lanes that are left over repeat the first prime.
    const std::vector<std::uint64_t>& own = residues[lane < residues.size() ? lane : 0];
    for (std::size_t v = 0; v < own.size(); ++v) take(v, lane, own[v], lanes);
  }
  negate(lanes);
}

void LaneValues::take(std::size_t value, std::size_t lane, std::uint64_t residue,
                      const LaneArithmetic& lanes) {
  const uint128 long_residue = residue;
  plus_[value * width_ + lane] =
      static_cast<std::uint64_t>(long_residue * lanes.primes().one[lane] % lanes.primes().prime[lane]);
}

void LaneValues::negate(const LaneArithmetic& lanes) {
  minus_ = plus_;
  for (std::size_t at = 0; at < minus_.size(); at += width_) lanes.negate(minus_.data() + at);
}

}  // namespace countpm::planar
