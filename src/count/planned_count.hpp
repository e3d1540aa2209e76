#pragma once
// A count up to its first unit: read, cut along its structure, reduced and planned.
#include <optional>
#include <string>
#include <vector>

#include "graph/kinds/imaginary_unit.hpp"
#include "src/api/entries.hpp"
#include "src/count/letter_count.hpp"
#include "src/count/matching_polynomial.hpp"
#include "src/journal/journal.hpp"
#include "src/machine/resources.hpp"
#include "src/plan/planned_block.hpp"
#include "src/structure/analysis.hpp"
#include "src/structure/blocks.hpp"
#include "src/watch/monitor.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {

/// Read, cut along its structure and reduced.
struct ReducedCount {
  CountResult result;  // as far as it is known; whole where it has a violator: then the count is 0
  WeightKind weight_kind = WeightKind::none;
  Resources resources;
  std::optional<ReducedInstance> reduced;  // empty where the count is 0
  std::optional<Instance> instance;
  std::optional<Letter> letter;
  std::optional<SumBits> digit;  // Graph::digit
  std::optional<LetterCount> letters;
  std::optional<ImaginaryUnit> unit;
  Analysis analysis;
};
/// A plan that there was before: a journal's, or somebody else's.
struct PlanBefore {
  const JournalHeader* header = nullptr;  // null: there is none
  std::string file;                       // for messages
  bool prove = false;  // what is counted here: bounds of a polynomial's coefficients, by counts of their own
};
ReducedCount reduce_count(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                          Monitor& monitor, const PlanBefore& before = {});

/// The plans of a header for what was reduced beside it, without measuring: for whoever runs units for
/// others. Refuses what does not fit the limits here.
struct ToldPlans {
  std::vector<PlannedBlock> blocks;
  std::vector<PlannedBlock> recounts;
};
ToldPlans plan_as_told(ReducedCount& reduced, const JournalHeader& header, const std::string& file,
                       const CountOptions& options, Monitor& monitor);

struct PlannedCount {
  CountResult result;  // as ReducedCount::result
  WeightKind weight_kind = WeightKind::none;
  std::optional<Letter> letter;        // the count holds a matching polynomial
  std::optional<LetterCount> letters;  // the blocks' counts hold polynomials of the weights' letters
  std::optional<ImaginaryUnit> unit;   // the count holds a complex number
  std::optional<SumBits> digit;        // Graph::digit
  Factor factor;                       // what was factored out
  RuleTally tally;                     // of the reductions so far
  Resources resources;
  std::vector<PlannedBlock> blocks;
  std::vector<PlannedBlock> recounts;  // of --double-check
};

class BoundsInReserve;  // src/count/bounds_in_reserve.hpp

/// What a count prints when it is done is made of this. The plans are the journal's, where there is one to go
/// on with. Throws as count() does, also where the limits do not allow what was planned: `reserve`, where
/// there is one, holds what is certain then.
PlannedCount plan_count(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor, const Journal* journal, BoundsInReserve* reserve = nullptr);

}  // namespace countpm
