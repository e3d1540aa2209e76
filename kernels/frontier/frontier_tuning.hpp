#pragma once
// Numbers of the GPU form of frontier. None has been measured on a GPU yet: they are what the bytes that move
// and the H200's memory (4.8 TB/s by its data sheet) suggest; docs/performance.md has the prediction.
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
/// State transitions a cycle of a multiprocessor in large rounds with values of 8 bytes, 5e9 a second on an
/// H200, and seconds a round, however small: before anything is measured.
inline constexpr double nominal_moves_a_cycle = 0.019;
inline constexpr double round_seconds = 1.5e-4;

}  // namespace countpm::frontier_tuning
