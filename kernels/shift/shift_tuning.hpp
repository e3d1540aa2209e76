#pragma once
// Numbers of the GPU form of shift, each with the machine, the date and what it gained.
#include <cstddef>

#include "kernels/cuda/device_info.hpp"

namespace countpm::shift_tuning {

/// Of a block, one block a multiprocessor.
inline constexpr unsigned threads = 896;
/// Shared memory that a block may have, by compute capability (CUDA C++ Programming Guide, table of technical
/// specifications); an emulated GPU has what the H200 has.
inline std::size_t shared_bytes(const GpuInfo& gpu) {
  constexpr std::size_t kib = 1024;
  if (gpu.emulated || (gpu.major >= 9 && gpu.major < 12)) return 227 * kib;
  if (gpu.major >= 12) return 99 * kib;
  if (gpu.major == 8) return (gpu.minor == 0 || gpu.minor == 7 ? 163 : 99) * kib;
  return (gpu.minor == 0 ? 96 : 64) * kib;
}
/// Items, so that the last one to end does not keep the others waiting: at most so many visits each, and at
/// least so many a warp as long as they do not get small.
inline constexpr double visits_an_item = 4096;
inline constexpr double items_a_warp = 64;
inline constexpr double least_visits_an_item = 128;
/// What a warp looks at below an item before it leaves the rest to others.
inline constexpr double least_budget = 1024;
inline constexpr double most_budget = 16384;
inline constexpr std::size_t most_nodes_left = std::size_t{1} << 20;
inline constexpr std::size_t most_nodes_left_emulated = 256;
inline constexpr double launch_seconds = 0.08;
/// Before anything is measured.
inline constexpr double nominal_visits_a_cycle = 0.04;

}  // namespace countpm::shift_tuning
