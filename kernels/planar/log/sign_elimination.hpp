#pragma once
// The sign of an oriented graph's determinant or Pfaffian, by floating-point elimination with a proof.
//
// K, skew-symmetric (bipartite: the matrix of all vertices, whose Pfaffian is (-1)^(r(r-1)/2) det of its r
// rows x columns), is eliminated front by front with pivots of two vertices i, j,
//   a_kl -= f_k a_jl - f_l a_jk,    f_k = a_ik / a_ij,
// and the sign is that of the pivots and of the order that they come in. A vertex i whose largest entry
// within the front's own vertices is far smaller than that towards the border waits for the parent front, so
// that |f| is at most 4 (J. R. Bunch, A note on the stable decomposition of skew-symmetric matrices, Math.
// Comp. 38 (1982) 475; I. S. Duff, J. K. Reid, 1983, as front_tree.hpp).
//
// What is eliminated exactly is K + E, E skew-symmetric, too: a rounding in an entry that is left is a change
// of that entry, and rows of pivots see none. Step s is off by at most e_s, from the largest entries and f
// that there are in it, in the set S of vertices that the front has left; so |E| <= sum over s of e_s 1_S
// 1_S^T.
// The sign is K's if no K + t E, 0 <= t <= 1, is singular, and none is if |x^T E| < |x^T K| for all x. With
// c_j the sums of |E|'s columns (E. Schur's test)
//   |x^T E|^2 <= sum_j c_j sum_i |E_ij| x_i^2 = x^T W' x,      w'_i = sum_j |E_ij| c_j,
// and where W' <= q u W, W and M = K K^T + (at most u W) being those of an elimination of K K^T that found
// u tr(W M^-1) <= b < 1 (log_elimination.hpp), that is so if q b < 1 - b. W' has the square of the unit:
// wherever K K^T can be eliminated so can the sign be told, unless the entries grow.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/up_float.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/elimination/skew_swap.hpp"
#include "kernels/planar/log/gram_matrix.hpp"
#include "kernels/planar/log/log_determinant.hpp"
#include "kernels/planar/log/log_field.hpp"

namespace countpm::planar {

/// At least |a|; of MPFR numbers the exponent of a power of two.
inline double size_of(const PlainField&, double a) {
  return std::abs(a);
}
inline double size_of(const PairField&, const DoubleDouble& a) {
  constexpr double with_low = 1 + 0x1p-50;
  return std::abs(a.high) * with_low;
}
inline constexpr std::int64_t size_of_zero = std::numeric_limits<std::int64_t>::min() / 2;
inline std::int64_t size_of(const MpfrField&, const BigFloat& a) {
  return a.is_zero() ? size_of_zero : static_cast<std::int64_t>(mpfr_get_exp(a.get()));
}
inline UpFloat bound_of(double size) {
  return UpFloat::normalised(size, 0);
}
inline UpFloat bound_of(std::int64_t size) {
  return size == size_of_zero ? UpFloat{} : UpFloat{1, size};
}

inline constexpr double most_factor = 4;  // |f|
/// Whether an entry can be a pivot of a row with that largest entry.
inline bool is_pivot(double entry, double largest) {
  return entry > 0 && most_factor * entry >= largest;
}
inline bool is_pivot(std::int64_t entry, std::int64_t largest) {
  return entry != size_of_zero && entry + 1 >= largest;
}

/// Where numbers have no exponents of their own, entries this large and pivots this small are given up, and
/// what underflows is less than `lost` in each step.
inline bool is_beyond(double size) {
  constexpr double largest = 0x1p60;
  return !(size < largest);
}
inline bool is_beyond(std::int64_t) {
  return false;
}
inline bool is_lost(double pivot) {
  constexpr double smallest = 0x1p-800;
  return pivot < smallest;
}
inline bool is_lost(std::int64_t) {
  return false;
}
inline UpFloat lost(double) {
  return {0.5, -899};
}
inline UpFloat lost(std::int64_t) {
  return {};
}

/// row[l] -= f row_j[l] - g f_i[l] of first <= l < last; the largest size of what was there.
inline double update_skew_row(double* row, double f, const double* of_j, double g, const double* of_i,
                              std::size_t first, std::size_t last) {
  constexpr std::size_t side_by_side = 8;
  double top[side_by_side] = {};
  std::size_t l = first;
  for (; l + side_by_side <= last; l += side_by_side) {
    for (std::size_t t = 0; t < side_by_side; ++t) {
      const double value = row[l + t] - f * of_j[l + t] + g * of_i[l + t];
      row[l + t] = value;
      top[t] = std::abs(value) > top[t] ? std::abs(value) : top[t];
    }
  }
  double largest = 0;
  for (; l < last; ++l) {
    row[l] = row[l] - f * of_j[l] + g * of_i[l];
    largest = std::max(largest, std::abs(row[l]));
  }
  for (const double one : top) largest = std::max(largest, one);
  return largest;
}

template <class Field>
class SignElimination {
 public:
  using Number = typename Field::Number;
  using Size = decltype(size_of(std::declval<const Field&>(), std::declval<const Number&>()));

