#include "kernels/rook/order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/support/annealing.hpp"
#include "kernels/support/plan_text.hpp"

namespace countpm {
namespace {

constexpr double widest = 1000;
enum Status : unsigned char { outside, frontier, gone };

double power(double width) {
  return std::exp2(std::min(width, widest));
}

}  // namespace

RookOrder::RookOrder(const ComplementGraph& graph, std::uint64_t seed)
    : general_(graph.general),
      size_(graph.size),
      start_(graph.start),
      neighbour_(graph.neighbour),
      random_(seed),
      left_(graph.vertices()),
      status_(graph.vertices()) {
  forecast_.log2_work = std::numeric_limits<double>::infinity();
  for (const Side side : {Side::rows, Side::columns, Side::both}) {
    if (side == Side::both || !general_) propose(greedy(side));
  }
}

RookOrder::RookOrder(const ComplementGraph& graph, std::vector<Index> order)
    : general_(graph.general),
      size_(graph.size),
      start_(graph.start),
      neighbour_(graph.neighbour),
      best_(std::move(order)),
      left_(graph.vertices()),
      status_(graph.vertices()) {
  // An order may leave out what it finishes, but every edge needs an end in it.
  std::vector<bool> named(graph.vertices());
  bool fits = true;
  for (const Index v : best_) {
    fits = fits && v < graph.vertices() && !named[v] && graph.degree(v) != 0;
    if (fits) named[v] = true;
  }
  for (Index v = 0; fits && v < graph.vertices(); ++v) {
    for (std::uint64_t k = graph.start[v]; k < graph.start[v + std::uint64_t{1}]; ++k)
      fits = fits && (named[v] || named[graph.neighbour[k]]);
  }
  if (!fits) throw PlanError("a plan's order is for another complement");
  forecast_ = evaluate(best_);
}

void RookOrder::propose(const std::vector<Index>& order) {
  const RookForecast forecast = evaluate(order);
  if (forecast.log2_work >= forecast_.log2_work) return;
  forecast_ = forecast;
  best_ = order;
}

/// Next comes the vertex that makes the frontier grow least; ties go to the one with most neighbours in it.
std::vector<Index> RookOrder::greedy(Side side) const {
  const auto vertices = static_cast<Index>(status_.size());
  std::vector<Index> order;
  std::vector<Index> candidates;
  for (Index v = 0; v < vertices; ++v) {
    left_[v] = static_cast<Index>(start_[v + std::uint64_t{1}] - start_[v]);
    status_[v] = left_[v] == 0 ? gone : outside;
    if (left_[v] == 0) continue;
    if (side == Side::both || (v < size_) == (side == Side::rows)) candidates.push_back(v);
  }
  // fresh[v]: neighbours outside; closing[v]: neighbours with one neighbour left (which is v). Kept up to
  // date, a change each for the neighbours of what changed.
  std::vector<std::int64_t> fresh(vertices);
  std::vector<std::int64_t> closing(vertices);
  for (Index v = 0; v < vertices; ++v) {
    fresh[v] = left_[v];
    for (std::uint64_t k = start_[v]; k < start_[v + std::uint64_t{1}]; ++k)
      closing[v] += left_[neighbour_[k]] == 1 ? 1 : 0;
  }
  const auto for_neighbours = [&](Index v, const auto& call) {
    for (std::uint64_t k = start_[v]; k < start_[v + std::uint64_t{1}]; ++k) call(neighbour_[k]);
  };
  while (!candidates.empty()) {
    std::size_t chosen = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t at = 0; at < candidates.size();) {
      const Index v = candidates[at];
      if (status_[v] == gone) {
        candidates[at] = candidates.back();
        candidates.pop_back();
        continue;
      }
      const std::int64_t growth = fresh[v] - closing[v] - (status_[v] == frontier ? 1 : 0);
      const std::int64_t key = growth * vertices - (static_cast<std::int64_t>(left_[v]) - fresh[v]);
      if (key < least) {
        least = key;
        chosen = at;
      }
      ++at;
    }
    if (candidates.empty()) break;
    const Index v = candidates[chosen];
    candidates[chosen] = candidates.back();
    candidates.pop_back();
    order.push_back(v);
    if (status_[v] == outside) for_neighbours(v, [&](Index u) { --fresh[u]; });
    if (left_[v] == 1) for_neighbours(v, [&](Index u) { --closing[u]; });
    status_[v] = gone;
    for_neighbours(v, [&](Index u) {
      --left_[u];
      if (status_[u] == gone) return;
      if (status_[u] == outside) {
        status_[u] = frontier;
        for_neighbours(u, [&](Index w) { --fresh[w]; });
      }
      if (left_[u] == 1) for_neighbours(u, [&](Index w) { ++closing[w]; });
      if (left_[u] == 0) {
        status_[u] = gone;
        for_neighbours(u, [&](Index w) { --closing[w]; });
      }
    });
  }
  // The other side is finished by then; it follows so that every order is a permutation of the same vertices.
  std::vector<bool> listed(vertices);
  for (const Index v : order) listed[v] = true;
  for (Index v = 0; v < vertices; ++v) {
    if (!listed[v] && start_[v] != start_[v + std::uint64_t{1}]) order.push_back(v);
  }
  return order;
}

