#include "src/count/dense_permanent.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <variant>

#include "kernels/method.hpp"
#include "src/number/choose_arithmetic.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_formula_rows = 24;
// Planning takes some milliseconds.
constexpr double most_formula_seconds = 0.002;

Block<std::int64_t> block_of(const SmallGraph& graph, bool transposed) {
  Block<std::int64_t> block;
  const std::size_t rows = graph.left;
  block.matrix.rows = block.matrix.columns = static_cast<Index>(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t vertex = transposed ? rows + i : i;
    const std::size_t others = transposed ? 0 : rows;
    for (std::uint64_t left = graph.neighbours[vertex]; left != 0; left &= left - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(left));
      block.matrix.column.push_back(static_cast<Index>(other - others));
      block.matrix.value.push_back(graph.weight_of(vertex, other));
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

BlockBound bound_by_row_sums(const Block<std::int64_t>& block) {
  BlockBound bound;
  for (std::size_t i = 0; i < block.matrix.rows; ++i) {
    double sum = 0;
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + 1]; ++k) {
      sum += std::abs(static_cast<double>(block.matrix.value[k]));
      bound.is_signed = bound.is_signed || block.matrix.value[k] < 0;
    }
    bound.log2_bound += std::log2(std::max(sum, 1.0));
  }
  constexpr double rounding = 0.01;
  bound.log2_bound += rounding;
  return bound;
}

}  // namespace

std::optional<mpz_class> dense_permanent(const SmallGraph& graph, bool transposed) {
  if (graph.left > most_formula_rows) return std::nullopt;
  const auto& methods = exact_methods();
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [](const Method* method) { return method->traits().for_tiny_matrices; });
  if (found == methods.end()) return std::nullopt;
  Block<std::int64_t> matrix = block_of(graph, transposed);
  const BlockBound bound = bound_by_row_sums(matrix);
  const AnyBlock block = std::move(matrix);
  const ArithmeticChoice choice = choose_arithmetic(block, bound, **found, WeightKind::integer, {});
  if ((*found)->obstacle(block, choice.arithmetic)) return std::nullopt;
  const std::unique_ptr<Job> job = (*found)->make_job(block, choice.arithmetic, {});
  if (std::exp2(job->log2_work()) > most_formula_seconds * job->nominal_rate()) return std::nullopt;
  const StopSignal never;
  Partial sum = zero(choice.arithmetic);
  for (std::uint64_t unit = 0; unit < job->units(); ++unit)
    add(sum, job->run(unit, never), choice.arithmetic);
  return join_residues(std::get<Residues>(sum), choice.arithmetic.moduli, choice.is_signed);
}

}  // namespace countpm
