// A count, from the graph to the checked number. `count_graph` is the whole house: one call a step.
#include <fmt/format.h>

#include <utility>

#include "src/analysis.hpp"
#include "src/blocks.hpp"
#include "src/countpm.hpp"
#include "src/monitor.hpp"
#include "src/number.hpp"
#include "src/planned_block.hpp"
#include "src/report.hpp"
#include "src/report_count.hpp"
#include "src/stopwatch.hpp"
#include "src/verify_run.hpp"

namespace countpm {
namespace {

CountResult count_graph(Graph graph, const InputInfo& input, const CountOptions& options, Stopwatch& watch,
                        Monitor& monitor) {
  const Poll poll = [&monitor] { monitor.explain_stop(); };
  CountResult result = report_input(graph, input);
  result.seconds.read = watch.lap();

  const Instance instance = to_instance(std::move(graph));
  result.problem = instance.problem;
  result.notes = report_notes(instance, input);
  poll();
  Analysis analysis = analyse(instance, input, poll, result.notes);
  result.seconds.structure = watch.lap();
  if (analysis.violator) {
    report_zero(std::move(analysis), result);
    result.seconds.total = monitor.elapsed();
    return result;
  }

  const Resources resources = resources_for(options);
  ReducedInstance reduced = reduce_blocks(instance, analysis, options.rules, poll);
  result.seconds.reduce = watch.lap();
  poll();

  const std::vector<PlannedBlock> planned =
      plan_blocks(std::move(reduced.blocks), instance.weight_kind, options, resources, monitor);
  refuse_if_beyond_limits(planned, options, resources, monitor.elapsed());
  std::vector<PlannedBlock> recounts;
  if (options.double_check) {
    recounts = plan_double_check(planned, instance.weight_kind, options, resources, monitor);
    refuse_if_beyond_limits(recounts, options, resources, monitor.elapsed() + predicted_seconds(planned));
  }
  result.seconds.plan = watch.lap();

  const NumberArithmetic arithmetic = number_arithmetic(instance.weight_kind, options);
  const BlockCounts counts = run_planned(planned, arithmetic, "count", resources, monitor);
  result.threads = counts.threads;
  result.seconds.count = watch.lap();

  Checks checks;
  verify_blocks(planned, counts, checks);
  rerun_sampled_units(planned, counts, monitor, checks);
  if (options.double_check) {
    const BlockCounts second = run_planned(recounts, arithmetic, "double-check", resources, monitor);
    verify_recounts(counts, recounts, second, checks);
  }

  report_total(product(reduced.factor, counts.counts, arithmetic), checks, result);
  report_entropy(result);
  report_blocks(planned, counts, result);
  report_reductions(reduced.tally, planned, result);
  if (options.method != "auto" && options.method != result.method) {
    result.notes.push_back(
        fmt::format("the structure and the reductions left nothing for {} to count", options.method));
  }
  result.seconds.verify = watch.lap();
  result.seconds.total = monitor.elapsed();
  return result;
}

}  // namespace

CountResult count(const Source& source, const ReadOptions& read_options, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  ReadResult read = read_graph(source, read_options);
  monitor.explain_stop();
  return count_graph(std::move(read.graph), read.info, options, watch, monitor);
}

CountResult count(Graph graph, const CountOptions& options) {
  check_options(options);
  Monitor monitor(options);
  Stopwatch watch;
  InputInfo input;
  input.path = "<graph>";
  return count_graph(std::move(graph), input, options, watch, monitor);
}

}  // namespace countpm
