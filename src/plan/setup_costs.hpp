#pragma once
// What setting up a method takes, and in which order methods are asked.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/gpu/device_info.hpp"
#include "kernels/least_seconds.hpp"
#include "kernels/method.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {

// A method is asked only where the best so far takes that many times as long as asking. Setting up took
// (2-core AMD EPYC, 2026-11-21, blocks of 24, 65 and 277 rows): pruned 46, 39, 44 ms, skipper 13, 45, 18,
// frontier 19, 8, 61, forbert-marx 161 ms and 404 ms, rook up to 56, the others 0.2 to 3.
inline constexpr double worth_asking = 2;
// Those that take longer than this are asked after the others have searched, which leaves less to save; in
// long searches, as soon as asking is a tenth of it, and before any where it is a tenth of the best.
inline constexpr double slow_setup_seconds = 0.048;
inline constexpr double worth_asking_slow = 10;
inline constexpr double worth_setups = 10;

// Until a GPU has its first unit: context, memory, tables. H200, 2026-11-21: planning er_n36_p50, which makes
// the context, took 0.15 s.
inline constexpr double gpu_setup_seconds = 0.1;
// ... and for each beside the first, with its end. er_n40_p30 was counted in 0.15 s on two H200, and in 0.05
// s on one of them; whole program 1.0 and 0.85 s (2026-11-30).
inline constexpr double another_gpu_seconds = 0.2;

/// Of some GPUs, one by one or in teams (gpu_teams.hpp).
inline double gpus_setup_seconds(const std::vector<GpuInfo>& teams) {
  std::size_t gpus = 0;
  for (const GpuInfo& team : teams) gpus += 1 + team.others.size();
  return gpus == 0 ? 0 : gpu_setup_seconds + another_gpu_seconds * static_cast<double>(gpus - 1);
}

// A block of more rows is first tried by methods of planar graphs; where one can, setting up the others would
// only take time: at 19,996 rows (a 200 x 200 lattice) 1.4 s, half as long as planar's count (2-core AMD
// EPYC, 2026-11-21).
inline constexpr std::uint64_t many_rows = 256;

inline bool is_slow(const Method& method) {
  return method.setup_seconds() >= slow_setup_seconds;
}

/// What setting up takes for a block of that many rows. 20 and 25 rows (2-core AMD EPYC, Zen 4, 2026-11-25):
/// pruned 15 and 26 ms, skipper 6 and 10, frontier 2; graphs of 16 vertices: frontier 0.5.
/// Orders walk over entries: frontier took 1.2 ms for king 6 x 6 with 220, 0.4 for a 3-regular graph of 40
/// vertices with 120 (2026-11-30).
inline double setup_seconds_for(const Method& method, const SparsePattern& block) {
  constexpr double usual_rows = 40;
  constexpr double whatever_the_rows = 0.0003;
  constexpr double seconds_an_entry = 6e-6;
  const auto rows = static_cast<double>(block.rows);
  const double share = std::min(1.0, rows / usual_rows);
  const double longer = std::max(1.0, rows / static_cast<double>(many_rows));
  if (method.setup_seconds() <= whatever_the_rows) return method.setup_seconds();
  double seconds = method.setup_seconds() * share * share * longer;
  if (method.traits().sets_up_by_entries)
    seconds = std::min(seconds, seconds_an_entry * static_cast<double>(block.entries()));
  return std::max(seconds, whatever_the_rows);
}

inline bool is_bounded_below(const Method& method) {
  return dynamic_cast<const BoundedBelow*>(&method) != nullptr;
}

/// Few entries a row. A matrix with at most d in a row and a column has a rank of at least rows / d.
inline bool is_sparse(const SparsePattern& block) {
  constexpr std::uint64_t few_entries = 8;
  return block.entries() <= few_entries * block.rows;
}

/// Those that may not be worth asking come after others that are set up as soon. first: asked before all
/// others, whatever their setup takes; last: after all that are not slow.
template <class First, class Last>
std::vector<std::size_t> by_setup_seconds(const std::vector<const Method*>& methods, const First& first,
                                          const Last& last) {
  std::vector<std::size_t> order(methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (first(*methods[a]) != first(*methods[b])) return first(*methods[a]);
    const auto late = [&](const Method& method) { return last(method) || is_slow(method); };
    if (late(*methods[a]) != late(*methods[b])) return late(*methods[b]);
    const double before = methods[a]->setup_seconds();
    const double after = methods[b]->setup_seconds();
    return before != after ? before < after : !is_bounded_below(*methods[a]) && is_bounded_below(*methods[b]);
  });
  return order;
}

}  // namespace countpm
