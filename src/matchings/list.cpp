// Listing: the instance, its structure, then the search.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "matching/general_matching.hpp"
#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/general_matching_search.hpp"
#include "src/matchings/list_orbits.hpp"
#include "src/matchings/matching_labels.hpp"
#include "src/matchings/matching_search.hpp"
#include "src/matchings/orbit_filter.hpp"
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

/// Two copies of the graph without its loops, and between the copies of a vertex with a loop an edge. A
/// perfect matching leaves vertices of the first copy to the second alone where they may stay alone; and
/// whatever leaves no others can be one, with the same edges in both copies.
SparsePattern doubled(const SparsePattern& graph) {
  SparsePattern twice;
  twice.rows = twice.columns = 2 * graph.rows;
  for (Index copy = 0; copy < 2; ++copy) {
    for (Index v = 0; v < graph.rows; ++v) {
      const auto begin = graph.column.begin() + static_cast<std::ptrdiff_t>(graph.row_start[v]);
      const auto end =
          graph.column.begin() + static_cast<std::ptrdiff_t>(graph.row_start[v + std::uint64_t{1}]);
      const bool loop = std::binary_search(begin, end, v);
      if (copy == 1 && loop) twice.column.push_back(v);
      for (auto u = begin; u != end; ++u) {
        if (*u != v) twice.column.push_back(copy * graph.rows + *u);
      }
      if (copy == 0 && loop) twice.column.push_back(graph.rows + v);
      twice.row_start.push_back(twice.column.size());
    }
  }
  return twice;
}

/// All matchings that leave none alone but vertices with loops.
std::uint64_t list_with_monomers(const Instance& instance, const ListOptions& options,
                                 const MatchingIdSink& sink) {
  const Index vertices = instance.pattern.rows;
  if (vertices >= no_index / 2)
    throw UnableError("all matchings are listed of graphs with at most 2147483646 vertices", "");
  const SparsePattern twice = doubled(instance.pattern);
  GeneralMatching first = general_maximum_matching(twice);
  if (first.size < vertices) return 0;
  GeneralMatchingSearch search(twice, std::move(first.mate), options.interrupted, vertices);
  search.skip(options.first - 1);
  return hand_on(options, sink, [&](std::vector<Edge>& matching) {
    if (!search.next()) return false;
    matching.clear();
    for (Index v = 0; v < vertices; ++v) {
      const Index w = search.mate()[v];
      if (v < w && w < vertices) matching.push_back({vertex_of_row(instance, v), vertex_of_row(instance, w)});
    }
    return true;
  });
}

/// One of each orbit has no number: those are of all matchings.
void refuse_range(const ListOptions& options) {
  if (options.first != 1 || options.last.value_or(0) != 0)
    throw UsageError("a range numbers all matchings, and here one of each orbit is listed");
}

std::uint64_t list_with(const Monitor& monitor, ReadResult read, const ListOptions& options,
                        const SinkFor& sink_for, GraphQuestion which) {
  ListStart start;
  summarise_input(read.graph, read.info, start);
  std::optional<OrbitFilter> filter;
  if (which == GraphQuestion::list_orbits) {
    refuse_range(options);
    filter.emplace(read.graph);
  }
  const Instance instance = to_instance(std::move(read.graph));
  start.problem = instance.problem;
  start.method = "search";
  start.notes = report_notes(instance, start.input);

  const Poll poll = [&monitor] { monitor.throw_if_stopped(); };
  Analysis analysis = analyse(instance, start.input, poll, start.notes);
  start.violator = std::move(analysis.violator);
  if (options.started) options.started(start);
  if (start.violator) return 0;
  const MatchingIdSink sink = sink_for(instance);
  if (instance.problem == Problem::matchings) return list_with_monomers(instance, options, sink);
  std::uint64_t firsts = 0;
  const MatchingIdSink sift = [&](const std::vector<Edge>& matching) {
    if (!filter->is_first(matching)) return true;
    ++firsts;
    return sink(matching);
  };
  const std::uint64_t listed = std::visit(
      [&](auto& structure) { return list(instance, std::move(structure), options, filter ? sift : sink); },
      analysis.structure);
  return filter ? firsts : listed;
}

/// Listing has no limit of its own.
CountOptions watched_options(const ListOptions& options) {
  if (options.first == 0) throw UsageError("matchings are numbered from 1");
  CountOptions watched;
  watched.time_limit_seconds = std::numeric_limits<double>::infinity();
  watched.interrupted = options.interrupted;
  return watched;
}

std::uint64_t list_from(const Source& source, const ReadOptions& read_options, const ListOptions& options,
                        const MatchingSink& sink, GraphQuestion which) {
  const CountOptions watched = watched_options(options);
  require_sink(sink, "matchings");
  return with_graph(which, source, read_options, watched, [&](const Monitor& monitor, ReadResult read) {
    return list_with(monitor, std::move(read), options, with_labels(sink), which);
  });
}

std::uint64_t list_from(ReadResult read, const ListOptions& options, const MatchingIdSink& sink,
                        GraphQuestion which) {
  const CountOptions watched = watched_options(options);
  require_sink(sink, "matchings");
  return with_graph(which, std::move(read), watched, [&](const Monitor& monitor, ReadResult checked) {
    return list_with(monitor, std::move(checked), options, with_ids(sink), which);
  });
}

}  // namespace

std::uint64_t list_matchings(const Source& source, const ReadOptions& read_options,
                             const ListOptions& options, const MatchingSink& sink) {
  return list_from(source, read_options, options, sink, GraphQuestion::list);
}

std::uint64_t list_matchings(ReadResult read, const ListOptions& options, const MatchingIdSink& sink) {
  return list_from(std::move(read), options, sink, GraphQuestion::list);
}

std::uint64_t list_orbits(const Source& source, const ReadOptions& read_options, const ListOptions& options,
                          const MatchingSink& sink) {
  return list_from(source, read_options, options, sink, GraphQuestion::list_orbits);
}

std::uint64_t list_orbits(ReadResult read, const ListOptions& options, const MatchingIdSink& sink) {
  return list_from(std::move(read), options, sink, GraphQuestion::list_orbits);
}

}  // namespace countpm
