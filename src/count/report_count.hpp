#pragma once
// Fills in the result of a count.
#include <vector>

#include "src/checks/checks.hpp"
#include "src/count/matching_polynomial.hpp"
#include "src/plan/planned_block.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {

/// What is known once the graph has been read.
CountResult report_input(const Graph& graph, const InputInfo& input);

/// The count is 0, and why. Precondition: analysis.violator.
void report_zero(Analysis analysis, CountResult& result);

/// The blocks in order, one for all that the reductions alone counted, and which method took longest. Where
/// the result is a polynomial they have no counts, which are packed.
void report_blocks(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                   WeightKind weight_kind, unsigned precision_bits, CountResult& result);

/// What all reductions did: those before the plan (`tally`) and those of the jobs.
void report_reductions(RuleTally tally, const std::vector<PlannedBlock>& planned, CountResult& result);

void report_total(const Number& total, WeightKind weight_kind, unsigned precision_bits, const Checks& checks,
                  CountResult& result);

/// After report_total(), in its place: the exact sum of complex weights.
void report_complex(const ComplexRational& total, CountResult& result);

/// ln Z and its parts, once the total is there.
void report_entropy(CountResult& result);

}  // namespace countpm
