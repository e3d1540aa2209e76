#pragma once
// codegen in floating point: jobs of subsets/floating_sums.hpp, which make the walk's numbers and the units'
// error balls, by programs (published/codegen/floating_program.hpp).
//
// The kernel adds 2^(n-1) products as ryser's does, in compensated doubles or double-doubles with the same
// bound on their errors, but touches only entries that are not 0, and keeps products that a flip leaves
// alone.
#include <memory>

#include "kernels/method.hpp"
#include "kernels/published/codegen/floating_program.hpp"

namespace countpm {

/// codegen_report() (codegen.hpp) tells of its kernel. Tests and benchmarks have wishes.
std::unique_ptr<Job> make_generated_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                        const codegen::FloatingOverrides& wishes,
                                        const MethodOptions& options = {});

}  // namespace countpm
