#include "kernels/planar/passes/region.hpp"

#include <algorithm>

#include "kernels/planar/orientation/root_of_minus_one.hpp"
#include "kernels/planar/passes/small_determinant.hpp"

namespace countpm::planar {
namespace {

constexpr std::size_t left_stride = most_depth + 1;  // odd: a column's elements go to different cache sets

std::uint64_t product(std::uint64_t a, std::uint64_t b, std::uint64_t prime) {
  return static_cast<std::uint64_t>(static_cast<uint128>(a) * b % prime);
}

}  // namespace

RegionInverse::RegionInverse(const SignedMatrix& matrix, const FrontTree& tree, const LaneCode& code,
                             const std::vector<std::uint64_t>& primes, Index border, const StopSignal& stop)
    : matrix_(matrix),
      lanes_(code, primes),
      primes_(primes.size()),
      border_(border),
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
  factor_ = determinant_;
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
  if (border_ > 0) {
    minor_with_border({}, {}, element_.data());
    for (std::size_t lane = 0; lane < determinant_.size(); ++lane)
      determinant_[lane] = product(determinant_[lane], element_[lane], lanes_.primes().prime[lane]);
  }
  determinant_.resize(primes_);
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

void RegionInverse::multiply(const std::vector<std::uint64_t>& times) {
  for (std::size_t lane = 0; lane < factor_.size(); ++lane)
    factor_[lane] = product(factor_[lane], times[lane < primes_ ? lane : 0], lanes_.primes().prime[lane]);
}

void RegionInverse::weigh(std::size_t edge, std::uint64_t* weights) {
  const auto [a, b, value] = edge_at(edge);
  const std::uint64_t* const edge_value = entries_.data() + edge * lanes_.width();
  if (border_ == 0) {
    entry(column_of(b), row_of(a), element_.data());
    lanes_.scale(element_.data(), 0, 1, edge_value);
    lanes_.scale(element_.data(), 0, 1, factor_.data());  // and out of Montgomery form
  } else {
    if (matrix_.graph.bipartite) {
      minor_with_border({b}, {a}, element_.data());
    } else {
      minor_with_border({b, a}, {b, a}, element_.data());
    }
    lanes_.scale(element_.data(), 0, 1, edge_value);
    for (std::size_t lane = 0; lane < primes_; ++lane)
      element_[lane] = product(element_[lane], factor_[lane], lanes_.primes().prime[lane]);
  }
  for (std::size_t k = 0; k < primes_; ++k) {
    weights[k] += element_[k];
    if (weights[k] >= lanes_.primes().prime[k]) weights[k] -= lanes_.primes().prime[k];
  }
}

void RegionInverse::take(std::size_t edge) {
  const auto [a, b, value] = edge_at(edge);
  entry(column_of(b), row_of(a), element_.data());
  lanes_.scale(element_.data(), 0, 1, factor_.data());
  factor_ = element_;
  if (matrix_.orientation[root_edges_[edge]] == 0) {
    for (std::size_t lane = 0; lane < factor_.size(); ++lane)
      factor_[lane] = factor_[lane] == 0 ? 0 : lanes_.primes().prime[lane] - factor_[lane];
  }
  if (matrix_.is_imaginary(root_edges_[edge])) {
    for (std::size_t lane = 0; lane < factor_.size(); ++lane) {
      const std::uint64_t prime = lanes_.primes().prime[lane];
      factor_[lane] = product(factor_[lane], root_of_minus_one(prime), prime);
    }
  }
  remove(row_of(a), column_of(b));
  if (!matrix_.graph.bipartite) remove(row_of(b), column_of(a));
}

/// det (Pf) of the part of B^-1 that has these columns and the border's by these rows and the border's; not
/// in Montgomery form.
void RegionInverse::minor_with_border(const std::vector<Index>& columns, const std::vector<Index>& rows,
                                      std::uint64_t* residues) const {
  const BlockGraph& graph = matrix_.graph;
  const std::size_t size = columns.size() + border_;
  const auto row_at = [&](std::size_t k) {
    return row_of(k < rows.size() ? rows[k] : graph.rows - border_ + static_cast<Index>(k - rows.size()));
  };
  const auto column_at = [&](std::size_t k) {
    return column_of(k < columns.size() ? columns[k]
                                        : graph.vertices - border_ + static_cast<Index>(k - columns.size()));
  };
  std::vector<std::uint64_t> elements(size * size * lanes_.width());
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      std::uint64_t* const element = elements.data() + (i * size + j) * lanes_.width();
      entry(column_at(i), row_at(j), element);
      lanes_.decode(element);
    }
  }
  std::vector<std::uint64_t> one(size * size);
  for (std::size_t lane = 0; lane < lanes_.width(); ++lane) {
    for (std::size_t k = 0; k < one.size(); ++k) one[k] = elements[k * lanes_.width() + lane];
    const std::uint64_t prime = lanes_.primes().prime[lane];
    residues[lane] = graph.bipartite ? small_determinant(one, size, prime) : small_pfaffian(one, size, prime);
  }
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
