#pragma once
// What a count may use of the machine.
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/cuda/device_info.hpp"
#include "src/countpm.hpp"

namespace countpm {

struct Resources {
  int threads = 1;
  std::uint64_t memory_bytes = 0;
  int cores = std::numeric_limits<int>::max();  // more threads than that count no faster
  std::vector<GpuInfo> gpus = {};               // that counting may use
  bool cpu = true;                              // false: only GPUs count
};

/// The GPUs that the options ask for: none where the device is the CPU; where it is `auto` what there is.
/// Throws UnableError where the device is the GPU and there is none, or --gpus asks for more than there are.
/// Looking for them takes a few tenths of a second where there is one.
std::vector<GpuInfo> choose_gpus(const CountOptions& options);

/// The options' figures, else all threads that OpenMP gives and the memory that the machine has available.
/// GPUs only where the options ask for them: with `auto` the planner looks where a count is worth it
/// (plan.hpp).
Resources resources_for(const CountOptions& options);

}  // namespace countpm
