#pragma once
// A whole table cut into slabs of places in a row: one for each of several GPUs, or more than fit one GPU.
//
// Slabs end where a run ends, of the table as a step makes it and as the next one reads it: no run of new
// sets and none of predecessors lies in two slabs.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/frontier/gpu/dense_layout.hpp"

namespace countpm {

/// The longest run there can be: the sets of six of twelve low bits.
inline constexpr std::uint64_t most_dense_run = 924;

/// A table's slabs, hardly larger than its share each. The first one has the first run, whoever has others:
/// small tables lie on the first GPUs alone.
struct DenseSlabs {
  std::uint32_t width = 0;
  std::uint32_t ones = 0;
  std::uint32_t low = 0;             // low bits of a run
  std::vector<std::uint64_t> first;  // place of each; then that behind the last
  std::vector<std::uint64_t>
      high;  // of the first set of each: its bits above the low ones; 0 behind the last

  std::uint64_t places(std::size_t slab) const { return first[slab + 1] - first[slab]; }
  /// Whether it lies in more than one.
  bool shared() const { return first[1] != first.back(); }
};

/// The table of a step's old sets, or of the new ones, in so many slabs. low_bits: the program's.
/// Precondition: 1 <= slabs.
DenseSlabs old_table_slabs(const DenseShape& shape, std::uint32_t low_bits, std::size_t slabs);
DenseSlabs new_table_slabs(const DenseShape& shape, std::uint32_t low_bits, std::size_t slabs);

/// The classes of a step's high parts that are in the slab of its new table.
DenseClasses dense_classes(const DenseShape& shape, const DenseSlabs& slabs, std::size_t slab);

/// The last place up to this one where a run begins. Precondition: place < the table's places.
std::uint64_t run_begin(const DenseSlabs& slabs, std::uint64_t place);

/// The old table's slabs that may hold predecessors of a slab of the new one, ascending: all that do, and few
/// others; all slabs where they are more than most_dense_sources. O(width^2 * pulls).
std::vector<std::uint32_t> needed_slabs(const DenseStep& step, const DenseSlabs& from, const DenseSlabs& to,
                                        std::size_t slab);

/// Places that each GPU needs for a program's tables, an old one and a new one at a time. Precondition: one
/// GPU, or no joins.
std::vector<std::uint64_t> dense_places(const DenseProgram& program, std::uint32_t low_bits,
                                        std::size_t gpus);

}  // namespace countpm
