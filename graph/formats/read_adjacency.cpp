// Neighbours, a line a vertex.
//   METIS   "n m [fmt [weights]]", then a line for each vertex, from 1 on: its neighbours, each with the
//           weight of the edge where fmt ends in 1, behind the vertex's own numbers where it has others.
//           Every edge stands on both of its lines. G. Karypis, METIS 5.1 manual, 4.1.1.
//   adjlist "u v w ...": a vertex and its neighbours, as networkx, Gephi and others write them; also "u: v
//   w".
// O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/formats/header_words.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

class MetisReader {
 public:
  // certain: said to be METIS, so that what is wrong is an error; else it is something else.
  MetisReader(const TableSource& source, bool certain) : source_(source), certain_(certain) {}

  std::optional<Graph> read(const WordTable& table) {
    if (!read_head(table) || !find_lines(table)) return std::nullopt;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::string_view> seen;
    std::vector<TableEdge> edges;
    std::uint64_t entries = 0;
    bool zero_based = false;
    for (const TableRow& row : table.rows)
      for (std::size_t k = row.line == head_line_ ? row.fields.size() : own_; k < row.fields.size();
           k += step_)
        zero_based = zero_based || row.fields[k] == "0";
    for (std::uint64_t v = 0; v < vertices_; ++v) {
      const TableRow* row = lines_[v];
      if (row == nullptr) continue;
      if (row->fields.size() < own_ || (row->fields.size() - own_) % step_ != 0)
        return wrong(row->line, "neighbours, each with its weight", "half of one");
      for (std::size_t k = own_; k < row->fields.size(); k += step_) {
        const auto number = parse_number(row->fields[k]);
        const std::uint64_t first = zero_based ? 0 : 1;
        if (!number || *number < first || *number - first >= vertices_)
          return wrong(row->line, fmt::format("a vertex from {} to {}", first, vertices_ - 1 + first),
                       shown(row->fields[k]));
        const std::uint64_t other = *number - first;
        if (other == v) return wrong(row->line, "no loops", "one");
        const std::string_view weight = step_ == 2 ? row->fields[k + 1] : std::string_view();
        if (!seen.emplace(std::pair(v, other), weight).second)
          return wrong(row->line, "each neighbour once", shown(row->fields[k]));
        ++entries;
        if (v < other) edges.push_back({row->line, label(v + first), label(other + first), weight});
      }
    }
    for (const auto& [ends, weight] : seen) {
      const auto mirror = seen.find({ends.second, ends.first});
      if (mirror == seen.end() || mirror->second != weight)
        return wrong(0, "every edge on the lines of both of its ends",
                     fmt::format("vertex {} on the line of {} alone", ends.second + 1, ends.first + 1));
    }
    const bool counts_ends = edges_ > 0 && entries == edges_;
    if (entries != 2 * edges_ && !counts_ends)
      return wrong(head_line_, fmt::format("{} edges, as their lines have", entries / 2),
                   fmt::format("{}", edges_));
    source_.info.format = Format::metis;
    if (counts_ends)
      source_.warn(
          head_line_,
          fmt::format("{} was taken for the number of edges, each counted from both ends: there are {}",
                      edges_, entries / 2));
    if (!certain_)
      source_.warn(
          head_line_,
          fmt::format("read as METIS: {} vertices, a line of neighbours each (--format edgelist takes "
                      "lines for edges)",
                      vertices_));
    return build(edges, zero_based ? 0 : 1);
  }

 private:
  std::optional<Graph> wrong(std::uint64_t line, std::string expected, std::string found) const {
    if (certain_) source_.fail(line, std::move(expected), std::move(found));
    return std::nullopt;
  }

  // Edges are undirected, whatever they are asked as.
  Graph build(const std::vector<TableEdge>& edges, std::uint64_t first) {
    GraphBuilder builder(source_.name, GraphKind::undirected, source_.options, source_.info);
    builder.reserve(edges.size());
    for (std::uint64_t v = 0; v < vertices_; ++v) builder.left(label(v + first));
    for (const TableEdge& edge : edges) {
      const Index from = builder.left(edge.from);
      const Index to = builder.left(edge.to);
      if (edge.weight.empty()) {
        builder.add(from, to, edge.line);
      } else {
        builder.add(from, to, edge.line, edge.weight);
      }
    }
    return builder.finish();
  }

