#pragma once
// What a block's rank is, beside which rows and columns (vertices), and its count modulo one prime.
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/low_rank/decomposition.hpp"
#include "kernels/low_rank/form_product.hpp"
#include "matching/block.hpp"

namespace countpm::low_rank {

// Of one side, or of a graph.
inline constexpr std::uint64_t most_beside = 12;
// With the rows and columns beside.
inline constexpr std::uint64_t most_rank = 40;

/// Modulo one prime; modulo others the rank is hardly ever another.
struct BlockShape {
  bool general = false;
  bool monomers = false;
  std::uint64_t rank = 0;             // of what is left without those beside
  std::vector<Index> rows_beside;     // of a graph: vertices
  std::vector<Index> columns_beside;  // as the block has them: of multiplicity 1
  bool own_diagonal = false;          // of a graph: small_rank_diagonal(), and not zeros
  std::uint64_t rows = 0;             // without those beside
  std::uint64_t columns = 0;          // likewise, with their multiplicities

  ProductShape row_product() const;
  ProductShape column_product() const;  // not of a graph
  double log2_terms() const;            // of the larger product
  /// Of one prime.
  double multiplications() const;
  std::uint64_t bytes(bool lanes) const;
};

/// Empty where the rank is above `most_rank`, with all that may stand beside. Preconditions: the ring's prime
/// divides no denominator; no tiles. O(n^2 rank).
std::optional<BlockShape> shape_of(const PrimeRing& ring, const AnyBlock& block);

/// The permanent, the hafnian or the loop hafnian. Empty where the meter's time is up. Throws Stopped, and
/// UnableError where the rank modulo this prime is above the shape's, and takes memory that was not planned.
std::optional<std::uint64_t> count_modulo(const PrimeRing& ring, const AnyBlock& block,
                                          const BlockShape& shape, bool lanes, WorkMeter& meter);

}  // namespace countpm::low_rank
