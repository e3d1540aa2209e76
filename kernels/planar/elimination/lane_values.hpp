#pragma once
// The values of an oriented matrix as elements of lanes.
#include <cstdint>
#include <vector>

#include "kernels/planar/elimination/lane_arithmetic.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

class LaneValues {
 public:
  /// The matrix outlives it. Precondition: the primes divide no denominator; 1 modulo 4 where values are
  /// imaginary, i being root_of_minus_one().
  LaneValues(const SignedMatrix& matrix, const LaneArithmetic& lanes);
  /// With other values: residues[lane][value].
  LaneValues(const SignedMatrix& matrix, const LaneArithmetic& lanes,
             const std::vector<std::vector<std::uint64_t>>& residues);

  /// The element of an edge's value, or of its negative.
  const std::uint64_t* of(Index edge, bool positive) const {
    return (positive ? plus_ : minus_).data() + value_of_[edge] * width_;
  }

 private:
  void take(std::size_t value, std::size_t lane, std::uint64_t residue, const LaneArithmetic& lanes);
  void negate(const LaneArithmetic& lanes);

  const std::vector<Index>& value_of_;
  std::size_t width_;
  std::vector<std::uint64_t> plus_;
  std::vector<std::uint64_t> minus_;
};

}  // namespace countpm::planar