  std::string_view label(std::uint64_t number) {
    return labels_.try_emplace(number, std::to_string(number)).first->second;
  }

  bool read_head(const WordTable& table) {
    const auto no = [&](std::uint64_t line, const std::string& found) {
      return wrong(line, "a first line N M [FMT [NCON]]: numbers of vertices and edges", found).has_value();
    };
    if (table.rows.empty()) return no(0, "none");
    const TableRow& head = table.rows.front();
    head_line_ = head.line;
    if (head.fields.size() < 2 || head.fields.size() > 4)
      return no(head.line, fmt::format("{} words", head.fields.size()));
    const auto vertices = parse_number(head.fields[0]);
    const auto edges = parse_number(head.fields[1]);
    if (!vertices || !edges) return no(head.line, shown(head.fields[vertices ? 1 : 0]));
    vertices_ = *vertices;
    edges_ = *edges;
    if (head.fields.size() == 2) return true;
    const std::string_view fmt = head.fields[2];
    if (fmt.size() > 3 || fmt.find_first_not_of("01") != std::string_view::npos)
      return no(head.line, shown(fmt));
    const std::string flags = std::string(3 - fmt.size(), '0') + std::string(fmt);
    std::uint64_t constraints = 1;
    if (head.fields.size() == 4) {
      const auto number = parse_number(head.fields[3]);
      if (!number || *number > 1000) return no(head.line, shown(head.fields[3]));
      constraints = *number;
    }
    own_ = (flags[0] == '1' ? 1 : 0) + (flags[1] == '1' ? constraints : 0);
    step_ = flags[2] == '1' ? 2 : 1;
    return true;
  }

  // The lines behind the first, empty ones too, are the vertices'; comments stand apart.
  bool find_lines(const WordTable& table) {
    std::vector<std::pair<std::uint64_t, const TableRow*>> lines;
    for (std::size_t k = 1; k < table.rows.size(); ++k)
      lines.emplace_back(table.rows[k].line, &table.rows[k]);
    for (const std::uint64_t line : table.blanks) {
      if (line > head_line_) lines.emplace_back(line, nullptr);
    }
    std::sort(lines.begin(), lines.end());
    const auto counted = [&] {
      return wrong(0, fmt::format("{} lines of neighbours, as the first line says", vertices_),
                   fmt::format("{}", lines.size()))
          .has_value();
    };
    while (lines.size() > vertices_ && lines.back().second == nullptr) lines.pop_back();
    if (lines.size() > vertices_) {
      // Blank lines between others are none of vertices then.
      if (table.rows.size() - 1 != vertices_) return counted();
      std::erase_if(lines, [](const auto& line) { return line.second == nullptr; });
    }
    // Vertices at the end may have no neighbours, and their empty lines may be lost.
    if (lines.size() < vertices_ && !certain_) return false;
    if (vertices_ > source_.bytes.size() + 1) return counted();
    lines.resize(vertices_, {0, nullptr});
    for (const auto& line : lines) lines_.push_back(line.second);
    return true;
  }

  const TableSource& source_;
  bool certain_;
  std::uint64_t head_line_ = 0;
  std::uint64_t vertices_ = 0;
  std::uint64_t edges_ = 0;
  std::size_t own_ = 0;   // numbers in front that are the vertex's
  std::size_t step_ = 1;  // words a neighbour
  std::vector<const TableRow*> lines_;
  std::map<std::uint64_t, std::string> labels_;
};

// Rows of neighbours as edges. Listed from both ends: each once.
class AdjacencyReader {
 public:
  AdjacencyReader(const TableSource& source, const WordTable& table)
      : source_(source), words_(table.delimiter == ' ') {
    for (const TableRow& row : table.rows) {
      rows_.push_back(row);
      trim(rows_.back());
      if (rows_.back().fields.empty()) source_.fail(row.line, "a vertex", "empty fields");
    }
  }

  explicit AdjacencyReader(const TableSource& source, std::vector<TableRow> rows)
      : source_(source), words_(false), rows_(std::move(rows)) {}

