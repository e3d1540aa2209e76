#pragma once
// Numbers of the GPU form of planar, each with what it gained. Machine: one NVIDIA H200, driver 580.159.04,
// 2026-11-21, 500 x 500 square lattice, 1024 primes; bench/results/planar.md has the tables.
#include <cstddef>

namespace countpm::planar_tuning {

/// Pivots that are eliminated at once: the depth of a product, as deep as 64-bit sums allow. Not tuned.
inline constexpr unsigned panel_pivots = 32;
/// Sums that a lane keeps in registers, 64 bits each. 8 x 8 0.62 s, 4 x 8 0.48, 8 x 4 0.44 (before shared
/// memory).
inline constexpr unsigned tile_rows = 8;
inline constexpr unsigned tile_columns = 4;
/// The part of a large front that a block of threads updates, and the pivots whose factors are in its shared
/// memory at once: (16 + 16) 16 entries of 128 bytes are 64 KiB,
/// all that a GPU of compute capability 7.5 has. 0.44 s to 0.35 against factors read through the cache, 16
/// warps for an inversion included.
inline constexpr unsigned block_rows = 16;
inline constexpr unsigned block_columns = 16;
inline constexpr unsigned update_chunk = 16;
inline constexpr unsigned update_blocks = 3;  // on a multiprocessor
/// Of a block that inverts one pivot block.
inline constexpr unsigned invert_threads = 512;
/// Fronts of so many entries are eliminated by one warp a group of primes, larger ones by many. Not tuned.
inline constexpr std::size_t small_entries = 48 * 48;
/// Primes side by side, in groups of 32, where memory suffices.
inline constexpr std::size_t most_groups = 32;
/// Of the device's memory, for all tables and numbers.
inline constexpr double memory_share = 0.85;
/// A stop is to be heard within 0.1 s.
inline constexpr double launch_seconds = 0.03;
/// FrontWork::multiplications a cycle of a multiprocessor, before anything is measured: 1.7e12 a second on
/// the H200 at 500 x 500, 1.1e12 at 200 x 200.
inline constexpr double nominal_multiplications_a_cycle = 6.5;

}  // namespace countpm::planar_tuning