  /// `scales`: those of K K^T.
  SignElimination(const SignedMatrix& matrix, const FrontTree& tree, const GramScales& scales, Field& field,
                  const LogDeterminantLimits& limits, const StopSignal& stop)
      : matrix_(matrix),
        graph_(matrix.graph),
        tree_(tree),
        scales_(scales),
        field_(field),
        limits_(limits),
        stop_(stop),
        mantissa_(scaled_values(matrix, scales, field)),
        place_(graph_.vertices) {
    for (Index v = 0; v < graph_.vertices; ++v) {
      if (graph_.bipartite) {
        half_.push_back(graph_.is_row(v) ? scales.row[v] : scales.column[v]);
      } else {
        half_.push_back((scales.row[v] + scales.column[v]) >> 1);
      }
    }
  }

  /// Of what was eliminated; 0 where a pivot was missing, or the entries grew beyond use.
  int run() {
    for (const Front& front : tree_.fronts) {
      stop_.check();
      if (!assemble(front) || !eliminate() || !pass_on(front)) return 0;
    }
    if (order_.size() != graph_.vertices) return 0;
    int sign = sign_ * permutation_sign(order_);
    const std::uint64_t rows = graph_.rows;
    if (graph_.bipartite && rows % 4 >= 2) sign = -sign;
    return sign;
  }

  /// After run(): the sign is K's; `weight`, log2_trace: of W and M, by an elimination with b < 1/2.
  bool is_proven(const std::vector<double>& weight, double log2_trace) const {
    const std::vector<UpFloat> own = squared_errors();
    const Index lines = graph_.bipartite ? graph_.rows : graph_.vertices;
    for (Index v = 0; v < lines; ++v) {
      // q b <= 2^-1.1 < 1 - b; what b has of the unit, q is divided by.
      if (own[v].mantissa != 0 && !(log2_up(own[v]) - std::log2(weight[v]) + log2_trace < -1.1)) return false;
    }
    return true;
  }

 private:
  struct PassedOn {
    std::vector<Index> vertices;
    std::size_t late = 0;       // the first ones: complete, but without a pivot
    std::vector<Number> upper;  // row by row, above the diagonal
    Size largest;
  };
  /// What the entries of a front are off by: all of them, and those between the vertices from place 2 k + 2
  /// on by the k-th of the steps.
  struct FrontError {
    std::vector<Index> vertices;
    UpFloat of_all;
    std::vector<UpFloat> of_steps;
  };

  Number* row(std::size_t i) { return value_.data() + i * size_; }
  Number& at(std::size_t i, std::size_t j) { return i < j ? row(i)[j] : row(j)[i]; }

  bool assemble(const Front& front) {
    const std::size_t first_child = stack_.size() - front.children;
    vertices_.clear();
    for (std::size_t c = first_child; c < stack_.size(); ++c) {
      const PassedOn& child = stack_[c];
      vertices_.insert(vertices_.end(), child.vertices.begin(),
                       child.vertices.begin() + static_cast<std::ptrdiff_t>(child.late));
    }
    vertices_.insert(vertices_.end(), front.own.begin(), front.own.end());
    summed_ = vertices_.size();
    vertices_.insert(vertices_.end(), front.border.begin(), front.border.end());
    size_ = vertices_.size();
    for (std::size_t k = 0; k < size_; ++k) place_[vertices_[k]] = static_cast<Index>(k);
    limits_.refuse_beyond(field_.bytes() * static_cast<double>(size_ * size_ + stacked_));
    value_.assign(size_ * size_, field_.number(0));

    largest_ = size_of(field_, field_.number(0));
    for (const Index e : front.edges) add_edge(e);
    for (std::size_t c = first_child; c < stack_.size(); ++c) add_child(stack_[c]);
    stack_.resize(first_child);
    constexpr double roundings_an_entry = 8;  // Field::from_fraction
    error_ = {};
    error_.of_all = error_of(largest_, roundings_an_entry + static_cast<double>(front.children));
    return !is_beyond(largest_);
  }

