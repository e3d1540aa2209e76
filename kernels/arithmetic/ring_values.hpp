#pragma once
// A block's entries as ring elements.
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "kernels/arithmetic/ring.hpp"
#include "matching/block.hpp"

namespace countpm {

/// value[k] belongs to column[k] of the block's matrix. Floating rings: row i is divided by a power of two so
/// that its magnitudes (a column of multiplicity m counted m times) add up to at most 1 and more than 1/8,
/// and per(block) = 2^exponent per(values). Of a general block the edge uv is divided by 2^(e_u + e_v)
/// instead, which keeps the matrix symmetric: a perfect matching uses every vertex once, so that haf(block) =
/// 2^exponent haf(values), exponent the sum of all e_v; so is a loop at v by 2^e_v; every vertex's magnitudes
/// add up to at most 1. A block with tiles is left as it is, exponent 0. Exact rings: exponent is 0.
template <Ring R>
struct RingValues {
  std::vector<typename R::Element> value;
  std::int64_t exponent = 0;
};

/// For each row the least e with sum |a_ij| m_j <= 2^e, or one more; 0 for an empty row. For each vertex of a
/// general block an e_v such that sum_v |a_uv| 2^(-e_u - e_v) <= 1 for every u.
std::vector<std::int64_t> row_exponents(const AnyBlock& block);

/// value / 2^exponent.
mpq_class divided_by_power_of_two(const mpq_class& value, std::int64_t exponent);

/// The same with given exponents, one a row (exact rings: none). O(entries). Preconditions: the ring is
/// complex where the values are; an exact ring inverts the denominators (obstacle() in dispatch.hpp).
template <Ring R>
RingValues<R> ring_values(const R& ring, const AnyBlock& any_block,
                          const std::vector<std::int64_t>& exponents) {
  RingValues<R> result;
  for (const std::int64_t exponent : exponents) result.exponent += exponent;
  const bool general = is_general(any_block);
  std::visit(
      [&](const auto& block) {
        using Value = typename std::decay_t<decltype(block.matrix.value)>::value_type;
        result.value.reserve(block.matrix.value.size());
        for (Index i = 0; i < block.matrix.rows; ++i) {
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            const Value& value = block.matrix.value[k];
            [[maybe_unused]] std::int64_t exponent = 0;
            if constexpr (!R::exact)
              exponent = exponents[i] +
                         (general && block.matrix.column[k] != i ? exponents[block.matrix.column[k]] : 0);
            if constexpr (std::is_same_v<Value, ComplexRational>) {
              if constexpr (R::complex) {
                result.value.push_back(ring.from_complex({divided_by_power_of_two(value.re, exponent),
                                                          divided_by_power_of_two(value.im, exponent)}));
              } else {
                throw std::logic_error("ring_values: complex entries in a real ring");
              }
            } else if constexpr (!R::exact) {
              result.value.push_back(ring.from_mpq(divided_by_power_of_two(mpq_class(value), exponent)));
            } else if constexpr (std::is_same_v<Value, mpq_class>) {
              result.value.push_back(ring.from_mpq(value));
            } else {
              result.value.push_back(ring.from_int64(value));
            }
          }
        }
      },
      any_block);
  return result;
}

template <Ring R>
RingValues<R> ring_values(const R& ring, const AnyBlock& any_block) {
  return ring_values(ring, any_block, R::exact ? std::vector<std::int64_t>{} : row_exponents(any_block));
}

}  // namespace countpm
