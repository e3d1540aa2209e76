#pragma once
// The convex programme of fitted_potentials.hpp for one order of the columns, by a barrier method.
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/estimate/guarantee/fitted_potentials.hpp"
#include "kernels/estimate/guarantee/frontal_cholesky.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// With q = the left side of an inequality over its right side, the barrier is sharpness * ln (U / product of
/// c) - sum of ln (1 - q): ln q is convex, and so is -ln (1 - e^t). Variables are ln f before each entry, and
/// ln c; those of a step are eliminated together, and few are in use at a time.
class PotentialFit {
 public:
  static constexpr unsigned longest_column = 8;

  /// `weight` beside rows.column; empty: all 1. Precondition: can_fit_potentials().
  PotentialFit(const SparsePattern& rows, const std::vector<double>& weight, std::vector<Index> order);

  /// Multiplications of a Newton step, about.
  double work() const { return work_; }
  std::uint64_t inequalities() const { return inequalities_; }
  /// Whether there is room in every inequality, as what follows needs it: weights are not too far from 1.
  bool has_room() const;

  /// As the fit of another order ended, by row, and scales as large as these potentials allow: Newton's
  /// method has less far to go from there.
  void start_as(const FittedPotentials& other, double sharpness);

  /// Until ln (U / product of c) is within `gap` of its least, or Newton's method goes no further.
  void run(double gap, const StopSignal& stop);
  /// To the least of the barrier as sharp as it is. False, and left midway, where that least will hardly be
  /// below `enough`: Newton's method promises to gain at most half of what it would take.
  bool centre(const StopSignal& stop, double enough = std::numeric_limits<double>::infinity());
  /// The barrier's value.
  double value() const { return value_; }

  /// ln (U / product of c) once every scale is as large as the potentials allow.
  double log_bound() const;
  FittedPotentials result() const;

 private:
  /// A row with an entry in a step's column.
  struct StepRow {
    Index row = 0;
    std::uint32_t before = 0;  // variable of ln f(k)
    std::uint32_t after = 0;   // of ln f(k+1), where this is not the row's last entry
    double log_weight = 0;     // ln a
    bool first = false;        // no earlier entry: no trial has taken the row yet
    bool last = false;         // no later entry
  };
  struct Step {
    Index column = 0;
    std::vector<StepRow> rows;        // those with their last entry come last
    std::uint32_t going_on = 0;       // how many come before those
    std::uint32_t scale = 0;          // variable of ln c
    std::vector<std::uint32_t> sets;  // of rows that a trial can have, bit b for rows[b]
  };
  static constexpr std::uint32_t most_sets = 1U << longest_column;
  /// By set of a step's rows, those that no trial can have too. Not initialized: most steps need few.
  using BySet = std::array<double, most_sets>;
  struct Sets {
    BySet quotient;  // left side over right side: no room where it is not below 1
    BySet share;     // the sum of a / f(k+1); 1 where a row has its last entry
  };
  /// Sums over sets of functions of theirs, then sums over all sets that contain a set.
  struct Sums {
    BySet first;
    BySet first_by_share;
    BySet second;
    BySet second_by_share;
    BySet square_by_square;
  };

  void list_steps(const SparsePattern& rows, const std::vector<double>& weight);
  static void list_sets(Step& step, Index before, Index left);
  void start();
  double objective(const std::vector<double>& point) const;
  static void evaluate(const Step& step, const std::vector<double>& point, double log_scale, Sets& sets);
  static double evaluate_unscaled(const Step& step, const std::vector<double>& point, Sets& sets);
  double best_scale(const Step& step, double sharpness) const;
  double barrier(const std::vector<double>& point) const;
  double gap() const;
  void differentiate();
  double* add_derivatives(const Step& step, double* element);
  enum class Move { made, near, none, hopeless };
  Move newton(double enough);

  std::vector<Index> order_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> first_variable_;  // by row: ln f at the beginning
  std::uint32_t variables_ = 0;
  std::uint64_t inequalities_ = 0;
  double work_ = 0;
  FrontalCholesky hessian_;
  std::vector<double> element_;  // of the Hessian, step by step
  std::vector<double> gradient_;
  std::vector<double> move_;
  std::vector<double> next_;
  std::vector<double> point_;
  double sharpness_ = 10;
  double value_ = std::numeric_limits<double>::infinity();
};

}  // namespace countpm
