#pragma once
// Totals of lanes (lane_products.hpp) times their weights, added up in doubles, so that few of them become
// balls.
//
// A product of a double and a weight that is one is a pair, exactly, and so is a sum; only the low halves are
// added with roundings. Of N totals of k terms each, W the sum of all terms' magnitudes and u = 2^-53: the
// low halves add up to at most (N + 1 + k) u W, their 3 N additions err by 3 N u times that, and the products
// of low halves by k u^2 W: together less than 2 u^2 ((k + 4 N)^2 - k^2) W. Underflows are left to
// LaneSums::lost_. (T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26
// (2005), algorithm 5.3.)
#include <cmath>

#include "kernels/arithmetic/double_double.hpp"
#include "kernels/subsets/lanes/lane_products.hpp"

namespace countpm {

class GatheredTotals {
 public:
  static constexpr unsigned most = 1 << 10;  // additions to a lane

  /// Another total of the lane. Precondition: fewer than `most` before.
  void add(unsigned lane, const products::Totals& totals, double weight) {
    for (std::size_t part = 0; part < 2; ++part) {
      const DoubleDouble product = double_double::two_product(weight, totals.hi[part][lane]);
      const DoubleDouble sum = double_double::two_sum(sum_.hi[part][lane], product.high);
      sum_.hi[part][lane] = sum.high;
      sum_.lo[part][lane] += sum.low;
      sum_.lo[part][lane] += product.low;
      sum_.lo[part][lane] += weight * totals.lo[part][lane];
    }
    sum_.bound[lane] += std::abs(weight) * totals.bound[lane];
    weights_[lane] += std::abs(weight);
  }

  const products::Totals& sum() const { return sum_; }
  /// The sum of the weights' magnitudes.
  double weights(unsigned lane) const { return weights_[lane]; }

 private:
  products::Totals sum_{};
  double weights_[products::most_lanes] = {};
};

}  // namespace countpm
