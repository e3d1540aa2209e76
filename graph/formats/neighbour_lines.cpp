// Neighbours in the forms in which programs print them: a line a vertex, "1: [2, 4]", "1 -> 2,4", "1 | 2 4",
// "1;2,4"; and lines of neighbours without the vertex, whose number is the line's ("2 4"), perhaps behind
// their number ("2 2 4"). O(bytes log bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/formats/arrow_words.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/stop_poll.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

std::string_view without_marks(std::string_view word) {
  const bool quoted =
      word.size() > 2 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front();
  return quoted ? word.substr(1, word.size() - 2) : word;
}

constexpr std::array<std::string_view, 13> vertex_signs = {"<->", "-->", ":=", "->", "=>", "→", "--",
                                                           "|",   ":",   "=",  ";",  "-",  "~"};

struct MarkedLine {
  TableRow row;           // the vertex, and its neighbours
  std::string_view sign;  // behind the vertex; empty: none
  char bracket = '\0';    // around the neighbours
  bool commas = false;    // between them
};

std::optional<MarkedLine> marked_line(std::string_view text) {
  MarkedLine line;
  text = without_space(text);
  if (text.ends_with(';') || text.ends_with(',')) text = without_space(text.substr(0, text.size() - 1));
  if (text.empty()) return std::nullopt;
  // The vertex ends at a blank, a bracket or a sign.
  std::size_t end = 0;
  if (text.front() == '"' || text.front() == '\'') {
    end = text.find(text.front(), 1);
    if (end == std::string_view::npos) return std::nullopt;
    ++end;
  } else {
    const auto ends = [&](std::size_t at) {
      if (std::string_view(" \t[]{}(),;:|").find(text[at]) != std::string_view::npos) return true;
      return std::any_of(vertex_signs.begin(), vertex_signs.begin() + 7,
                         [&](std::string_view sign) { return text.substr(at).starts_with(sign); });
    };
    while (end < text.size() && !ends(end)) ++end;
  }
  if (end == 0) return std::nullopt;
  line.row.fields.push_back(without_marks(text.substr(0, end)));
  const bool blank = end < text.size() && (text[end] == ' ' || text[end] == '\t');
  std::string_view rest = without_space(text.substr(end));
  for (const std::string_view sign : vertex_signs) {
    if (!rest.starts_with(sign)) continue;
    // "-" and "~" stand alone.
    if ((sign == "-" || sign == "~" || sign == "=") && !blank && sign != "=") return std::nullopt;
    line.sign = sign;
    rest = without_space(rest.substr(sign.size()));
    break;
  }
  if (line.sign.empty() && rest.starts_with(',')) return std::nullopt;
  if (!rest.empty()) {
    const char open = rest.front();
    const char close = open == '[' ? ']' : open == '{' ? '}' : open == '(' ? ')' : '\0';
    if (close != '\0') {
      if (rest.back() != close || rest.size() < 2) return std::nullopt;
      line.bracket = open;
      rest = without_space(rest.substr(1, rest.size() - 2));
    }
  }
  line.commas = rest.find(',') != std::string_view::npos;
  while (!rest.empty()) {
    const std::size_t stop = std::min(rest.find_first_of(line.commas ? "," : " \t"), rest.size());
    const std::string_view word = without_space(rest.substr(0, stop));
    rest = stop < rest.size() ? without_space(rest.substr(stop + 1)) : std::string_view();
    if (word.empty() && rest.empty()) break;
    if (word.empty() || word.find_first_of(" \t()[]{};:") != std::string_view::npos) return std::nullopt;
    if (is_arrow(word) || is_separator(word)) return std::nullopt;
    // "a->b,c->d": two edges.
    const auto is_within = [&](std::string_view sign) { return word.find(sign) != std::string_view::npos; };
    if (is_within("->") || is_within("=>") || is_within("→")) return std::nullopt;
    line.row.fields.push_back(without_marks(word));
  }
  return line;
}

bool is_arrow_sign(std::string_view sign) {
  return is_arrow(sign);
}

}  // namespace

