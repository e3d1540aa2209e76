#pragma once
// Which eliminations the frontier methods may use: `--order`.
#include <cstdint>
#include <string_view>
#include <vector>

namespace countpm {

/// automatic: the best of all. greedy: the best greedy linear order, no search. rows, columns: linear, the
/// other side's classes straight after their last neighbour, annealed. nested_dissection: METIS' order as a
/// tree, no search. annealing: linear, both sides. tree: trees with joins, searched. Of general graphs, which
/// have no sides, rows and columns are what annealing is.
enum class OrderKind : std::uint8_t { automatic, greedy, rows, columns, nested_dissection, annealing, tree };

struct OrderInfo {
  OrderKind kind;
  std::string_view name;  // as after --order
};
const std::vector<OrderInfo>& order_kinds();
/// UsageError listing the valid names where there is none of that name.
OrderKind order_named(std::string_view name);

}  // namespace countpm
