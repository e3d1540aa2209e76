#pragma once
// A random share of a count's units run again, on another path or device.
#include <cstdint>
#include <memory>
#include <vector>

#include "src/checks/checks.hpp"
#include "src/plan/planned_block.hpp"

namespace countpm {

/// For counts that keep no journal: what the units yielded, in memory. Of every plan in turn.
std::vector<std::unique_ptr<Ledger>> memory_ledgers(const std::vector<PlannedBlock>& planned);

/// Draws finished ranges (a stretch of 1/512 of a block's units at most, or what a GPU did at once) until
/// they hold `share` of every block's units, one range at least, runs them again and compares sums. Again is
/// on the CPU: by the method's second code path where it has one, else with one modulus at a time where it
/// has several, else by the same code, which the report then says. ledgers: whole. Throws CheckError, which
/// names unit, residues and both paths, where a sum differs; and what the monitor says.
AuditReport audit_units(const std::vector<PlannedBlock>& planned, const std::vector<Ledger*>& ledgers,
                        double share, std::uint64_t seed, const Resources& resources, Monitor& monitor,
                        Checks& checks);

}  // namespace countpm
