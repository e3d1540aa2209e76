#pragma once
// A job that turns out to be what another method does.
#include <memory>

#include "kernels/method.hpp"

namespace countpm {

/// A job of a method that goes further than another one: class XJob : public Job, public SpecialCase.
class SpecialCase {
 public:
  virtual ~SpecialCase() = default;

  /// The method that does all that this job does, with nothing around it; null where there is more to do.
  /// Which of the two is measured as the faster one is chance: the planner takes the simpler one where it can
  /// count.
  virtual const Method* simpler_method() const = 0;
};

}  // namespace countpm
