// What GraphBuilder does with arcs: the opposite ones of an undirected graph; whether there are any.
#include <algorithm>

#include "graph/graph_builder.hpp"

namespace countpm {

// Whether it has arcs, and neither loops nor two opposite arcs: as where every edge is stored as one arc.
bool GraphBuilder::is_one_way() const {
  std::vector<std::uint64_t> order;
  for (const Edge& edge : edges_) {
    if (edge.from == edge.to) return false;
    order.push_back(std::uint64_t{edge.from} << 32U | edge.to);
  }
  std::sort(order.begin(), order.end());
  return !edges_.empty() && std::none_of(edges_.begin(), edges_.end(), [&](const Edge& edge) {
    return std::binary_search(order.begin(), order.end(), std::uint64_t{edge.to} << 32U | edge.from);
  });
}

bool GraphBuilder::is_half_matrix() const {
  const auto all = [&](const auto& test) { return std::all_of(edges_.begin(), edges_.end(), test); };
  return from_matrix_ && !edges_.empty() &&
         (all([](const Edge& e) { return e.from < e.to; }) ||
          all([](const Edge& e) { return e.from > e.to; }));
}

void GraphBuilder::add_reverse_arcs() {
  const std::size_t count = edges_.size();
  edges_.reserve(2 * count);
  // A loop is its own reverse.
  const auto is_loop = [this](std::size_t k) { return edges_[k].from == edges_[k].to; };
  for (std::size_t k = 0; k < count; ++k) {
    if (is_loop(k)) continue;
    edges_.push_back(Edge{edges_[k].to, edges_[k].from});
    lines_.append(lines_.line_of(k));
  }
  std::visit(
      [&](auto& values) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
          values.reserve(2 * count);
          for (std::size_t k = 0; k < count; ++k) {
            if (!is_loop(k)) values.push_back(values[k]);
          }
        }
      },
      values_);
}

}  // namespace countpm
