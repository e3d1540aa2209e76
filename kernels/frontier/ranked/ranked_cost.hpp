#pragma once
// What a ranked program costs before it is run.
#include "kernels/frontier/ranked/ranked_program.hpp"

namespace countpm {

/// Nominal seconds on one core. O(steps * (width^2 + pulls * width)).
double ranked_seconds(const RankedProgram& program);

/// What so many steps take at least.
double least_ranked_seconds(std::size_t steps);

/// Bytes of all tables, and of what is beside them.
double ranked_bytes(const RankedProgram& program);

}  // namespace countpm
