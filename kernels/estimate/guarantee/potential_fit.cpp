#include "kernels/estimate/guarantee/potential_fit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace countpm {
namespace {

constexpr double start_room = 0.02;  // in the inequalities, to begin with
// Of all variables: where a trial never has a row left, its potential would go to 0. No product of a step's
// factors leaves the range of doubles.
constexpr double most_log = 40;
constexpr double near = 1e-3;  // of the barrier's least, twice over
constexpr double sharpen = 8;
constexpr int most_steps = 50;
constexpr double no_bound = std::numeric_limits<double>::infinity();

/// Sums over all sets that contain a set, from values by set of `size` things.
void sum_over_supersets(double* value, std::size_t size) {
  for (std::size_t bit = 1; bit < std::size_t{1} << size; bit *= 2) {
    for (std::size_t high = 0; high < std::size_t{1} << size; high += 2 * bit) {
      for (std::size_t low = high; low < high + bit; ++low) value[low] += value[low + bit];
    }
  }
}

/// -ln of a product of numbers in (0, 1], with few logarithms.
class LogProduct {
 public:
  void multiply(double factor) {
    product_ *= factor;
    if (product_ < 0x1p-500) {
      sum_ -= std::log(product_);
      product_ = 1;
    }
  }
  double minus_log() const { return sum_ - std::log(product_); }

 private:
  double product_ = 1;
  double sum_ = 0;
};

}  // namespace

PotentialFit::PotentialFit(const SparsePattern& rows, const std::vector<double>& weight,
                           std::vector<Index> order)
    : order_(std::move(order)), steps_(rows.columns), first_variable_(rows.rows) {
  list_steps(rows, weight);
  std::vector<FrontalCholesky::Block> blocks;
  std::size_t elements = 0;
  for (Index k = 0; k < rows.columns; ++k) {
    Step& step = steps_[k];
    list_sets(step, k, rows.columns - k);
    inequalities_ += step.sets.size();
    FrontalCholesky::Block block;
    block.variables = static_cast<std::uint32_t>(step.rows.size()) + 1;
    for (std::size_t b = 0; b < step.going_on; ++b) block.later.push_back(step.rows[b].after);
    const std::size_t size = block.variables + block.later.size();
    elements += size * size;
    work_ += 12.0 * static_cast<double>(step.rows.size() << step.rows.size());
    blocks.push_back(std::move(block));
  }
  hessian_ = FrontalCholesky(blocks);
  work_ += hessian_.work();
  element_.assign(elements, 0.0);
  start();
}

void PotentialFit::list_steps(const SparsePattern& rows, const std::vector<double>& weight) {
  std::vector<Index> place(rows.columns);
  for (Index k = 0; k < rows.columns; ++k) {
    place[order_[k]] = k;
    steps_[k].column = order_[k];
  }
  // By row: the steps of its entries.
  std::vector<std::vector<Index>> entries(rows.rows);
  for (Index i = 0; i < rows.rows; ++i) {
    for (std::uint64_t e = rows.row_start[i]; e < rows.row_start[i + std::uint64_t{1}]; ++e)
      entries[i].push_back(place[rows.column[e]]);
    std::sort(entries[i].begin(), entries[i].end());
    for (std::uint64_t e = rows.row_start[i]; e < rows.row_start[i + std::uint64_t{1}]; ++e) {
      const Index k = place[rows.column[e]];
      StepRow entry;
      entry.row = i;
      entry.log_weight = weight.empty() ? 0.0 : std::log(weight[e]);
      entry.first = k == entries[i].front();
      entry.last = k == entries[i].back();
      steps_[k].rows.push_back(entry);
    }
  }
  std::vector<StepRow*> earlier(rows.rows, nullptr);
  for (Step& step : steps_) {
    const auto end = std::stable_partition(step.rows.begin(), step.rows.end(),
                                           [](const StepRow& row) { return !row.last; });
    step.going_on = static_cast<std::uint32_t>(end - step.rows.begin());
    for (StepRow& row : step.rows) {
      row.before = variables_++;
      if (row.first) {
        first_variable_[row.row] = row.before;
      } else {
        earlier[row.row]->after = row.before;
      }
      earlier[row.row] = &row;
    }
    step.scale = variables_++;
  }
}

