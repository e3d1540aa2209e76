#pragma once
// Formats in: one call reads any source in any format.
#include "graph/graph.hpp"
#include "graph/read_options.hpp"

namespace countpm {

struct ReadResult {
  Graph graph;
  InputInfo info;
};

/// Reads a graph. Throws InputError (with file, line, expected, found) for anything that is not a well-formed
/// graph, UsageError for options that contradict the format. O(bytes) time; memory a small multiple of the
/// graph.
ReadResult read_graph(const Source& source, const ReadOptions& options = {});

/// As ReadOptions::exact does.
void count_exactly(ReadResult& read);

}  // namespace countpm
