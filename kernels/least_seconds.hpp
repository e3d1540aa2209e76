#pragma once
// What a count takes at least, known before a job is made: the planner does not ask a method that cannot win.
#include "kernels/method.hpp"

namespace countpm {

/// A method that takes long to set up, and knows beforehand where that is in vain: class X : public Method,
/// public BoundedBelow.
class BoundedBelow {
 public:
  virtual ~BoundedBelow() = default;

  /// Seconds on one core, of any block: less than the count would take, by far if need be. O(entries).
  virtual double least_seconds(const AnyBlock& block) const = 0;
};

/// 0 where the method knows nothing of that kind.
inline double least_seconds(const Method& method, const AnyBlock& block) {
  const auto* bounded = dynamic_cast<const BoundedBelow*>(&method);
  return bounded == nullptr ? 0 : bounded->least_seconds(block);
}

}  // namespace countpm
