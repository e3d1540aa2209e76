#include "kernels/support/instruction_sets.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace countpm {
namespace {

#ifdef __x86_64__

/// __builtin_cpu_supports of clang 14 has no name for it: bit 5 of ECX of leaf 0x80000001.
bool has_lzcnt() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000001U, &a, &b, &c, &d) != 0 && (c >> 5 & 1) != 0;
}

InstructionSet ask_processor() {
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                    __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
                    __builtin_cpu_supports("popcnt") != 0 && has_lzcnt();
  if (!avx2) return InstructionSet::baseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
                      __builtin_cpu_supports("avx512ifma") != 0;
  return avx512 ? InstructionSet::avx512 : InstructionSet::avx2;
}

#else

InstructionSet ask_processor() {
  return InstructionSet::baseline;
}

#endif

}  // namespace

InstructionSet widest_instruction_set() {
  static const InstructionSet widest = ask_processor();
  return widest;
}

std::optional<InstructionSet> instruction_set_for(LaneChoice choice) {
  InstructionSet set = InstructionSet::baseline;
  switch (choice) {
    case LaneChoice::automatic:
      return widest_instruction_set();
    case LaneChoice::scalar:
      return std::nullopt;
    case LaneChoice::baseline:
      break;
    case LaneChoice::avx2:
      set = InstructionSet::avx2;
      break;
    case LaneChoice::avx512:
      set = InstructionSet::avx512;
      break;
  }
  if (!processor_has(set)) return std::nullopt;
  return set;
}

}  // namespace countpm
