#pragma once
// Units run again: the one way in which audits, checks of journals and the check of a finished count do it.
#include <memory>
#include <vector>

#include "src/plan/plan.hpp"
#include "src/units/unit_queue.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Jobs with the same units as a plan's, each over some of its moduli. The plan outlives them.
struct OtherPath {
  std::vector<Arithmetic> arithmetics;
  /// Beside the arithmetics. None: there is no such path.
  std::vector<std::shared_ptr<const Job>> jobs;

  /// What the units add up to, one after another on this thread: the moduli of all jobs side by side. Throws
  /// what the monitor says where it is stopped.
  Partial sum(const UnitRange& units, const Monitor& monitor) const;
  /// The same of what each job has yielded.
  static Partial side_by_side(const std::vector<Partial>& values);
};

/// The plan's own job.
OtherPath same_path(const BlockPlan& plan);
/// What that makes for each arithmetic (Job::with_moduli_subset): by other code where the method has any. No
/// jobs where one of them is not to be had, or has other units.
OtherPath path_over(const BlockPlan& plan, std::vector<Arithmetic> arithmetics);

}  // namespace countpm