  void add_edge(Index e) {
    constexpr std::int64_t gone = -(std::int64_t{1} << 30);
    const BlockGraph::Edge& edge = graph_.edges[e];
    const Index which = matrix_.value_of[e];
    Number value = mantissa_[which];
    const std::int64_t shift = scales_.exponent[which] - half_[edge.a] - half_[edge.b];
    field_.scale(value, static_cast<int>(std::max(shift, gone)));
    const Index a = place_[edge.a];
    const Index b = place_[edge.b];
    if ((matrix_.orientation[e] != 0) != (a < b)) field_.negate(value);
    Number& entry = at(a, b);
    field_.add(entry, value);
    largest_ = std::max({largest_, size_of(field_, value), size_of(field_, entry)});
  }

  void add_child(PassedOn& child) {
    largest_ = std::max(largest_, child.largest);
    const std::vector<Index>& vertices = child.vertices;
    Number* from = child.upper.data();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Index a = place_[vertices[i]];
      for (std::size_t j = i + 1; j < vertices.size(); ++j, ++from) {
        if (field_.is_zero(*from)) continue;
        const Index b = place_[vertices[j]];
        if (a > b) field_.negate(*from);
        Number& entry = at(a, b);
        field_.add(entry, *from);
        largest_ = std::max(largest_, size_of(field_, entry));
      }
    }
    stacked_ -= child.upper.size();
  }

  bool eliminate() {
    done_ = 0;
    for (bool found = true; found;) {
      found = false;
      for (std::size_t candidate = done_; candidate < summed_; ++candidate) {
        stop_.check();
        const std::size_t partner = partner_of(candidate);
        if (partner == size_) continue;
        if (!take(candidate, partner)) return false;
        found = true;
        candidate = std::max(candidate, done_) - 1;
      }
    }
    error_.vertices = vertices_;
    errors_.push_back(std::move(error_));
    return true;
  }

  /// The vertex with the largest entry in the candidate's row, if that is large enough; else size_.
  std::size_t partner_of(std::size_t candidate) {
    Size largest = size_of(field_, field_.number(0));
    Size best = largest;
    std::size_t partner = size_;
    for (std::size_t k = done_; k < size_; ++k) {
      if (k == candidate) continue;
      const Size size = size_of(field_, at(candidate, k));
      largest = std::max(largest, size);
      if (k < summed_ && size > best) {
        best = size;
        partner = k;
      }
    }
    return partner != size_ && is_pivot(best, largest) ? partner : size_;
  }

  bool take(std::size_t candidate, std::size_t partner) {
    swap_vertices(done_, candidate);
    if (partner == done_) partner = candidate;
    swap_vertices(done_ + 1, partner);
    const std::size_t i = done_;
    const std::size_t j = done_ + 1;
    const Number pivot = row(i)[j];
    if (is_lost(size_of(field_, pivot))) return false;
    order_.push_back(vertices_[i]);
    order_.push_back(vertices_[j]);
    if (!field_.is_positive(pivot)) sign_ = -sign_;
    done_ += 2;
    Number* const of_i = row(i);
    Size most = size_of(field_, field_.number(0));
    for (std::size_t k = done_; k < size_; ++k) {
      if (field_.is_zero(of_i[k])) continue;
      field_.divide(of_i[k], pivot);
      most = std::max(most, size_of(field_, of_i[k]));
    }
    Number* const of_j = row(j);
    Size most_of_j = size_of(field_, field_.number(0));
    for (std::size_t k = done_; k < size_; ++k) most_of_j = std::max(most_of_j, size_of(field_, of_j[k]));
    Size updated = size_of(field_, field_.number(0));
    for (std::size_t k = done_; k < size_; ++k) updated = std::max(updated, update(k, of_i, of_j));
    largest_ = std::max(largest_, updated);
    // Two products, each with a rounded factor, of at most that: four roundings. Two sums, of which the
    // second is at most what it is now, the first at most that and a product.
    error_.of_steps.push_back(error_of(bound_of(most) * bound_of(most_of_j), 5) + error_of(updated, 2));
    return !is_beyond(largest_);
  }

  /// So many roundings of numbers of at most that size.
  UpFloat error_of(const UpFloat& size, double roundings) const {
    constexpr double second_order = 1.01;
    return size *
               UpFloat::normalised(second_order * roundings, static_cast<std::int64_t>(field_.log2_unit())) +
           lost(Size{}) * UpFloat::normalised(roundings, 0);
  }
  UpFloat error_of(Size size, double roundings) const { return error_of(bound_of(size), roundings); }

