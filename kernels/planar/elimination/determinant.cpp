#include "kernels/planar/elimination/determinant.hpp"

#include "kernels/planar/elimination/threaded_elimination.hpp"
#include "kernels/support/spare_threads.hpp"

namespace countpm::planar {
namespace {

constexpr double worth_threads_work = 3e6;  // multiplications: some milliseconds

}  // namespace

std::vector<std::uint64_t> determinant(const SignedMatrix& matrix, const FrontTree& tree,
                                       const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                       const StopSignal& stop, TimeLimit* limit) {
  const LaneArithmetic lanes(code, primes);
  const int threads = SpareThreads::here();
  if (threads > 1 && limit == nullptr && tree.total.multiplications >= worth_threads_work) {
    auto pivots = eliminate_on_threads(matrix, tree, lanes, threads, stop);
    if (!pivots) return std::vector<std::uint64_t>(primes.size(), 0);
    std::vector<std::uint64_t> residues = residues_of(std::move(*pivots), matrix.graph, lanes);
    residues.resize(primes.size());
    return residues;
  }
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
