#pragma once
// Running a whole job, one unit after another, on the CPU.
#include <cstdint>

#include "kernels/method.hpp"

namespace countpm::testing {

/// Of units first to last - 1.
inline Partial sum_of_units(const Job& job, std::uint64_t first, std::uint64_t last,
                            const Arithmetic& arithmetic) {
  const StopSignal never;
  Partial sum = zero(arithmetic);
  for (std::uint64_t unit = first; unit < last; ++unit) add(sum, job.run(unit, never), arithmetic);
  return sum;
}

inline Partial sum_of_units(const Job& job, const Arithmetic& arithmetic) {
  return sum_of_units(job, 0, job.units(), arithmetic);
}

}  // namespace countpm::testing
