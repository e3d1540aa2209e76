#include "kernels/subsets/suffix_products.hpp"

#include <algorithm>

namespace countpm {

RowGroups group_rows(std::vector<Index> order, const std::vector<std::int64_t>& bound, std::size_t most) {
  constexpr std::int64_t limit = std::int64_t{1} << 62;
  RowGroups groups;
  std::int64_t product = 1;
  for (std::size_t r = 0; r < order.size(); ++r) {
    const std::int64_t size = std::max<std::int64_t>(bound[order[r]], 1);
    if (r != groups.start.back() && (product > limit / size || r - groups.start.back() == most)) {
      groups.start.push_back(r);
      product = 1;
    }
    product *= size;
  }
  if (!order.empty()) groups.start.push_back(order.size());
  groups.order = std::move(order);
  return groups;
}

RowGroups group_rows(std::vector<Index> order, const std::vector<mpz_class>&, std::size_t most) {
  RowGroups groups;
  for (std::size_t r = most; r < order.size(); r += most) groups.start.push_back(r);
  if (!order.empty()) groups.start.push_back(order.size());
  groups.order = std::move(order);
  return groups;
}

}  // namespace countpm
