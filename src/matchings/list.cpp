// Listing: the instance, its structure, then the search.
#include <limits>
#include <utility>

#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/general_matching_search.hpp"
#include "src/matchings/matching_labels.hpp"
#include "src/matchings/matching_search.hpp"
#include "src/structure/analysis.hpp"

namespace countpm {
namespace {

// Calls next(matching) for every matching, which fills in its edges, and hands them on.
template <class Next>
std::uint64_t hand_on(const ListOptions& options, const MatchingIdSink& sink, const Next& next) {
  std::vector<Edge> matching;
  std::uint64_t listed = 0;
  while ((!options.last || options.first + listed <= *options.last) && next(matching)) {
    ++listed;
    if (!sink(matching)) break;
    // The number of the next matching must not wrap around.
    if (options.first + listed == 0) break;
  }
  return listed;
}

std::uint64_t list(const Instance& instance, Structure structure, const ListOptions& options,
                   const MatchingIdSink& sink) {
  MatchingSearch search(instance.pattern, std::move(structure), options.interrupted);
  search.skip(options.first - 1);
  const Index rows = instance.pattern.rows;
  return hand_on(options, sink, [&](std::vector<Edge>& matching) {
    if (!search.next()) return false;
    matching.resize(rows);
    for (Index i = 0; i < rows; ++i)
      matching[i] = {vertex_of_row(instance, i), vertex_of_column(instance, search.row_mate()[i])};
    return true;
  });
}

std::uint64_t list(const Instance& instance, GeneralStructure structure, const ListOptions& options,
                   const MatchingIdSink& sink) {
  GeneralMatchingSearch search(instance.pattern, std::move(structure.matching.mate), options.interrupted);
  search.skip(options.first - 1);
  return hand_on(options, sink, [&](std::vector<Edge>& matching) {
    if (!search.next()) return false;
    matching.clear();
    for (Index v = 0; v < instance.pattern.rows; ++v) {
      const Index w = search.mate()[v];
      if (v < w) matching.push_back({vertex_of_row(instance, v), vertex_of_row(instance, w)});
    }
    return true;
  });
}

std::uint64_t list_with(const Monitor& monitor, ReadResult read, const ListOptions& options,
                        const SinkFor& sink_for) {
  ListStart start;
  summarise_input(read.graph, read.info, start);
  const Instance instance = to_instance(std::move(read.graph));
  start.problem = instance.problem;
  start.notes = report_notes(instance, start.input);

  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  Analysis analysis = analyse(instance, start.input, poll, start.notes);
  start.violator = std::move(analysis.violator);
  if (options.started) options.started(start);
  if (start.violator) return 0;
  const MatchingIdSink sink = sink_for(instance);
  return std::visit([&](auto& structure) { return list(instance, std::move(structure), options, sink); },
                    analysis.structure);
}

/// Listing has no limit of its own.
CountOptions watched_options(const ListOptions& options) {
  if (options.first == 0) throw UsageError("matchings are numbered from 1");
  CountOptions watched;
  watched.time_limit_seconds = std::numeric_limits<double>::infinity();
  watched.interrupted = options.interrupted;
  return watched;
}

}  // namespace

std::uint64_t list_matchings(const Source& source, const ReadOptions& read_options,
                             const ListOptions& options, const MatchingSink& sink) {
  const CountOptions watched = watched_options(options);
  require_sink(sink, "matchings");
  return with_graph(source, read_options, watched, [&](const Monitor& monitor, ReadResult read) {
    return list_with(monitor, std::move(read), options, with_labels(sink));
  });
}

std::uint64_t list_matchings(ReadResult read, const ListOptions& options, const MatchingIdSink& sink) {
  const CountOptions watched = watched_options(options);
  require_sink(sink, "matchings");
  return with_graph(std::move(read), watched, [&](const Monitor& monitor, ReadResult checked) {
    return list_with(monitor, std::move(checked), options, with_ids(sink));
  });
}

}  // namespace countpm
