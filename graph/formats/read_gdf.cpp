// GDF of GUESS and Gephi: "nodedef>name VARCHAR,..." and a vertex a line, "edgedef>node1 VARCHAR,node2
// VARCHAR,..." and an edge a line, fields with commas between them. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::string_view node_mark = "nodedef>";
constexpr std::string_view edge_mark = "edgedef>";

bool starts_with_mark(std::string_view text, std::string_view mark) {
  return ascii_lower(text.substr(0, mark.size())) == mark;
}

class GdfReader {
 public:
  explicit GdfReader(const TableSource& source) : source_(source), table_(split_table(source.bytes, ',')) {}

  Graph read() {
    bool edges = false;
    for (const TableRow& row : table_.rows) {
      if (starts_with_mark(row.fields[0], node_mark)) {
        take_heads(row, node_mark);
        name_ = column("name").value_or(0);
        edges = false;
      } else if (starts_with_mark(row.fields[0], edge_mark)) {
        take_heads(row, edge_mark);
        take_edge_heads(row.line);
        edges = true;
      } else if (edges) {
        add_edge(row);
      } else {
        add_vertex(row);
      }
    }
    source_.info.format = Format::csv;
    source_.info.assumptions.emplace_back("read as GDF, by its line nodedef> or edgedef>");
    if (directed_ > 0 && directed_ < edges_.size() && !source_.options.kind)
      source_.ask(0, "edges and arcs (the column directed)", "--kind undirected", "--kind directed");
    const bool bipartite = source_.edge_kind() == GraphKind::bipartite;
    if (bipartite) check_sides();
    return source_.edges(edges_, directed_ > 0 ? std::optional(GraphKind::directed) : std::nullopt,
                         bipartite ? std::vector<std::string_view>{} : vertices_);
  }

 private:
  // The names of columns, without their types.
  void take_heads(const TableRow& row, std::string_view mark) {
    heads_.clear();
    for (std::string_view field : row.fields) {
      if (heads_.empty()) field.remove_prefix(mark.size());
      field = field.substr(std::min(field.find_first_not_of(' '), field.size()));
      heads_.push_back(ascii_lower(field.substr(0, field.find(' '))));
    }
  }

  std::optional<std::size_t> column(std::string_view name) const {
    const auto found = std::find(heads_.begin(), heads_.end(), name);
    if (found == heads_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - heads_.begin());
  }

  void take_edge_heads(std::uint64_t line) {
    from_ = column("node1").value_or(0);
    to_ = column("node2").value_or(1);
    direction_ = column("directed");
    const std::string& said = source_.options.weight_column;
    weight_ = column(said.empty() ? "weight" : ascii_lower(said));
    if (!said.empty() && !weight_)
      source_.fail(line, fmt::format("a column {} (--weight-column)", shown(said)), "none of that name");
    if (source_.options.weights && !weight_)
      source_.warn(line, "no column of edges is called weight: every edge counts 1 (--weight-column NAME)");
  }

  void add_vertex(const TableRow& row) {
    if (name_ >= row.fields.size() || row.fields[name_].empty())
      source_.fail(row.line, "a name of a vertex", "none");
    if (!known_.insert(row.fields[name_]).second)
      source_.fail(row.line, "each vertex once", shown(row.fields[name_]));
    vertices_.push_back(row.fields[name_]);
  }

  void add_edge(const TableRow& row) {
    if (row.fields.size() <= std::max(from_, to_))
      source_.fail(row.line, "two vertices of an edge", fmt::format("{} fields", row.fields.size()));
    for (const std::size_t end : {from_, to_}) {
      if (!known_.empty() && !known_.contains(row.fields[end]))
        source_.fail(row.line, "a vertex of a line below nodedef>", shown(row.fields[end]));
    }
    const auto field = [&](std::optional<std::size_t> k) {
      return k && *k < row.fields.size() ? row.fields[*k] : std::string_view();
    };
    if (const std::string direction = ascii_lower(field(direction_)); direction == "true" || direction == "1")
      ++directed_;
    edges_.push_back({row.line, row.fields[from_], row.fields[to_], field(weight_)});
  }

  // A vertex of no edge may be on either side.
  void check_sides() const {
    std::set<std::string_view> ends;
    for (const TableEdge& edge : edges_) ends.insert({edge.from, edge.to});
    for (const std::string_view vertex : vertices_) {
      if (!ends.contains(vertex))
        source_.fail(0, "vertices with an edge, which says on which side they are (--kind bipartite)",
                     fmt::format("{} without one", shown(vertex)));
    }
  }

  const TableSource& source_;
  WordTable table_;
  std::vector<std::string> heads_;
  std::size_t name_ = 0;
  std::size_t from_ = 0;
  std::size_t to_ = 1;
  std::optional<std::size_t> weight_;
  std::optional<std::size_t> direction_;
  std::vector<std::string_view> vertices_;
  std::set<std::string_view> known_;
  std::vector<TableEdge> edges_;
  std::size_t directed_ = 0;
};

}  // namespace

std::optional<Graph> read_if_gdf(const TableSource& source) {
  TextLines lines(source.bytes);
  while (lines.next()) {
    if (lines.line_done() || lines.line().front() == '#') continue;
    const std::string_view word = lines.word();
    if (!starts_with_mark(word, node_mark) && !starts_with_mark(word, edge_mark)) return std::nullopt;
    return GdfReader(source).read();
  }
  return std::nullopt;
}

}  // namespace countpm
