#pragma once
// Numbers of the GPU form of frontier. Rates: one H200, 2026-11-22, bench/results/frontier.md;
// the sizes are as first chosen, others were not tried.
#include <cstdint>

namespace countpm::frontier_tuning {

/// Moves that are sorted at once: with 64-bit keys 24 bytes each, 1.6 GB, and some 10 ms.
inline constexpr std::uint64_t slice_records = std::uint64_t{1} << 26;
/// An emulated GPU looks whether it is to stop between slices, too.
inline constexpr std::uint64_t slice_records_emulated = std::uint64_t{1} << 16;
/// ... and at most this share of the memory that is used: one in so many.
inline constexpr std::uint64_t slice_share = 8;
/// Of the device's memory, for all tables and buffers.
inline constexpr double memory_share = 0.9;
/// Records that one warp looks at in a row: 32 so many times.
inline constexpr unsigned rows_a_chunk = 8;
inline constexpr unsigned threads = 256;
/// State transitions a cycle of a multiprocessor in large rounds, 1e10 a second on an H200 with values of 8
/// or 16 bytes, and seconds a round, however small.
inline constexpr double nominal_moves_a_cycle = 0.038;
inline constexpr double round_seconds = 1e-4;

// The dense form. Rates: the same H200 and day.

/// Of the sums that a lane of a warp makes at once, 8 of 64 bits or 4 of 128.
inline constexpr unsigned dense_bytes_a_lane = 64;
/// Blocks of a multiprocessor, each thread of which has 80 registers.
inline constexpr unsigned dense_blocks = 3;
/// High parts that a warp takes in a row, at most: the first of them is made from its number.
inline constexpr std::uint64_t dense_most_chunk = 16;
/// Values pulled and written by a launch, at most, and half as many are queued before the device is waited
/// for: some 4 ms on an H200, with values of 8 bytes.
inline constexpr std::uint64_t dense_launch_values = std::uint64_t{1} << 30;
inline constexpr std::uint64_t dense_launch_values_emulated = std::uint64_t{1} << 16;
/// Of values that are pulled and written, bytes a cycle of a multiprocessor, where finding one counts as so
/// many bytes more: 4.4e12 a second on an H200 (2026-11-27; a quarter to twice that, as runs are short or
/// long), and seconds a round, however small.
inline constexpr double dense_bytes_a_cycle = 17;
inline constexpr double dense_bytes_to_find = 8;
inline constexpr double dense_round_seconds = 2e-5;
/// The same of a pair of values that is joined: 5.4 ps with 8 bytes, on the same day (0.8 to 1.1 of that
/// where pairs are most of the work, 1.2 to 1.6 modulo a prime of 61 bits).
inline constexpr double dense_bytes_to_find_a_pair = 16;

// Whole tables on several GPUs: what a step costs that all wait for (not measured), bytes a second that a GPU
// copies of another's memory through the host, each way (two H200, 2026-11-27), and the share of memory for
// what is copied.
inline constexpr double slab_round_seconds = 5e-5;
inline constexpr double copied_bytes_a_second = 2e10;
inline constexpr std::uint64_t copy_share = 8;

}  // namespace countpm::frontier_tuning
