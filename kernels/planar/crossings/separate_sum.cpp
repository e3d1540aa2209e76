#include "kernels/planar/crossings/separate_sum.hpp"

#include "kernels/planar/elimination/determinant.hpp"

namespace countpm::planar {
namespace {

/// The matrices of the sets, one after another in the same place.
class SetMatrix {
 public:
  SetMatrix(const SignedMatrix& matrix, const PlanarPart& part, const Curves& curves,
            const std::vector<std::size_t>& order)
      : whole_(matrix), curves_(curves), order_(order), matrix_(matrix), adjacent_(adjacency(matrix.graph)) {
    none_ = static_cast<Index>(matrix_.values.size());
    matrix_.values.emplace_back(0);
    planar_value_of_ = matrix_.value_of;
    for (const Index e : part.crossing) planar_value_of_[e] = none_;
  }

  const SignedMatrix& of(const SetWalk& walk) {
    matrix_.value_of = planar_value_of_;
    matrix_.orientation = whole_.orientation;
    negative_ = false;
    for (std::size_t i = 0; i < walk.decisions(); ++i) {
      if (!walk.is_taken(i)) continue;
      const Index e = walk.edge(i);
      keep_alone(e);
      for (const Index crossed : curves_.crossed[order_[i]]) matrix_.orientation[crossed] ^= 1;
      for (std::size_t k = 0; k < i; ++k)
        negative_ ^= walk.is_taken(k) && curves_.odd[order_[k]][order_[i]] != 0;
    }
    return matrix_;
  }
  /// Its values are those of every set.
  const SignedMatrix& matrix() const { return matrix_; }
  /// Of the last one.
  bool negative() const { return negative_; }

 private:
  /// Of the edges at its ends.
  void keep_alone(Index e) {
    for (const Index v : {matrix_.graph.edges[e].a, matrix_.graph.edges[e].b}) {
      for (std::uint64_t k = adjacent_.start[v]; k < adjacent_.start[v + std::size_t{1}]; ++k)
        matrix_.value_of[adjacent_.edge[k]] = none_;
    }
    matrix_.value_of[e] = whole_.value_of[e];
  }

  const SignedMatrix& whole_;
  const Curves& curves_;
  const std::vector<std::size_t>& order_;
  SignedMatrix matrix_;
  Adjacency adjacent_;
  Index none_ = 0;  // the number of the value 0
  std::vector<Index> planar_value_of_;
  bool negative_ = false;
};

}  // namespace

std::vector<std::uint64_t> separate_sum(const SignedMatrix& matrix, const PlanarPart& part,
                                        const Curves& curves, const std::vector<std::size_t>& order,
                                        const FrontTree& tree, const Decisions& first, const LaneCode& code,
                                        const std::vector<std::uint64_t>& primes, const StopSignal& stop,
                                        TimeLimit* limit) {
  SetMatrix set(matrix, part, curves, order);
  const LaneArithmetic lanes(code, primes);
  const LaneValues values_of_all(set.matrix(), lanes);
  std::vector<Index> edges;
  edges.reserve(order.size());
  for (const std::size_t i : order) edges.push_back(part.crossing[i]);
  SetWalk walk(matrix.graph, edges, first);
  std::vector<std::uint64_t> sum(primes.size(), 0);
  const auto all = [&] {
    TimeLimit one;
    if (limit != nullptr) one.seconds = limit->seconds - limit->elapsed;
    const std::vector<std::uint64_t> values =
        determinant(set.of(walk), tree, lanes, values_of_all, stop, limit != nullptr ? &one : nullptr);
    for (std::size_t k = 0; k < primes.size(); ++k) {
      const std::uint64_t value = set.negative() && values[k] != 0 ? primes[k] - values[k] : values[k];
      sum[k] = (sum[k] + value) % primes[k];
    }
    if (limit == nullptr) return Way::on;
    limit->work_done += one.work_done;
    limit->elapsed += one.elapsed;
    return limit->elapsed > limit->seconds ? Way::end : Way::on;
  };
  walk.run([](std::size_t) { return Way::on; }, [](std::size_t) {}, all);
  return sum;
}

}  // namespace countpm::planar
