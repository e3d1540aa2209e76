#pragma once
// From the blocks' counts to the number that was asked for.
#include <vector>

#include "src/checks/checks.hpp"
#include "src/count/planned_count.hpp"
#include "src/number/number.hpp"

namespace countpm {

/// The product of the blocks' counts and of what was factored out, or what it holds: the sum of a
/// polynomial's coefficients, which go into the result, the number of ground states, both parts of a complex
/// sum as one rational number (graph/kinds/imaginary_unit.hpp). Throws CheckError where it cannot be that.
Number total_of(const PlannedCount& plan, const std::vector<Number>& counts,
                const NumberArithmetic& arithmetic, Checks& checks, CountResult& result);

/// After report_blocks(): the counts of blocks that hold a polynomial at 1, and none where they hold a
/// complex number.
void report_packed_blocks(const PlannedCount& plan, CountResult& result);

}  // namespace countpm