  // Lines "1 -> 2" and "1 -> 3" of one vertex as one.
  void join_lines() {
    std::map<std::string_view, std::size_t> place;
    std::vector<TableRow> joined;
    for (TableRow& row : rows_) {
      const auto [at, added] = place.try_emplace(row.fields[0], joined.size());
      if (added) {
        joined.push_back(std::move(row));
      } else {
        std::vector<std::string_view>& fields = joined[at->second].fields;
        fields.insert(fields.end(), row.fields.begin() + 1, row.fields.end());
      }
    }
    rows_ = std::move(joined);
  }

  // Whether nothing else comes into question: one line a vertex, one of three words or more.
  bool fits(bool asked) const {
    std::set<std::string_view> firsts;
    std::size_t longest = 0;
    bool even = true;
    if (rows_.front().fields.size() > 1 && header_word(rows_.front().fields[0]) != HeaderWord::none &&
        header_word(rows_.front().fields[1]) != HeaderWord::none)
      return false;
    const bool numbers = parse_number(rows_.front().fields[0]).has_value();
    for (const TableRow& row : rows_) {
      longest = std::max(longest, row.fields.size());
      even = even && row.fields.size() == rows_.front().fields.size();
      if (row.fields.empty() || !firsts.insert(row.fields[0]).second) return false;
      std::set<std::string_view> one;
      for (const std::string_view word : row.fields) {
        if (!one.insert(word).second && source_.options.kind != GraphKind::directed) return false;
        // Labels are of one sort; numbers behind words are weights.
        if (parse_number(word).has_value() != numbers || (!numbers && is_number_literal(word))) return false;
      }
    }
    return asked || colon_ || (!even && longest > 2);
  }

  // Lines of two and of three words, one a vertex, the third word in front of another: "1 3", "2 a 1".
  bool thirds_are_in_front() const {
    if (colon_) return false;
    std::set<std::string_view> firsts;
    for (const TableRow& row : rows_) {
      if (row.fields.size() < 2 || row.fields.size() > 3 || !firsts.insert(row.fields[0]).second)
        return false;
    }
    std::size_t thirds = 0;
    for (const TableRow& row : rows_) {
      if (row.fields.size() < 3) continue;
      const std::set<std::string_view> words(row.fields.begin(), row.fields.end());
      if (words.size() < 3 || !firsts.contains(row.fields[2])) return false;
      ++thirds;
    }
    // A first line of two words may be names of columns, of rows with names.
    const bool head = rows_.front().fields.size() == 2 && thirds + 1 == rows_.size();
    return thirds > 0 && thirds < rows_.size() && !head;
  }

  bool colon() const { return colon_; }
  std::size_t longest() const {
    std::size_t most = 0;
    for (const TableRow& row : rows_) most = std::max(most, row.fields.size());
    return most;
  }

  Graph build() const {
    std::vector<TableEdge> edges;
    std::vector<std::string_view> vertices;
    std::map<std::pair<std::string_view, std::string_view>, bool> seen;
    const bool undirected = source_.edge_kind() == GraphKind::undirected;
    std::uint64_t again = 0;
    std::set<std::string_view> firsts;
    if (source_.edge_kind() == GraphKind::bipartite) check_sides();
    for (const TableRow& row : rows_) {
      source_.check_label(row.fields[0], row.line);
      if (!firsts.insert(row.fields[0]).second)
        source_.fail(row.line, "each vertex in front of one line",
                     fmt::format("{} again", shown(row.fields[0])));
      if (source_.edge_kind() != GraphKind::bipartite) vertices.push_back(row.fields[0]);
      for (std::size_t k = 1; k < row.fields.size(); ++k) {
        const std::string_view from = row.fields[0];
        const std::string_view to = row.fields[k];
        if (to == ":") source_.fail(row.line, "neighbours", "a second ':'");
        if (undirected && from != to && seen.contains({to, from})) {
          ++again;  // from its other end
          continue;
        }
        seen.emplace(std::pair(from, to), true);
        edges.push_back({row.line, from, to});
      }
    }
    source_.info.repeats_merged += again;
    source_.info.format = Format::adjacency_list;
    return source_.edges(edges, std::nullopt, vertices);
  }

