#include "kernels/estimate/fitted_potentials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/estimate/envelope_cholesky.hpp"

namespace countpm {
namespace {

constexpr unsigned longest_column = 8;
constexpr std::uint64_t most_variables = 1500;
constexpr std::uint64_t order_attempts = 500;
constexpr std::size_t orders_fitted = 8;     // of the attempts: those with the narrowest frontiers
constexpr std::uint64_t farthest_move = 12;  // of a column, when orders are improved
// The barrier's gap in ln U: to choose an order by, to improve it by, and in the end. Of 5-regular matrices
// of 60 and 80 rows improved with gaps of 0.5 and 4 the bounds were the same, in a third of the time.
constexpr double coarse_gap = 0.5;
constexpr double improving_gap = 4;
constexpr double fine_gap = 0.05;
// Multiplications of all fits, and of all attempts to improve one: about 1 and 8 s on two cores of an AMD
// EPYC, 2026-11-23.
constexpr double fit_work = 2e9;
constexpr double improving_work = 3e10;
constexpr double order_work = 2e8;
// Newton steps of a fit, and of one that starts where another ended.
constexpr double fit_steps = 50;
constexpr double improving_steps = 17;

constexpr std::uint32_t none = ~std::uint32_t{0};

/// A row with an entry in a step's column.
struct StepRow {
  Index row = 0;
  std::uint32_t before = 0;    // variable of ln f(k)
  std::uint32_t after = none;  // of ln f(k+1); none where this is the row's last entry
  double log_weight = 0;       // ln a
  bool first = false;          // no earlier entry: no trial has taken the row yet
};

struct Step {
  Index column = 0;
  std::vector<StepRow> rows;
  std::uint32_t scale = 0;          // variable of ln c
  std::vector<std::uint32_t> sets;  // of rows that a trial can have, bit b for rows[b]
};

/// The convex programme for one order of the columns.
class PotentialFit {
 public:
  PotentialFit(const SparsePattern& rows, const std::vector<double>& weight, std::vector<Index> order)
      : order_(std::move(order)), steps_(rows.columns), first_variable_(rows.rows) {
    std::vector<Index> place(rows.columns);
    for (Index k = 0; k < rows.columns; ++k) place[order_[k]] = k;
    for (Index k = 0; k < rows.columns; ++k) steps_[k].column = order_[k];
    // By row: the steps of its entries, and where they are among the step's rows.
    std::vector<std::vector<std::pair<Index, std::size_t>>> entries(rows.rows);
    for (Index i = 0; i < rows.rows; ++i) {
      for (std::uint64_t e = rows.row_start[i]; e < rows.row_start[i + std::uint64_t{1}]; ++e) {
        Step& step = steps_[place[rows.column[e]]];
        entries[i].emplace_back(place[rows.column[e]], step.rows.size());
        StepRow entry;
        entry.row = i;
        entry.log_weight = weight.empty() ? 0.0 : std::log(weight[e]);
        step.rows.push_back(entry);
      }
      std::sort(entries[i].begin(), entries[i].end());
    }
    // Variables in the order of the steps, so that those that meet in an inequality are near.
    for (Step& step : steps_) {
      for (StepRow& row : step.rows) row.before = variables_++;
      step.scale = variables_++;
    }
    for (Index i = 0; i < rows.rows; ++i) {
      const auto entry = [&](std::size_t s) -> StepRow& {
        return steps_[entries[i][s].first].rows[entries[i][s].second];
      };
      entry(0).first = true;
      first_variable_[i] = entry(0).before;
      for (std::size_t s = 0; s + 1 < entries[i].size(); ++s) entry(s).after = entry(s + 1).before;
    }
    std::vector<std::uint32_t> envelope(variables_);
    std::iota(envelope.begin(), envelope.end(), 0U);
    for (Index k = 0; k < rows.columns; ++k) {
      list_sets(steps_[k], k, rows.columns - k);
      inequalities_ += steps_[k].sets.size();
      const std::uint32_t least = steps_[k].rows.front().before;
      for (const StepRow& row : steps_[k].rows) {
        envelope[row.before] = std::min(envelope[row.before], least);
        if (row.after != none) envelope[row.after] = std::min(envelope[row.after], least);
      }
      envelope[steps_[k].scale] = least;
    }
    inequalities_ += 2 * std::uint64_t{variables_};
    for (std::uint32_t v = 0; v < variables_; ++v) work_ += (v - envelope[v]) * (v - envelope[v]) / 2.0;
    for (const Step& step : steps_)
      work_ += 4.0 * static_cast<double>(step.sets.size() * step.rows.size() * step.rows.size());
    hessian_.emplace(std::move(envelope));
    start();
  }

