#include "kernels/estimate/guarantee/huber_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "graph/errors.hpp"

namespace countpm {
namespace {

constexpr double e = std::numbers::e;
// Potentials are raised by so much at every step: far above the error of exp and of a few roundings (a few
// 2^-53), so that the step holds for the doubles as they stand; and far below anything that a bound loses.
constexpr double raised = 1 + 0x1p-44;
// c stays within e^-62 .. e^62, about 2^-90 .. 2^90: no product here leaves the range of doubles.
constexpr double most_log_scale = 62;
constexpr int orders = 5;        // sortings by scale; the last ones hardly change the bound
constexpr double enough = 1e-4;  // a sweep that lowers ln U by less ends the descent
constexpr double sweep_work = 2e7;
constexpr double fewest_sweeps = 10;
constexpr double most_scaling_sweeps = 200;

/// T of the head of estimate/guarantee/huber_bound.hpp.
double raise(double f, double x) {
  return x >= e * f ? x : f * std::exp(x / (e * f));
}

/// The best scaling of the columns for an order, and the best order for a scaling, in turns.
class ScaleSearch {
 public:
  ScaleSearch(const SparsePattern& rows, const std::vector<double>& weight)
      : size_(rows.rows),
        rows_(rows),
        weight_(weight),
        order_(size_),
        log_scale_(size_, 0.0),
        share_(size_, 0.0) {
    std::iota(order_.begin(), order_.end(), 0U);
    start();
    const double sweeps = sweep_work / static_cast<double>(rows.entries() + 1);
    sweeps_ = static_cast<int>(std::clamp(sweeps, fewest_sweeps, most_scaling_sweeps));
  }

  /// ln (U / product of c) of what was found.
  double run() {
    double best = descend();
    for (int k = 1; k < orders; ++k) {
      const std::vector<std::uint32_t> order = order_;
      const std::vector<double> log_scale = log_scale_;
      sort_by_scale();
      const double value = descend();
      if (value >= best) {
        order_ = order;
        log_scale_ = log_scale;
        break;
      }
      best = value;
    }
    return best;
  }
  const std::vector<std::uint32_t>& order() const { return order_; }
  const std::vector<double>& log_scale() const { return log_scale_; }

 private:
  // Columns of few and small shares first, and with larger scales: one Sinkhorn sweep.
  void start() {
    std::vector<double> sum(size_, 0.0);
    for (std::uint32_t i = 0; i < size_; ++i) {
      double total = 0;
      for_row(i, [&](std::uint32_t, double w) { total += w; });
      for_row(i, [&](std::uint32_t j, double w) { sum[j] += w / total; });
    }
    for (std::uint32_t j = 0; j < size_; ++j) log_scale_[j] = limited(-std::log(sum[j]));
    sort_by_scale();
  }

  template <class Each>
  void for_row(std::uint32_t i, const Each& each) const {
    for (std::uint64_t k = rows_.row_start[i]; k < rows_.row_start[i + std::uint64_t{1}]; ++k)
      each(rows_.column[k], weight_.empty() ? 1.0 : weight_[k]);
  }
  static double limited(double log_scale) { return std::clamp(log_scale, -most_log_scale, most_log_scale); }

  void sort_by_scale() {
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return log_scale_[a] > log_scale_[b]; });
    prepare();
  }

  // Every row's entries, the last column to go first.
  void prepare() {
    std::vector<std::uint32_t> place(size_);
    for (std::uint32_t k = 0; k < size_; ++k) place[order_[k]] = k;
    sorted_.resize(rows_.entries());
    for (std::uint32_t i = 0; i < size_; ++i) {
      const auto begin = static_cast<std::ptrdiff_t>(rows_.row_start[i]);
      auto out = sorted_.begin() + begin;
      for_row(i, [&](std::uint32_t j, double w) { *out++ = {j, w}; });
      std::sort(sorted_.begin() + begin, out,
                [&](const Entry& a, const Entry& b) { return place[a.column] > place[b.column]; });
    }
  }

  // ln (U / product of c); share_[j] becomes sum over i of d ln f_i(0) / d ln c_j. Every row's are 1 in all.
  double evaluate(const std::vector<double>& log_scale) {
    std::vector<double> scale(size_);
    for (std::uint32_t j = 0; j < size_; ++j) scale[j] = std::exp(log_scale[j]);
    share_.assign(size_, 0.0);
    double sum = 0;
    std::vector<double> part;
    for (std::uint32_t i = 0; i < size_; ++i) {
      const std::uint64_t begin = rows_.row_start[i];
      const std::uint64_t end = rows_.row_start[i + std::uint64_t{1}];
      part.clear();
      double f = 0;
      for (std::uint64_t k = begin; k < end; ++k) {
        const double x = sorted_[k].weight * scale[sorted_[k].column];
        part.push_back(x >= e * f ? 1.0 : x / (e * f));
        f = raise(f, x);
      }
      // cppcheck-suppress invalidFunctionArg ; every row has an entry, and its weight is positive
      sum += std::log(f);
      double left = 1;
      for (std::uint64_t k = end; k-- > begin && left > 0;) {
        share_[sorted_[k].column] += left * part[k - begin];
        left *= 1 - part[k - begin];
      }
    }
    for (std::uint32_t j = 0; j < size_; ++j) sum -= log_scale[j];
    return sum;
  }

