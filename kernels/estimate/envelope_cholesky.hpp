#pragma once
// Symmetric positive definite matrices whose rows begin late: nothing is kept before a row's first entry.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace countpm {

/// Entries (i, j), first[i] <= j <= i; the factor L of L L^T has the same envelope.
class EnvelopeMatrix {
 public:
  /// Precondition: first[i] <= i.
  explicit EnvelopeMatrix(std::vector<std::uint32_t> first) : first_(std::move(first)) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      start_.push_back(size - first_[i]);  // so that (i, j) is at start_[i] + j
      size += i - first_[i] + 1;
    }
    value_.assign(size, 0.0);
  }

  void clear() { value_.assign(value_.size(), 0.0); }
  /// Precondition: first[i] <= j <= i.
  double& at(std::size_t i, std::size_t j) { return value_[start_[i] + j]; }

  /// Turns the matrix into L. False where it is not positive definite. O(sum of squared widths).
  bool factor() {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      double* const row = value_.data() + start_[i];
      for (std::size_t j = first_[i]; j <= i; ++j) {
        const double* const other = value_.data() + start_[j];
        double sum = row[j];
        for (std::size_t k = first_[i] > first_[j] ? first_[i] : first_[j]; k < j; ++k)
          sum -= row[k] * other[k];
        if (j < i) {
          row[j] = sum / other[j];
        } else if (sum > 0) {
          row[i] = std::sqrt(sum);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  /// Of L L^T x = b, in place. Precondition: factor() was true.
  void solve(std::vector<double>& b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double* const row = value_.data() + start_[i];
      for (std::size_t k = first_[i]; k < i; ++k) b[i] -= row[k] * b[k];
      b[i] /= row[i];
    }
    for (std::size_t i = b.size(); i-- > 0;) {
      const double* const row = value_.data() + start_[i];
      b[i] /= row[i];
      for (std::size_t k = first_[i]; k < i; ++k) b[k] -= row[k] * b[i];
    }
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::size_t> start_;
  std::vector<double> value_;
};

}  // namespace countpm
