#pragma once
// From ids to what a user reads: whoever takes labels is handed matchings by way of this.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm {

/// Makes the sink once it is known what the matchings are of.
using SinkFor = std::function<MatchingIdSink(const Instance&)>;

/// The ids themselves.
SinkFor with_ids(const MatchingIdSink& sink);
/// Pairs of labels. Of what the matching before had at the same place, labels are kept. The sink outlives the
/// result.
SinkFor with_labels(const MatchingSink& sink);

/// Where the instance's rows and columns are in the graph.
inline Index vertex_of_row(const Instance& instance, Index row) {
  return instance.row_vertex.empty() ? row : instance.row_vertex[row];
}
inline Index vertex_of_column(const Instance& instance, Index column) {
  return instance.column_vertex.empty() ? column : instance.column_vertex[column];
}

}  // namespace countpm
