#include "kernels/subsets/skip_walk.hpp"

namespace countpm {

SkipRows::SkipRows(const std::vector<std::vector<unsigned>>& row_positions, unsigned positions)
    : order_(row_positions.size()), lowest_(row_positions.size(), none), words_(positions / 64 + 1) {
  bits_.assign(row_positions.size() * words_, 0);
  for (std::size_t i = 0; i < row_positions.size(); ++i) {
    for (const unsigned position : row_positions[i]) {
      lowest_[i] = std::min(lowest_[i], position);
      bits_[i * words_ + position / 64] |= std::uint64_t{1} << (position % 64);
    }
  }
  std::iota(order_.begin(), order_.end(), Index{0});
  std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) { return lowest_[a] > lowest_[b]; });
}

}  // namespace countpm
