#pragma once
// Numbers of the GPU form of pruned, each with the machine, the date and what it gained. Machine: one NVIDIA
// H200, driver 580.159.04, 1.98 GHz, 2026-11-23; bench/results/counting-gpu.md has the
// tables.
#include <cstddef>
#include <cstdint>

namespace countpm::pruned_tuning {

/// Of a block, one block a multiprocessor: er_n40_p50 in 0.166, 0.163, 0.163 s, er_n48_p20 in 0.292, 0.281,
/// 0.280 s with 768, 896, 1024. More leave less shared memory for masks.
inline constexpr unsigned threads = 896;
/// Items, so that lanes have about as much to do: at most so many visits each, and at least so many a lane as
/// long as they do not get small. Not tuned.
inline constexpr double visits_an_item = 1024;
inline constexpr double items_a_lane = 8;
inline constexpr double least_visits_an_item = 256;
/// Of the first launch of a count. Not tuned.
inline constexpr double first_items_a_lane = 4;
/// When all items are taken, a warp that has done so many steps, looks and products leaves the nodes that
/// wait to the next launch: all of them; with those above the last 4 levels alone er_n60_p10 took 0.075 s for
/// 0.047.
inline constexpr std::uint32_t budget = 128;
/// Levels below a node that is given to an idle lane: with fewer the way down to it is longer. Not tuned.
inline constexpr std::uint32_t least_shared = 4;
inline constexpr std::size_t most_nodes_left = std::size_t{1} << 21;
inline constexpr std::size_t most_nodes_left_emulated = 256;  // so that tests see it run out
/// A stop is to be heard within 0.1 s.
inline constexpr double launch_seconds = 0.08;
/// Measuring the rate goes on as long as four times as many units do so many times as many a second.
inline constexpr double still_faster = 1.25;
/// Before anything is measured: 16 G visits/s on the H200, 10 to 27 on the random matrices, with about one
/// product a visit.
inline constexpr double nominal_visits_a_cycle = 0.06;

}  // namespace countpm::pruned_tuning
