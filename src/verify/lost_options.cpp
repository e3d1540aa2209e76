#include "src/verify/lost_options.hpp"

#include <fmt/format.h>

#include "graph/formats.hpp"
#include "src/input/report.hpp"

namespace countpm {

void refuse_lost_options(const Claim& claim, const std::string& found) {
  throw InputError(
      claim.file, 0, "a result that holds its options",
      fmt::format(
          "one without, as earlier versions wrote it where structure alone gave 0: {}; count again, with "
          "the options of that time (--as, --remove, --loops, --multi), and verify the new JSON",
          found));
}

ReadResult read_without_options(const Claim& claim, const Source& source, ReadOptions options) {
  const Claim::WithoutOptions& told = *claim.without_options;
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected}) {
    if (told.kind == name_of(kind)) options.as = kind;
  }
  if (told.format != "lattice") options.format = format_named(told.format);
  ReadResult read;
  try {
    read = read_graph(source, options);
  } catch (const InputError& error) {
    refuse_lost_options(claim, fmt::format("without options the input cannot be read ({})", error.what()));
  }
  if (read.info.sha256 != claim.sha256) return read;  // another input, which the caller refuses
  InputSummary summary;
  summarise_input(read.graph, read.info, summary);
  if (summary.vertices != told.vertices || summary.edges != told.edges)
    refuse_lost_options(claim,
                        fmt::format("without options there are {} vertices and {} edges, not {} and {}",
                                    summary.vertices, summary.edges, told.vertices, told.edges));
  return read;
}

}  // namespace countpm