RookForecast RookOrder::evaluate(const std::vector<Index>& order, const std::vector<bool>& removed) const {
  for (std::size_t v = 0; v < status_.size(); ++v) {
    left_[v] = static_cast<Index>(start_[v + 1] - start_[v]);
    status_[v] = outside;
  }
  for (std::size_t v = 0; v < removed.size(); ++v) {
    if (!removed[v]) continue;
    status_[v] = gone;
    for (std::uint64_t k = start_[v]; k < start_[v + 1]; ++k) {
      const Index u = neighbour_[k];
      if (--left_[u] == 0) status_[u] = gone;  // without an edge
    }
  }
  RookForecast forecast;
  double work = 1;
  double peak = 1;
  unsigned width = 0;
  double before = 1;  // coefficients of the step's input
  std::uint64_t gone_rows = 0;
  std::uint64_t gone_columns = 0;
  StopPoll poll;
  for (const Index v : order) {
    if (status_[v] == gone) continue;
    poll.steps(start_[v + std::uint64_t{1}] - start_[v]);
    const bool inside = status_[v] == frontier;
    unsigned old_neighbours = 0;
    unsigned new_neighbours = 0;
    unsigned dropped = 0;
    status_[v] = gone;
    ++(v < size_ ? gone_rows : gone_columns);
    for (std::uint64_t k = start_[v]; k < start_[v + std::uint64_t{1}]; ++k) {
      const Index u = neighbour_[k];
      --left_[u];
      if (status_[u] == gone) continue;
      ++(status_[u] == frontier ? old_neighbours : new_neighbours);
      status_[u] = frontier;
      if (left_[u] != 0) continue;
      status_[u] = gone;
      ++(u < size_ ? gone_rows : gone_columns);
      ++dropped;
    }
    const std::uint64_t rooks = general_ ? (gone_rows + gone_columns) / 2 : std::min(gone_rows, gone_columns);
    const double length = static_cast<double>(rooks) + 1;
    // A vertex that is inside gives way to half as many states that choose a neighbour; a choice within the
    // frontier is open to half of the states.
    const double states = power(width - (inside ? 1.0 : 0.0));
    const unsigned next_width = width - (inside ? 1 : 0) + new_neighbours - dropped;
    const double after = power(next_width) * length;
    work += (states * ((inside ? 2.0 : 1.0) + 0.5 * old_neighbours + new_neighbours)) * length + after;
    peak = std::max(peak, before + after);
    before = after;
    width = next_width;
    forecast.width = std::max(forecast.width, width);
  }
  forecast.log2_work = std::min(std::log2(work), widest);
  forecast.log2_peak = std::min(std::log2(peak), widest);
  return forecast;
}

void RookOrder::anneal(std::uint64_t moves) {
  const StopSignal& stop = stop_signal_here();
  WorkMeter meter(stop);
  anneal(moves, meter);
}

void RookOrder::anneal(std::uint64_t moves, WorkMeter& meter) {
  if (best_.size() < 3 || moves == 0) return;
  // From a change of half a bit of log2_work to one of a fiftieth.
  constexpr Cooling cooling{0.5, 0.02};
  std::vector<Index> order = best_;
  const auto count = static_cast<std::uint64_t>(order.size());
  std::size_t from = 0;
  std::size_t to = 0;
  RookForecast proposed;
  countpm::anneal(
      moves, cooling, forecast_.log2_work, random_,
      [&] { return !meter.spend(count + neighbour_.size()) || meter.look(); },
      [&]() -> std::optional<double> {
        from = random_() % count;
        // Near moves mostly, far ones now and then.
        const std::uint64_t reach = random_() % 4 == 0 ? count : std::min<std::uint64_t>(count, 8);
        const std::uint64_t up = from + random_() % (2 * reach + 1);
        to = std::min(up - std::min(up, reach), count - 1);
        if (to == from) return std::nullopt;
        move_element(order, from, to);
        proposed = evaluate(order);
        return proposed.log2_work;
      },
      [&] { move_element(order, to, from); },
      [&](double energy) {
        if (energy >= forecast_.log2_work) return;
        forecast_ = proposed;
        best_ = order;
      });
}

}  // namespace countpm
