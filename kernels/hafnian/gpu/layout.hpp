#pragma once
// Where hafnian's GPU kernel has the polynomials of its levels (kernels/hafnian/pair_walk.hpp): those of the
// first pairs in global memory, one level after another as the sets are walked over, those of the last pairs
// in shared memory, for all sets at once.
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/hafnian/pairing.hpp"

namespace countpm::pair_sets {

/// The most sets of the last pairs that are in shared memory together, and of how many pairs.
inline constexpr unsigned most_together = 32;
inline constexpr unsigned most_lower = 16;
/// Of a block.
inline constexpr unsigned device_threads = 128;
/// Zeros before and after a polynomial, into which the blocks of four coefficients of a product reach.
inline constexpr unsigned margin = 4;

struct DeviceLayout {
  unsigned pairs = 0;
  unsigned monomers = 0;  // 1: vertex 0 stands for them
  unsigned upper = 0;     // pairs before those in shared memory
  // The first pair of each group of upper pairs, and then `upper`.
  unsigned groups = 0;
  unsigned char group_start[most_pairs + 1] = {};
  unsigned char length[most_pairs + 1] = {};  // coefficients of a polynomial of levels 0 .. pairs
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
  // Of each lower pair: pairs of its group, the first of them (counted from `upper`), and how many sets there
  // are of the lower groups before.
  unsigned char lower_copies[most_lower] = {};
  unsigned char lower_start[most_lower] = {};
  unsigned char lower_sets[most_lower] = {};
  // Of the lower pairs' sets, the digits of whose numbers are as those of items: how many are alike, and
  // whether an odd number of pairs is left out (bit k: set k).
  std::uint32_t together_weight[most_together] = {};
  std::uint32_t together_minus = 0;
  // Shared memory, in values: of `depth` pairs decided, the last of them taken, a matrix and a product for
  // each set of the groups before that pair's; of none, one.
  unsigned shared_stride = 0;  // odd, so that the same coefficient of all polynomials is in all banks
  std::uint32_t shared_matrix[most_lower] = {};
  std::uint32_t shared_product[most_lower] = {};
  std::uint32_t shared_closing = 0;
  std::uint32_t shared_values = 0;
  unsigned value_bytes = 0;

  COUNTPM_HD unsigned lower() const { return pairs - upper; }
  COUNTPM_HD unsigned copies(unsigned group) const { return group_start[group + 1] - group_start[group]; }
  /// The sets that a block has the last levels of at a time, each with a sum of its own.
  COUNTPM_HD unsigned totals() const { return lower_sets[lower() - 1]; }
  /// In how many ways the upper pairs from `first` on, which begins a group, can be decided.
  std::uint64_t items_from(unsigned first) const;
  std::uint64_t shared_bytes() const { return std::uint64_t{shared_values} * value_bytes; }
};

/// As many groups of pairs in shared memory as are not decided by units, have no more than most_together sets
/// and fit `shared_bytes`. Precondition: at least the last does.
DeviceLayout device_layout(const Pairing& pairing, std::uint64_t shared_bytes, unsigned value_bytes);

/// (row << 8 | column) of polynomials 0, 1, ... of a matrix of so many vertices, by entry_index().
std::vector<std::uint16_t> entry_table(unsigned vertices);

}  // namespace countpm::pair_sets
