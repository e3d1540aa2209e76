#include "kernels/frontier/order/tree_annealing.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "kernels/frontier/order/tree_order.hpp"
#include "kernels/support/annealing.hpp"

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
  std::size_t from = 0;
  std::size_t to = 0;
  anneal(
      moves, {hot, cold}, cost_, random_,
      [&] {
        stop.check();
        return true;
      },
      [&]() -> std::optional<double> {
        const Index v = static_cast<Index>(random_() % classes);
        if (graph_.degree(v) == 0) return std::nullopt;
        // Next to a neighbour, or to a neighbour's neighbour: of the same side where there are sides.
        Index target = graph_.neighbour[graph_.start[v] + random_() % graph_.degree(v)];
        if (random_() % 2 == 0)
          target = graph_.neighbour[graph_.start[target] + random_() % graph_.degree(target)];
        if (target == v) return std::nullopt;
        from = place_[v];
        to = place_[target];
        move_element(order_, from, to);
        return cost(order_);
      },
      [&] { move_element(order_, to, from); },
      [&](double taken) {
        for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i)
          place_[order_[i]] = static_cast<Index>(i);
        cost_ = taken;
        if (cost_ >= best_cost_) return;
        best_cost_ = cost_;
        best_ = order_;
      });
}

}  // namespace countpm