std::optional<MarkedNeighbours> marked_neighbours(std::string_view bytes) {
  MarkedNeighbours found;
  TextLines lines(bytes);
  StopPoll poll;
  std::string_view sign;
  char bracket = '\0';
  bool one_bracket = true;
  bool marked = false;
  constexpr std::size_t first_lines = 32;  // one of which has more than words
  while (lines.next()) {
    poll.step();
    if (lines.line().size() > text_line_limit) return std::nullopt;
    std::string_view text = without_space(lines.line());
    if (text.starts_with("#!")) return std::nullopt;
    if (text.empty() || text.front() == '#' || text.front() == '%') continue;
    if (const std::size_t comment = text.find(" #"); comment != std::string_view::npos)
      text = text.substr(0, comment);
    std::optional<MarkedLine> line = marked_line(text);
    if (!line) return std::nullopt;
    line->row.line = lines.number();
    if (found.rows.empty()) {
      sign = line->sign;
      bracket = line->bracket;
    }
    marked = marked || !line->sign.empty() || line->bracket != '\0' || line->commas;
    if (!marked && found.rows.size() > first_lines) return std::nullopt;
    if (line->sign != sign) return std::nullopt;
    if (line->bracket != bracket) {
      // Lists of several alone may be in brackets.
      if (line->row.fields.size() > 2 || (bracket != '\0' && line->bracket != '\0')) one_bracket = false;
      if (bracket == '\0') bracket = line->bracket;
    }
    if (!one_bracket) return std::nullopt;
    found.commas = found.commas || line->commas;
    found.longest = std::max(found.longest, line->row.fields.size());
    found.rows.push_back(std::move(line->row));
  }
  found.arrows = is_arrow_sign(sign);
  found.brackets = bracket;
  found.sign = sign;
  if (!marked) return std::nullopt;
  return found;
}

std::optional<NumberedNeighbours> numbered_neighbours(const std::vector<TableRow>& rows, std::size_t skip) {
  NumberedNeighbours found;
  const std::uint64_t count = rows.size();
  if (count < 2) return std::nullopt;
  bool zero = false;
  bool several = false;
  for (const TableRow& row : rows) {
    if (row.fields.size() < skip) return std::nullopt;
    // In front: how many neighbours there are.
    if (skip > 0 && parse_number(row.fields[skip - 1]) != row.fields.size() - skip) return std::nullopt;
    several = several || row.fields.size() > skip + 1;
    for (std::size_t k = skip; k < row.fields.size(); ++k) {
      const auto number = parse_number(row.fields[k]);
      if (!number || *number > count) return std::nullopt;
      zero = zero || *number == 0;
    }
  }
  if (!several && (skip > 0 || count < 3)) return std::nullopt;
  found.first = zero ? 0 : 1;
  std::set<std::pair<std::uint64_t, std::uint64_t>> arcs;
  for (std::uint64_t v = 0; v < count; ++v) {
    const TableRow& row = rows[v];
    if (skip > 1 && parse_number(row.fields[0]) != v + found.first) return std::nullopt;
    for (std::size_t k = skip; k < row.fields.size(); ++k) {
      const std::uint64_t number = *parse_number(row.fields[k]);
      if (number < found.first || number - found.first >= count || number - found.first == v)
        return std::nullopt;
      const std::uint64_t other = number - found.first;
      if (!arcs.emplace(v, other).second) return std::nullopt;
      // Most texts that are none end here.
      if (other < v && !arcs.contains({other, v})) return std::nullopt;
    }
  }
  for (const auto& [from, to] : arcs) {
    if (!arcs.contains({to, from})) return std::nullopt;
    if (from < to) found.edges.push_back({rows[from].line, from, to});
  }
  return found;
}

namespace {

// The rows as edges "u v [weight]"; nothing where they are none, or one of them is there twice.
std::optional<std::set<std::pair<std::string_view, std::string_view>>> as_edges(
    const std::vector<TableRow>& rows) {
  std::set<std::pair<std::string_view, std::string_view>> pairs;
  for (const TableRow& row : rows) {
    if (row.fields.size() < 2 || row.fields.size() > 3 || row.fields[0] == row.fields[1]) return std::nullopt;
    if (!pairs.insert(std::minmax(row.fields[0], row.fields[1])).second) return std::nullopt;
  }
  return pairs;
}

}  // namespace

