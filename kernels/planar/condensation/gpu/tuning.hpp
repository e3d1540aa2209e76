#pragma once
// Numbers of the GPU form of condensation; none of them tuned. Machine: one NVIDIA H200, 2026-11-23,
// bench/results/counting-gpu.md.
#include <cstddef>

namespace countpm::condensation_tuning {

/// Lines that are condensed at once, so that every entry right of them and below is read and written once for
/// all.
inline constexpr unsigned panel = 16;
/// The part of a matrix that a block of threads brings up to date, a column a lane.
inline constexpr unsigned tile_rows = 64;
inline constexpr unsigned tile_columns = 32;
/// Entries of a lane at a time: independent steps hide one another's latency.
inline constexpr unsigned rows_together = 4;
/// Matrices side by side, where memory suffices.
inline constexpr std::size_t most_problems = 4096;
/// Of the device's memory, for all matrices.
inline constexpr double memory_share = 0.85;
/// A stop is to be heard within 0.1 s.
inline constexpr double launch_seconds = 0.03;
/// Multiplications a cycle of a multiprocessor, before anything is measured: 1.3e12 to 1.4e12 a second from
/// 512 rows on. Smaller matrices wait for their pivots: 2.7 at 256 rows.
inline constexpr double nominal_multiplications_a_cycle = 5;

}  // namespace countpm::condensation_tuning
