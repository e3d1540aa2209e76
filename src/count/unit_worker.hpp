#pragma once
// Whoever runs units of a count that is led elsewhere (UnitBoard): the plan made again, and records of it.
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/journal/journal.hpp"
#include "src/plan/planned_block.hpp"

namespace countpm {

class UnitWorker {
 public:
  /// plan: UnitBoard::plan(). The options are those of the count, but that limits, threads and devices are
  /// this machine's. Throws UsageError where the plan is of another version, InputError where the graph
  /// reduces to other blocks, UnableError where the plan does not fit the memory or the devices here.
  UnitWorker(ReadResult read, const std::string& plan, const CountOptions& options);

  /// Runs units of a task, and returns the records, lines of a journal. From any thread, also several at a
  /// time; of the options interruption is the call's. Throws UsageError where there are no such units.
  std::string run(std::size_t task, const UnitRange& range, const CountOptions& options) const;
  /// Of a task of the plan.
  std::uint64_t units(std::size_t task) const { return tasks_[task].job->units(); }

 private:
  JournalHeader header_;
  std::vector<PlannedBlock> blocks_;
  std::vector<PlannedBlock> recounts_;
  std::vector<Task> tasks_;  // as JournalHeader::tasks()
  std::uint64_t memory_bytes_ = 0;
  int threads_ = 1;
};

}  // namespace countpm
