#pragma once
// Where a block's entries are, whatever their values.
#include <variant>

#include "matching/block.hpp"

namespace countpm {

inline const SparsePattern& pattern_of(const AnyBlock& block) {
  return std::visit([](const auto& given) -> const SparsePattern& { return given.matrix; }, block);
}

}  // namespace countpm