/// `before`: steps that were, which took a row each; `left`: rows that are left.
void PotentialFit::list_sets(Step& step, Index before, Index left) {
  const std::size_t size = step.rows.size();
  std::uint32_t surely = 0;
  std::uint32_t last = 0;
  for (std::size_t b = 0; b < size; ++b) {
    if (step.rows[b].first) surely |= 1U << b;
    if (step.rows[b].last) last |= 1U << b;
  }
  for (std::uint32_t set = 1; set < 1U << size; ++set) {
    const auto count = static_cast<Index>(std::popcount(set));
    if ((set & surely) != surely || std::popcount(set & last) > 1) continue;
    if (count > left || count + before < size) continue;
    step.sets.push_back(set);
  }
}

bool PotentialFit::has_room() const {
  return std::isfinite(barrier(point_));
}

/// HuberBound's own potentials, with room in every inequality.
void PotentialFit::start() {
  point_.assign(variables_, 0.0);
  for (std::size_t k = steps_.size(); k-- > 0;) {
    for (const StepRow& row : steps_[k].rows) {
      const double x = std::exp(row.log_weight);
      const double f = row.last ? 0 : std::exp(point_[row.after]);
      point_[row.before] = std::log(x >= std::numbers::e * f ? x : f * std::exp(x / (std::numbers::e * f)));
    }
    point_[steps_[k].scale] = -start_room;
  }
}

void PotentialFit::start_as(const FittedPotentials& other, double sharpness) {
  std::vector<std::size_t> seen(first_variable_.size(), 0);
  for (const Step& step : steps_) {
    for (const StepRow& row : step.rows) point_[row.before] = other.log_potential[row.row][seen[row.row]++];
  }
  for (const Step& step : steps_) {
    if (!step.sets.empty()) point_[step.scale] = best_scale(step, sharpness);
  }
  sharpness_ = sharpness;
}

/// Nearly ln c for which the barrier is least, all else being equal: then the sum of q / (1 - q) is the
/// sharpness. That sum is convex in c, so that Newton's method from above stays above, with room left.
double PotentialFit::best_scale(const Step& step, double sharpness) const {
  constexpr int most_iterations = 4;
  Sets sets;
  const double most = evaluate_unscaled(step, point_, sets);
  // One inequality alone would leave that room.
  double scale = sharpness / (sharpness + 1) / most;
  for (int k = 0; k < most_iterations; ++k) {
    double sum = 0;
    double slope = 0;  // times c
    for (const std::uint32_t set : step.sets) {
      const double inverse = 1 / (1 - scale * sets.quotient[set]);
      sum += scale * sets.quotient[set] * inverse;
      slope += scale * sets.quotient[set] * inverse * inverse;
    }
    scale *= 1 - (sum - sharpness) / slope;
  }
  return std::log(scale);
}

void PotentialFit::run(double gap, const StopSignal& stop) {
  while (true) {
    centre(stop);
    if (!(this->gap() >= gap)) return;  // nor where it is no number
    sharpness_ *= sharpen;
  }
}

bool PotentialFit::centre(const StopSignal& stop, double enough) {
  value_ = barrier(point_);
  for (int step = 0; step < most_steps; ++step) {
    stop.check();
    switch (newton(enough)) {
      case Move::made:
        break;
      case Move::near:
      case Move::none:
        return true;
      case Move::hopeless:
        return false;
    }
  }
  return true;
}

double PotentialFit::log_bound() const {
  double sum = 0;
  for (const std::uint32_t variable : first_variable_) sum += point_[variable];
  Sets sets;
  for (const Step& step : steps_) {
    if (!step.sets.empty()) sum += std::log(evaluate_unscaled(step, point_, sets));
  }
  return sum;
}

