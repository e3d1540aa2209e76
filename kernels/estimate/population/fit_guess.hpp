#pragma once
// A better guess for what a state of a population is worth: fitted to a population that was drawn with the
// one at hand.
//
// The guess of plan.hpp knows columns one by one. Here ln h gets a term for every live column, for pairs of
// them that are near each other, and for triples in one row, if all of them are used: h_t(S) is multiplied by
// exp(f_t(S)), f_t(S) = sum of c_t(m) over the sets m of at most three columns with m in S. The best h_t(S)
// is the sum over the columns that the next row may take of weight times h_{t+1}: so from the last step to
// the first f_t begins as f_{t+1}, and the terms near the row of the step are changed, such that over the
// states of the population h_t is in proportion to that sum, as nearly as Poisson regression makes it
// (count_fit.hpp; states without a next one are counts of 0). Terms further away stay as they are, so that a
// step multiplies a priority by some hundred factors at most, whatever the width.
//
// Any c leaves samples unbiased: a factor that comes in with the last of its columns goes out before any of
// them is closed. P. Guarniero, A. M. Johansen, A. Lee, The iterated auxiliary particle filter, J. Amer.
// Statist. Assoc. 112 (2017); J. Heng, A. N. Bishop, G. Deligiannidis, A. Doucet, Controlled sequential Monte
// Carlo, Ann. Statist. 48 (2020).
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/estimate/population/count_fit.hpp"
#include "kernels/estimate/population/guess_factors.hpp"
#include "kernels/estimate/population/plan_columns.hpp"
#include "kernels/estimate/population/population.hpp"
#include "kernels/method.hpp"

namespace countpm {

class GuessFit {
 public:
  /// Columns, by number; unused places have `no_column`.
  using Term = std::array<std::uint32_t, 3>;
  static constexpr std::uint32_t no_column = ~std::uint32_t{0};

  /// `rows`: how far columns may be from a step's row whose terms it changes; pairs of columns may be two
  /// rows apart where that is 2, else they share one.
  GuessFit(const PopulationPlan& plan, unsigned rows) : plan_(plan), columns_(plan), rows_(rows) {}

  /// Fits to a population that was drawn with the plan's guess, which has no fitted factors. False where rows
  /// are too long, too many columns near each other, or nothing can be fitted. Throws Stopped.
  /// On so many threads: the factors are the same.
  bool fit(const PopulationTrace& trace, const StopSignal& stop, int threads = 1);
  const GuessFactors& factors() const { return factors_; }

 private:
  using Terms = std::map<Term, std::int32_t>;
  struct Factor {
    std::uint64_t columns = 0;  // of the near ones
    std::int32_t exponent = 0;
  };
  struct StepFactors {
    std::vector<std::uint32_t> near;
    std::vector<Factor> of_states;
    std::vector<std::vector<Factor>> of_entries;
  };

  std::vector<Term> terms_near(std::size_t step, const std::vector<std::uint32_t>& active) const;
  bool take_entries(std::size_t step, const Terms& after, std::vector<std::uint32_t>& near,
                    StepFactors& factors) const;
  class Lookahead;
  void flatten(const std::vector<StepFactors>& steps);

  const PopulationPlan& plan_;
  PlanColumns columns_;
  unsigned rows_;
  const fit_loops::Code& loops_ = widest_fit_loops();
  GuessFactors factors_;
  GuessPowers powers_;
};

}  // namespace countpm
