#pragma once
// How every question about a graph starts: the options are checked, then the graph is read or checked, and
// all is watched from then on.
#include <utility>

#include "graph/validate.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/input/report.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Returns work(monitor, read), with the source read within the options' limits. Refuses kinds of counts that
/// the question does not go with.
template <class Work>
auto with_graph(GraphQuestion question, const Source& source, const ReadOptions& read_options,
                const CountOptions& options, const Work& work) {
  check_options(options);
  Monitor monitor(options);
  return monitor.explained([&] {
    monitor.enter("reading the input");
    ReadOptions reading = read_options;
    reading.letters = is_answered(question, CountKind::weight_polynomial);
    ReadResult read = read_graph(source, reading);
    refuse_kinds(question, read.graph, read.info, options);
    return work(monitor, std::move(read));
  });
}

/// The same of a graph in memory, which is checked first.
template <class Work>
auto with_graph(GraphQuestion question, ReadResult read, const CountOptions& options, const Work& work) {
  check_options(options);
  validate(read.graph, read.info.path);
  refuse_kinds(question, read.graph, read.info, options);
  Monitor monitor(options);
  return monitor.explained([&] { return work(monitor, std::move(read)); });
}

}  // namespace countpm
