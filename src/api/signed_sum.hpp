#pragma once
// What a sum over matchings with signs or phases is by samples, and how much of it cancels.
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

/// Z = e^ln_absolute * mean_sign; the errors are of samples, all likewise in units of e^ln_absolute.
struct SignedSum : InputSummary {
  bool complex = false;
  std::string exact;          // where it was counted, as a count is spelt: then no figure below is of samples
  double ln_absolute = 0;     // ln of the sum with the absolute values of all weights
  double absolute_error = 0;  // of that logarithm
  std::complex<double> mean_sign = 0;
  double sign_error = 0;  // of the quotient of both sums
  double error = 0;       // of Z
  double half_width = 0;  // of its interval
  double confidence = 0;
  std::string doubt;  // why the errors cannot be trusted; empty: they can
  std::string sampler;
  std::uint64_t samples = 0;     // of the piece that has the fewest
  double effective_samples = 0;  // of the absolute weights, of the piece that has the fewest
  double pareto_k = 0;           // likewise the largest; NaN: no tail
  std::string second;            // a sampler, or samplers, whose samples checked these; empty: none did
  std::uint64_t second_samples = 0;
  std::uint64_t seed = 0;
  std::string goal_missed;  // why the error that was asked for was not reached
  int threads = 1;
  double seconds = 0;
  std::vector<std::string> notes;

  /// Whether the sum is told from 0.
  bool differs_from_zero() const { return std::abs(mean_sign) > half_width; }
};

}  // namespace countpm
