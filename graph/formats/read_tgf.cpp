// Trivial Graph Format: "id label" a line, a line of # alone, "from to label" a line. A label of an edge that
// is a number is its weight; others are passed over. O(bytes).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "graph/formats/reader.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

class TgfReader {
 public:
  TgfReader(const TableSource& source, const WordTable& table, bool certain)
      : source_(source), table_(table), certain_(certain) {}

  std::optional<Graph> read() {
    if (table_.rules.size() != 1)
      return wrong(0, "one line of # alone between vertices and edges",
                   fmt::format("{} of them", table_.rules.size()));
    const std::uint64_t rule = table_.rules.front();
    std::vector<std::string_view> vertices;
    std::set<std::string_view> known;
    bool named = false;  // a vertex has a label that is no vertex
    std::vector<TableEdge> edges;
    std::uint64_t labels = 0;
    for (const TableRow& row : table_.rows) {
      if (row.line < rule) {
        if (!known.insert(row.fields[0]).second)
          return wrong(row.line, "each vertex once", shown(row.fields[0]));
        vertices.push_back(row.fields[0]);
        continue;
      }
      if (row.fields.size() < 2) return wrong(row.line, "two vertices", shown(row.fields[0]));
      for (std::size_t k = 0; k < 2; ++k) {
        if (!known.contains(row.fields[k]))
          return wrong(row.line, "a vertex of a line above the #", shown(row.fields[k]));
      }
      const bool weight = row.fields.size() == 3 && is_number_literal(row.fields[2]);
      if (row.fields.size() > 2 && !weight) ++labels;
      edges.push_back({row.line, row.fields[0], row.fields[1], weight ? row.fields[2] : std::string_view()});
    }
    for (const TableRow& row : table_.rows) {
      if (row.line >= rule) break;
      named = named || row.fields.size() != 2 || !known.contains(row.fields[1]);
    }
    if (!table_.glued.empty()) {
      const TableRow& row = table_.glued.front();
      source_.warn(row.line, fmt::format("the line {} was passed over as a comment",
                                         shown(fmt::format("{}", fmt::join(row.fields, " ")))));
    }
    if (vertices.empty()) return wrong(rule, "vertices above the #", "none");
    if (!certain_ && !named) {
      source_.ask(rule, "a line of # alone, which may be a comment, or part vertices and edges",
                  "--format tgf (vertices with labels, then edges)", "--format edgelist");
    }
    source_.info.format = Format::tgf;
    if (!certain_)
      source_.warn(rule, fmt::format("read as Trivial Graph Format: {} above the # are vertices with labels",
                                     vertices.size() == 1 ? "the line" : "lines"));
    if (labels > 0)
      source_.warn(0, fmt::format("labels of edges that are no numbers were passed over: {}", labels));
    if (source_.edge_kind() == GraphKind::bipartite) check_sides(edges);
    return source_.edges(
        edges, std::nullopt,
        source_.edge_kind() == GraphKind::bipartite ? std::vector<std::string_view>{} : vertices);
  }

 private:
  std::optional<Graph> wrong(std::uint64_t line, std::string expected, std::string found) const {
    if (certain_) source_.fail(line, std::move(expected), std::move(found));
    return std::nullopt;
  }

  // A vertex of no edge may be on either side.
  void check_sides(const std::vector<TableEdge>& edges) const {
    std::set<std::string_view> ends;
    for (const TableEdge& edge : edges) ends.insert({edge.from, edge.to});
    for (const TableRow& row : table_.rows) {
      if (row.line < table_.rules.front() && !ends.contains(row.fields[0]))
        source_.fail(row.line, "a vertex with an edge, which says on which side it is (--kind bipartite)",
                     fmt::format("{} without one", shown(row.fields[0])));
    }
  }

  const TableSource& source_;
  const WordTable& table_;
  bool certain_;
};

}  // namespace

std::optional<Graph> read_if_tgf(const TableSource& source, const WordTable& table) {
  return TgfReader(source, table, false).read();
}

Graph read_tgf(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  const TableSource source(bytes, name, options, info);
  const WordTable table = split_table(bytes, ' ');
  return *TgfReader(source, table, true).read();
}

}  // namespace countpm
