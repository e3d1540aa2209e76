#pragma once
// The steps of trial_step.hpp by looking them up, where columns are short: for the CPU, the same doubles.
#include <cstdint>
#include <vector>

#include "kernels/estimate/strata.hpp"
#include "kernels/estimate/trial_step.hpp"

namespace countpm {

/// A step of a column with d rows needs to know which of these are left: a number of d bits, of which 2^d
/// times all that a step computes is laid out beforehand. A trial keeps that number for every step, and takes
/// a row out of the steps that are to come.
class LocalTrials {
 public:
  /// Precondition: fit(tables). O(columns 2^d d).
  explicit LocalTrials(const TrialTables& tables);

  /// Whether columns are short enough: of at most 8 rows, and the tables within a few megabytes.
  static bool fit(const TrialTables& tables);

  /// What a trial keeps.
  using Left = std::vector<std::uint8_t>;

  /// As trial_step() for all steps: the product of their probabilities, 0 once it is at most `least`.
  template <class Random>
  double pass(Left& left, double least, Random& random) const {
    left.assign(all_.begin(), all_.end());
    double product = 1;
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      const Step& own = steps_[step];
      const double* const line = lines_.data() + own.first_line + std::size_t{left[step]} * own.length;
      product *= line[factor_at];
      if (!(product > least)) return 0;
      unsigned row = 0;
      if (line[sum_at] < 0) {
        row = static_cast<unsigned>(-line[sum_at]) - 1;
      } else {
        const double wanted = uniform(random) * line[sum_at];
        // The last row that is left, should rounding leave `wanted` beyond it.
        for (unsigned r = 0; r + 1 < own.rows; ++r) row += line[running_at + r] <= wanted ? 1 : 0;
      }
      const Later* const later = later_.data() + (own.first_entry + row) * later_each_;
      for (std::size_t k = 0; k < later_each_; ++k) left[later[k].step] &= later[k].others;
    }
    return product;
  }

 private:
  // A line: the step's factor; the sum of weights, or where a row has its last entry less 1 and that row's
  // number; the running sums, each from its row on up to the next row that is left, infinite from the last of
  // them on.
  static constexpr std::size_t factor_at = 0;
  static constexpr std::size_t sum_at = 1;
  static constexpr std::size_t running_at = 2;

  struct Step {
    std::size_t first_line = 0;
    std::size_t first_entry = 0;
    unsigned rows = 0;
    unsigned length = 0;  // of a line
  };
  struct Later {
    std::uint32_t step = 0;
    std::uint8_t others = 0;  // all bits but the row's
  };

  void lay_out(const TrialTables& tables, std::uint32_t step, const std::vector<std::uint32_t>& present,
               std::size_t entries_before);

  Left all_;  // and 0 for the step after the last
  std::vector<Step> steps_;
  std::size_t later_each_ = 0;
  std::vector<Later>
      later_;  // [entry][later_each_]: filled up with the step after the last, which nobody reads
  std::vector<double> lines_;
};

}  // namespace countpm
