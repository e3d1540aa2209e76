#include "src/count/unit_worker.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "graph/errors.hpp"
#include "src/count/planned_count.hpp"
#include "src/input/with_graph.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/plan/block_tasks.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

/// Limits of time are those of whoever leads.
CountOptions without_time_limit(CountOptions options) {
  options.time_limit_seconds = std::numeric_limits<double>::infinity();
  options.progress = {};
  options.checkpoint = {};
  return options;
}

}  // namespace

UnitWorker::UnitWorker(ReadResult given, const std::string& plan, const CountOptions& given_options) {
  const CountOptions options = without_time_limit(given_options);
  const std::string name = "the plan";
  header_ = parse_journal(plan, name).header;
  if (header_.version != version())
    throw UsageError(fmt::format("this worker has countpm {}, and the count is led by countpm {}", version(),
                                 header_.version));
  with_graph(GraphQuestion::count, std::move(given), options, [&](Monitor& monitor, ReadResult read) {
    Stopwatch watch;
    ReducedCount reduced =
        reduce_count(std::move(read.graph), read.info, options, watch, monitor, {&header_, name});
    if (!reduced.reduced)
      throw InputError(name, 0, "a graph with perfect matchings", "one without: the graph here is another");
    ToldPlans plans = plan_as_told(reduced, header_, name, options, monitor);
    blocks_ = std::move(plans.blocks);
    recounts_ = std::move(plans.recounts);
    memory_bytes_ = reduced.resources.memory_bytes;
    threads_ = reduced.resources.threads;
    return true;
  });
  add_tasks(tasks_, blocks_);
  add_tasks(tasks_, recounts_);
}

std::string UnitWorker::run(std::size_t number, const UnitRange& range, const CountOptions& given) const {
  if (number >= tasks_.size() || range.first >= range.last || range.last > tasks_[number].job->units())
    throw UsageError(
        fmt::format("the plan has no units {} to {} of task {}", range.first, range.last, number));
  const CountOptions options = without_time_limit(given);
  std::vector<Task> tasks{tasks_[number]};
  Ledger ledger(tasks[0].job->units(), *tasks[0].arithmetic, {range});
  tasks[0].ledger = &ledger;
  Monitor monitor(options);
  return monitor.explained([&] {
    monitor.begin_stage("count", tasks[0].predicted_of(range));
    run_tasks(tasks, fitting_threads(tasks, threads_, memory_bytes_), monitor);
    std::string records;
    for (FinishedRange& finished : ledger.take_all())
      records += record_line(header_, {number, std::move(finished)});
    return records;
  });
}

}  // namespace countpm
