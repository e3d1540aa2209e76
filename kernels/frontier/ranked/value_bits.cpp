#include "kernels/frontier/ranked/value_bits.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "kernels/arithmetic/log2_sum.hpp"

namespace countpm {

ValueBits::ValueBits(const MemberGraph& graph, std::vector<double> log2_most)
    : graph_(graph), log2_most_(std::move(log2_most)), roots_{0}, gone_(graph.vertices()) {
  std::uint64_t most = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) most = std::max(most, graph.degree(v));
  double log2_factorial = 0;
  for (std::uint64_t d = 1; d <= most; ++d) {
    log2_factorial += std::log2(static_cast<double>(d));
    roots_.push_back(log2_factorial / static_cast<double>(d));
  }
}

void ValueBits::push() {
  stack_.emplace_back();
}

void ValueBits::join() {
  Table second = std::move(stack_.back());
  stack_.pop_back();
  Table& first = stack_.back();
  if (first.gone_near.size() < second.gone_near.size()) std::swap(first.gone_near, second.gone_near);
  for (const auto& [vertex, near] : second.gone_near) first.gone_near[vertex] += near;
  for (const std::size_t side : {0, 1}) {
    first.sum[side] += second.sum[side];
    first.count[side] += second.count[side];
  }
}

void ValueBits::eliminate(std::uint32_t v) {
  for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::size_t{1}]; ++k)
    ++stack_.back().gone_near[graph_.neighbour[k]];
  leave(v);
}

void ValueBits::leave(std::uint32_t v) {
  if (gone_[v] != 0) return;
  gone_[v] = 1;
  stack_.back().sum[graph_.row[v]] += log2_most_[v] + root(graph_.degree(v));
  ++stack_.back().count[graph_.row[v]];
}

double ValueBits::bound_by(bool rows, const std::vector<std::uint32_t>& frontier) const {
  const Table& table = stack_.back();
  std::vector<double> factors;
  std::uint64_t across = 0;
  for (const std::uint32_t v : frontier) {
    if (!graph_.general && (graph_.row[v] != 0) != rows) {
      ++across;
    } else {
      const auto near = table.gone_near.find(v);
      factors.push_back(log2_most_[v] + root(near == table.gone_near.end() ? 0 : near->second));
    }
  }
  std::size_t used = factors.size();
  if (!graph_.general) {
    // So many rows as columns.
    const std::uint64_t columns = table.count[rows ? 0 : 1] + across;
    const std::uint64_t own = table.count[rows ? 1 : 0];
    used = std::min<std::size_t>(used, columns > own ? columns - own : 0);
    std::nth_element(factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(used), factors.end(),
                     std::greater<>());
  }
  double sum = table.sum[rows ? 1 : 0];
  for (std::size_t k = 0; k < used; ++k) sum += factors[k];
  return sum;
}

double ValueBits::log2_bound(const std::vector<std::uint32_t>& frontier) const {
  if (graph_.general) return bound_by(false, frontier) / 2;
  return std::min(bound_by(true, frontier), bound_by(false, frontier));
}

}  // namespace countpm
