#include "kernels/oracle/definition.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/least_seconds.hpp"
#include "kernels/oracle/definition_general.hpp"
#include "kernels/oracle/term_walk.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_units = 4096;
constexpr Index least_free_rows = 6;  // a unit is worth its conversion of the entries

class DefinitionJob : public TermWalkJob<DefinitionJob>, public Repeatable {
 public:
  DefinitionJob(const AnyBlock& block, Arithmetic arithmetic)
      : TermWalkJob(std::visit([](const auto& given) { return AnyBlock(expanded(given)); }, block),
                    std::move(arithmetic)) {
    // Units: every way to pick one of the entries in each of the first `fixed_rows_` rows.
    const SparsePattern& matrix = pattern();
    while (fixed_rows_ + least_free_rows < matrix.rows && matrix.row_degree(fixed_rows_) != 0 &&
           units_ * matrix.row_degree(fixed_rows_) <= most_units) {
      units_ *= matrix.row_degree(fixed_rows_++);
    }
    double product = 0;
    for (Index i = 0; i < matrix.rows && matrix.row_degree(i) != 0; ++i) {
      // Of a row's entries the share (n - i) / n stands in columns that the i rows above have left free, on
      // average.
      const double free_share = static_cast<double>(matrix.rows - i) / static_cast<double>(matrix.rows);
      product += std::log2(static_cast<double>(matrix.row_degree(i)) * free_share);
      log2_work_ = i == 0 ? product : log2_sum(log2_work_, product);
    }
  }

  std::uint64_t units() const override { return units_; }
  double log2_work() const override { return log2_work_; }

  double nominal_rate() const override {
    // Partial permutations a second on one core of a 2-core AMD EPYC (Zen 4), 2026-11-21, n = 10 dense;
    // measured a third of this with three other builds running, and scaled for that.
    return nominal_rate_of(arithmetic(), {1.2e8, 5e7, 1e7});
  }

  std::unique_ptr<Job> with_moduli_subset(const Arithmetic& arithmetic) const override {
    return std::make_unique<DefinitionJob>(block(), arithmetic);
  }

 private:
  friend class TermWalkJob<DefinitionJob>;

  Index factors() const { return pattern().rows; }

  /// Adds the unit's terms. False where the meter called time.
  template <Ring R>
  bool walk(std::uint64_t unit, const std::vector<typename R::Element>& values, RunningSum<R>& sum,
            WorkMeter& meter) const {
    const SparsePattern& matrix = pattern();
    const Index n = matrix.rows;
    std::vector<Term<R>> product(n + std::size_t{1},
                                 sum.start());  // product[i]: of the entries chosen in rows 0 .. i - 1
    std::vector<std::uint64_t> choice(n);       // where row i's entry stands
    std::vector<bool> used(matrix.columns, false);
    const auto take = [&](Index row) {
      product[row + std::size_t{1}] = product[row];
      sum.times(product[row + std::size_t{1}], values[choice[row]]);
      used[matrix.column[choice[row]]] = true;
    };

    for (Index row = 0; row < fixed_rows_; ++row) {
      choice[row] = matrix.row_start[row] + unit % matrix.row_degree(row);
      unit /= matrix.row_degree(row);
      if (used[matrix.column[choice[row]]]) return true;  // two rows on one column: an empty unit
      take(row);
    }
    if (fixed_rows_ == n) {
      sum.add(product[n]);
      meter.spend(1);
      return true;
    }

    Index row = fixed_rows_;
    choice[row] = matrix.row_start[row];
    while (true) {
      const std::uint64_t end = matrix.row_start[row + std::uint64_t{1}];
      while (choice[row] < end && used[matrix.column[choice[row]]]) ++choice[row];
      if (choice[row] == end) {
        if (row == fixed_rows_) return true;
        --row;
        used[matrix.column[choice[row]]] = false;
        ++choice[row];
        continue;
      }
      if (meter.spend(1) && !meter.look()) return false;
      take(row);
      if (row + 1 == n) {
        sum.add(product[n]);
        used[matrix.column[choice[row]]] = false;
        ++choice[row];
      } else {
        ++row;
        choice[row] = matrix.row_start[row];
      }
    }
  }

  std::uint64_t units_ = 1;
  Index fixed_rows_ = 0;
  double log2_work_ = 0;
};

class Definition : public Method, public BoundedBelow {
 public:
  std::string_view name() const override { return "definition"; }
  std::string_view summary() const override {
    return "the sum over all permutations (perfect matchings), as defined; for checks, n <= 12";
  }
  std::string_view complexity() const override { return "O(n!) time, O(n) memory"; }
  std::string_view reference() const override { return "A. L. Cauchy (1812), J. P. M. Binet (1812)"; }
  std::string_view work_name() const override { return "partial permutations"; }
  MethodTraits traits() const override {
    MethodTraits traits;
    traits.prefers_wrap_around = true;
    traits.for_tiny_graphs = true;
    return traits;
  }
  bool counts_general_graphs() const override { return true; }
  double least_seconds(const AnyBlock& block) const override {
    if (has_monomers(block)) return 0;
    // What is matched takes one choice from those that come next, in a general graph two.
    const SparsePattern& pattern = pattern_of(block);
    const Index step = is_general(block) ? 2 : 1;
    Index least = pattern.rows == 0 ? 0 : pattern.row_degree(0);
    for (Index v = 1; v < pattern.rows; ++v) least = std::min(least, pattern.row_degree(v));
    double terms = 1;
    for (double choices = least; choices > 1; choices -= step) terms *= choices;
    constexpr double terms_a_second = 1.2e8;
    return terms / terms_a_second;
  }
  bool counts_monomers() const override { return true; }
  std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const override {
    return countpm::obstacle(block, arithmetic);
  }
  std::unique_ptr<Job> make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                const MethodOptions&) const override {
    if (is_general(block)) return make_general_definition_job(block, arithmetic);
    return std::make_unique<DefinitionJob>(block, arithmetic);
  }
};

}  // namespace

const Method& definition_method() {
  static const Definition method;
  return method;
}

}  // namespace countpm
