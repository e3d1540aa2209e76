#pragma once
// Numbers of skipper's GPU kernel. None has been tuned by measuring yet; what they rest on is in
// docs/internals/performance.md.

namespace countpm::gray::skipper_tuning {

/// Steps of a warp over its 32 ranges before it leaves the rest to the next launch: about half a millisecond;
/// and where fewer than 16 of its lanes still walk.
inline constexpr unsigned budget = 512;
inline constexpr unsigned patience = 32;
/// Ranges that a launch begins with, a thread of the device: some milliseconds of work, so that a stop is
/// seen soon and a launch costs a hundredth.
inline constexpr unsigned ranges_a_thread = 8;
/// Of a range that is given up, at most.
inline constexpr unsigned most_pieces = 16;
/// Ranges of fewer visits than this, on average, are not made: a start costs as much as three visits.
inline constexpr double least_visits_a_range = 64;

}  // namespace countpm::gray::skipper_tuning
