// The ways into an estimate: of a source, of a graph, by ranks and by a board.
#include <memory>
#include <optional>
#include <utility>

#include "graph/errors.hpp"
#include "graph/validate.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/distributed/sample_board.hpp"
#include "src/distributed/sample_leader.hpp"
#include "src/estimate/estimate_graph.hpp"
#include "src/estimate/estimate_on_board.hpp"
#include "src/estimate/replicates.hpp"
#include "src/input/report.hpp"
#include "src/journal/journaled_count.hpp"
#include "src/sampling/check_options.hpp"

namespace countpm {

EstimateResult estimate(const Source& source, const ReadOptions& read_options,
                        const CountOptions& count_options, const EstimateOptions& options) {
  check_estimate_options(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  check_device(own, options);
  refuse_unkept(options, own.checkpoint);
  if (options.replicates > 1) return replicated_estimate(source, read_options, own, options);
  Monitor monitor(own);
  ReadOptions reading = reading_for_checkpoint(source, read_options, own.checkpoint);
  std::optional<SampleLeader> leader;
  if (own.channel != nullptr && options.on_ranks) leader.emplace(*own.channel);
  reading.hash = reading.hash || leader;
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(own.checkpoint); });
  EstimateResult result;
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      monitor.enter("reading the input");
      ReadResult read = read_graph(source, reading);
      monitor.throw_if_stopped();
      if (checkpoint) check_same_input(*checkpoint, read.info, own);
      if (checkpoint) refuse_part(*checkpoint, own.checkpoint);
      result = estimate_graph(std::move(read), own, options, monitor, checkpoint.get(),
                              leader ? &*leader : nullptr);
    });
  });
  return result;
}

EstimateResult estimate(ReadResult read, const CountOptions& count_options, const EstimateOptions& options) {
  check_estimate_options(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  check_device(own, options);
  refuse_checkpoint_of_graph(own.checkpoint);
  const bool on_ranks = own.channel != nullptr && options.on_ranks;
  if (on_ranks && (shared_name(read.info).empty() || options.replicates > 1))
    throw UsageError("several ranks need an input that each of them can read");
  validate(read.graph, read.info.path);
  if (options.replicates > 1) {
    return replicated_estimate(
        read, own, options, 0,
        [](ReadResult given, const CountOptions& of_count, const EstimateOptions& one) {
          return estimate(std::move(given), of_count, one);
        });
  }
  Monitor monitor(own);
  std::optional<SampleLeader> leader;
  if (on_ranks) leader.emplace(*own.channel);
  return monitor.explained([&] {
    return estimate_graph(std::move(read), own, options, monitor, nullptr, leader ? &*leader : nullptr);
  });
}

EstimateResult estimate_kept(ReadResult read, const CountOptions& count_options,
                             const EstimateOptions& options, Checkpoint& checkpoint) {
  check_estimate_options(options);
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  validate(read.graph, read.info.path);
  Monitor monitor(own);
  return monitor.explained(
      [&] { return estimate_graph(std::move(read), own, options, monitor, &checkpoint, nullptr); });
}

EstimateResult estimate(Graph graph, const CountOptions& count_options, const EstimateOptions& options) {
  return estimate(in_memory(std::move(graph)), count_options, options);
}

EstimateResult estimate_on_board(SampleBoard& board, ReadResult read, const CountOptions& count_options,
                                 const EstimateOptions& options) {
  check_estimate_options(options);
  refuse_unkept(options, count_options.checkpoint);
  if (options.device == "gpu" || options.gpus > 0)
    throw UsageError(
        "an executor's workers draw samples on their CPUs: device and gpus are of threads and ranks");
  if (count_options.channel != nullptr)
    throw UsageError("ranks and an executor's workers exclude each other");
  const CountOptions own = monitored(count_options, options);
  check_options(own);
  EstimateOptions on_cpus = options;
  on_cpus.device = "cpu";
  validate(read.graph, read.info.path);
  if (options.replicates > 1) {
    return replicated_estimate(
        read, own, on_cpus, 0,
        [&board](ReadResult given, const CountOptions& of_count, const EstimateOptions& one) {
          return estimate_on_board(board, std::move(given), of_count, one);
        });
  }
  Monitor monitor(own);
  const std::unique_ptr<Checkpoint> checkpoint =
      monitor.explained([&] { return open_checkpoint(own.checkpoint); });
  EstimateResult result;
  annotate_interruption(checkpoint.get(), [&] {
    monitor.explained([&] {
      if (checkpoint) check_same_input(*checkpoint, read.info, own);
      if (checkpoint) refuse_part(*checkpoint, own.checkpoint);
      result = estimate_graph(std::move(read), own, on_cpus, monitor, checkpoint.get(), &board);
    });
  });
  return result;
}

}  // namespace countpm
