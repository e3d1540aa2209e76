#pragma once
// The checks on a whole run: every block's count, a unit of every long job once more, the second count.
#include <vector>

#include "graph/errors.hpp"
#include "src/checks/checks.hpp"
#include "src/plan/planned_block.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Rounding leaves no digit of a count certain.
class UncertainError : public UnableError {
 public:
  using UnableError::UnableError;
};

/// A ball that holds 0 has no certain digit, perhaps not even its sign: that is no answer. Throws
/// UncertainError.
void refuse_uncertain(const std::vector<Number>& counts);

/// verify_block() for every block, and the certified bounds as far as the count's time affords them; what is
/// counted of a block that is sampled in part, against the bound that its residues were chosen by. Throws
/// UnableError where rounding leaves no digit of a block's count certain.
void verify_blocks(const std::vector<PlannedBlock>& planned, const BlockCounts& counts, Problem problem,
                   Checks& checks);

/// Runs one unit of every long task again with its residues computed one prime at a time, a different path
/// through the arithmetic, and compares. The unit is one of the plan that ran: a job that searched cannot be
/// made a second time.
void rerun_sampled_units(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                         const Monitor& monitor, Checks& checks);

/// Every block's count and its recount (plan_double_check): equal, or within their errors of each other.
void verify_recount(const Number& count, const PlannedBlock& recount, const Number& second,
                    const std::string& name, Checks& checks);
void verify_recounts(const BlockCounts& counts, const std::vector<PlannedBlock>& recounts,
                     const BlockCounts& second, Checks& checks);

/// Of maximum matchings, without fractions as weights: the sum over the extended graph is a multiple of the
/// orders of the free vertices (matching/free_vertices.hpp), so that the count is an integer. Throws
/// CheckError.
void verify_orders(const Number& total, WeightKind weight_kind, const std::string& name, Checks& checks);

}  // namespace countpm
