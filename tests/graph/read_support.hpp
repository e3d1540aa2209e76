#pragma once
// What the reading tests share: bytes in, a graph with labels out.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/instance.hpp"
#include "graph/read.hpp"

namespace countpm::testing {

inline ReadResult read_text(const std::string& text, const ReadOptions& options = {},
                            const std::string& name = "test") {
  return read_graph(Source::from_bytes(text, name), options);
}

/// "u v" for every edge, in the order of the file.
inline std::vector<std::string> edge_labels(const Graph& graph) {
  std::vector<std::string> result;
  for (const Edge& e : graph.edges) {
    const LabelTable& right = graph.kind == GraphKind::bipartite ? graph.right_labels : graph.left_labels;
    result.push_back(graph.left_labels.label(e.from) + " " + right.label(e.to));
  }
  return result;
}

using Labels = std::vector<std::string>;

inline ReadOptions as_kind(GraphKind kind) {
  ReadOptions options;
  options.kind = kind;
  return options;
}

inline ReadOptions in_format(Format format) {
  ReadOptions options;
  options.format = format;
  return options;
}

inline ReadOptions with_weights(ReadOptions options = {}) {
  options.weights = true;
  return options;
}

/// The InputError that reading throws; a failed test and an empty error where it throws none.
inline InputError input_error(const std::string& text, const ReadOptions& options = {},
                              const std::string& name = "test") {
  try {
    read_text(text, options, name);
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no InputError for: " << text.substr(0, 200);
  return InputError("", 0, "", "");
}

}  // namespace countpm::testing
