#pragma once
// LEMON behind a wall: its headers are C++17 at most, so they are compiled apart.
#include <cstdint>
#include <vector>

namespace countpm::bench {

bool have_lemon();
/// Seconds of lemon::MaxMatching on the bipartite graph with these compressed rows; graph building is not
/// counted.
double lemon_matching_seconds(std::uint32_t rows, std::uint32_t columns,
                              const std::vector<std::uint64_t>& row_start,
                              const std::vector<std::uint32_t>& column, std::uint64_t& size);

}  // namespace countpm::bench
