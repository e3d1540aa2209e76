#include "kernels/frontier/order/tree_annealing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/frontier/order/tree_order.hpp"

namespace countpm {
namespace {

// Orders with this much fill a class are out of reach whatever the rest.
constexpr std::uint64_t most_annealed_fill_a_class = 500;

}  // namespace

double TreeAnnealing::cost(const std::vector<Index>& order) const {
  const auto elimination =
      tree_elimination(graph_, order, inlined_, most_annealed_fill_a_class * graph_.classes());
  return elimination ? forecast_elimination(graph_, *elimination).log2_transitions
                     : std::numeric_limits<double>::infinity();
}

void TreeAnnealing::start(std::vector<Index> order, Index inlined) {
  inlined_ = inlined;
  order_ = std::move(order);
  place_.resize(order_.size());
  for (Index i = 0; i < order_.size(); ++i) place_[order_[i]] = i;
  best_ = order_;
  best_cost_ = cost_ = cost(order_);
}

void TreeAnnealing::run(double hot, double cold, std::uint64_t moves, const StopSignal& stop) {
  const Index classes = graph_.classes();
  if (classes < 3) return;
  std::vector<Index> next;
  for (std::uint64_t move = 0; move < moves; ++move) {
    stop.check();
    const double temperature =
        hot * std::pow(cold / hot, static_cast<double>(move) / static_cast<double>(moves));
    const Index v = static_cast<Index>(random_() % classes);
    if (graph_.degree(v) == 0) continue;
    // Next to a neighbour, or to a neighbour's neighbour: of the same side where there are sides.
    Index target = graph_.neighbour[graph_.start[v] + random_() % graph_.degree(v)];
    if (random_() % 2 == 0)
      target = graph_.neighbour[graph_.start[target] + random_() % graph_.degree(target)];
    if (target == v) continue;
    const std::ptrdiff_t from = place_[v];
    const std::ptrdiff_t to = place_[target];
    next = order_;
    const auto begin = next.begin();
    if (from < to) {
      std::rotate(begin + from, begin + from + 1, begin + to + 1);  // straight after it
    } else {
      std::rotate(begin + to, begin + from, begin + from + 1);  // straight before it
    }
    const double next_cost = cost(next);
    const double unit = static_cast<double>(random_() >> 11) * 0x1p-53;
    if (next_cost > cost_ - temperature * std::log(std::max(unit, 1e-300))) continue;
    order_.swap(next);
    for (std::ptrdiff_t i = std::min(from, to); i <= std::max(from, to); ++i) {
      place_[order_[static_cast<std::size_t>(i)]] = static_cast<Index>(i);
    }
    cost_ = next_cost;
    if (cost_ >= best_cost_) continue;
    best_cost_ = cost_;
    best_ = order_;
  }
}

}  // namespace countpm
