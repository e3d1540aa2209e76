#include "kernels/frontier/tables/integer_weights.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "kernels/arithmetic/bound.hpp"
#include "matching/general_twins.hpp"

namespace countpm {
namespace {

// A row's scale clears the denominators of its entries; of a general block each edge is cleared by its first
// vertex, whose scale it then shares with the edge's other direction. Twins of a general block share a scale
// that clears all of theirs: one entry stands for all between two classes, and for each vertex just one
// factor may come in. A loop, of a block with monomers, takes its vertex's factor once.
std::vector<mpz_class> row_scales(const Block<mpq_class>& block) {
  std::vector<mpz_class> scale(block.matrix.rows, mpz_class(1));
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      if (block.general && block.matrix.column[k] < i) continue;
      mpz_lcm(scale[i].get_mpz_t(), scale[i].get_mpz_t(), block.matrix.value[k].get_den_mpz_t());
    }
  }
  if (!block.general || block.tiles != 0) return scale;
  const GeneralTwins twins = general_twins(block);
  std::vector<mpz_class> common(twins.classes, mpz_class(1));
  for (Index i = 0; i < block.matrix.rows; ++i) {
    mpz_class& one = common[twins.class_of[i]];
    mpz_lcm(one.get_mpz_t(), one.get_mpz_t(), scale[i].get_mpz_t());
  }
  for (Index i = 0; i < block.matrix.rows; ++i) scale[i] = common[twins.class_of[i]];
  return scale;
}

mpz_class product_of(std::vector<mpz_class> factors) {
  if (factors.empty()) return 1;
  for (; factors.size() > 1; factors.resize((factors.size() + 1) / 2)) {
    for (std::size_t i = 0; 2 * i < factors.size(); ++i)
      factors[i] = 2 * i + 1 < factors.size() ? mpz_class(factors[2 * i] * factors[2 * i + 1])
                                              : mpz_class(factors[2 * i]);
  }
  return factors.front();
}

std::vector<mpz_class> scaled(const Block<mpq_class>& block, mpz_class& all_scales) {
  const std::vector<mpz_class> scale = row_scales(block);
  all_scales = product_of(scale);
  std::vector<mpz_class> result;
  result.reserve(block.matrix.value.size());
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      mpq_class value = block.matrix.value[k] * scale[i];
      if (block.general && block.matrix.column[k] != i) value *= scale[block.matrix.column[k]];
      result.push_back(value.get_num());
    }
  }
  return result;
}

std::vector<mpz_class> scaled(const Block<std::int64_t>& block, mpz_class&) {
  std::vector<mpz_class> result;
  result.reserve(block.matrix.value.size());
  for (const std::int64_t value : block.matrix.value) result.emplace_back(static_cast<long>(value));
  return result;
}

}  // namespace

IntegerWeights integer_weights(const AnyBlock& any_block) {
  IntegerWeights weights;
  std::visit(
      [&](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        if constexpr (std::is_same_v<Value, ComplexRational>) {
          throw std::invalid_argument("integer_weights: complex values");
        } else {
          weights.value = scaled(block, weights.scale);
          Block<mpq_class> integers;
          static_cast<SparsePattern&>(integers.matrix) = static_cast<const SparsePattern&>(block.matrix);
          integers.multiplicity = block.multiplicity;
          integers.matrix.value.assign(weights.value.begin(), weights.value.end());
          integers.general = block.general;
          integers.monomers = block.monomers;
          weights.log2_bound = log2_upper_bound(integers);
        }
      },
      any_block);
  weights.negative = std::any_of(weights.value.begin(), weights.value.end(),
                                 [](const mpz_class& value) { return value < 0; });
  return weights;
}

}  // namespace countpm
