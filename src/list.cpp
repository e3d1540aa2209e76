// Listing: the instance, its structure, then the search; labels for every matching.
#include <utility>

#include "src/countpm.hpp"
#include "src/matching_search.hpp"
#include "src/report.hpp"

namespace countpm {

std::uint64_t list_matchings(const Source& source, const ReadOptions& read_options,
                             const ListOptions& options, const MatchingSink& sink) {
  if (options.first == 0) throw UsageError("matchings are numbered from 1");
  ReadResult read = read_graph(source, read_options);
  ListStart start;
  start.input = read.info;
  start.kind = read.graph.kind;
  start.vertices = vertices_of(read.graph);
  start.edges = read.graph.edges.size();
  const Instance instance = to_instance(std::move(read.graph));
  start.problem = instance.problem;
  start.notes = report_notes(instance, start.input);
  refuse_general_graph(instance);

  Structure structure = analyse(instance.pattern);
  if (structure.violator) start.violator = report_violator(instance, start.input, *structure.violator);
  if (options.started) options.started(start);
  if (structure.violator) return 0;

  MatchingSearch search(instance.pattern, std::move(structure), options.interrupted);
  search.skip(options.first - 1);
  std::vector<std::pair<std::string, std::string>> pairs(instance.pattern.rows);
  std::vector<Index> shown(instance.pattern.rows, no_index);  // the columns that `pairs` names
  for (Index i = 0; i < instance.pattern.rows; ++i) pairs[i].first = instance.row_label(i);
  std::uint64_t listed = 0;
  while ((!options.last || options.first + listed <= *options.last) && search.next()) {
    for (Index i = 0; i < instance.pattern.rows; ++i) {
      if (shown[i] == search.row_mate()[i]) continue;
      shown[i] = search.row_mate()[i];
      pairs[i].second = instance.column_label(shown[i]);
    }
    ++listed;
    if (!sink(pairs)) break;
    // The number of the next matching must not wrap around.
    if (options.first + listed == 0) break;
  }
  return listed;
}

}  // namespace countpm
