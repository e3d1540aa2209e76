#include "src/verify/lost_options.hpp"

#include <fmt/format.h>

#include "graph/formats.hpp"
#include "src/input/report.hpp"

namespace countpm {

void refuse_lost_options(const StoredResult& stored, const std::string& found) {
  throw InputError(
      stored.file, 0, "a result that holds its options",
      fmt::format(
          "one without, as earlier versions wrote it where structure alone gave 0: {}; count again, with "
          "the options of that time (--as, --remove, --loops, --multi), and verify the new JSON",
          found));
}

ReadResult read_without_options(const StoredResult& stored, const Source& source, ReadOptions options) {
  const StoredResult::WithoutOptions& known = *stored.without_options;
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected}) {
    if (known.kind == name_of(kind)) options.as = kind;
  }
  if (known.format != "lattice") options.format = format_named(known.format);
  ReadResult read;
  try {
    read = read_graph(source, options);
  } catch (const InputError& error) {
    refuse_lost_options(stored, fmt::format("without options the input cannot be read ({})", error.what()));
  }
  if (read.info.sha256 != stored.sha256) return read;  // another input, which the caller refuses
  InputSummary summary;
  summarise_input(read.graph, read.info, summary);
  if (summary.vertices != known.vertices || summary.edges != known.edges)
    refuse_lost_options(stored,
                        fmt::format("without options there are {} vertices and {} edges, not {} and {}",
                                    summary.vertices, summary.edges, known.vertices, known.edges));
  return read;
}

}  // namespace countpm