  /// Multiplications of a Newton step, about.
  double work() const { return work_; }

  /// Whether there is room in every inequality, as run() needs it: weights are not too far from 1.
  bool has_room() const { return std::isfinite(barrier(point_)); }

  /// As the fit of another order ended: its potentials, by row, and scales as large as these allow. Newton's
  /// method has less far to go.
  void start_as(const FittedPotentials& other) {
    std::vector<std::size_t> seen(first_variable_.size(), 0);
    for (const Step& step : steps_) {
      for (const StepRow& row : step.rows) point_[row.before] = other.log_potential[row.row][seen[row.row]++];
    }
    std::array<Part, longest_column> parts;
    for (const Step& step : steps_) {
      parts_of(step, point_, parts);
      double most = -std::numeric_limits<double>::infinity();
      double share = 0;
      for (const std::uint32_t set : step.sets) most = std::max(most, excess(step, set, parts, share));
      if (!step.sets.empty()) point_[step.scale] = -most - start_room;
    }
    sharpness_ = 640;
  }

  /// Until ln (U / product of c) is within `gap` of its least, or Newton's method goes no further.
  void run(double gap) {
    const auto inequalities = static_cast<double>(inequalities_);
    while (true) {
      constexpr int most_steps = 50;
      for (int step = 0; step < most_steps && newton(); ++step) {
      }
      if (inequalities / sharpness_ < gap) return;
      sharpness_ *= 8;
    }
  }

  double log_bound() const { return objective(point_); }

  FittedPotentials result() const {
    FittedPotentials fitted;
    fitted.order = order_;
    fitted.log_scale.resize(order_.size());
    fitted.log_potential.resize(first_variable_.size());
    for (const Step& step : steps_) {
      fitted.log_scale[step.column] = point_[step.scale];
      for (const StepRow& row : step.rows) fitted.log_potential[row.row].push_back(point_[row.before]);
    }
    fitted.log_bound = log_bound();
    return fitted;
  }

 private:
  static constexpr double start_room = 0.02;  // in the inequalities, to begin with
  // Of all variables: where a trial never has a row left, its potential would go to 0.
  static constexpr double most_log = 40;

  /// `before`: steps that were, which took a row each; `left`: rows that are left.
  static void list_sets(Step& step, Index before, Index left) {
    const std::size_t size = step.rows.size();
    std::uint32_t surely = 0;
    std::uint32_t last = 0;
    for (std::size_t b = 0; b < size; ++b) {
      if (step.rows[b].first) surely |= 1U << b;
      if (step.rows[b].after == none) last |= 1U << b;
    }
    for (std::uint32_t set = 1; set < 1U << size; ++set) {
      const auto count = static_cast<Index>(std::popcount(set));
      if ((set & surely) != surely || std::popcount(set & last) > 1) continue;
      if (count > left || count + before < size) continue;
      step.sets.push_back(set);
    }
  }

  /// NestingBound's own potentials, with room in every inequality.
  void start() {
    point_.assign(variables_, 0.0);
    for (std::size_t k = steps_.size(); k-- > 0;) {
      for (const StepRow& row : steps_[k].rows) {
        const double x = std::exp(row.log_weight);
        const double f = row.after == none ? 0 : std::exp(point_[row.after]);
        point_[row.before] = std::log(x >= std::numbers::e * f ? x : f * std::exp(x / (std::numbers::e * f)));
      }
      point_[steps_[k].scale] = -start_room;
    }
  }

  double objective(const std::vector<double>& point) const {
    double sum = 0;
    for (const std::uint32_t variable : first_variable_) sum += point[variable];
    for (const Step& step : steps_) sum -= point[step.scale];
    return sum;
  }

