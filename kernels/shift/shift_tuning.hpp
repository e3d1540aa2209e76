#pragma once
// Numbers of the GPU form of shift, each with the machine, the date and what it gained. Machine: one NVIDIA
// H200, driver 580.159.04, 1.98 GHz, 2026-11-21; bench/results/2026-11-21-gpu-shift.md has the tables.
#include <cstddef>

#include "kernels/cuda/device_info.hpp"

namespace countpm::shift_tuning {

/// Of a block, one block a multiprocessor: er_n40_p50 in 0.340, 0.321, 0.326 s with 768, 896, 1024. With 1024
/// the 64 registers that are left to a thread do not hold everything.
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
/// least so many a warp as long as they do not get small. Not tuned.
inline constexpr double visits_an_item = 4096;
inline constexpr double items_a_warp = 64;
inline constexpr double least_visits_an_item = 128;
/// What a warp looks at below an item before it leaves the rest to others: an even share of the work of a
/// warp over items_a_warp, between these. Leaving: er_n60_p10 1.19 to 0.154 s, er_n48_p20 from 5.5 to 7.5 G
/// visits/s (768 threads; two siblings at once came in the same measurement).
inline constexpr double least_budget = 1024;
inline constexpr double most_budget = 16384;
inline constexpr std::size_t most_nodes_left = std::size_t{1} << 20;
inline constexpr std::size_t most_nodes_left_emulated = 256;  // so that tests see it run out
/// A stop is to be heard within 0.1 s.
inline constexpr double launch_seconds = 0.08;
/// Measuring the rate goes on as long as four times as many units do so many times as many a second.
inline constexpr double still_faster = 1.25;
/// Before anything is measured: 7 G visits/s on the H200, 2.5 to 9.5 on the random matrices.
inline constexpr double nominal_visits_a_cycle = 0.027;

}  // namespace countpm::shift_tuning
