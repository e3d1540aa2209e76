#include "src/structure/block_rotations.hpp"

#include <algorithm>
#include <utility>

#include "graph/rotations.hpp"

namespace countpm {

BlockRotations::BlockRotations(const Instance& instance) : whole_(instance.rotations.get()) {
  if (whole_ != nullptr) number_.assign(whole_->vertices(), no_index);
}

std::shared_ptr<const Rotations> BlockRotations::of(const SparsePattern& block, bool general,
                                                    const std::vector<Index>& vertices) {
  if (whole_ == nullptr) return nullptr;
  for (Index v = 0; v < vertices.size(); ++v) number_[vertices[v]] = v;
  const auto is_entry = [&](Index v, Index w) {
    if (!general && v > w) std::swap(v, w);
    // An edge of one side is in no perfect matching, where what is left has two sides.
    if (!general && (v >= block.rows || w < block.rows)) return false;
    const auto row = block.column.begin();
    return std::binary_search(row + static_cast<std::ptrdiff_t>(block.row_start[v]),
                              row + static_cast<std::ptrdiff_t>(block.row_start[v + std::uint64_t{1}]),
                              general ? w : w - block.rows);
  };
  auto result = std::make_shared<Rotations>(part_of(*whole_, vertices, number_, is_entry));
  for (const Index v : vertices) number_[v] = no_index;
  if (surface_of(*result).loops == 0) return nullptr;
  return result;
}

}  // namespace countpm
