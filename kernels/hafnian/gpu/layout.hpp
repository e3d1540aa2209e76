#pragma once
// Where hafnian's GPU kernel has the polynomials of its levels (kernels/hafnian/pair_walk.hpp): those of the
// first pairs in global memory, one level after another as the sets are walked over, those of the last pairs
// in shared memory, for all sets at once.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/hafnian/pairing.hpp"

namespace countpm::pair_sets {

/// The most pairs of which all sets are in shared memory together.
inline constexpr unsigned most_lower = 6;
/// Of a block.
inline constexpr unsigned device_threads = 128;
/// Zeros before and after a polynomial, into which the blocks of four coefficients of a product reach.
inline constexpr unsigned margin = 4;

struct DeviceLayout {
  unsigned pairs = 0;
  unsigned monomers = 0;  // 1: vertex 0 stands for them
  unsigned upper = 0;     // pairs before those in shared memory
  /// Of levels 0 .. pairs - 1: vertices of the matrix, polynomials of it.
  unsigned vertices[most_pairs + 1] = {};
  unsigned polynomials[most_pairs + 1] = {};
  // Global memory: a block's values, levels 1 .. upper, of each the matrix and then the product; at last,
  // with monomers, what closes a pair. Level 0 is the same for all blocks.
  unsigned stride = 0;  // of a polynomial
  std::uint32_t matrix[most_pairs + 1] = {};
  std::uint32_t product[most_pairs + 1] = {};
  std::uint32_t closing = 0;
  std::uint32_t values = 0;
  // Shared memory, in values: of `depth` pairs decided, the last of them taken, 2^(depth - 1) matrices and
  // products; of none, one.
  unsigned shared_stride = 0;  // odd, so that the same coefficient of all polynomials is in all banks
  std::uint32_t shared_matrix[most_lower] = {};
  std::uint32_t shared_product[most_lower] = {};
  std::uint32_t shared_closing = 0;
  std::uint32_t shared_values = 0;
  unsigned value_bytes = 0;

  COUNTPM_HD unsigned lower() const { return pairs - upper; }
  /// The sets that a block has the last levels of at a time, each with a sum of its own.
  COUNTPM_HD unsigned totals() const { return 1U << (lower() - 1); }
  std::uint64_t shared_bytes() const { return std::uint64_t{shared_values} * value_bytes; }
};

/// As many pairs in shared memory as are not decided by units and fit `shared_bytes`. Precondition: at least
/// one does.
DeviceLayout device_layout(const Pairing& pairing, std::uint64_t shared_bytes, unsigned value_bytes);

/// (row << 8 | column) of polynomials 0, 1, ... of a matrix of so many vertices, by entry_index().
std::vector<std::uint16_t> entry_table(unsigned vertices);

}  // namespace countpm::pair_sets