  /// What a row adds to an inequality: ln (f(k+1) / f(k)), or ln (a / f(k)) where this is its last entry, and
  /// a / f(k+1).
  struct Part {
    double linear = 0;
    double share = 0;
  };
  static void parts_of(const Step& step, const std::vector<double>& point,
                       std::array<Part, longest_column>& parts) {
    for (std::size_t b = 0; b < step.rows.size(); ++b) {
      const StepRow& row = step.rows[b];
      if (row.after == none) {
        parts[b] = {row.log_weight - point[row.before], 0};
      } else {
        parts[b] = {point[row.after] - point[row.before], std::exp(row.log_weight - point[row.after])};
      }
    }
  }
  /// The left side's logarithm less the right side's, but for ln c; `share` is the sum over the set, 0 where
  /// a row has its last entry.
  static double excess(const Step& step, std::uint32_t set, const std::array<Part, longest_column>& parts,
                       double& share) {
    double linear = 0;
    bool forced = false;
    share = 0;
    for (std::uint32_t bits = set; bits != 0; bits &= bits - 1) {
      const auto b = static_cast<std::size_t>(std::countr_zero(bits));
      linear += parts[b].linear;
      share += parts[b].share;
      forced = forced || step.rows[b].after == none;
    }
    if (!forced) return linear + std::log(std::max(share, std::numeric_limits<double>::min()));
    share = 0;
    return linear;
  }

  /// sharpness times the objective less the logarithms of the room that is left; infinite where there is
  /// none.
  double barrier(const std::vector<double>& point) const {
    double value = sharpness_ * objective(point);
    for (const double variable : point) {
      if (!(std::abs(variable) < most_log)) return std::numeric_limits<double>::infinity();
      value -= std::log((most_log - variable) * (most_log + variable));
    }
    std::array<Part, longest_column> parts;
    for (const Step& step : steps_) {
      parts_of(step, point, parts);
      for (const std::uint32_t set : step.sets) {
        double share = 0;
        const double room = -excess(step, set, parts, share) - point[step.scale];
        if (!(room > 0)) return std::numeric_limits<double>::infinity();
        value -= std::log(room);
      }
    }
    return value;
  }

  /// Gradient and Hessian of barrier() at the point.
  void differentiate() {
    gradient_.assign(variables_, 0.0);
    hessian_->clear();
    for (const std::uint32_t variable : first_variable_) gradient_[variable] += sharpness_;
    for (const Step& step : steps_) gradient_[step.scale] -= sharpness_;
    // Scaling all potentials and columns moves nothing: a little of the identity.
    const double little = 1e-6 * std::max(1.0, sharpness_);
    for (std::uint32_t v = 0; v < variables_; ++v) {
      const double below = 1 / (most_log - point_[v]);
      const double above = 1 / (most_log + point_[v]);
      gradient_[v] += below - above;
      hessian_->at(v, v) = little + below * below + above * above;
    }
    for (const Step& step : steps_) add_derivatives(step);
  }

  // Variables of a step: the scale, then before and after of every row.
  void add_derivatives(const Step& step) {
    constexpr std::size_t most = 2 * longest_column + 1;
    const std::size_t rows = step.rows.size();
    const std::size_t size = 2 * rows + 1;
    std::array<double, most> first{};
    std::array<std::array<double, most>, most> second{};
    std::array<Part, longest_column> parts;
    parts_of(step, point_, parts);
    for (const std::uint32_t set : step.sets) {
      double share = 0;
      const double weight = 1 / (-excess(step, set, parts, share) - point_[step.scale]);
      std::array<double, most> slope{};
      std::array<double, longest_column> part{};
      slope[0] = 1;
      for (std::uint32_t bits = set; bits != 0; bits &= bits - 1) {
        const auto b = static_cast<std::size_t>(std::countr_zero(bits));
        slope[1 + b] = -1;
        if (step.rows[b].after == none) continue;
        part[b] = share > 0 ? parts[b].share / share : 0;
        slope[1 + rows + b] = 1 - part[b];
      }
      for (std::size_t a = 0; a < size; ++a) {
        first[a] += weight * slope[a];
        if (slope[a] == 0) continue;
        for (std::size_t b = 0; b <= a; ++b) second[a][b] += weight * weight * slope[a] * slope[b];
      }
      for (std::size_t a = 0; a < rows; ++a) {
        second[1 + rows + a][1 + rows + a] += weight * part[a];
        for (std::size_t b = 0; b <= a; ++b) second[1 + rows + a][1 + rows + b] -= weight * part[a] * part[b];
      }
    }
    const auto variable = [&](std::size_t a) {
      return a == 0 ? step.scale : a <= rows ? step.rows[a - 1].before : step.rows[a - 1 - rows].after;
    };
    for (std::size_t a = 0; a < size; ++a) {
      const std::uint32_t v = variable(a);
      if (v == none) continue;
      gradient_[v] += first[a];
      for (std::size_t b = 0; b <= a; ++b) {
        const std::uint32_t w = variable(b);
        if (w != none) hessian_->at(std::max(v, w), std::min(v, w)) += second[a][b];
      }
    }
  }

