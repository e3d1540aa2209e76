#pragma once
// Compensated summation.
// A. Neumaier, Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, ZAMM 54 (1974).
#include <cmath>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// A sum of doubles and the sum of the rounding errors made on the way. |value() - true| <= u |true| + (N
/// u)^2 / (1 - N u)^2 sum |terms|, u = 2^-53, N terms (T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot
/// product, SIAM J. Sci. Comput. 26 (2005), Prop. 4.5). Needs strict IEEE arithmetic: never compile with
/// -ffast-math.
struct NeumaierSum {
  double sum = 0;
  double correction = 0;

  COUNTPM_HD void add(double term) {
    // two-sum (Knuth): sum + term = next + error exactly, whichever is larger; branch-free.
    const double next = sum + term;
    const double part = next - sum;
    correction += (sum - (next - part)) + (term - part);
    sum = next;
  }
  COUNTPM_HD double value() const { return sum + correction; }
};

}  // namespace countpm