  // At the best scaling all shares are 1. Steps along their logarithms, halved where one leads up.
  double descend() {
    double best = evaluate(log_scale_);
    std::vector<double> best_share = share_;
    double step = 0.5;
    std::vector<double> next(size_);
    for (int sweep = 0; sweep < sweeps_; ++sweep) {
      for (std::uint32_t j = 0; j < size_; ++j)
        next[j] = limited(log_scale_[j] - step * std::log(std::max(best_share[j], 1e-6)));
      const double value = evaluate(next);
      if (value >= best) {
        step /= 2;
        if (step < 1e-3) break;
        continue;
      }
      const bool done = best - value < enough;
      best = value;
      log_scale_ = next;
      best_share = share_;
      step = std::min(1.0, step * 1.2);
      if (done) break;
    }
    return best;
  }

  struct Entry {
    std::uint32_t column;
    double weight;
  };

  std::uint32_t size_;
  const SparsePattern& rows_;
  const std::vector<double>& weight_;
  std::vector<std::uint32_t> order_;
  std::vector<double> log_scale_;
  std::vector<double> share_;
  std::vector<Entry> sorted_;
  int sweeps_ = 0;
};

/// Weights beside the transposed pattern.
std::vector<double> transposed_weights(const SampleMatrix& matrix) {
  if (matrix.weight.empty()) return {};
  std::vector<double> result(matrix.weight.size());
  std::vector<std::uint64_t> next(matrix.columns.row_start.begin(), matrix.columns.row_start.end());
  for (std::size_t k = 0; k < result.size(); ++k) result[next[matrix.rows.column[k]]++] = matrix.weight[k];
  return result;
}

}  // namespace

HuberBound::HuberBound(const SampleMatrix& matrix) : size_(matrix.rows.rows) {
  if (size_ > most_rows) {
    throw UnableError(
        fmt::format("a block of {} rows: estimates with a guarantee take at most {}", size_, most_rows),
        "without --guarantee it is sampled with a statistical interval");
  }
  const std::vector<double> other_weight = transposed_weights(matrix);
  ScaleSearch search(matrix.rows, matrix.weight);
  ScaleSearch other(matrix.columns, other_weight);
  transposed_ = other.run() < search.run();
  order_ = transposed_ ? other.order() : search.order();
  if (transposed_) {
    fill(matrix.columns, other_weight, other.log_scale());
  } else {
    fill(matrix.rows, matrix.weight, search.log_scale());
  }
}

void HuberBound::fill(const SparsePattern& rows, const std::vector<double>& weight,
                      const std::vector<double>& log_scale) {
  std::vector<std::uint32_t> place(size_);
  std::vector<double> scale(size_);
  for (std::uint32_t k = 0; k < size_; ++k) {
    place[order_[k]] = k;
    scale[order_[k]] = std::exp(log_scale[order_[k]]);
    scale_.multiply(scale[order_[k]]);
  }
  entry_.assign(std::size_t{size_} * size_, 0.0);
  potential_.assign(std::size_t{size_ + 1} * size_, 0.0);
  for (std::uint32_t i = 0; i < size_; ++i) {
    for (std::uint64_t k = rows.row_start[i]; k < rows.row_start[i + std::uint64_t{1}]; ++k) {
      const std::uint32_t j = rows.column[k];
      entry_[at(place[j], i)] = (weight.empty() ? 1.0 : weight[k]) * scale[j];
    }
    for (std::uint32_t step = size_; step-- > 0;) {
      const double x = entry_[at(step, i)];
      const double f = potential_[at(step + 1, i)];
      potential_[at(step, i)] = x == 0 ? f : raise(f, x) * raised;
    }
  }
}

std::optional<HuberBound> HuberBound::fitted(const SampleMatrix& matrix, std::uint64_t attempts,
                                             const StopSignal& stop, int threads) {
  const std::vector<double> other_weight = transposed_weights(matrix);
  std::optional<FittedPotentials> best;
  bool transposed = false;
  if (can_fit_potentials(matrix.rows, matrix.columns))
    best = fit_potentials(matrix.rows, matrix.columns, matrix.weight, stop, threads);
  if (can_fit_potentials(matrix.columns, matrix.rows)) {
    std::optional<FittedPotentials> other =
        fit_potentials(matrix.columns, matrix.rows, other_weight, stop, threads);
    transposed = other && (!best || other->log_bound < best->log_bound);
    if (transposed) best = std::move(other);
  }
  if (!best) return std::nullopt;
  HuberBound bound(matrix, transposed, std::move(*best));
  return attempts > 0 ? bound.improved(matrix, attempts, stop, threads) : bound;
}