FittedPotentials PotentialFit::result() const {
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

double PotentialFit::objective(const std::vector<double>& point) const {
  double sum = 0;
  for (const std::uint32_t variable : first_variable_) sum += point[variable];
  for (const Step& step : steps_) sum -= point[step.scale];
  return sum;
}

void PotentialFit::evaluate(const Step& step, const std::vector<double>& point, double log_scale,
                            Sets& sets) {
  sets.quotient[0] = std::exp(log_scale);
  sets.share[0] = 0;
  for (std::size_t b = 0; b < step.rows.size(); ++b) {
    const StepRow& row = step.rows[b];
    const std::size_t bit = std::size_t{1} << b;
    if (row.last) {
      const double ratio = std::exp(row.log_weight - point[row.before]);
      for (std::size_t set = 0; set < bit; ++set) {
        sets.quotient[bit + set] = sets.quotient[set] * ratio;
        sets.share[bit + set] = 1;
      }
    } else {
      const double ratio = std::exp(point[row.after] - point[row.before]);
      const double share = std::exp(row.log_weight - point[row.after]);
      for (std::size_t set = 0; set < bit; ++set) {
        sets.quotient[bit + set] = sets.quotient[set] * ratio;
        sets.share[bit + set] = sets.share[set] + share;
      }
    }
  }
  for (std::size_t set = 0; set < std::size_t{1} << step.rows.size(); ++set)
    sets.quotient[set] *= sets.share[set];
}

/// Before the column is scaled; returns the largest quotient.
double PotentialFit::evaluate_unscaled(const Step& step, const std::vector<double>& point, Sets& sets) {
  evaluate(step, point, 0, sets);
  double most = std::numeric_limits<double>::min();
  for (const std::uint32_t set : step.sets) most = std::max(most, sets.quotient[set]);
  return most;
}

/// Infinite where there is no room.
double PotentialFit::barrier(const std::vector<double>& point) const {
  LogProduct room;
  for (const double variable : point) {
    if (!(std::abs(variable) < most_log)) return no_bound;
    const double part = variable / most_log;
    room.multiply((1 - part) * (1 + part));
  }
  Sets sets;
  for (const Step& step : steps_) {
    evaluate(step, point, point[step.scale], sets);
    for (const std::uint32_t set : step.sets) {
      if (!(sets.quotient[set] < 1)) return no_bound;
      room.multiply(1 - sets.quotient[set]);
    }
  }
  return sharpness_ * objective(point) + room.minus_log();
}

/// How far ln (U / product of c) is from its least at most, at the barrier's least: the multipliers q / (1 -
/// q) / sharpness are a point of the dual programme. Less what the box of all variables adds, which is wide.
double PotentialFit::gap() const {
  double sum = 0;
  Sets sets;
  for (const Step& step : steps_) {
    evaluate(step, point_, point_[step.scale], sets);
    for (const std::uint32_t set : step.sets) {
      const double q = sets.quotient[set];
      if (q > 0) sum -= std::log(q) * q / (1 - q);
    }
  }
  return sum / sharpness_;
}

/// Gradient and Hessian of barrier() at the point.
void PotentialFit::differentiate() {
  gradient_.assign(variables_, 0.0);
  for (const std::uint32_t variable : first_variable_) gradient_[variable] += sharpness_;
  double* element = element_.data();
  for (const Step& step : steps_) {
    gradient_[step.scale] -= sharpness_;
    element = add_derivatives(step, element);
  }
}

/// Writes the step's part of the Hessian, with what the box and a little of the identity add for its own
/// variables; returns its end. With w = q / (1 - q), a set's part of the gradient is w times that of ln q,
/// and of the Hessian (w + w^2) times its square plus w times the Hessian of ln q. ln q has the slopes 1 in
/// ln c, -1 in ln f(k) and 1 - y / share in ln f(k+1), y = a / f(k+1), where share is the sum of y; its
/// Hessian is that of ln share.
double* PotentialFit::add_derivatives(const Step& step, double* element) {
  Sets sets;
  Sums sums;
  evaluate(step, point_, point_[step.scale], sets);
  const std::size_t size = step.rows.size();
  const std::size_t count = std::size_t{1} << size;
  const std::array all{&sums.first, &sums.first_by_share, &sums.second, &sums.second_by_share,
                       &sums.square_by_square};
  for (BySet* const sum : all) std::fill_n(sum->begin(), count, 0.0);
  const std::uint32_t going_on = (1U << step.going_on) - 1;
  for (const std::uint32_t set : step.sets) {
    const double inverse = 1 / (1 - sets.quotient[set]);
    const double w = sets.quotient[set] * inverse;
    sums.first[set] = w;
    sums.second[set] = w * inverse;
    if ((set & ~going_on) != 0) continue;
    const double by_share = 1 / sets.share[set];
    sums.first_by_share[set] = w * by_share;
    sums.second_by_share[set] = w * inverse * by_share;
    sums.square_by_square[set] = w * by_share * (w * by_share);
  }
  for (BySet* const sum : all) sum_over_supersets(sum->data(), size);

  std::array<double, longest_column> y{};
  for (std::size_t b = 0; b < step.going_on; ++b)
    y[b] = std::exp(step.rows[b].log_weight - point_[step.rows[b].after]);
  gradient_[step.scale] += sums.first[0];
  for (std::size_t b = 0; b < size; ++b) {
    const StepRow& row = step.rows[b];
    const std::size_t one = std::size_t{1} << b;
    gradient_[row.before] -= sums.first[one];
    if (!row.last) gradient_[row.after] += sums.first[one] - y[b] * sums.first_by_share[one];
  }

  // Places in the element: f(k) of all rows, the scale, f(k+1) of those that go on.
  const std::size_t places = size + 1 + step.going_on;
  const auto at = [&](std::size_t a, std::size_t b) -> double& {
    return element[std::min(a, b) * places + std::max(a, b)];
  };
  const std::size_t after = size + 1;
  at(size, size) = sums.second[0];
  for (std::size_t a = 0; a < size; ++a) {
    const std::size_t one = std::size_t{1} << a;
    at(a, size) = -sums.second[one];
    if (a < step.going_on) at(size, after + a) = sums.second[one] - y[a] * sums.second_by_share[one];
    for (std::size_t b = 0; b < size; ++b) {
      const std::size_t two = one | std::size_t{1} << b;
      if (b <= a) at(a, b) = sums.second[two];
      if (b >= step.going_on) continue;
      at(a, after + b) = y[b] * sums.second_by_share[two] - sums.second[two];
      if (a > b || a >= step.going_on) continue;
      at(after + a, after + b) = sums.second[two] - (y[a] + y[b]) * sums.second_by_share[two] +
                                 y[a] * y[b] * sums.square_by_square[two];
    }
    if (a < step.going_on) at(after + a, after + a) += y[a] * sums.first_by_share[one];
  }
  // Scaling all potentials and columns moves nothing: a little of the identity.
  const double little = 1e-6 * std::max(1.0, sharpness_);
  for (std::size_t a = 0; a <= size; ++a) {
    const std::uint32_t variable = a < size ? step.rows[a].before : step.scale;
    const double below = 1 / (most_log - point_[variable]);
    const double above = 1 / (most_log + point_[variable]);
    gradient_[variable] += below - above;
    at(a, a) += little + below * below + above * above;
  }
  return element + places * places;
}

/// A damped Newton step, unless the point is near the barrier's least, or no step leads down, or it can be
/// seen that the least is above `enough`.
PotentialFit::Move PotentialFit::newton(double enough) {
  constexpr int most_halvings = 30;
  differentiate();
  move_ = gradient_;
  if (!hessian_.factor(element_)) return Move::none;
  hessian_.solve(move_);
  double promise = 0;
  for (std::uint32_t v = 0; v < variables_; ++v) promise += move_[v] * gradient_[v];
  if (!(promise > near)) return Move::near;
  if (value_ - promise / 2 > enough) return Move::hopeless;
  next_.resize(variables_);
  double length = 1;
  for (int halving = 0; halving < most_halvings; ++halving, length /= 2) {
    for (std::uint32_t v = 0; v < variables_; ++v) next_[v] = point_[v] - length * move_[v];
    const double value = barrier(next_);
    if (value <= value_ - 0.1 * length * promise) {
      point_.swap(next_);
      value_ = value;
      return Move::made;
    }
  }
  return Move::none;
}

}  // namespace countpm