bool are_symmetric_lists(const std::vector<TableRow>& rows) {
  if (rows.size() < 3) return false;
  std::set<std::string_view> firsts;
  for (const TableRow& row : rows) {
    if (row.fields.empty() || !firsts.insert(row.fields[0]).second) return false;
  }
  std::set<std::pair<std::string_view, std::string_view>> arcs;
  for (const TableRow& row : rows) {
    for (std::size_t k = 1; k < row.fields.size(); ++k) {
      const std::string_view to = row.fields[k];
      if (to == row.fields[0] || !firsts.contains(to) || !arcs.emplace(row.fields[0], to).second)
        return false;
    }
  }
  return !arcs.empty() && std::all_of(arcs.begin(), arcs.end(), [&](const auto& arc) {
    return arcs.contains({arc.second, arc.first});
  });
}

Graph build_numbered(const TableSource& source, const NumberedNeighbours& neighbours, std::uint64_t count) {
  std::deque<std::string> labels;
  std::vector<std::string_view> vertices;
  for (std::uint64_t v = 0; v < count; ++v)
    vertices.push_back(labels.emplace_back(std::to_string(v + neighbours.first)));
  GraphBuilder builder(source.name, GraphKind::undirected, source.options, source.info);
  builder.reserve(neighbours.edges.size());
  for (const std::string_view label : vertices) builder.left(label);
  for (const auto& [line, from, to] : neighbours.edges)
    builder.add(static_cast<Index>(from), static_cast<Index>(to), line);
  source.info.format = Format::metis;
  return builder.finish();
}

namespace {

// counted: the number of vertices stood above.
std::optional<Graph> read_numbered(const TableSource& source, const std::vector<TableRow>& rows,
                                   std::uint64_t line, bool counted) {
  for (const std::size_t skip : {0, 1, 2}) {
    const std::optional<NumberedNeighbours> found = numbered_neighbours(rows, skip);
    if (!found) continue;
    const char* const how = skip == 0   ? "the neighbours of the vertex with that line's number"
                            : skip == 1 ? "the number of neighbours of a vertex, and these"
                                        : "a vertex, its number of neighbours, and these";
    if (skip == 0) {
      const auto edges = as_edges(rows);
      bool same = edges && edges->size() == found->edges.size();
      for (std::size_t k = 0; same && k < found->edges.size(); ++k) {
        const auto& edge = found->edges[k];
        const std::string from = std::to_string(edge.from + found->first);
        const std::string to = std::to_string(edge.to + found->first);
        same = edges->contains(std::minmax<std::string_view>(from, to));
      }
      if (same && !counted) return std::nullopt;
      const bool matrix = source.info.format == Format::dense && source.options.weights;
      if (edges || matrix)
        source.ask(line, fmt::format("lines of numbers, which may be {}", how),
                   "--format metis (neighbours, a line a vertex)",
                   matrix ? "--format dense (a matrix)" : "--format edgelist (u v, or u v weight)");
    }
    if (counted) source.warn(line, "the first line was taken for the number of vertices");
    source.warn(
        0, fmt::format("each line was taken for {}: {} vertices, {} edges{}", how, rows.size(),
                       found->edges.size(), skip == 0 ? " (--format edgelist takes lines for edges)" : ""));
    return build_numbered(source, *found, rows.size());
  }
  return std::nullopt;
}

}  // namespace

std::optional<Graph> read_if_numbered(const TableSource& source, const WordTable& table) {
  if (source.options.kind == GraphKind::bipartite || !table.whole || table.rows.empty()) return std::nullopt;
  const TableRow& head = table.rows.front();
  if (std::optional<Graph> graph = read_numbered(source, table.rows, head.line, false)) return graph;
  if (table.rows.size() < 3 || head.fields.size() != 1 ||
      parse_number(head.fields[0]) != table.rows.size() - 1)
    return std::nullopt;
  return read_numbered(source, {table.rows.begin() + 1, table.rows.end()}, head.line, true);
}

}  // namespace countpm
