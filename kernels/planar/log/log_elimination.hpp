#pragma once
// The Cholesky elimination of K K^T, front by front, with a bound of what its roundings come to.
//
// What is computed is L with L L^T = A + E, where A = K K^T and |E_ij| <= r_ij u sqrt(a_ii a_jj), r_ij being
// the roundings that entry (i, j) sees (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
// ed., sections 3.1 and 10.1; J. W. Demmel, LAPACK Working Note 14). Since |x_i x_j| <= (x_i^2 + x_j^2) / 2,
// the matrices +-E are at most u W, W diagonal with w_ii = a_ii (sum over j of r_ij), and with M = L L^T
//
//   |ln det M - ln det A| <= -ln(1 - b),    b = u tr(W M^-1) < 1
//
// tr(W M^-1) = mean of |L^-1 W^(1/2) z|^2 over normal vectors z; each is a forward substitution, which goes
// along with the elimination. The mean over k vectors is below tr / f with a probability that is largest
// where the trace is one eigenvalue's: that of a chi^2 of k degrees of freedom below k / f.
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/elimination/long_product.hpp"
#include "kernels/planar/log/cholesky.hpp"
#include "kernels/planar/log/gram_matrix.hpp"

namespace countpm::planar {

/// A front's lower triangle in other numbers than doubles; LowerFront and eliminate_lower_front() are those.
template <class Field>
struct FrontOf {
  using Number = typename Field::Number;
  std::vector<Number> value;
  std::size_t size = 0;
  Number* row(std::size_t i) { return value.data() + i * size; }
};

template <class Field>
bool eliminate_front_of(FrontOf<Field>& front, std::size_t pivots, typename Field::Number* pivot,
                        Field& field, const StopSignal& stop) {
  for (std::size_t i = 0; i < front.size; ++i) {
    stop.check();
    auto* const row = front.row(i);
    for (std::size_t j = 0; j <= i; ++j) {
      auto* const other = front.row(j);
      for (std::size_t t = 0; t < std::min(j, pivots); ++t) field.subtract_product(row[j], row[t], other[t]);
      if (j >= pivots) continue;
      if (j < i) {
        field.divide(row[j], other[j]);
      } else {
        if (!field.is_positive(row[j])) return false;
        pivot[j] = row[j];
        field.take_root(row[j]);
      }
    }
  }
  return true;
}
inline bool eliminate_front_of(LowerFront& front, std::size_t pivots, double* pivot, PlainField& /*field*/,
                               const StopSignal& /*stop*/) {
  return eliminate_lower_front(front, pivots, pivot);
}
/// Terms of a sum that one entry sees in such a front.
inline double chain_of(const FrontOf<PairField>*, std::size_t pivots) {
  return static_cast<double>(pivots);
}
inline double chain_of(const FrontOf<MpfrField>*, std::size_t pivots) {
  return static_cast<double>(pivots);
}
inline double chain_of(const LowerFront*, std::size_t pivots) {
  const auto all = static_cast<double>(pivots);
  const auto panel = static_cast<double>(cholesky_panel);
  return std::min(all, 2 * panel + 2 + all / panel);
}

template <class Field>
struct FrontFor {
  using Type = FrontOf<Field>;
};
template <>
struct FrontFor<PlainField> {
  using Type = LowerFront;
};

template <class Field>
class LogElimination {
 public:
  using Number = typename Field::Number;

  /// So many vectors z.
  LogElimination(const GramMatrix<Field>& gram, const FrontTree& tree, std::size_t vectors, Field& field,
                 const StopSignal& stop)
      : gram_(gram), tree_(tree), vectors_(vectors), field_(field), stop_(stop), place_(gram.graph.vertices) {
    weigh_roundings();
  }

  /// False where a pivot is not positive: rounding leaves nothing. `product`: becomes det(K K^T).
  bool run(BigFloat* product = nullptr) {
    if (product != nullptr) mpfr_set_ui(product->get(), 1, MPFR_RNDN);
    for (const Front& front : tree_.fronts) {
      stop_.check();
      assemble(front);
      pivot_.assign(front.own.size(), field_.number(0));
      if (!eliminate_front_of(front_, front.own.size(), pivot_.data(), field_, stop_)) return false;
      for (const Number& one : pivot_) {
        const auto [mantissa, exponent] = field_.parts(one);
        squared_.multiply(mantissa);
        squared_.scale(exponent);
        if (product != nullptr) field_.multiply_into(*product, one);
      }
      substitute(front);
      if (!front.border.empty()) pass_on(front);
    }
    return true;
  }

  /// After run(): of the squared pivots, det(K K^T).
  const LongProduct& squared() const { return squared_; }
  /// W, by line.
  std::vector<double> weights() const {
    std::vector<double> result;
    result.reserve(root_weight_.size());
    for (const double root : root_weight_) result.push_back(root * root);
    return result;
  }
  /// The mean's, of which b is u times the expectation: more than a double holds where weights are far apart.
  /// Infinity where the elimination overflowed.
  double log2_trace() const {
    if (!std::isfinite(trace_.mantissa)) return std::numeric_limits<double>::infinity();
    return std::log2(trace_.mantissa) + static_cast<double>(trace_.exponent) -
           std::log2(static_cast<double>(vectors_));
  }

