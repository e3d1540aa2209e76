#include "kernels/planar/elimination/determinant.hpp"

#include <algorithm>

namespace countpm::planar {

std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const StopSignal& stop, TimeLimit* limit) {
  const LaneArithmetic lanes(code, primes);
  FrontElimination run(matrix, tree, lanes, stop);
  std::vector<std::uint64_t> result(primes.size(), 0);
  if (!run.run(limit)) return result;
  if (limit != nullptr && limit->elapsed > limit->seconds) return result;
  const std::vector<std::uint64_t> lanes_result = run.result();
  std::copy_n(lanes_result.begin(), primes.size(), result.begin());
  return result;
}

}  // namespace countpm::planar
