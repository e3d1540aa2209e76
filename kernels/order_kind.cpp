#include "kernels/order_kind.hpp"

#include <fmt/format.h>

#include <string>

#include "graph/errors.hpp"

namespace countpm {

const std::vector<OrderInfo>& order_kinds() {
  static const std::vector<OrderInfo> table{
      {OrderKind::automatic, "auto"},
      {OrderKind::greedy, "greedy"},
      {OrderKind::rows, "rows"},
      {OrderKind::columns, "columns"},
      {OrderKind::nested_dissection, "nested-dissection"},
      {OrderKind::annealing, "annealing"},
      {OrderKind::tree, "tree"},
  };
  return table;
}

OrderKind order_named(std::string_view name) {
  std::string names;
  for (const OrderInfo& info : order_kinds()) {
    if (info.name == name) return info.kind;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  throw UsageError(fmt::format("unknown order '{}'; the orders are {}", name, names));
}

}  // namespace countpm