 private:
  // A vertex of no edge may be on either side.
  void check_sides() const {
    std::set<std::string_view> neighbours;
    for (const TableRow& row : rows_) neighbours.insert(row.fields.begin() + 1, row.fields.end());
    for (const TableRow& row : rows_) {
      if (row.fields.size() == 1 && !neighbours.contains(row.fields[0]))
        source_.fail(row.line, "a vertex with an edge, which says on which side it is (--kind bipartite)",
                     fmt::format("{} without one", shown(row.fields[0])));
    }
  }

  // "u:" or "u :" in front, commas behind neighbours.
  void trim(TableRow& row) {
    std::vector<std::string_view>& fields = row.fields;
    if (fields.size() > 1 && fields[1] == ":") {
      fields.erase(fields.begin() + 1);
      colon_ = true;
    } else if (fields[0].size() > 1 && fields[0].ends_with(':')) {
      fields[0].remove_suffix(1);
      colon_ = true;
    }
    for (std::string_view& field : fields) {
      if (words_ && field.size() > 1 && field.ends_with(',')) field.remove_suffix(1);
    }
    while (!fields.empty() && fields.back().empty()) fields.pop_back();
  }

  const TableSource& source_;
  bool words_;  // blanks part them
  std::vector<TableRow> rows_;
  bool colon_ = false;
};

}  // namespace

std::optional<Graph> read_if_metis(const TableSource& source, const WordTable& table) {
  if (table.delimiter != ' ' || table.rows.size() < 2 || !table.whole) return std::nullopt;
  return MetisReader(source, false).read(table);
}

std::optional<Graph> read_if_marked_neighbours(const TableSource& source) {
  std::optional<MarkedNeighbours> lines = marked_neighbours(source.bytes);
  if (!lines || lines->longest < 2) return std::nullopt;
  const bool lists = lines->commas || lines->brackets == '[' || lines->brackets == '{';
  if (!lists && lines->longest < 4) return std::nullopt;
  // "1; 2,4" and "1 2,5" may have decimal commas, "1 -- (2,5)" a neighbour and a weight, and "1-2 [5]" an
  // edge.
  const bool marked = lines->sign == ":" || lines->arrows ||
                      ((lines->brackets == '[' || lines->brackets == '{') && lines->longest > 2);
  const bool clear = marked && lines->brackets != '(';
  std::set<std::string_view> firsts;
  bool once = true;
  for (const TableRow& row : lines->rows) once = firsts.insert(row.fields[0]).second && once;
  if (!once && !lines->arrows) return std::nullopt;
  std::set<std::pair<std::string_view, std::string_view>> arcs;
  for (const TableRow& row : lines->rows) {
    for (std::size_t k = 1; k < row.fields.size(); ++k) arcs.emplace(row.fields[0], row.fields[k]);
  }
  const bool symmetric = std::all_of(arcs.begin(), arcs.end(), [&](const auto& arc) {
    return arcs.contains({arc.second, arc.first});
  });
  if (!clear && !symmetric) return std::nullopt;
  // "a--b,7" may have a value behind the comma.
  const bool values = lines->brackets == '\0' && !symmetric &&
                      std::all_of(lines->rows.begin(), lines->rows.end(), [](const TableRow& row) {
                        return row.fields.size() == 3 && is_number_literal(row.fields[2]);
                      });
  if (values && !is_whole(lines->rows.front().fields[0])) return std::nullopt;
  if (values)
    source.ask(lines->rows.front().line, "two numbers behind each vertex",
               "--format adjlist (its neighbours)", "--ends 1 (a neighbour, and the edge's value)");
  source.warn(
      0, fmt::format("read as an adjacency list: a vertex and its neighbours in a line (--format "
                     "adjlist says so){}",
                     lines->arrows && !source.options.kind ? "; --kind directed makes arcs of arrows" : ""));
  AdjacencyReader reader(source, std::move(lines->rows));
  if (!once) reader.join_lines();
  return reader.build();
}

