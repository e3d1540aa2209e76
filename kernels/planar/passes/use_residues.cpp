#include "kernels/planar/passes/use_residues.hpp"

#include <algorithm>
#include <memory>

#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/planar/passes/front_inverse.hpp"

namespace countpm::planar {
namespace {

/// With so many rows missing a matrix has minors that are not 0: two of a skew one.
std::size_t most_missing(const BlockGraph& graph) {
  return graph.bipartite ? 1 : 2;
}

class UseResidues {
 public:
  UseResidues(const SignedMatrix& matrix, const FrontTree& tree, const LaneArithmetic& lanes,
              const StopSignal& stop)
      : matrix_(matrix),
        tree_(tree),
        lanes_(lanes),
        stop_(stop),
        elimination_(matrix, tree, lanes, stop, most_missing(matrix.graph)),
        offset_(matrix.graph.bipartite ? 0 : matrix.graph.vertices),
        place_(matrix.graph.vertices + std::size_t{offset_}, 0) {}

  /// False: all sums are 0.
  bool eliminate() {
    factored_.resize(tree_.fronts.size());
    std::size_t missing_before = 0;
    const bool done =
        elimination_.run(nullptr, [&](std::size_t k, const FrontMatrix& front, std::size_t pivots) {
          factored_[k] = factored_front(matrix_.graph, front, pivots, lanes_);
          factored_[k].counted_from = pivots - (elimination_.missing() - missing_before);
          missing_before = elimination_.missing();
        });
    if (!done || elimination_.missing() > most_missing(matrix_.graph)) return false;
    if (elimination_.missing() == 0) {
      for (FactoredFront& front : factored_) front.counted_from = 0;
    }
    return true;
  }

  void write(const std::vector<std::uint64_t>& times, std::size_t primes, std::vector<std::uint64_t>& sums) {
    const std::vector<std::uint64_t> determinant = elimination_.result();
    std::vector<std::uint64_t> by(lanes_.width());
    for (std::size_t lane = 0; lane < by.size(); ++lane) {
      const std::uint64_t prime = lanes_.primes().prime[lane];
      const std::uint64_t factor = times[lane < primes ? lane : 0] % prime;
      by[lane] = static_cast<std::uint64_t>(static_cast<uint128>(determinant[lane]) * factor % prime);
    }
    const std::vector<Index> parent = parents_of(tree_);
    std::vector<Index> waiting(tree_.fronts.size());  // children that still need a front's inverse
    std::vector<std::unique_ptr<InverseFront>> inverse(tree_.fronts.size());
    std::vector<std::uint64_t> sum(lanes_.width());
    for (std::size_t k = tree_.fronts.size(); k-- > 0;) {
      stop_.check();
      const Front& front = tree_.fronts[k];
      const InverseFront* above = parent[k] == no_index ? nullptr : inverse[parent[k]].get();
      if (above != nullptr) number(*above);
      inverse[k] = std::make_unique<InverseFront>(inverse_front(factored_[k], above, place_, lanes_));
      factored_[k] = FactoredFront();
      number(*inverse[k]);
      for (const Index e : front.edges) {
        const BlockGraph::Edge& edge = matrix_.graph.edges[e];
        lanes_.copy(sum.data(), inverse[k]->at(place_[edge.b + offset_], place_[edge.a]));
        lanes_.scale(sum.data(), 0, 1, elimination_.entry(e));
        lanes_.scale(sum.data(), 0, 1, by.data());  // and out of Montgomery form
        std::copy_n(sum.data(), primes, sums.data() + std::size_t{e} * primes);
      }
      waiting[k] = front.children;
      if (front.children == 0) inverse[k].reset();
      if (parent[k] != no_index && --waiting[parent[k]] == 0) inverse[parent[k]].reset();
    }
  }

 private:
  void number(const InverseFront& front) {
    for (Index c = 0; c < front.column_vertex.size(); ++c) place_[front.column_vertex[c]] = c;
    for (Index r = 0; r < front.row_vertex.size(); ++r) place_[front.row_vertex[r]] = r;
  }

  const SignedMatrix& matrix_;
  const FrontTree& tree_;
  const LaneArithmetic& lanes_;
  const StopSignal& stop_;
  FrontElimination elimination_;
  std::vector<FactoredFront> factored_;
  Index offset_;              // from a vertex of a general graph to its column
  std::vector<Index> place_;  // of rows and columns in a front
};

}  // namespace

std::vector<Index> parents_of(const FrontTree& tree) {
  std::vector<Index> parent(tree.fronts.size(), no_index);
  std::vector<Index> open;  // without a parent so far, in postorder
  for (Index k = 0; k < tree.fronts.size(); ++k) {
    for (Index c = 0; c < tree.fronts[k].children; ++c) {
      parent[open.back()] = k;
      open.pop_back();
    }
    // A front without a border passes nothing on, and is nobody's child.
    if (!tree.fronts[k].border.empty()) open.push_back(k);
  }
  return parent;
}

std::vector<std::uint64_t> use_residues(const SignedMatrix& matrix, const FrontTree& tree,
                                        const LaneCode& code, const std::vector<std::uint64_t>& primes,
                                        const std::vector<std::uint64_t>& times, const StopSignal& stop) {
  const LaneArithmetic lanes(code, primes);
  UseResidues run(matrix, tree, lanes, stop);
  std::vector<std::uint64_t> sums(matrix.graph.edges.size() * primes.size(), 0);
  try {
    if (run.eliminate()) run.write(times, primes.size(), sums);
  } catch (const PivotsDiffer&) {
    return {};
  }
  return sums;
}

std::uint64_t use_residues_bytes(const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code) {
  double words = static_cast<double>(matrix.graph.edges.size());
  for (const FrontWork& work : tree.work) words += static_cast<double>(work.front_words);
  // The inverses on the way down are those of a path, and of the largest fronts at most as much again.
  return static_cast<std::uint64_t>((words + 8.0 * static_cast<double>(tree.total.front_words)) * code.width *
                                    sizeof(std::uint64_t));
}

}  // namespace countpm::planar
