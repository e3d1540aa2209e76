#pragma once
// How every question about a graph starts: the options are checked, then the graph is read or checked, and
// all is watched from then on.
#include <utility>

#include "graph/letters.hpp"
#include "graph/validate.hpp"
#include "src/input/report.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Returns work(monitor, read), with the source read within the options' limits.
template <class Work>
auto with_graph(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                const Work& work) {
  check_options(options);
  Monitor monitor(options);
  return monitor.explained([&] {
    monitor.enter("reading the input");
    return work(monitor, read_graph(source, read_options));
  });
}

/// The same of a graph in memory, which is checked first. letters: whether its weights may have some, as in
/// ReadOptions.
template <class Work>
auto with_graph(ReadResult read, const CountOptions& options, const Work& work, bool letters = false) {
  check_options(options);
  validate(read.graph, read.info.path);
  if (!letters) refuse_letters(read.graph, read.info.path);
  Monitor monitor(options);
  return monitor.explained([&] { return work(monitor, std::move(read)); });
}

}  // namespace countpm
