#pragma once
// User labels <-> compact ids 0, 1, 2, ... The map between them lives here and nowhere else.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// Labels of ids 0 .. size() - 1, in one arena; or "1" .. "size()" without any memory (Matrix Market, DIMACS,
/// dense text).
class LabelTable {
 public:
  LabelTable() = default;
  /// Labels first, first + 1, ... as decimal numbers, made when asked for.
  static LabelTable numbered(Index size, std::uint64_t first = 1);

  Index size() const { return size_; }
  /// The label of an id; O(1). Throws std::out_of_range where id >= size().
  std::string label(Index id) const;
  /// The same without a copy, for tables that are not numbered; id < size(). Valid until the next append.
  std::string_view stored(Index id) const {
    return {arena_.data() + start_[id], static_cast<std::size_t>(start_[id + std::uint64_t{1}] - start_[id])};
  }
  /// Appends a label and returns its id; the caller has checked that it is new. Not for numbered tables.
  Index append(std::string_view label);

 private:
  Index size_ = 0;
  bool numbered_ = false;
  std::uint64_t first_ = 1;
  std::vector<char> arena_;
  std::vector<std::uint64_t> start_{0};
};

}  // namespace countpm
