#include "kernels/planar/elimination/determinant.hpp"

namespace countpm::planar {

std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const StopSignal& stop, TimeLimit* limit) {
  const LaneArithmetic lanes(code, primes);
  std::vector<std::uint64_t> result =
      determinant(matrix, tree, lanes, LaneValues(matrix, lanes), stop, limit);
  result.resize(primes.size());
  return result;
}

std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneArithmetic& lanes, const LaneValues& values,
                                       const StopSignal& stop, TimeLimit* limit) {
  // They outlive the elimination.
  const std::shared_ptr<const LaneValues> lent(std::shared_ptr<const LaneValues>(), &values);
  FrontElimination run(matrix, tree, lanes, lent, stop);
  std::vector<std::uint64_t> none(lanes.width(), 0);
  if (!run.run(limit)) return none;
  if (limit != nullptr && limit->elapsed > limit->seconds) return none;
  return run.result();
}

}  // namespace countpm::planar
