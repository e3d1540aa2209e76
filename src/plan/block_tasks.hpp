#pragma once
// Planned blocks as tasks to run.
#include <string>
#include <vector>

#include "src/plan/planned_block.hpp"
#include "src/run/unit_work.hpp"

namespace countpm {

/// All units of what is planned, which is to outlive the task; no ledger.
inline Task task_of(const BlockPlan& plan) {
  return {plan.job.get(), &plan.choice.arithmetic, std::string(plan.method->name()),
          plan.seconds,   plan.processors,         nullptr};
}

/// Those of all plans, in their order, behind what is there.
inline void add_tasks(std::vector<Task>& tasks, const std::vector<PlannedBlock>& planned) {
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) tasks.push_back(task_of(plan));
  }
}

}  // namespace countpm
