#pragma once
// What subsets/floating_sums.cpp's jobs walk with: a block's weights in a ring, the row sums that a prefix
// starts with, and the row sums along a walk.
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/arithmetic/running_error.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

// A refresh adds up n / 2 columns or so: 6 % of the work of 128 dense steps at n = 30. The error bound grows
// with the flips between two.
inline constexpr std::uint64_t refresh_flips = 1 << 7;

/// a_ip - r_i / 2 where the plan is halved, else 0; exact, each row still to be divided by its power of two.
inline std::vector<ComplexRational> exact_shifts(const AnyBlock& any_block, const SubsetPlan& plan,
                                                 Index pinned) {
  return std::visit(
      [&](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        std::vector<ComplexRational> shifts(block.matrix.rows);
        if (plan.form != RyserForm::halved) return shifts;
        for (Index i = 0; i < block.matrix.rows; ++i) {
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            const Index column = block.matrix.column[k];
            const mpq_class share =
                (column == pinned ? 1 : 0) - mpq_class(mpz_class(block.multiplicity_of(column)), 2);
            const Value& value = block.matrix.value[k];
            if constexpr (std::is_same_v<Value, ComplexRational>) {
              shifts[i].re += share * value.re;
              shifts[i].im += share * value.im;
            } else {
              shifts[i].re += share * mpq_class(value);
            }
          }
        }
        return shifts;
      },
      any_block);
}

/// What every unit of a job shares, in one ring.
template <FloatingRing R>
struct Material {
  R ring;
  const IntegerColumns<std::int64_t>& columns;  // numbered
  const SubsetPlan& plan;
  std::vector<typename R::Element> value;  // beside columns.value
  std::vector<typename R::Element> shift;  // one a row
  std::int64_t exponent = 0;
  bool exact_sums = false;
};

template <FloatingRing R>
Material<R> make_material(const R& ring, const AnyBlock& block, const IntegerColumns<std::int64_t>& columns,
                          const SubsetPlan& plan, bool exact_sums) {
  Material<R> material{ring, columns, plan, {}, {}, 0, exact_sums};
  const RingValues<R> values = ring_values(ring, block);
  material.exponent = values.exponent + (plan.form == RyserForm::halved ? 1 : 0);
  material.value.reserve(columns.value.size());
  for (const std::int64_t number : columns.value)
    material.value.push_back(values.value[static_cast<std::size_t>(number - 1)]);
  const std::vector<std::int64_t> exponents = row_exponents(block);
  // Only `jump` writes classes out, and it pins nothing: the pinned column has the block's own number.
  const std::vector<ComplexRational> shifts = exact_shifts(block, plan, plan.pinned);
  for (Index i = 0; i < columns.rows; ++i) {
    const mpq_class re = divided_by_power_of_two(shifts[i].re, exponents[i]);
    if constexpr (R::complex) {
      material.shift.push_back(ring.from_complex({re, divided_by_power_of_two(shifts[i].im, exponents[i])}));
    } else {
      material.shift.push_back(ring.from_mpq(re));
    }
  }
  return material;
}

/// sums += a column.
template <FloatingRing R>
void add_values(const Material<R>& material, std::vector<typename R::Element>& sums, Index column, bool in) {
  for (std::uint64_t k = material.columns.start[column];
       k < material.columns.start[column + std::uint64_t{1}]; ++k) {
    if (in) {
      material.ring.add_to(sums[material.columns.row[k]], material.value[k]);
    } else {
      material.ring.sub_to(sums[material.columns.row[k]], material.value[k]);
    }
  }
}

/// The row sums that a prefix starts with.
template <FloatingRing R>
std::vector<typename R::Element> start_of(const Material<R>& material, const PrefixCounter& prefix) {
  std::vector<typename R::Element> sums = material.shift;
  for (std::size_t k = 0; k < prefix.digits().size(); ++k) {
    for (Index copy = 0; copy < prefix.fixed()[k]; ++copy)
      add_values(material, sums, prefix.digits()[k].column, true);
  }
  return sums;
}

/// The row sums along a walk, with the counts of chosen entries and the sum of products.
template <FloatingRing R>
class FloatingState {
 public:
  using Element = typename R::Element;

  FloatingState(const Material<R>& material, const PrefixCounter& prefix)
      : material_(material),
        sum_(material.ring),
        base_(start_of(material, prefix)),
        in_(material.plan.inner.size()),
        counts_(material.columns.rows),
        zeros_(material.columns.rows) {
    for (std::size_t k = 0; k < prefix.digits().size(); ++k) {
      for (Index copy = 0; copy < prefix.fixed()[k]; ++copy) count(prefix.digits()[k].column, true);
    }
    sums_ = base_;
    // A sum sees at most n copies after its shift and the flips (2^positions of them at most) since the last
    // refresh; 2 more for the shift's own conversion.
    const std::uint64_t rows = material.columns.rows;
    const std::uint64_t flips = in_.size() < 7 ? std::uint64_t{1} << in_.size() : refresh_flips;
    if (material.exact_sums) {
      sum_.expect_exact_sums(rows);
    } else {
      sum_.expect_sums(rows, rows + flips + 2);
    }
    sum_.scale(material.exponent);
    suffix_.assign(rows + 1, sum_.start());
  }

  void flip(unsigned position, bool in) {
    in_[position] = in;
    count(material_.plan.inner[position], in);
    if (++flips_ > refresh_flips) return refresh();
    add_values(material_, sums_, material_.plan.inner[position], in);
  }
  std::size_t zeros() const { return zeros_; }
  bool is_zero(Index row) const { return counts_[row] == 0; }

  void add_term(bool odd) {
    Term<R> term = sum_.start();
    for (const Element& factor : sums_) sum_.times(term, factor);
    add(term, odd);
  }
  /// The same with kept products: rows order[0 .. last] have changed since the last call.
  void add_term(bool odd, const std::vector<Index>& order, std::size_t last) {
    for (std::size_t r = std::min(last + 1, order.size()); r-- > 0;) {
      suffix_[r] = suffix_[r + 1];
      sum_.times(suffix_[r], sums_[order[r]]);
    }
    add(suffix_[0], odd);
  }
  /// Whether a refresh has changed all sums since the last call.
  bool take_refreshed() { return std::exchange(refreshed_, false); }
  const RunningSum<R>& sum() const { return sum_; }

 private:
  void add(const Term<R>& term, bool odd) {
    if (odd) {
      sum_.subtract(term);
    } else {
      sum_.add(term);
    }
  }
  void count(Index column, bool in) {
    for (std::uint64_t k = material_.columns.start[column];
         k < material_.columns.start[column + std::uint64_t{1}]; ++k) {
      std::uint64_t& chosen = counts_[material_.columns.row[k]];
      zeros_ -= chosen == 0 ? 1 : 0;
      chosen += in ? 1 : std::numeric_limits<std::uint64_t>::max();
      zeros_ += chosen == 0 ? 1 : 0;
    }
  }
  void refresh() {
    sums_ = base_;
    for (std::size_t position = 0; position < in_.size(); ++position) {
      if (in_[position]) add_values(material_, sums_, material_.plan.inner[position], true);
    }
    flips_ = 0;
    refreshed_ = true;
  }

  const Material<R>& material_;
  RunningSum<R> sum_;
  std::vector<Element> base_;
  std::vector<Element> sums_;
  std::vector<Term<R>> suffix_;
  std::vector<char> in_;
  std::vector<std::uint64_t> counts_;
  std::size_t zeros_;
  std::uint64_t flips_ = 0;
  bool refreshed_ = false;
};

}  // namespace countpm
