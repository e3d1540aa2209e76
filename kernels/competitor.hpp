#pragma once
// What may be told how long the best of the other methods will take, and leaves out what cannot win.
#include <memory>

#include "kernels/method.hpp"

namespace countpm {

/// A Preparation whose search can be cut short, or a Job whose plan can: class X : public Preparation, public
/// Competitor.
class Competitor {
 public:
  virtual ~Competitor() = default;

  /// So many seconds the best of the other methods is predicted to take, on so many cores. A preparation is
  /// told before all else: what takes longer, or is not found in a small share of that time, is refused. A
  /// job may be told again, until it is run: parts of its plan that it left out come when they may pay.
  virtual void compete_with(double seconds, int cores) = 0;
};

/// A method whose jobs are told from the start: class X : public Method, public CompetingMethod.
class CompetingMethod {
 public:
  virtual ~CompetingMethod() = default;

  /// As Method::make_job(), beside others that take so many seconds on one core.
  virtual std::unique_ptr<Job> make_job_beside(double core_seconds, const AnyBlock& block,
                                               const Arithmetic& arithmetic,
                                               const MethodOptions& options) const = 0;
};

}  // namespace countpm
