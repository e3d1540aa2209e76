#pragma once
// One task on GPUs, and on the CPU's threads beside them where its plan says so.
#include "src/run/executor.hpp"

namespace countpm {

/// All units of a task whose processors have GPUs: a host thread for each GPU hands it ranges of units, as
/// many as it is seen to do in half a second and fewer towards the end; the `threads` that are left take
/// single units, as long as they would not be the last to finish. Residues are the same however the ranges
/// fall; the last digits of floating-point results, within their error, may not be. number: of the task, from
/// 1, of `tasks`. Throws what a unit threw, or what the monitor says.
TaskResult run_on_devices(const Task& task, std::optional<std::uint64_t> sampled_unit, int threads,
                          Monitor& monitor, std::size_t number, std::size_t tasks);

}  // namespace countpm