 private:
  using FrontType = typename FrontFor<Field>::Type;
  struct PassedOn {
    const std::vector<Index>* border;
    std::vector<Number> lower;  // row by row, i + 1 entries in row i
    std::vector<Number> right;  // of every border vertex the vectors' numbers
  };

  void weigh_roundings() {
    std::vector<double> roundings = gram_.roundings;
    for (const Front& front : tree_.fronts) {
      const std::size_t size = front.own.size() + front.border.size();
      // Twice, since a sum's terms are at most sqrt(a_ii a_jj) as well as what it is subtracted from; four
      // for the product, the difference, the quotient and the root.
      const double each = 2 * (chain_of(static_cast<const FrontType*>(nullptr), front.own.size()) + 4 +
                               static_cast<double>(front.children));
      for (const Index v : front.own) roundings[v] += each * static_cast<double>(size);
      for (const Index v : front.border) roundings[v] += each * static_cast<double>(size);
    }
    constexpr double second_order = 1.01;
    for (Index v = 0; v < gram_.graph.vertices; ++v)
      root_weight_.push_back(std::sqrt(second_order * roundings[v] * field_.to_double(gram_.diagonal[v])));
  }

  void assemble(const Front& front) {
    Index place = 0;
    for (const Index v : front.own) place_[v] = place++;
    for (const Index v : front.border) place_[v] = place++;
    front_.size = place;
    front_.value.assign(front_.size * front_.size, field_.number(0));
    right_.assign(front_.size * vectors_, field_.number(0));
    for (const Index v : front.own) front_.row(place_[v])[place_[v]] = gram_.diagonal[v];
    for (const Index e : front.edges) {
      const BlockGraph::Edge& edge = gram_.graph.edges[e];
      const auto [low, high] = std::minmax(place_[edge.a], place_[edge.b]);
      front_.row(high)[low] = gram_.product[edge.entry];
    }
    for (Index c = 0; c < front.children; ++c) {
      const PassedOn& child = stack_.back();
      const std::vector<Index>& border = *child.border;
      const Number* from = child.lower.data();
      for (std::size_t i = 0; i < border.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
          const auto [low, high] = std::minmax(place_[border[i]], place_[border[j]]);
          field_.add(front_.row(high)[low], *from++);
        }
        Number* const right = right_.data() + place_[border[i]] * vectors_;
        for (std::size_t k = 0; k < vectors_; ++k) field_.add(right[k], child.right[i * vectors_ + k]);
      }
      stack_.pop_back();
    }
  }

  /// Normal numbers, by the vertex, W^(1/2) z: in pairs (G. E. P. Box, M. E. Muller, 1958).
  void add_normal(Index vertex, Number* right) {
    CounterRandom random(seed, vertex, 0);
    for (std::size_t k = 0; k < vectors_; k += 2) {
      const double radius =
          std::sqrt(-2 * std::log((static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53));
      const double angle = 2 * std::numbers::pi * static_cast<double>(random.next() >> 11) * 0x1p-53;
      field_.add(right[k], field_.number(root_weight_[vertex] * radius * std::cos(angle)));
      if (k + 1 < vectors_)
        field_.add(right[k + 1], field_.number(root_weight_[vertex] * radius * std::sin(angle)));
    }
  }

  /// L^-1 W^(1/2) z of this front's own vertices, and what is left of z at its border.
  void substitute(const Front& front) {
    const std::size_t own = front.own.size();
    double small = 0;  // the numbers that have no exponent of their own
    for (std::size_t i = 0; i < front_.size; ++i) {
      Number* const right = right_.data() + i * vectors_;
      if (i < own) add_normal(front.own[i], right);
      const Number* const row = front_.row(i);
      for (std::size_t t = 0; t < std::min(i, own); ++t) {
        const Number* const other = right_.data() + t * vectors_;
        for (std::size_t k = 0; k < vectors_; ++k) field_.subtract_product(right[k], row[t], other[k]);
      }
      if (i >= own) continue;
      for (std::size_t k = 0; k < vectors_; ++k) {
        field_.divide(right[k], row[i]);
        const auto [mantissa, exponent] = field_.parts(right[k]);
        if (exponent == 0) {
          small += mantissa * mantissa;
        } else {
          trace_ = trace_ + UpFloat::normalised(mantissa * mantissa, 2 * exponent);
        }
      }
    }
    if (small != 0) trace_ = trace_ + UpFloat::normalised(small, 0);
  }

  void pass_on(const Front& front) {
    const std::size_t own = front.own.size();
    PassedOn on{&front.border, {}, {}};
    const std::size_t border = front.border.size();
    on.lower.reserve(border * (border + 1) / 2);
    for (std::size_t i = own; i < front_.size; ++i)
      on.lower.insert(on.lower.end(), front_.row(i) + own, front_.row(i) + i + 1);
    on.right.assign(right_.begin() + static_cast<std::ptrdiff_t>(own * vectors_), right_.end());
    stack_.push_back(std::move(on));
  }

  static constexpr std::uint64_t seed = 20;

  const GramMatrix<Field>& gram_;
  const FrontTree& tree_;
  std::size_t vectors_;
  Field& field_;
  const StopSignal& stop_;
  FrontType front_;
  std::vector<Number> right_;  // beside the front's rows
  std::vector<PassedOn> stack_;
  std::vector<Index> place_;
  std::vector<Number> pivot_;
  std::vector<double> root_weight_;  // W^(1/2)
  LongProduct squared_;
  UpFloat trace_;
};

}  // namespace countpm::planar