HuberBound HuberBound::improved(const SampleMatrix& matrix, std::uint64_t attempts, const StopSignal& stop,
                                int threads) const {
  return {matrix, transposed_,
          improve_potentials(transposed_ ? matrix.columns : matrix.rows,
                             transposed_ ? transposed_weights(matrix) : matrix.weight, *fitted_, attempts,
                             stop, threads)};
}

HuberBound::HuberBound(const SampleMatrix& matrix, bool transposed, FittedPotentials fitted)
    : size_(matrix.rows.rows),
      transposed_(transposed),
      order_(fitted.order.begin(), fitted.order.end()),
      fitted_(std::move(fitted)) {
  if (transposed) {
    fill(matrix.columns, transposed_weights(matrix), *fitted_);
  } else {
    fill(matrix.rows, matrix.weight, *fitted_);
  }
}

void HuberBound::fill(const SparsePattern& rows, const std::vector<double>& weight,
                      const FittedPotentials& fitted) {
  std::vector<std::uint32_t> place(size_);
  for (std::uint32_t k = 0; k < size_; ++k) place[order_[k]] = k;
  entry_.assign(std::size_t{size_} * size_, 0.0);
  potential_.assign(std::size_t{size_ + 1} * size_, 0.0);
  for (std::uint32_t i = 0; i < size_; ++i) {
    std::vector<std::uint32_t> steps;
    for (std::uint64_t k = rows.row_start[i]; k < rows.row_start[i + std::uint64_t{1}]; ++k) {
      steps.push_back(place[rows.column[k]]);
      entry_[at(steps.back(), i)] = weight.empty() ? 1.0 : weight[k];
    }
    std::sort(steps.begin(), steps.end());
    std::uint32_t step = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (; step <= steps[s]; ++step) potential_[at(step, i)] = std::exp(fitted.log_potential[i][s]);
    }
  }
  for (std::uint32_t step = 0; step < size_; ++step) {
    // The largest scale for which the step holds, for the doubles as they stand: with room for the roundings
    // of some 20 numbers here and one of every entry.
    const double excess = most_excess(step);
    const double scale = excess > 0 ? 1 / (excess * (1 + 0x1p-40)) : 1;  // else no trial comes here
    scale_.multiply(scale);
    for (std::uint32_t i = 0; i < size_; ++i) entry_[at(step, i)] *= scale;
  }
}

double HuberBound::most_excess(std::uint32_t step) const {
  std::vector<std::uint32_t> present;
  for (std::uint32_t i = 0; i < size_; ++i) {
    if (entry_[at(step, i)] != 0) present.push_back(i);
  }
  double most = 0;
  for (std::uint32_t set = 1; set < 1U << present.size(); ++set) {
    double ratio = 1;
    double sum = 0;
    unsigned last = 0;
    std::uint32_t kept = 0;
    for (std::size_t b = 0; b < present.size(); ++b) {
      const std::uint32_t i = present[b];
      const double before = potential_[at(step, i)];
      const double after = potential_[at(step + 1, i)];
      const bool in = (set >> b & 1) != 0;
      // Whoever has no earlier entry is still there.
      if (!in && begins_at(step, i)) ++kept;
      if (!in) continue;
      if (after == 0) ++last;
      ratio *= after == 0 ? entry_[at(step, i)] / before : after / before;
      sum += after == 0 ? 0 : entry_[at(step, i)] / after;
    }
    if (kept > 0 || last > 1) continue;
    const auto count = static_cast<std::uint32_t>(std::popcount(set));
    if (count > size_ - step || count + step < present.size()) continue;
    most = std::max(most, last == 1 ? ratio : ratio * sum);
  }
  return most;
}

bool HuberBound::begins_at(std::uint32_t step, std::uint32_t row) const {
  for (std::uint32_t k = 0; k < step; ++k) {
    if (entry_[at(k, row)] != 0) return false;
  }
  return true;
}

Scaled HuberBound::product() const {
  Scaled result;
  for (std::uint32_t i = 0; i < size_; ++i) result.multiply(potential_[at(0, i)]);
  return result;
}

double HuberBound::log2_upper() const {
  const double value = product().log2() - scale_.log2();
  // Roundings: 2 size multiplications, entries of 2^-53 each in their rows, and the logarithms.
  return value + (4.0 * size_ + std::abs(value) + 64) * 0x1p-52;
}

}  // namespace countpm
