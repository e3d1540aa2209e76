#pragma once
// Numbers of vertices and edges that stand among the lines of edges.
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/formats/table_reading.hpp"

namespace countpm {

/// "4 nodes", "vertices: 4, edges: 6", "n = 4", "Total 6": nothing else on the line.
struct WordedCounts {
  std::optional<std::uint64_t> vertices;
  std::optional<std::uint64_t> edges;
  std::optional<std::uint64_t> any;  // which of both is not said
  bool total = false;
  bool short_words = false;  // n, m: labels as well
};
std::optional<WordedCounts> worded_counts(std::string_view text);

/// What the lines taken away have said.
struct ToldCounts {
  bool taken = false;
  std::optional<GraphKind> kind;          // that the numbers speak for
  std::optional<std::uint64_t> vertices;  // of both sides, or of the left one
  std::optional<std::uint64_t> right;
};

/// Takes lines with counts off the table; throws InputError where one may be an edge as well.
void take_told_counts(const TableSource& source, WordTable& table, ToldCounts& counts);

/// Vertices that are counted and that no edge has: of a side, 0 or 1, or of both, 2. `labels` keeps them.
std::vector<std::string_view> lone_vertices(const TableSource& source, const std::vector<TableRow>& rows,
                                            std::size_t side, std::uint64_t count,
                                            std::deque<std::string>& labels);

/// Comments above or below the edges that speak of other numbers of vertices and edges than were read: SNAP's
/// "# Nodes: 4 Edges: 6", KONECT's "% 6 4 4".
void warn_of_counts_in_comments(std::string_view bytes, const Graph& graph, InputInfo& info);

}  // namespace countpm
