#include "kernels/estimate/guarantee/frontal_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace countpm {
namespace {

/// Columns `begin` and later -= `Count` columns from q on, each times its entry in the column's row. Two
/// columns at a time, of which the second gains an entry above the diagonal that is never read.
template <std::size_t Count>
void subtract(double* matrix, std::size_t q, std::size_t begin, std::size_t width) {
  const double* const __restrict columns = matrix + q * width;
  std::size_t c = begin;
  for (; c + 1 < width; c += 2) {
    double* const __restrict left = matrix + c * width;
    double* const __restrict right = left + width;
    double left_factor[Count];
    double right_factor[Count];
    for (std::size_t k = 0; k < Count; ++k) {
      left_factor[k] = columns[k * width + c];
      right_factor[k] = columns[k * width + c + 1];
    }
    for (std::size_t r = c; r < width; ++r) {
      double left_sum = left[r];
      double right_sum = right[r];
      for (std::size_t k = 0; k < Count; ++k) {
        left_sum -= left_factor[k] * columns[k * width + r];
        right_sum -= right_factor[k] * columns[k * width + r];
      }
      left[r] = left_sum;
      right[r] = right_sum;
    }
  }
  for (; c < width; ++c) {
    for (std::size_t k = 0; k < Count; ++k)
      matrix[c * width + c] -= columns[k * width + c] * columns[k * width + c];
  }
}

}  // namespace

FrontalCholesky::FrontalCholesky(const std::vector<Block>& blocks) {
  std::vector<std::uint32_t> front;  // after its block has been eliminated, ascending
  std::vector<std::uint32_t> next;
  std::uint32_t begin = 0;
  for (const Block& block : blocks) {
    Front shape;
    shape.begin = begin;
    shape.pivots = block.variables;
    begin += block.variables;
    // The block's own come first: nothing before them is left.
    next.clear();
    for (std::uint32_t v = shape.begin; v < begin; ++v) next.push_back(v);
    for (const std::uint32_t v : front)
      if (v >= begin) next.push_back(v);
    for (const std::uint32_t v : block.later) {
      const auto place = std::lower_bound(next.begin(), next.end(), v);
      if (place == next.end() || *place != v) next.insert(place, v);
    }
    const auto position = [&](std::uint32_t v) {
      return static_cast<std::uint32_t>(std::lower_bound(next.begin(), next.end(), v) - next.begin());
    };
    shape.width = static_cast<std::uint32_t>(next.size());
    shape.carried = index_.size();
    for (const std::uint32_t v : front) index_.push_back(position(v));
    shape.element = index_.size();
    for (std::uint32_t v = 0; v < block.variables; ++v) index_.push_back(v);
    for (const std::uint32_t v : block.later) index_.push_back(position(v));
    shape.element_size = static_cast<std::uint32_t>(index_.size() - shape.element);
    shape.rest = index_.size();
    index_.insert(index_.end(), next.begin() + block.variables, next.end());
    shape.panel = panels_;
    panels_ += std::size_t{shape.width} * shape.pivots;
    widest_ = std::max(widest_, shape.width);
    work_ += shape.pivots * (shape.width / 2.0) * shape.width;
    fronts_.push_back(shape);
    front.assign(next.begin() + block.variables, next.end());
  }
}

bool FrontalCholesky::factor(const std::vector<double>& elements) {
  panel_.resize(panels_);
  front_.resize(std::size_t{widest_} * widest_);
  next_.resize(front_.size());
  const double* element = elements.data();
  std::uint32_t before = 0;  // the last front's width, and how many of it have been eliminated
  std::uint32_t gone = 0;
  for (const Front& shape : fronts_) {
    const std::size_t width = shape.width;
    assemble(shape, element, before, gone);
    element += std::size_t{shape.element_size} * shape.element_size;
    double* const matrix = front_.data();
    for (std::size_t q = 0; q < shape.pivots; ++q) {
      double* const column = matrix + q * width;
      if (!(column[q] > 0)) return false;
      const double scale = 1 / std::sqrt(column[q]);
      column[q] = scale;  // the reciprocal is what solve() needs
      for (std::size_t r = q + 1; r < width; ++r) column[r] *= scale;
      for (std::size_t c = q + 1; c < shape.pivots; ++c) {
        double* const __restrict to = matrix + c * width;
        const double factor = column[c];
        for (std::size_t r = c; r < width; ++r) to[r] -= factor * column[r];
      }
    }
    double* panel = panel_.data() + shape.panel;
    for (std::size_t r = 0; r < width; ++r) {
      for (std::size_t q = 0; q < shape.pivots; ++q) *panel++ = matrix[q * width + r];
    }
    std::size_t q = 0;
    for (; q + 4 <= shape.pivots; q += 4) subtract<4>(matrix, q, shape.pivots, width);
    for (; q + 2 <= shape.pivots; q += 2) subtract<2>(matrix, q, shape.pivots, width);
    for (; q < shape.pivots; ++q) subtract<1>(matrix, q, shape.pivots, width);
    before = shape.width;
    gone = shape.pivots;
  }
  return true;
}

void FrontalCholesky::solve(std::vector<double>& b) const {
  for (const Front& shape : fronts_) {
    const std::size_t pivots = shape.pivots;
    const double* const panel = panel_.data() + shape.panel;
    const std::uint32_t* const rest = index_.data() + shape.rest;
    double* const own = b.data() + shape.begin;
    for (std::size_t r = 0; r < pivots; ++r) {
      for (std::size_t q = 0; q < r; ++q) own[r] -= panel[r * pivots + q] * own[q];
      own[r] *= panel[r * pivots + r];
    }
    for (std::size_t r = pivots; r < shape.width; ++r) {
      double sum = b[rest[r - pivots]];
      for (std::size_t q = 0; q < pivots; ++q) sum -= panel[r * pivots + q] * own[q];
      b[rest[r - pivots]] = sum;
    }
  }
  for (std::size_t k = fronts_.size(); k-- > 0;) {
    const Front& shape = fronts_[k];
    const std::size_t pivots = shape.pivots;
    const double* const panel = panel_.data() + shape.panel;
    const std::uint32_t* const rest = index_.data() + shape.rest;
    double* const own = b.data() + shape.begin;
    for (std::size_t r = pivots; r < shape.width; ++r) {
      const double x = b[rest[r - pivots]];
      for (std::size_t q = 0; q < pivots; ++q) own[q] -= panel[r * pivots + q] * x;
    }
    for (std::size_t r = pivots; r-- > 0;) {
      own[r] *= panel[r * pivots + r];
      for (std::size_t q = 0; q < r; ++q) own[q] -= panel[r * pivots + q] * own[r];
    }
  }
}

void FrontalCholesky::assemble(const Front& shape, const double* element, std::size_t before,
                               std::size_t gone) {
  const std::size_t width = shape.width;
  std::swap(front_, next_);
  std::fill_n(front_.begin(), width * width, 0.0);
  const std::uint32_t* const carried = index_.data() + shape.carried;
  for (std::size_t c = gone; c < before; ++c) {
    double* const to = front_.data() + carried[c - gone] * width;
    const double* const from = next_.data() + c * before;
    for (std::size_t r = c; r < before; ++r) to[carried[r - gone]] = from[r];
  }
  const std::uint32_t* const place = index_.data() + shape.element;
  for (std::size_t c = 0; c < shape.element_size; ++c) {
    for (std::size_t r = c; r < shape.element_size; ++r) {
      const auto [low, high] = std::minmax(place[c], place[r]);
      front_[low * width + high] += element[c * shape.element_size + r];
    }
  }
}

}  // namespace countpm
