#include "kernels/planar/passes/region.hpp"

#include <algorithm>

namespace countpm::planar {
namespace {

constexpr std::size_t left_stride = most_depth + 1;  // odd: a column's elements go to different cache sets

}  // namespace

RegionInverse::RegionInverse(const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code,
                             const std::vector<std::uint64_t>& primes, const StopSignal& stop)
    : matrix_(matrix),
      lanes_(code, primes),
      primes_(primes.size()),
      root_edges_(tree.fronts.back().edges),
      offset_(matrix.graph.bipartite ? 0 : matrix.graph.vertices),
      place_(matrix.graph.vertices + std::size_t{offset_}, no_index),
      element_(code.width) {
  FrontElimination elimination(matrix, tree, lanes_, stop);
  FactoredFront root;
  try {
    const bool regular =
        elimination.run(nullptr, [&](std::size_t k, const FrontMatrix& front, std::size_t done) {
          if (k + 1 == tree.fronts.size()) root = factored_front(matrix.graph, front, done, lanes_);
        });
    if (!regular) throw UnluckyPrimes();
  } catch (const PivotsDiffer&) {
    throw UnluckyPrimes();
  }
  determinant_ = elimination.result();
  if (std::find(determinant_.begin(), determinant_.end(), 0) != determinant_.end()) throw UnluckyPrimes();
  determinant_.resize(primes_);
  entries_.reserve(root_edges_.size() * lanes_.width());
  for (const Index e : root_edges_) {
    const std::uint64_t* value = elimination.entry(e);
    entries_.insert(entries_.end(), value, value + lanes_.width());
  }
  inverse_ = inverse_front(root, nullptr, place_, lanes_);
  for (Index c = 0; c < inverse_.column_vertex.size(); ++c) place_[inverse_.column_vertex[c]] = c;
  for (Index r = 0; r < inverse_.row_vertex.size(); ++r) place_[inverse_.row_vertex[r]] = r;
  left_.reserve(inverse_.column_vertex.size() * left_stride * lanes_.width(), 0);
  right_.reserve(most_depth * inverse_.stride * lanes_.width(), 0);
}

std::uint64_t RegionInverse::bytes(std::size_t rows, std::size_t columns, unsigned width) {
  const std::uint64_t elements = columns * (rows | 1) + columns * left_stride + most_depth * (rows | 1);
  return elements * width * sizeof(std::uint64_t);
}

std::uint64_t* RegionInverse::left(std::size_t column, std::size_t depth) const {
  return left_.data() + (column * left_stride + depth) * lanes_.width();
}

std::uint64_t* RegionInverse::right(std::size_t depth, std::size_t row) const {
  return right_.data() + (depth * inverse_.stride + row) * lanes_.width();
}

void RegionInverse::entry(std::size_t column, std::size_t row, std::uint64_t* element) const {
  lanes_.copy(element, inverse_.at(column, row));
  lanes_.subtract_product(
      {element, 1, left(column, 0), left_stride, right(0, row), inverse_.stride, 1, 1, depth_});
}

void RegionInverse::weigh(std::size_t edge, const std::uint64_t* times, std::uint64_t* weights) {
  entry(column_of(edge_at(edge).b), row_of(edge_at(edge).a), element_.data());
  lanes_.scale(element_.data(), 0, 1, entries_.data() + edge * lanes_.width());
  std::vector<std::uint64_t> factor(lanes_.width());
  for (std::size_t lane = 0; lane < factor.size(); ++lane) factor[lane] = times[lane < primes_ ? lane : 0];
  lanes_.scale(element_.data(), 0, 1, factor.data());  // and out of Montgomery form
  std::copy_n(element_.data(), primes_, weights);
}

void RegionInverse::take(std::size_t edge) {
  const auto [a, b, value] = edge_at(edge);
  remove(row_of(a), column_of(b));
  if (!matrix_.graph.bipartite) remove(row_of(b), column_of(a));
}

void RegionInverse::remove(std::size_t row, std::size_t column) {
  const std::size_t columns = inverse_.column_vertex.size();
  const std::size_t rows = inverse_.row_vertex.size();
  entry(column, row, element_.data());
  if (lanes_.zeros(element_.data()) != Zeros::none) throw UnluckyPrimes();
  std::vector<std::uint64_t> pivot_inverse(lanes_.width());
  lanes_.invert(pivot_inverse.data(), element_.data());
  for (std::size_t c = 0; c < columns; ++c) lanes_.copy(left(c, depth_), inverse_.at(c, row));
  lanes_.subtract_product({left(0, depth_), left_stride, left(0, 0), left_stride, right(0, row),
                           inverse_.stride, columns, 1, depth_});
  std::copy_n(inverse_.at(column, 0), rows * lanes_.width(), right(depth_, 0));
  lanes_.subtract_product({right(depth_, 0), inverse_.stride, left(column, 0), left_stride, right(0, 0),
                           inverse_.stride, 1, rows, depth_});
  lanes_.scale(left(0, depth_), left_stride, columns, pivot_inverse.data());
  if (++depth_ == most_depth) flush();
}

void RegionInverse::flush() {
  subtract_any_product({inverse_.at(0, 0), inverse_.stride, left(0, 0), left_stride, right(0, 0),
                        inverse_.stride, inverse_.column_vertex.size(), inverse_.row_vertex.size(), depth_},
                       lanes_);
  depth_ = 0;
}

}  // namespace countpm::planar
