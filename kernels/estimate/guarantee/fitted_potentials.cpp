#include "kernels/estimate/guarantee/fitted_potentials.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/guarantee/potential_fit.hpp"
#include "kernels/support/for_parts.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_variables = 1500;
constexpr std::uint64_t order_attempts = 500;
constexpr std::size_t orders_fitted = 8;  // of the attempts: those with the narrowest frontiers
constexpr std::uint64_t farthest_move =
    12;  // of a column, when orders are improved: nearly half of them by up to 3
constexpr std::uint64_t round_attempts = 4;  // to improve an order, of which the best is taken
// The barrier's gap in ln U: to choose an order by, and in the end.
constexpr double coarse_gap = 4;
constexpr double fine_gap = 0.05;
// Orders are compared by the least values of a barrier of this gap, were every inequality tight. Gaps of 2.5,
// 1.5, 1 and 0.7, means of three seeds with moves by up to 6, 2026-11-23: a lattice of 12 x 12, 400 attempts,
// led to 43.55, 43.56, 43.60 and 43.64; 5 permutations of 80 rows, 800 attempts, to 69.81, 69.68, 69.61 and
// 69.65. Whether columns move by up to 6, 8 or 12, evenly or mostly less, makes less of a difference than the
// seed.
constexpr double improving_gap = 1;
// Multiplications of all fits, and of all attempts to improve one: about 1 and 10 s of one core of an AMD
// EPYC, 2026-11-23.
constexpr double fit_work = 2e9;
constexpr double improving_work = 3e10;
constexpr double order_work = 2e8;
// Newton steps of a fit, and of an attempt, most of which are given up after two or three.
constexpr double fit_steps = 40;
constexpr double improving_steps = 5;

/// Next the column that begins the fewest rows, less those that it ends; ties at random.
std::vector<Index> narrow_order(const SparsePattern& rows, const SparsePattern& columns,
                                std::uint64_t attempt) {
  constexpr std::uint64_t stream = 0x0fde;
  CounterRandom random(attempt, stream, 0);
  std::vector<Index> order;
  std::vector<Index> left(rows.rows);
  for (Index i = 0; i < rows.rows; ++i) left[i] = rows.row_degree(i);
  std::vector<bool> taken(columns.rows, false);
  while (order.size() < columns.rows) {
    std::vector<Index> best;
    int least = 0;
    for (Index j = 0; j < columns.rows; ++j) {
      if (taken[j]) continue;
      int width = 0;
      for (std::uint64_t e = columns.row_start[j]; e < columns.row_start[j + std::uint64_t{1}]; ++e) {
        const Index i = columns.column[e];
        width += static_cast<int>(left[i] == rows.row_degree(i)) - static_cast<int>(left[i] == 1);
      }
      if (best.empty() || width < least) best.clear(), least = width;
      if (width == least) best.push_back(j);
    }
    if (best.empty()) break;  // not while columns are left
    const Index j = best[random.below(best.size())];
    taken[j] = true;
    order.push_back(j);
    for (std::uint64_t e = columns.row_start[j]; e < columns.row_start[j + std::uint64_t{1}]; ++e)
      --left[columns.column[e]];
  }
  return order;
}

/// Sum over steps of ln C(begun rows, those of them that are taken).
double frontier_size(const SparsePattern& rows, const SparsePattern& columns,
                     const std::vector<Index>& order) {
  std::vector<Index> left(rows.rows);
  for (Index i = 0; i < rows.rows; ++i) left[i] = rows.row_degree(i);
  double sum = 0;
  double width = 0;
  double taken = 0;
  for (const Index j : order) {
    taken += 1;
    for (std::uint64_t e = columns.row_start[j]; e < columns.row_start[j + std::uint64_t{1}]; ++e) {
      const Index i = columns.column[e];
      if (left[i] == rows.row_degree(i)) width += 1;
      if (--left[i] == 0) width -= 1, taken -= 1;
    }
    if (taken >= 0 && taken <= width)
      sum += std::lgamma(width + 1) - std::lgamma(taken + 1) - std::lgamma(width - taken + 1);
  }
  return sum;
}

