#pragma once
// A count modulo given numbers (Options::modulo): what has no residue, and what is reported.
#include "src/checks/checks.hpp"
#include "src/count/matching_polynomial.hpp"
#include "src/count/planned_count.hpp"

namespace countpm {

/// Throws UsageError where what is counted is no integer or fraction with a residue modulo each of the
/// numbers (a polynomial, a complex number, a sum in floating point), and where an option asks for more than
/// residues. The graph as it was read. Nothing where no residue is wanted.
void refuse_without_residue(const Graph& graph, const CountOptions& options);

/// The blocks planned, where residues are wanted.
std::vector<PlannedBlock> plan_for_residues(std::vector<ReducedBlock> blocks, const PlannedCount& count,
                                            const CountOptions& options, Monitor& monitor);

/// In place of report_total(): `total` is the count, or congruent to it modulo all of them.
void report_residues(const mpq_class& total, const std::vector<mpz_class>& numbers, const Checks& checks,
                     CountResult& result);

/// Checks of the blocks that were counted modulo numbers alone: a second count in another order where that
/// takes a fifth of the first one's time or 0.1 s at most, parity where the numbers have it.
void verify_residues(const PlannedCount& plan, const BlockCounts& counts, const CountOptions& options,
                     Monitor& monitor, Checks& checks);

}  // namespace countpm
