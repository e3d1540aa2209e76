#pragma once
// What an instance's drawing on a surface is to one of its blocks.
#include <memory>
#include <vector>

#include "graph/instance.hpp"

namespace countpm {

class BlockRotations {
 public:
  /// The instance outlives it.
  explicit BlockRotations(const Instance& instance);

  /// Of a block with that pattern whose vertices (where it is not general rows, then columns) are these of
  /// the instance's drawing. Null where there is none, or where what is left of it is on a sphere: planar
  /// graphs need no drawing. O(the block), after O(the instance) once.
  std::shared_ptr<const Rotations> of(const SparsePattern& block, bool general,
                                      const std::vector<Index>& vertices);

 private:
  const Rotations* whole_;
  std::vector<Index> number_;  // of the instance's vertices, in the block
};

}  // namespace countpm
