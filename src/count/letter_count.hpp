#pragma once
// The count of a graph whose weights have letters: first with 1 for all of them, which bounds the
// coefficients and checks their sum, then as a polynomial packed into numbers.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/checks/checks.hpp"
#include "src/count/packed_polynomial.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/machine/resources.hpp"
#include "src/number/number.hpp"
#include "src/plan/planned_block.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

class LetterCount {
 public:
  /// As PackedPolynomial's.
  LetterCount(std::shared_ptr<const LetterWeights> letters, const Instance& instance,
              const Analysis& analysis, const Poll& poll);

  /// Counts every block with 1 for the letters, then gives the instance packed values; where planar methods
  /// counted a block, with a few other numbers too, which bound its coefficients one by one (PackedForm).
  /// before: of a journal to go on with, which says what blocks are counted at points; null: there is none.
  /// Throws as count() does.
  void count_at_one(Instance& instance, const Analysis& analysis, const CountOptions& options,
                    const Resources& resources, Monitor& monitor, const JournalHeader* before);
  /// Gives the instance packed values with the header's digits, and counts nothing: for whoever runs units of
  /// a plan, the results of which somebody else joins, bounds and checks. file: for messages. Throws
  /// InputError where it is of other blocks.
  void pack_as_told(Instance& instance, const JournalHeader& header, const std::string& file);
  /// As count_at_one(), for forecasts: on the CPUs here, and where that is predicted to take a moment. Else
  /// nothing is counted: digits are for proven bounds alone, and points where the counts at 1 would be by
  /// methods that have some.
  void forecast(Instance& instance, const Analysis& analysis, const CountOptions& options, Monitor& monitor);

  /// The instance cut into blocks, with the packed values: those that may be counted at points without any
  /// reduction, which would make sums of their weights.
  ReducedInstance reduced(const Instance& instance, const Analysis& analysis, const RuleSet& rules,
                          const Poll& poll) const;
  /// Where the block may be counted at points: what is known of it. Else null.
  const PackedForm* form(std::size_t block) const;
  /// For plan_as_before().
  PackedBlocks packed_blocks() const;
  /// plan_blocks(), and at points where that is possible.
  std::vector<PlannedBlock> plan(std::vector<ReducedBlock> blocks, const CountOptions& options,
                                 const Resources& resources, WeightKind weight_kind, Monitor& monitor) const;

  /// Of the blocks that counted so: the polynomial, into the result, and its value where all letters are 1.
  /// Throws CheckError where a block's coefficients add up to something else than it counted at 1.
  Number report(const Factor& factor, const std::vector<Number>& counts, Checks& checks,
                CountResult& result) const;
  std::string describe() const { return packed_.describe(); }

 private:
  void bound_coefficients(Instance& instance, const Analysis& analysis, const CountOptions& options,
                          const Resources& resources, Monitor& monitor);

  PackedPolynomial packed_;
  bool told_ = false;                             // pack_as_told() was called
  std::vector<mpq_class> at_one_;                 // of every block
  std::vector<std::optional<PackedForm>> forms_;  // of those that may be counted at points
};

}  // namespace countpm
