#include "kernels/estimate/determinants/samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/errors.hpp"
#include "kernels/estimate/walks/random_unit.hpp"
#include "kernels/gpu/dense_elimination.hpp"

namespace countpm {
namespace {

constexpr int balancing_sweeps = 200;
// Factors stay within 2^-400 .. 2^400: weights are at least 2^-300, and nothing overflows.
constexpr double most_factor_bits = 400;
// Rows and columns of the balanced matrix add up to 1 within this factor.
constexpr double most_imbalance = 16;

double inverse_of(double sum) {
  const double most = std::exp2(most_factor_bits);
  return std::clamp(1 / sum, 1 / most, most);
}

// Random units: so many bits each, from 64 at a time.
template <unsigned D>
class Units {
 public:
  explicit Units(CounterRandom& random) : random_(random) {}

  RandomUnit<D> next() {
    if (used_ == RandomUnit<D>::a_word) {
      word_ = random_.next();
      used_ = 0;
    }
    return RandomUnit<D>::of(word_, RandomUnit<D>::bits * used_++);
  }

 private:
  CounterRandom& random_;
  std::uint64_t word_ = 0;
  unsigned used_ = RandomUnit<D>::a_word;
};

}  // namespace

DeterminantSamples::DeterminantSamples(const SampleMatrix& matrix, UnitKind kind)
    : kind_(kind), rows_(matrix.rows) {
  if (rows_.rows > most_rows) {
    throw UnableError(fmt::format("a block of {} rows is beyond the {} of estimates by determinants",
                                  rows_.rows, std::uint32_t{most_rows}),
                      "the other samplers take blocks of any size");
  }
  balance(matrix);
}

void DeterminantSamples::balance(const SampleMatrix& matrix) {
  const std::uint32_t n = rows_.rows;
  std::vector<double> row(n, 1.0);
  std::vector<double> column(n, 1.0);
  std::vector<double> sum(n);
  const auto weight = [&](std::uint64_t k) { return matrix.weight.empty() ? 1.0 : matrix.weight[k]; };
  const auto each = [&](const auto& visit) {
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint64_t k = rows_.row_start[i]; k < rows_.row_start[i + std::uint64_t{1}]; ++k)
        visit(i, rows_.column[k], k);
  };
  const auto add_columns = [&](std::uint32_t i, std::uint32_t j, std::uint64_t k) {
    sum[j] += row[i] * weight(k);
  };
  const auto add_rows = [&](std::uint32_t i, std::uint32_t j, std::uint64_t k) {
    sum[i] += weight(k) * column[j];
  };
  for (int sweep = 0; sweep < balancing_sweeps; ++sweep) {
    std::fill(sum.begin(), sum.end(), 0.0);
    each(add_columns);
    std::transform(sum.begin(), sum.end(), column.begin(), inverse_of);
    std::fill(sum.begin(), sum.end(), 0.0);
    each(add_rows);
    std::transform(sum.begin(), sum.end(), row.begin(), inverse_of);
  }
  const auto power = [](double factor) { return std::ilogb(factor * std::sqrt(2.0)); };
  root_.resize(rows_.entries());
  std::fill(sum.begin(), sum.end(), 0.0);
  each([&](std::uint32_t i, std::uint32_t j, std::uint64_t k) {
    const double scaled = std::ldexp(weight(k), power(row[i]) + power(column[j]));
    sum[j] += scaled;
    root_[k] = std::sqrt(scaled);
  });
  for (std::uint32_t i = 0; i < n; ++i) exponent_ -= power(row[i]) + power(column[i]);
  const bool balanced = std::all_of(sum.begin(), sum.end(), [](double s) {
    return s == 0 || (s < most_imbalance && s > 1 / most_imbalance);
  });
  if (!balanced) {
    throw UnableError("the weights are too far apart for estimates by determinants in doubles",
                      "the other samplers take them");
  }
}

double DeterminantSamples::least_square() const {
  const double least = 0x1p-48 * rows_.rows;
  return least * least;
}

DeterminantSamples::Workspace DeterminantSamples::workspace() const {
  Workspace result;
  result.values.resize(std::size_t{rows_.rows} * rows_.rows * static_cast<std::size_t>(kind_));
  result.order.resize(rows_.rows);
  return result;
}

template <unsigned D>
Scaled DeterminantSamples::sample(CounterRandom& random, Workspace& workspace, const StopSignal& stop) const {
  const DenseMatrix<D> matrix{workspace.values.data(), workspace.order.data(), rows_.rows};
  std::fill(workspace.values.begin(), workspace.values.end(), 0.0);
  std::iota(workspace.order.begin(), workspace.order.end(), std::uint32_t{0});
  Units<D> units(random);
  for (std::uint32_t i = 0; i < rows_.rows; ++i) {
    for (std::uint64_t k = rows_.row_start[i]; k < rows_.row_start[i + std::uint64_t{1}]; ++k) {
      const RandomUnit<D> unit = units.next();
      matrix.row(i, unit.component)[rows_.column[k]] = unit.negative ? -root_[k] : root_[k];
    }
  }
  Scaled result;
  for (std::uint32_t first = 0; first < rows_.rows; first += panel_columns) {
    const std::uint32_t end = std::min(first + panel_columns, rows_.rows);
    const bool long_enough = rows_.rows > panel_columns;  // else whoever draws looks between samples
    const auto look = [&] {
      if (long_enough) stop.check();
    };
    if (!eliminate_panel(matrix, first, end, least_square(), result, look)) return {0, 0};
  }
  result.exponent += exponent_;
  return result;
}

Scaled DeterminantSamples::sample(CounterRandom& random, Workspace& workspace, const StopSignal& stop) const {
  switch (kind_) {
    case UnitKind::real:
      return sample<1>(random, workspace, stop);
    case UnitKind::complex:
      return sample<2>(random, workspace, stop);
    case UnitKind::quaternion:
      break;
  }
  return sample<4>(random, workspace, stop);
}

}  // namespace countpm
