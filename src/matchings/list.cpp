// Listing: the instance, its structure, then the search; labels for every matching.
#include <limits>
#include <utility>

#include "src/api/countpm.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/matchings/general_matching_search.hpp"
#include "src/matchings/matching_search.hpp"
#include "src/structure/analysis.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

// Calls next(pairs) for every matching, which fills in the pairs of labels, and hands them on.
template <class Next>
std::uint64_t hand_on(const ListOptions& options, const MatchingSink& sink, const Next& next) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::uint64_t listed = 0;
  while ((!options.last || options.first + listed <= *options.last) && next(pairs)) {
    ++listed;
    if (!sink(pairs)) break;
    // The number of the next matching must not wrap around.
    if (options.first + listed == 0) break;
  }
  return listed;
}

std::uint64_t list(const Instance& instance, Structure structure, const ListOptions& options,
                   const MatchingSink& sink) {
  MatchingSearch search(instance.pattern, std::move(structure), options.interrupted);
  search.skip(options.first - 1);
  const Index rows = instance.pattern.rows;
  std::vector<Index> shown(rows, no_index);  // the columns that the pairs name
  return hand_on(options, sink, [&](auto& pairs) {
    if (!search.next()) return false;
    if (pairs.empty()) {
      pairs.resize(rows);
      for (Index i = 0; i < rows; ++i) pairs[i].first = instance.row_label(i);
    }
    for (Index i = 0; i < rows; ++i) {
      if (shown[i] == search.row_mate()[i]) continue;
      shown[i] = search.row_mate()[i];
      pairs[i].second = instance.column_label(shown[i]);
    }
    return true;
  });
}

std::uint64_t list(const Instance& instance, GeneralStructure structure, const ListOptions& options,
                   const MatchingSink& sink) {
  GeneralMatchingSearch search(instance.pattern, std::move(structure.matching.mate), options.interrupted);
  search.skip(options.first - 1);
  return hand_on(options, sink, [&](auto& pairs) {
    if (!search.next()) return false;
    pairs.clear();
    for (Index v = 0; v < instance.pattern.rows; ++v) {
      const Index w = search.mate()[v];
      if (v < w) pairs.emplace_back(instance.row_label(v), instance.row_label(w));
    }
    return true;
  });
}

std::uint64_t list_with(const Monitor& monitor, const Source& source, const ReadOptions& read_options,
                        const ListOptions& options, const MatchingSink& sink) {
  ReadResult read = read_graph(source, read_options);
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
  return std::visit([&](auto& structure) { return list(instance, std::move(structure), options, sink); },
                    analysis.structure);
}

}  // namespace

std::uint64_t list_matchings(const Source& source, const ReadOptions& read_options,
                             const ListOptions& options, const MatchingSink& sink) {
  if (options.first == 0) throw UsageError("matchings are numbered from 1");
  require_sink(sink, "matchings");
  CountOptions watched;
  watched.time_limit_seconds = std::numeric_limits<double>::infinity();
  watched.interrupted = options.interrupted;
  Monitor monitor(watched);
  return monitor.explained([&] { return list_with(monitor, source, read_options, options, sink); });
}

}  // namespace countpm