  /// The largest size that an entry of the row has then.
  Size update(std::size_t k, Number* of_i, Number* of_j) {
    Size largest = size_of(field_, field_.number(0));
    const bool by_f = !field_.is_zero(of_i[k]);
    const bool by_g = !field_.is_zero(of_j[k]);
    if (!by_f && !by_g) return largest;
    stop_.check();
    if constexpr (std::is_same_v<Field, PlainField>) {
      largest = update_skew_row(row(k), of_i[k], of_j, of_j[k], of_i, k + 1, size_);
    } else {
      Number* const own = row(k);
      for (std::size_t l = k + 1; l < size_; ++l) {
        const bool first = by_f && !field_.is_zero(of_j[l]);
        const bool second = by_g && !field_.is_zero(of_i[l]);
        if (first) field_.subtract_product(own[l], of_i[k], of_j[l]);
        if (second) field_.add_product(own[l], of_j[k], of_i[l]);
        if (first || second) largest = std::max(largest, size_of(field_, own[l]));
      }
    }
    return largest;
  }

  void swap_vertices(std::size_t a, std::size_t b) {
    if (a == b) return;
    if (a > b) std::swap(a, b);
    swap_in_upper_triangle(
        done_, size_, a, b,
        [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) { std::swap(row(i)[j], row(k)[l]); },
        [&](std::size_t i, std::size_t j) { field_.negate(row(i)[j]); });
    std::swap(vertices_[a], vertices_[b]);
  }

  /// False where a root has vertices left.
  bool pass_on(const Front& front) {
    if (front.border.empty()) return done_ == size_;
    PassedOn on;
    on.vertices.assign(vertices_.begin() + static_cast<std::ptrdiff_t>(done_), vertices_.end());
    on.late = summed_ - done_;
    on.largest = largest_;
    const std::size_t left = size_ - done_;
    on.upper.reserve(left * (left - 1) / 2);
    for (std::size_t i = done_; i < size_; ++i)
      on.upper.insert(on.upper.end(), row(i) + i + 1, row(i) + size_);
    stacked_ += on.upper.size();
    stack_.push_back(std::move(on));
    return true;
  }

  /// w' in the scales of K K^T, by vertex: of lines.
  std::vector<UpFloat> squared_errors() const {
    const bool bipartite = graph_.bipartite;
    const auto is_line = [&](Index v) { return !bipartite || graph_.is_row(v); };
    const auto is_column = [&](Index v) { return !bipartite || !graph_.is_row(v); };
    // What an entry's error is to be multiplied by as one of a line, of a column.
    const auto of_line = [&](Index v) { return UpFloat{1, bipartite ? 0 : half_[v] - scales_.row[v]}; };
    const auto of_column = [&](Index v) { return UpFloat{1, bipartite ? 0 : half_[v] - scales_.column[v]}; };
    std::vector<UpFloat> sums(graph_.vertices);
    std::vector<UpFloat> result(graph_.vertices);
    for (const FrontError& front : errors_) {
      add_products(
          front, [&](Index v) { return is_line(v) ? of_line(v) : UpFloat{}; },
          [&](Index v, const UpFloat& sum) {
            if (is_column(v)) sums[v] = sums[v] + sum * of_column(v);
          });
    }
    for (const FrontError& front : errors_) {
      add_products(
          front, [&](Index v) { return is_column(v) ? of_column(v) * sums[v] : UpFloat{}; },
          [&](Index v, const UpFloat& sum) {
            if (is_line(v)) result[v] = result[v] + sum * of_line(v);
          });
    }
    return result;
  }

  /// For each v of the front: add(v, sum over w of the error of (v, w) times of(w)).
  template <class Of, class Add>
  static void add_products(const FrontError& front, const Of& of, const Add& add) {
    const std::vector<Index>& vertices = front.vertices;
    std::vector<UpFloat> from(vertices.size() + 1);  // of(w) of all from that place on
    for (std::size_t k = vertices.size(); k-- > 0;) from[k] = from[k + 1] + of(vertices[k]);
    UpFloat sum = from[0] * front.of_all;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      if (k > 0 && k % 2 == 0 && k / 2 <= front.of_steps.size())
        sum = sum + front.of_steps[k / 2 - 1] * from[k];
      add(vertices[k], sum);
    }
  }

  const SignedMatrix& matrix_;
  const BlockGraph& graph_;
  const FrontTree& tree_;
  const GramScales& scales_;
  Field& field_;
  const LogDeterminantLimits& limits_;
  const StopSignal& stop_;
  std::vector<std::int64_t> half_;  // of each vertex: the power of two that its row and column are divided by
  std::vector<Number> mantissa_;
  std::vector<Index> place_;

  std::vector<Index> vertices_;  // of the front
  std::vector<Number> value_;
  std::size_t size_ = 0;
  std::size_t summed_ = 0;  // vertices of the front that no later one has entries for
  std::size_t done_ = 0;
  Size largest_{};
  FrontError error_;

  std::vector<PassedOn> stack_;
  std::size_t stacked_ = 0;  // entries
  std::vector<FrontError> errors_;
  std::vector<Index> order_;
  int sign_ = 1;
};

}  // namespace countpm::planar
