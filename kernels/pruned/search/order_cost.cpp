#include "kernels/pruned/search/order_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/support/annealing.hpp"

namespace countpm {
namespace {

constexpr WalkCosts costs;

}  // namespace

OrderModel::OrderModel(const IntegerColumns<std::int64_t>& columns, unsigned tail,
                       std::vector<double> log2_survival)
    : rows_(columns.rows),
      tail_(tail),
      start_(columns.start),
      row_(columns.row),
      copies_(columns.multiplicity) {
  set_log2_survival(std::move(log2_survival));
}

void OrderModel::set_log2_survival(std::vector<double> log2_survival) {
  survival_ = std::move(log2_survival);
  for (double& value : survival_) value = std::exp2(value);
}

/// Which level completes which row: products of the survivals by level.
void OrderModel::close_rows(const std::vector<Index>& order) {
  const std::size_t head = order.size() - tail_;
  last_.assign(rows_, 0);
  in_tail_.assign(rows_, false);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::uint64_t e = start_[order[k]]; e < start_[order[k] + std::uint64_t{1}]; ++e) {
      if (k < head) {
        last_[row_[e]] = k + 1;
      } else {
        in_tail_[row_[e]] = true;
      }
    }
  }
  complete_.assign(head + 1, 1);
  masked_.assign(head + 1, 1);
  masked_rows_.assign(head + 1, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (in_tail_[i]) {
      masked_[last_[i]] *= survival_[i];
      masked_rows_[last_[i]] += 1;
    } else {
      complete_[last_[i]] *= survival_[i];
    }
  }
}

double OrderModel::log2_cost(const std::vector<Index>& order) {
  close_rows(order);
  const std::size_t head = order.size() - tail_;
  // In doubles, brought back to size now and then: scale = 2^exponent.
  double exponent = 0;
  double plain = complete_[0];
  double expected = std::ldexp(masked_[0], static_cast<int>(tail_));
  double total = 0;
  for (std::size_t k = 0; k < head; ++k) {
    const double nodes = plain * expected / (1 + expected);
    const double looked_at = nodes * (static_cast<double>(copies_[order[k]]) + 1);
    total += looked_at * costs.visit;
    plain *= (static_cast<double>(copies_[order[k]]) + 1) * complete_[k + 1];
    // the rows' masks are looked at by the children that the zero test leaves
    total += costs.masked_row * masked_rows_[k + 1] * plain * expected / (1 + expected);
    expected *= masked_[k + 1];
    if (plain > 0x1p500) {
      plain *= 0x1p-500;
      total *= 0x1p-500;
      exponent += 500;
    }
  }
  total += costs.product * plain * expected;
  return exponent + std::log2(std::max(total, 0x1p-1000));
}

LevelCosts OrderModel::level_costs(const std::vector<Index>& order) {
  LevelCosts result;
  result.log2_total = log2_cost(order);
  const std::size_t head = order.size() - tail_;
  double log2_plain = std::log2(complete_[0]);
  double log2_expected = std::log2(masked_[0]) + tail_;
  for (std::size_t k = 0; k < head; ++k) {
    const double branches = static_cast<double>(copies_[order[k]]) + 1;
    const double expected = std::exp2(log2_expected);
    const double open = expected / (1 + expected);
    const double share = std::exp2(log2_plain - result.log2_total) * open;
    result.open.push_back(open);
    result.cost.push_back(share * branches *
                          (costs.visit + costs.masked_row * masked_rows_[k + 1] * complete_[k + 1]));
    log2_plain += std::log2(branches * complete_[k + 1]);
    log2_expected += std::log2(masked_[k + 1]);
  }
  result.products = costs.product * std::exp2(log2_plain + log2_expected - result.log2_total);
  return result;
}

bool OrderModel::tail_allowed(const std::vector<Index>& order, std::size_t position) const {
  return position + tail_ < order.size() || copies_[order[position]] == 1;
}

void OrderModel::anneal(std::vector<Index>& order, std::uint64_t moves, double hot, std::mt19937_64& random) {
  const std::size_t columns = order.size();
  if (columns < 2 || moves == 0) return;
  const double start = log2_cost(order);
  double least = start;
  std::vector<Index> best = order;
  constexpr double cold = 0.005;  // in log2 of the cost, as `hot`
  StopPoll poll;
  std::size_t from = 0;
  std::size_t to = 0;
  bool swaps = false;
  const auto apply = [&](std::size_t a, std::size_t b) {
    if (swaps) {
      std::swap(order[a], order[b]);
    } else {
      move_element(order, a, b);
    }
  };
  countpm::anneal(
      moves, {std::max(hot, cold) / std::numbers::ln2, cold / std::numbers::ln2}, start, random,
      [&] {
        poll.steps(row_.size());
        return true;
      },
      [&]() -> std::optional<double> {
        from = random() % columns;
        to = random() % columns;
        if (from == to) return std::nullopt;
        swaps = random() % 2 == 0;
        apply(from, to);
        for (std::size_t k = columns - tail_; k < columns; ++k)
          if (!tail_allowed(order, k)) return std::numeric_limits<double>::infinity();
        return log2_cost(order);
      },
      [&] { apply(to, from); },
      [&](double cost) {
        if (cost >= least) return;
        least = cost;
        best = order;
      });
  order = std::move(best);
}

}  // namespace countpm
