#pragma once
// Which instruction sets this processor has, and which of a method's codes is to run. Inner loops are
// compiled once for each set; the compiler's flags stand in kernels/CMakeLists.txt.
#include <cstdint>
#include <optional>

namespace countpm {

/// Each has all that the one before it has.
enum class InstructionSet : std::uint8_t {
  baseline,  // what every processor of its kind has; the only one but on x86-64
  avx2,      // AVX2, FMA, BMI1, BMI2, POPCNT and LZCNT (since Haswell and Zen)
  avx512,    // AVX-512 F, DQ, BW, VL and IFMA (since Ice Lake and Zen 4)
};

/// The widest that this processor and its operating system have; asked once.
InstructionSet widest_instruction_set();
inline bool processor_has(InstructionSet set) {
  return set <= widest_instruction_set();
}

/// Which inner loop a job runs; automatic takes the widest that fits the block and the processor. The others
/// are for tests and benchmarks; scalar is the one without lanes.
enum class LaneChoice : std::uint8_t { automatic, scalar, baseline, avx2, avx512 };

/// What the lanes of a choice need; empty for scalar, and where this processor does not have it.
std::optional<InstructionSet> instruction_set_for(LaneChoice choice);

/// Whether this processor can run it. automatic, scalar and baseline always.
inline bool lanes_supported(LaneChoice choice) {
  return choice == LaneChoice::scalar || instruction_set_for(choice).has_value();
}

}  // namespace countpm
