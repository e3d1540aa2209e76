#pragma once
// ryser, sparyser and skipper in floating point, real or complex, and codegen, with a rigorous error ball
// (running_error.hpp). Row sums are built afresh from the entries after 2^7 flips, so that their error stays
// bounded however long the walk is.
#include <memory>

#include "kernels/method.hpp"
#include "kernels/published/codegen/floating_program.hpp"

namespace countpm {

/// gray: every product from scratch (ryser). suffix: SortOrder and kept suffix products (sparyser); rounded
/// sums are not asked whether they are zero. jump: Ryser's own sums, a row being zero where none of its
/// entries is chosen, by integer count (skipper). generated: codegen's programs, interpreted on the CPU; at
/// most gray::most_floating_rows rows, no MPFR.
enum class FloatingWalk { gray, suffix, jump, generated };

/// Precondition: arithmetic.kind is floating. Of the options: the seed (of the forecast of `jump`), and
/// `jump`'s plan.
std::unique_ptr<Job> make_floating_job(FloatingWalk walk, const AnyBlock& block, const Arithmetic& arithmetic,
                                       const MethodOptions& options);
/// `generated`, for tests and benchmarks that force its form.
std::unique_ptr<Job> make_generated_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                        const codegen::FloatingOverrides& wishes);

}  // namespace countpm