  /// A damped Newton step. False where the point is near the barrier's least, or no step leads down.
  bool newton() {
    constexpr double near = 1e-3;  // twice what a step promises
    constexpr int most_halvings = 30;
    differentiate();
    std::vector<double> move(gradient_);
    if (!hessian_->factor()) return false;
    hessian_->solve(move);
    double promise = 0;
    for (std::uint32_t v = 0; v < variables_; ++v) promise += move[v] * gradient_[v];
    if (!(promise > near)) return false;
    const double value = barrier(point_);
    std::vector<double> next(variables_);
    double length = 1;
    for (int halving = 0; halving < most_halvings; ++halving, length /= 2) {
      for (std::uint32_t v = 0; v < variables_; ++v) next[v] = point_[v] - length * move[v];
      if (barrier(next) <= value - 0.1 * length * promise) {
        point_ = next;
        return true;
      }
    }
    return false;
  }

  std::vector<Index> order_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> first_variable_;  // by row: ln f at the beginning
  std::uint32_t variables_ = 0;
  std::uint64_t inequalities_ = 0;
  double work_ = 0;
  std::optional<EnvelopeMatrix> hessian_;
  std::vector<double> gradient_;
  std::vector<double> point_;
  double sharpness_ = 10;
};

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

}  // namespace

bool can_fit_potentials(const SparsePattern& rows, const SparsePattern& columns) {
  if (rows.entries() + columns.rows > most_variables) return false;
  for (Index j = 0; j < columns.rows; ++j) {
    if (rows.row_degree(j) == 0 || columns.row_degree(j) == 0 || columns.row_degree(j) > longest_column)
      return false;
  }
  return true;
}

std::optional<FittedPotentials> fit_potentials(const SparsePattern& rows, const SparsePattern& columns,
                                               const std::vector<double>& weight, const StopSignal& stop) {
  std::vector<std::pair<double, std::vector<Index>>> orders;
  const auto attempts = static_cast<std::uint64_t>(
      order_work / (static_cast<double>(rows.entries()) * static_cast<double>(rows.rows)));
  for (std::uint64_t attempt = 0; attempt < std::min(attempts, order_attempts); ++attempt) {
    stop.check();
    std::vector<Index> order = narrow_order(rows, columns, attempt);
    const double size = frontier_size(rows, columns, order);
    orders.emplace_back(size, std::move(order));
  }
  std::sort(orders.begin(), orders.end());
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  std::optional<PotentialFit> best;
  double done = 0;
  for (std::size_t k = 0; k < std::min(orders.size(), orders_fitted); ++k) {
    PotentialFit fit(rows, weight, orders[k].second);
    // Wide frontiers take long.
    done += fit_steps * fit.work();
    if (done > fit_work) break;
    stop.check();
    if (!fit.has_room()) continue;
    fit.run(coarse_gap);
    if (!best || fit.log_bound() < best->log_bound()) best.emplace(std::move(fit));
  }
  if (!best) return std::nullopt;
  best->run(fine_gap);
  return best->result();
}

FittedPotentials improve_potentials(const SparsePattern& rows, const std::vector<double>& weight,
                                    FittedPotentials fitted, std::uint64_t attempts, const StopSignal& stop) {
  constexpr std::uint64_t stream = 0x0fdf;
  CounterRandom random(attempts, stream, 0);
  const std::uint64_t size = fitted.order.size();
  PotentialFit best(rows, weight, fitted.order);
  best.start_as(fitted);
  if (!best.has_room()) return fitted;
  best.run(improving_gap);
  fitted = best.result();
  const double most = improving_work / (improving_steps * best.work());
  for (std::uint64_t k = 0; k < attempts && static_cast<double>(k) < most && size > 1; ++k) {
    stop.check();
    const std::uint64_t from = random.below(size);
    const std::uint64_t far = 1 + random.below(std::min(farthest_move, size - 1));
    const bool down = from < far || (from + far < size && random.below(2) == 0);
    if (down && from + far >= size) continue;
    std::vector<Index> order = fitted.order;
    const Index column = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(down ? from + far : from - far), column);
    PotentialFit fit(rows, weight, std::move(order));
    fit.start_as(fitted);
    if (!fit.has_room()) continue;
    fit.run(improving_gap);
    if (fit.log_bound() >= fitted.log_bound) continue;
    best = std::move(fit);
    fitted = best.result();
  }
  best.run(fine_gap);
  return best.result();
}

}  // namespace countpm
