#include "kernels/planar/gpu/pivot_order.hpp"

#include "kernels/planar/elimination/threaded_elimination.hpp"

namespace countpm::planar {
namespace {

std::vector<std::uint64_t> reference_primes(const SignedMatrix& matrix) {
  constexpr unsigned tries = 2;
  std::vector<mpz_class> denominators;
  for (const mpq_class& value : matrix.values) {
    if (value.get_den() != 1) denominators.push_back(value.get_den());
  }
  std::vector<std::uint64_t> primes;
  for (const Modulus& modulus : choose_primes(tries, denominators)) primes.push_back(modulus.prime);
  return primes;
}

int sign_of(const PivotOrder& order, const BlockGraph& graph) {
  std::vector<Index> image(graph.bipartite ? graph.rows : graph.vertices);
  Index place = 0;
  for (const PivotOrder::Sides& sides : order.fronts) {
    for (Index k = 0; k < sides.pivots; ++k) {
      if (graph.bipartite) {
        image[sides.rows[k]] = sides.columns[k] - graph.rows;
      } else {
        image[place++] = sides.rows[k];
      }
    }
  }
  return permutation_sign(image);
}

}  // namespace

std::optional<PivotOrder> reference_pivots(const SignedMatrix& matrix, const FrontTree& tree, int threads,
                                           const StopSignal& stop) {
  for (const std::uint64_t prime : reference_primes(matrix)) {
    const LaneArithmetic lanes(portable_lanes(), {prime});
    PivotOrder order;
    order.fronts.resize(tree.fronts.size());
    const auto note = [&](std::size_t front, const FrontMatrix& found, std::size_t done) {
      const bool bipartite = matrix.graph.bipartite;
      order.fronts[front] = {found.row_vertex, bipartite ? found.column_vertex : found.row_vertex,
                             static_cast<Index>(done)};
    };
    if (!eliminate_on_threads(matrix, tree, lanes, threads, stop, note)) continue;
    order.sign = sign_of(order, matrix.graph);
    return order;
  }
  return std::nullopt;
}

}  // namespace countpm::planar
