#pragma once
// Which of the inner loops of walk.hpp this processor runs.
#include <optional>

#include "kernels/doubles/walk.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

/// Nothing for a scalar or baseline choice, and where the processor lacks AVX2.
inline std::optional<lanes::DoubleVariant> double_variant([[maybe_unused]] LaneChoice choice) {
#ifdef __x86_64__
  const std::optional<InstructionSet> set = instruction_set_for(choice);
  if (set == InstructionSet::avx512) return lanes::avx512::double_variant();
  if (set == InstructionSet::avx2) return lanes::avx2::double_variant();
#endif
  return std::nullopt;
}

}  // namespace countpm
