#pragma once
// Numbers of enumerate on GPUs.

namespace countpm::enumerate_tuning {

/// Permutations that a thread walks over from one rank: 6!, some ten times what finding the first costs;
/// fewer where threads would be without. Not tuned.
inline constexpr unsigned most_walked_rows = 6;
inline constexpr unsigned least_walked_rows = 3;
/// A launch lasts about that long: a stop is seen soon.
inline constexpr double launch_seconds = 0.02;

}  // namespace countpm::enumerate_tuning
