#pragma once
// Log-linear fits of expected counts: y_k is about mu_k = offset_k exp(b + sum of the coefficients of the
// features that k has), found as Poisson regression finds it: least squares of logarithms first, then steps
// of Newton's method, with the curvatures of the former. A coefficient far from 0 is penalised a little, so
// that features that few samples have stay near 0.
//
// Only additions, multiplications, divisions and square roots, in a fixed order: the same digits everywhere,
// whatever the number of threads.
// P. McCullagh, J. A. Nelder, Generalized Linear Models (1989).
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/estimate/population/fit_loops.hpp"
#include "kernels/support/step_team.hpp"

namespace countpm {

/// e^x and ln x without the library's, which differ between machines in their last digits. To 1e-15 or so.
/// Precondition: |x| <= 700.
double plain_exp(double x);
/// Precondition: 0 < x < infinity.
double plain_log(double x);

/// The widest that the processor has.
const fit_loops::Code& widest_fit_loops();

/// So many samples are a part of a step of the team.
inline constexpr std::size_t samples_a_part = 2 * fit_loops::lanes;
inline std::uint32_t parts_of_samples(std::size_t samples) {
  return static_cast<std::uint32_t>((samples + samples_a_part - 1) / samples_a_part);
}

struct CountFitSamples {
  std::vector<double> weight;         // of every sample; all add up to about their number
  std::vector<double> offset;         // above 0
  std::vector<double> y;              // at least 0
  std::vector<std::uint64_t> traits;  // a sample has a feature if it has all traits of it

  void resize(std::size_t samples) {
    weight.resize(samples);
    offset.resize(samples);
    y.resize(samples);
    traits.resize(samples);
  }
};

/// Fits one after the other, with the same scratch.
class CountFit {
 public:
  CountFit();
  ~CountFit();
  CountFit(const CountFit&) = delete;
  CountFit& operator=(const CountFit&) = delete;

  /// The coefficients of the features, each between -6 and 6; empty where nothing can be fitted.
  /// O(samples * features^2) time at most.
  std::vector<double> run(const std::vector<std::uint64_t>& features, const CountFitSamples& samples,
                          StepTeam& team);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace countpm