std::optional<Graph> read_if_adjacency(const TableSource& source, const WordTable& table) {
  const auto is_empty = [](std::string_view field) { return field.empty() || field == ","; };
  const auto has_none = [&](const TableRow& row) {
    return std::all_of(row.fields.begin(), row.fields.end(), is_empty);
  };
  if (table.rows.size() < 2 || std::any_of(table.rows.begin(), table.rows.end(), has_none))
    return std::nullopt;
  const AdjacencyReader reader(source, table);
  // Of one length: a vertex and its neighbours from both ends; with --weights numbers are a matrix, too.
  const std::size_t width = table.width();
  if (width > 2 && table.all_have(width) && source.options.kind != GraphKind::bipartite &&
      are_symmetric_lists(table.rows)) {
    const bool square = width == table.rows.size() && source.options.weights;
    if (width == 3 || square)
      source.ask(
          table.rows.front().line, "lines that list each other's first words, as neighbours do",
          "--format adjlist (a vertex and its neighbours)",
          width == 3 ? "--ends 1,2 or --format edgelist or csv (u v weight)" : "--format dense (a matrix)");
    source.warn(
        0, "read as an adjacency list: a vertex and its neighbours in a line (--format adjlist says so)");
    return reader.build();
  }
  const bool doubtful = !source.options.weights && reader.thirds_are_in_front();
  if (!doubtful && !reader.fits(false)) return std::nullopt;
  // Lines of two and three words may be edges, some with a weight: a number, or with --weights a letter.
  const auto two_or_three = [](const TableRow& row) {
    return row.fields.size() == 2 || row.fields.size() == 3;
  };
  const bool short_lines = reader.longest() == 3 && !reader.colon() &&
                           std::all_of(table.rows.begin(), table.rows.end(), two_or_three);
  const bool numbers =
      short_lines && std::all_of(table.rows.begin(), table.rows.end(), [](const TableRow& row) {
        return row.fields.size() == 2 || is_number_literal(row.fields[2]);
      });
  if (numbers && source.options.weights) return std::nullopt;
  if (numbers || doubtful || (short_lines && source.options.weights))
    source.ask(table.rows.front().line, "lines of two and of three words",
               source.options.weights ? "--format edgelist (u v weight)"
                                      : "--weights or --format edgelist (u v weight)",
               "--format adjlist (a vertex and its neighbours)");
  source.warn(0,
              "read as an adjacency list: a vertex and its neighbours in a line (--format adjlist says so)");
  return reader.build();
}

namespace {

char delimiter_of_lists(std::string_view bytes) {
  TextLines lines(bytes);
  while (lines.next()) {
    if (lines.line_done()) continue;
    const std::string_view line = lines.line();
    if (line.front() == '#' || line.front() == '%') continue;
    const std::string_view first = lines.word();
    if (first.find(';') != std::string_view::npos) return ';';
    return first.find(',') != std::string_view::npos ? ',' : ' ';
  }
  return ' ';
}

}  // namespace

Graph read_metis(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info) {
  const TableSource source(bytes, name, options, info);
  WordTable table = split_table(bytes, delimiter_of_lists(bytes));
  if (std::optional<std::vector<TableRow>> listed = listed_neighbours(source))
    table.rows = *std::move(listed);
  // Its first line may be missing, where lines are neighbours of vertices all the same.
  if (const auto neighbours = numbered_neighbours(table.rows, 0)) {
    InputInfo unused;
    if (!MetisReader(TableSource(bytes, name, options, unused), false).read(table)) {
      source.warn(0, "METIS's first line is missing: each line was taken for the neighbours of a vertex");
      return build_numbered(source, *neighbours, table.rows.size());
    }
  }
  return *MetisReader(source, true).read(split_table(bytes, ' '));
}

Graph read_adjacency_list(std::string_view bytes, const std::string& name, const ReadOptions& options,
                          InputInfo& info) {
  const TableSource source(bytes, name, options, info);
  if (std::optional<MarkedNeighbours> lines = marked_neighbours(bytes);
      lines && (lines->sign != ";" || lines->commas || lines->brackets != '\0')) {
    if (!lines->sign.empty() && lines->sign != ":" && (lines->sign != ";" || lines->commas))
      source.warn(lines->rows.front().line,
                  fmt::format("{} was taken for what stands between a vertex and its neighbours{}",
                              shown(lines->sign), lines->commas ? ", and a comma for what parts these" : ""));
    AdjacencyReader reader(source, std::move(lines->rows));
    if (lines->arrows) reader.join_lines();
    return reader.build();
  }
  const WordTable table = split_table(bytes, delimiter_of_lists(bytes));
  warn_of_single_quotes(source, table);
  if (table.rows.empty()) throw InputError(name, 0, "vertices and their neighbours", "none");
  return AdjacencyReader(source, table).build();
}

}  // namespace countpm
