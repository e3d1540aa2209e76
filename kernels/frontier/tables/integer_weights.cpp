#include "kernels/frontier/tables/integer_weights.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "kernels/arithmetic/bound.hpp"
#include "matching/general_twins.hpp"

namespace countpm {
namespace {

/// Of a block with tiles, those in front of them; else all rows.
template <class Value>
Index lines_of(const Block<Value>& block) {
  return block.matrix.rows - block.tiles;
}

/// The first vertex that the tile covers.
Index first_of_tile(const SparsePattern& matrix, Index tile) {
  return matrix.column[matrix.row_start[tile]];
}

// A row's scale clears the denominators of its entries; of a general block each edge is cleared by its first
// vertex, whose scale it then shares with the edge's other direction, and so is each tile. Twins of a general
// block share a scale that clears all of theirs: one entry stands for all between two classes, and for each
// vertex just one factor may come in. A loop, of a block with monomers, takes its vertex's factor once. Tiles
// are no vertices, and have no scale of their own.
std::vector<mpz_class> line_scales(const Block<mpq_class>& block) {
  const SparseMatrix<mpq_class>& matrix = block.matrix;
  const Index lines = lines_of(block);
  std::vector<mpz_class> scale(lines, mpz_class(1));
  for (Index i = 0; i < lines; ++i) {
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = matrix.column[k];
      const Index other = block.tiles != 0 && j >= lines ? first_of_tile(matrix, j) : j;
      if (block.general && other < i) continue;
      mpz_lcm(scale[i].get_mpz_t(), scale[i].get_mpz_t(), matrix.value[k].get_den_mpz_t());
    }
  }
  if (!block.general || block.tiles != 0) return scale;
  const GeneralTwins twins = general_twins(block);
  std::vector<mpz_class> common(twins.classes, mpz_class(1));
  for (Index i = 0; i < lines; ++i) {
    mpz_class& one = common[twins.class_of[i]];
    mpz_lcm(one.get_mpz_t(), one.get_mpz_t(), scale[i].get_mpz_t());
  }
  for (Index i = 0; i < lines; ++i) scale[i] = common[twins.class_of[i]];
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

/// By what each tile's weight is to be multiplied: whoever takes a tile covers all of its vertices, and every
/// vertex brings its factor into the sum just once.
std::vector<mpz_class> tile_scales(const Block<mpq_class>& block, const std::vector<mpz_class>& scale) {
  const SparsePattern& matrix = block.matrix;
  std::vector<mpz_class> result(block.tiles, mpz_class(1));
  for (Index tile = 0; tile < block.tiles; ++tile) {
    const std::uint64_t row = lines_of(block) + std::uint64_t{tile};
    for (std::uint64_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
      result[tile] *= scale[matrix.column[k]];
  }
  return result;
}

std::vector<mpz_class> scaled(const Block<mpq_class>& block, mpz_class& all_scales) {
  const std::vector<mpz_class> scale = line_scales(block);
  const std::vector<mpz_class> tile_scale = tile_scales(block, scale);
  all_scales = product_of(scale);
  const Index lines = lines_of(block);
  std::vector<mpz_class> result;
  result.reserve(block.matrix.value.size());
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = block.matrix.column[k];
      mpq_class value = block.matrix.value[k];
      if (block.tiles != 0 && std::max(i, j) >= lines) {
        value *= tile_scale[std::max(i, j) - lines];
      } else {
        value *= scale[i];
        if (block.general && j != i) value *= scale[j];
      }
      result.push_back(value.get_num());
    }
  }
  return result;
}

std::vector<mpz_class> scaled(const Block<std::int64_t>& block, mpz_class&) {
  std::vector<mpz_class> result;
  result.reserve(block.matrix.value.size());
  for (const std::int64_t value : block.matrix.value) result.emplace_back(static_cast<std::int64_t>(value));
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
          integers.tiles = block.tiles;
          weights.log2_bound = log2_upper_bound(integers);
        }
      },
      any_block);
  weights.negative = std::any_of(weights.value.begin(), weights.value.end(),
                                 [](const mpz_class& value) { return value < 0; });
  return weights;
}

}  // namespace countpm