/// With a column moved at random; empty where it would leave the order.
std::vector<Index> moved(std::vector<Index> order, std::uint64_t attempt) {
  constexpr std::uint64_t stream = 0x0fdf;
  CounterRandom random(attempt, stream, 0);
  const std::uint64_t size = order.size();
  if (size < 2) return {};
  const std::uint64_t from = random.below(size);
  const std::uint64_t far = 1 + random.below(1 + random.below(std::min(farthest_move, size - 1)));
  const bool down = from < far || (from + far < size && random.below(2) == 0);
  if (down && from + far >= size) return {};
  const auto at = order.begin() + static_cast<std::ptrdiff_t>(from);
  const auto distance = static_cast<std::ptrdiff_t>(far);
  if (down) {
    std::rotate(at, at + 1, at + distance + 1);
  } else {
    std::rotate(at - distance, at, at + 1);
  }
  return order;
}

}  // namespace

bool can_fit_potentials(const SparsePattern& rows, const SparsePattern& columns) {
  if (rows.entries() + columns.rows > most_variables) return false;
  for (Index j = 0; j < columns.rows; ++j) {
    if (rows.row_degree(j) == 0 || columns.row_degree(j) == 0 ||
        columns.row_degree(j) > PotentialFit::longest_column)
      return false;
  }
  return true;
}

std::optional<FittedPotentials> fit_potentials(const SparsePattern& rows, const SparsePattern& columns,
                                               const std::vector<double>& weight, const StopSignal& stop,
                                               int threads) {
  const auto attempts = static_cast<std::uint64_t>(
      order_work / (static_cast<double>(rows.entries()) * static_cast<double>(rows.rows)));
  std::vector<std::pair<double, std::vector<Index>>> orders(std::min(attempts, order_attempts));
  for_parts(orders.size(), threads, stop, [&](std::size_t attempt) {
    orders[attempt].second = narrow_order(rows, columns, attempt);
    orders[attempt].first = frontier_size(rows, columns, orders[attempt].second);
  });
  std::sort(orders.begin(), orders.end());
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  if (orders.size() > orders_fitted) orders.resize(orders_fitted);
  std::vector<std::optional<PotentialFit>> fits(orders.size());
  for_parts(orders.size(), threads, stop,
            [&](std::size_t k) { fits[k].emplace(rows, weight, std::move(orders[k].second)); });
  // Wide frontiers take long.
  double work = 0;
  for (std::optional<PotentialFit>& fit : fits) {
    work += fit_steps * fit->work();
    if (work > fit_work || !fit->has_room()) fit.reset();
  }
  for_parts(fits.size(), threads, stop, [&](std::size_t k) {
    if (fits[k]) fits[k]->run(coarse_gap, stop);
  });
  std::optional<PotentialFit> best;
  for (std::optional<PotentialFit>& fit : fits) {
    if (fit && (!best || fit->log_bound() < best->log_bound())) best.swap(fit);
  }
  if (!best) return std::nullopt;
  best->run(fine_gap, stop);
  return best->result();
}

FittedPotentials improve_potentials(const SparsePattern& rows, const std::vector<double>& weight,
                                    FittedPotentials fitted, std::uint64_t attempts, const StopSignal& stop,
                                    int threads) {
  PotentialFit best(rows, weight, fitted.order);
  const double sharpness = static_cast<double>(best.inequalities()) / improving_gap;
  best.start_as(fitted, sharpness);
  if (!best.has_room()) return fitted;
  best.centre(stop);
  fitted = best.result();
  const double most = improving_work / (improving_steps * best.work());
  attempts = std::min(attempts, static_cast<std::uint64_t>(most));
  std::vector<std::optional<PotentialFit>> fits(round_attempts);
  for (std::uint64_t k = 0; k < attempts; k += round_attempts) {
    for_parts(static_cast<std::size_t>(std::min<std::uint64_t>(round_attempts, attempts - k)), threads, stop,
              [&](std::size_t part) {
                fits[part].reset();
                std::vector<Index> order = moved(fitted.order, k + part);
                if (order.empty()) return;
                PotentialFit fit(rows, weight, std::move(order));
                fit.start_as(fitted, sharpness);
                if (fit.has_room() && fit.centre(stop, best.value()) && fit.value() < best.value())
                  fits[part].emplace(std::move(fit));
              });
    PotentialFit* least = &best;
    for (std::optional<PotentialFit>& fit : fits) {
      if (fit && fit->value() < least->value()) least = &*fit;
    }
    if (least == &best) continue;
    best = std::move(*least);
    fitted = best.result();
  }
  best.run(fine_gap, stop);
  return best.result();
}

}  // namespace countpm
