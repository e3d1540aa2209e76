#pragma once
// From the table before a step to the table after it: which states are reached, by merging the step's
// streams, and then their values, block by block. O(streams * (blocks before + blocks after) + transitions),
// on all threads. The result depends on nothing but the table.
#include <cstdint>
#include <vector>

#include "kernels/proof/state_table.hpp"
#include "kernels/proof/step_streams.hpp"

namespace countpm {

/// The table of no vertex: one state, of value 1.
template <class Key>
StateTable<Key> first_table(const PrimeField& field);

/// Throws Stopped.
template <class Key>
StateBlocks<Key> blocks_after(const StateBlocks<Key>& before, const StepStreams<Key>& streams, int threads);

/// Memory that finds the blocks of a table by their keys, at most.
constexpr std::uint64_t place_bytes(std::uint64_t blocks) {
  return 16 * blocks;
}

/// weight[i]: of stream i. Throws Stopped.
template <class Key>
StateTable<Key> table_after(const PrimeField& field, const StateTable<Key>& before,
                            const StepStreams<Key>& streams, const std::vector<FieldElement>& weight,
                            int threads);

}  // namespace countpm
