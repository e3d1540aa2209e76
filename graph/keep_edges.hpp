#pragma once
// A graph without some of its edges.
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

/// Drops the edges whose places `keep` does not want, and their values. It is asked once about each place k,
/// in ascending order, and may change edges[k]. O(edges).
template <class Keep>
void keep_edges(std::vector<Edge>& edges, Values& values, const Keep& keep) {
  std::visit(
      [&](auto& list) {
        constexpr bool all_ones = std::is_same_v<std::decay_t<decltype(list)>, std::monostate>;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < edges.size(); ++k) {
          if (!keep(k)) continue;
          edges[kept] = edges[k];
          if constexpr (!all_ones) {
            if (kept != k) list[kept] = std::move(list[k]);
          }
          ++kept;
        }
        edges.resize(kept);
        if constexpr (!all_ones) list.resize(kept);
      },
      values);
}

}  // namespace countpm
