#pragma once
// How inclusion-exclusion over column subsets is cut into units, prefixes and a binary inner walk.
//
//   classic (Ryser):    per = (-1)^n sum_t w(t) prod_i s_i(t)
//   halved:             per = (-1)^(n-1) / 2^(n-1) sum_t w'(t) prod_i (2 a_ip - r_i + 2 s_i(t))
//   centred:            per = (-1)^n sum_t w(t) prod_i (s_i(t) - [r_i / 2])       ([] towards 0)
//
// over all t_j = 0 .. m_j, with w(t) = (-1)^|t| prod_j C(m_j, t_j) and s_i(t) = sum_j t_j a_ij; r are the row
// sums. For m = 1 these are sums over subsets.
// Halved (Nijenhuis and Wilf): one copy of the pinned column p is always in; t and w' go by m', which is
// m but for m'_p = m_p - 1.
// Centred: any vector of integers may be added to the row sums; it changes the sum only by products that lack
// a column, which cancel.
#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

enum class RyserForm { classic, halved, centred };

/// A column of which 0 .. copies may be chosen.
struct Digit {
  Index column = 0;
  Index copies = 1;
};

/// `inner` columns are binary and walked in Gray-code order, inner[0] flipping most often; the `middle` ones
/// are counted through by an odometer, so that neither n nor a multiplicity is limited by a machine word; the
/// `outer` ones are fixed by the unit.
struct SubsetPlan {
  RyserForm form = RyserForm::classic;
  Index pinned = no_index;  // halved only
  std::vector<Index> inner;
  std::vector<Digit> middle;
  std::vector<Digit> outer;
  std::uint64_t units = 1;  // the product of copies + 1 over outer
  double log2_terms = 0;    // of the whole sum
};

inline constexpr std::uint64_t usual_units = 65536;
/// The most that a job has (Job::units).
inline constexpr std::uint64_t most_units_of_subsets = std::uint64_t{1} << 24U;

/// All columns as they come, as an order for plan_subsets.
std::vector<Index> given_order(Index columns);

/// order: all columns, the one to flip most often first. Halved needs a column; without any the plan is
/// classic. inner_limit: the most inner columns. Units are made until each has at most 2^log2_unit_terms
/// terms, or there are 65536, or max_units if that is less; then, up to max_units, while a unit of theirs has
/// more than 2^39 terms, seconds of a GPU and minutes of a core: so that many machines end together.
/// O(columns).
SubsetPlan plan_subsets(const std::vector<Index>& order, const std::vector<Index>& multiplicity,
                        RyserForm form, unsigned inner_limit, double log2_unit_terms,
                        std::uint64_t max_units = usual_units);

/// The plan as text, all of it (Job::plan) ...
std::string to_text(const SubsetPlan& plan);
/// ... and back. Throws PlanError where it is none for columns of these multiplicities.
SubsetPlan subset_plan_from(std::string_view text, const std::vector<Index>& multiplicity);

/// log2(copies + 1) summed.
double log2_choices(const std::vector<Digit>& digits);

/// The outer and middle digits of one unit, one middle state after the other.
class PrefixCounter {
 public:
  PrefixCounter(const SubsetPlan& plan, std::uint64_t unit);

  /// fixed()[k] of column digits()[k].column are in.
  const std::vector<Digit>& digits() const { return digits_; }
  const std::vector<Index>& fixed() const { return fixed_; }
  /// (-1)^(sum of fixed) times the product of C(copies, fixed).
  mpz_class weight() const;

  /// The next state: changed(column, difference) for every digit that moves; false (and back to the first
  /// state) after the last. Amortised O(1).
  template <class Changed>
  bool next(const Changed& changed) {
    for (std::size_t k = 0; k < middle_; ++k) {
      if (fixed_[k] < digits_[k].copies) {
        ++fixed_[k];
        changed(digits_[k].column, std::int64_t{1});
        return true;
      }
      changed(digits_[k].column, -static_cast<std::int64_t>(fixed_[k]));
      fixed_[k] = 0;
    }
    return false;
  }

 private:
  std::vector<Digit> digits_;  // middle first, then outer
  std::vector<Index> fixed_;
  std::size_t middle_;
};

}  // namespace countpm
