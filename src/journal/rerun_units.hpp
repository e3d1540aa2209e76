#pragma once
// Units that a journal has, run again: by chance, and by another path through the arithmetic.
#include <vector>

#include "src/checks/checks.hpp"
#include "src/plan/planned_block.hpp"
#include "src/units/ledger.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Runs some of the ranges that the journal brought again, by another path through the arithmetic where the
/// method has one, and compares: one at least, unless it is a large part of all, and more for about a
/// hundredth of the time that they took, or a second, but no more than a tenth of the seconds left. Which
/// ones is left to chance. Throws CheckError where a value differs.
void rerun_journaled_units(const std::vector<PlannedBlock>& planned, const std::vector<Ledger*>& ledgers,
                           double seconds_left, Monitor& monitor, Checks& checks);

}  // namespace countpm
