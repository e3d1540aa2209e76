#include "kernels/estimate/population/count_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace countpm {
namespace {

// Larger quotients of y and its mean, and of mu, count as this: a few samples must not decide everything.
constexpr double most_quotient = 8;
constexpr double most_logarithmic_weight = 4;
constexpr double penalty = 1;
constexpr double most_coefficient = 6;

/// A = L L^T, A symmetric and positive definite, of which the lower half is given; L takes its place. False
/// where it is not.
bool factorise_positive(std::vector<double>& a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double* row = a.data() + i * n;
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = a.data() + j * n;
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum / other[j];
      } else if (sum > 0 && std::isfinite(sum)) {
        row[i] = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

/// Solves L L^T x = b.
void solve_factorised(const std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    b[i] /= a[i * n + i];
    for (std::size_t k = 0; k < i; ++k) b[k] -= a[i * n + k] * b[i];
  }
}

class CountFit {
 public:
  CountFit(const std::vector<std::uint64_t>& features, const CountFitSamples& samples)
      : samples_(samples), unknowns_(features.size() + 1), x_(unknowns_, 0.0) {
    first_.push_back(0);
    for (const std::uint64_t traits : samples.traits) {
      has_.push_back(0);
      for (std::size_t f = 0; f < features.size(); ++f) {
        if ((features[f] & traits) == features[f]) has_.push_back(static_cast<std::uint32_t>(f + 1));
      }
      first_.push_back(has_.size());
    }
  }

  bool run() {
    double weights = 0;
    double counts = 0;
    double offsets = 0;
    for (std::size_t k = 0; k < samples_.y.size(); ++k) {
      weights += samples_.weight[k];
      counts += samples_.weight[k] * samples_.y[k];
      offsets += samples_.weight[k] * samples_.offset[k];
    }
    if (!(counts > 0) || !(offsets > 0) || !std::isfinite(counts) || !std::isfinite(offsets)) return false;
    scale_y_ = weights / counts;
    scale_offset_ = weights / offsets;
    if (!least_squares()) return false;
    // The second step of Newton's method uses the first one's curvatures, which cost most of the time.
    return newton_step(true) && newton_step(false);
  }
  std::vector<double> coefficients() const {
    std::vector<double> result;
    for (std::size_t f = 1; f < unknowns_; ++f)
      result.push_back(std::clamp(x_[f], -most_coefficient, most_coefficient));
    return result;
  }

 private:
  double value_at(std::size_t k) const {
    double sum = 0;
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) sum += x_[has_[at]];
    return sum;
  }
  // Of a sample: the second derivative and the first.
  void add_curvature(std::size_t k, double curvature) {
    const std::uint32_t* has = has_.data();
    const std::size_t last = first_[k + 1];
    for (std::size_t at = first_[k]; at < last; ++at) {
      double* row = matrix_.data() + has[at] * unknowns_;
      for (std::size_t other = first_[k]; other <= at; ++other) row[has[other]] += curvature;
    }
  }
  void add_slope(std::size_t k, double slope) {
    for (std::size_t at = first_[k]; at < first_[k + 1]; ++at) right_[has_[at]] += slope;
  }
  void begin(bool new_matrix) {
    right_.assign(unknowns_, 0.0);
    for (std::size_t f = 1; f < unknowns_; ++f) right_[f] = -penalty * x_[f];
    if (!new_matrix) return;
    matrix_.assign(unknowns_ * unknowns_, 0.0);
    matrix_[0] = 1e-9;
    for (std::size_t f = 1; f < unknowns_; ++f) matrix_[f * unknowns_ + f] = penalty;
  }
  bool move(bool new_matrix) {
    if (new_matrix && !factorise_positive(matrix_, unknowns_)) return false;
    solve_factorised(matrix_, right_);
    for (std::size_t f = 0; f < unknowns_; ++f) {
      x_[f] += right_[f];
      if (!(std::fabs(x_[f]) < 300)) return false;
    }
    return true;
  }
  // Of ln(y / offset), where y is not 0, each with the weight that its y has.
  bool least_squares() {
    begin(true);
    for (std::size_t k = 0; k < samples_.y.size(); ++k) {
      const double y = samples_.y[k] * scale_y_;
      if (!(y > 0)) continue;
      const double weight = samples_.weight[k] * std::min(y, most_logarithmic_weight);
      add_curvature(k, weight);
      add_slope(k, weight * plain_log(y / (samples_.offset[k] * scale_offset_)));
    }
    return move(true);
  }
  bool newton_step(bool new_matrix) {
    begin(new_matrix);
    for (std::size_t k = 0; k < samples_.y.size(); ++k) {
      const double exponent = std::clamp(value_at(k), -200.0, 200.0);
      const double mu = std::min(most_quotient, samples_.offset[k] * scale_offset_ * plain_exp(exponent));
      const double y = std::min(most_quotient, samples_.y[k] * scale_y_);
      if (new_matrix) add_curvature(k, samples_.weight[k] * std::max(mu, y / 2));
      add_slope(k, samples_.weight[k] * (y - mu));
    }
    return move(new_matrix);
  }

  const CountFitSamples& samples_;
  std::size_t unknowns_;
  std::vector<double> x_;  // b, then the coefficients
  std::vector<std::uint32_t> has_;
  std::vector<std::size_t> first_;
  std::vector<double> matrix_;
  std::vector<double> right_;
  double scale_y_ = 1;
  double scale_offset_ = 1;
};

}  // namespace

double plain_exp(double x) {
  constexpr double log_2 = 0x1.62e42fefa39efp-1;
  const double shift = std::floor(x / log_2 + 0.5);
  const double rest = x - shift * log_2;
  double sum = 1;
  for (int k = 14; k > 0; --k) sum = 1 + sum * rest / k;
  return std::ldexp(sum, static_cast<int>(shift));
}

double plain_log(double x) {
  constexpr double log_2 = 0x1.62e42fefa39efp-1;
  int shift = 0;
  double mantissa = std::frexp(x, &shift);
  if (mantissa < 0x1.6a09e667f3bcdp-1) {
    mantissa *= 2;
    --shift;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  double sum = 0;
  for (int k = 19; k > 0; k -= 2) sum = sum * s * s + 1.0 / k;
  return 2 * s * sum + shift * log_2;
}

std::vector<double> fit_counts(const std::vector<std::uint64_t>& features, const CountFitSamples& samples) {
  CountFit fit(features, samples);
  return fit.run() ? fit.coefficients() : std::vector<double>();
}

}  // namespace countpm
