#pragma once
// PureReg or Hybrid, for programs of either kind: with `rows` places, `registers` of them in registers,
// `columns` of RowAdds, the most often flipped first, and launch_shape().
#include <algorithm>
#include <optional>

#include "kernels/published/codegen/program.hpp"

namespace countpm::codegen {

/// How good it is to keep the rows of `register_columns` columns in registers: resident threads over the cost
/// of a step, tau / (regCost + globCost).
template <class AnyProgram>
double partition_score(const AnyProgram& program) {
  const double global_access_cost = program.ratio;
  const LaunchShape shape = program.launch_shape();
  double register_cost = program.registers;
  double global_cost = 0;
  double flips = 0.5;  // of this column, a step
  for (const auto& column : program.columns) {
    const auto outside = std::count_if(column.begin(), column.end(),
                                       [&](const auto& add) { return add.row >= program.registers; });
    const auto inside = static_cast<double>(column.size()) - static_cast<double>(outside);
    register_cost += flips * inside;
    // Changed ones are read and written, and all are read for the product.
    if (outside > 0)
      global_cost += flips * global_access_cost *
                     (2 * static_cast<double>(outside) + (program.rows - program.registers));
    flips /= 2;
  }
  return shape.threads * shape.blocks_per_multiprocessor / (register_cost + global_cost);
}

/// Half of what a thread can have: two blocks of 256 threads a multiprocessor.
inline constexpr unsigned half_of_registers = 128;

/// PureReg while at most `limit` registers suffice. Else Hybrid with the columns of the best score.
/// keep(program, k): the rows of the first k columns in registers, all rows where k is more than there are
/// columns.
template <class AnyProgram, class Keep>
void choose_form(AnyProgram& program, const std::optional<Form>& wished,
                 const std::optional<unsigned>& register_columns, unsigned limit, const Keep& keep) {
  const auto all = static_cast<unsigned>(program.columns.size()) + 1;
  program.form = Form::pure_registers;
  keep(program, all);
  if (wished ? *wished == Form::pure_registers : program.launch_shape().registers <= limit) return;
  program.form = Form::hybrid;
  if (register_columns) {
    keep(program, *register_columns);
    return;
  }
  unsigned best = 1;
  double best_score = 0;
  for (unsigned kept = 1; kept < all; ++kept) {
    keep(program, kept);
    const double score = partition_score(program);
    if (score <= best_score) continue;
    best_score = score;
    best = kept;
  }
  keep(program, best);
}

}  // namespace countpm::codegen
