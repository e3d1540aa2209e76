#pragma once
// Numbers of Gray-code walks on GPUs that were chosen by measuring, or by what a GPU has.
#include <cstdint>

namespace countpm::gray {

/// Columns that a thread walks over, 2^columns subsets at a time; the start of a walk adds up half of the
/// others. Floating sums are afresh after 2^7
/// flips, as on the CPU, so that their error stays small: 2^10 subsets by eight at a time.
inline constexpr unsigned most_walked_columns = 10;
inline constexpr unsigned most_walked_floating = 7;
/// Fewer, where that gives every thread a walk.
inline constexpr unsigned least_walked_columns = 5;

/// A launch lasts about that long: a stop is seen soon, and starting it costs a thousandth.
inline constexpr double launch_seconds = 0.02;
/// A kernel for just the block's rows is compiled where it is predicted to save so many seconds. NVRTC 13.0
/// on a core of a 2-core virtual machine, 2026-11-23: 0.4 s for 37 rows, 0.5 for 41, 0.7 for 64.
inline constexpr double compile_seconds = 1;
/// What a block of threads has without asking for more.
inline constexpr unsigned plain_shared_bytes = 48 * 1024;
/// Prefixes that are uploaded at a time: 65536 of 48 row sums of 4 bytes are 12 MB.
inline constexpr std::uint64_t most_prefixes = 65536;

}  // namespace countpm::gray
