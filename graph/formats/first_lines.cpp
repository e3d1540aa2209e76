// What the first line of a table may be beside an edge, and whether a long text is edges alone.
#include <fmt/format.h>

#include <algorithm>

#include "graph/formats/arrow_words.hpp"
#include "graph/formats/header_words.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/formats/told_counts.hpp"
#include "graph/text.hpp"

namespace countpm {

namespace {

// The last line has words where the others have numbers.
bool has_odd_end(const TableSource& source, const WordTable& table) {
  const std::vector<std::string_view>& last = table.rows.back().fields;
  if (!is_whole(last[0]) || !is_whole(last[1])) return false;
  std::string_view text = source.bytes;
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  text = text.substr(text.find_last_of("\r\n") + 1);
  constexpr std::size_t longest = 200;
  return text.size() < longest && worded_counts(text).has_value();
}

// Lines of neighbours: those of the sample that are of its own vertices go both ways.
bool may_be_numbered(const std::vector<TableRow>& rows) {
  std::size_t seen = 0;
  const std::uint64_t count = rows.size();
  for (const std::uint64_t first : {1U, 0U}) {
    bool fits = true;
    for (std::uint64_t v = 0; v < count && fits; ++v) {
      for (const std::string_view word : rows[v].fields) {
        const auto number = parse_number(word);
        if (!number || *number < first || *number - first == v) {
          fits = false;
          break;
        }
        if (*number - first >= count) continue;
        const std::vector<std::string_view>& back = rows[*number - first].fields;
        fits = std::any_of(back.begin(), back.end(),
                           [&](std::string_view other) { return parse_number(other) == v + first; });
        if (!fits) break;
        ++seen;
      }
    }
    if (fits && seen > 0) return true;
  }
  return false;
}

}  // namespace

// Of a long text, by its beginning: nothing but edges in it, each with its ends and perhaps a weight.
bool looks_plain(const TableSource& source, const WordTable& table) {
  const std::vector<TableRow>& rows = table.rows;
  if (table.delimiter != ' ' || !table.rules.empty() || !table.glued.empty()) return false;
  if (source.options.first_line == FirstLine::header || table.parts_unlike_words) return false;
  const std::size_t width = rows.back().fields.size();
  if (width != 2 && width != 3) return false;
  if (!table.all_have(width)) return false;
  const auto first_is = [&](const char* letter) { return rows.back().fields[0] == letter; };
  if (width == 3 && (first_is("e") || first_is("a"))) return false;
  if (heads_weights(rows) || have_middle_word(rows)) return false;
  if (has_odd_end(source, table) || may_be_numbered(rows)) return false;
  if (reading_of_heads(rows) != HeadReading::edge) return false;
  if (header_word(rows.front().fields[0]) != HeaderWord::none) return false;
  const std::string_view second = rows.back().fields[1];
  if (is_arrow(second) || is_separator(second)) return false;
  const TableRow& first = rows.front();
  if (is_whole(first.fields[0]) && is_whole(first.fields[1])) {
    // Numbers of vertices and edges: as many lines as the second or the third says.
    const auto lines = static_cast<std::uint64_t>(std::count(source.bytes.begin(), source.bytes.end(), '\n'));
    for (std::size_t k = 0; k < width; ++k) {
      const auto number = parse_number(first.fields[k]);
      // Nearly, or each edge counted twice, too.
      for (const std::uint64_t said : {number.value_or(0), number.value_or(0) / 2}) {
        if (number && said <= lines + 2 && said + 4096 >= lines) return false;
      }
    }
  } else if (is_whole(rows.back().fields[0]) && is_whole(rows.back().fields[1])) {
    return false;  // words above numbers
  }
  if (width == 2) return !is_number_literal(second) || is_whole(second);
  if (source.options.weights) return is_real_literal(rows.back().fields[2]);
  return std::any_of(rows.begin(), rows.end(), [](const TableRow& row) {
    return row.fields[2].find_first_of(".eE-/") != std::string_view::npos;
  });
}

// Numbers that are nearly those of vertices and edges ("3 5" above five edges of four vertices), where an
// edge would be a loop, or join a vertex that no other edge has.
void ask_of_doubtful_counts(const TableSource& source, const std::vector<TableRow>& rows) {
  const std::vector<std::string_view> head = rows[0].fields;
  const std::uint64_t vertices = *parse_number(head[0]);
  const std::uint64_t said = *parse_number(head[1]);
  const std::uint64_t edges = rows.size() - 1;
  if (edges < 3) return;
  std::vector<std::uint64_t> numbers;
  bool loop = false;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    for (std::size_t end = 0; end < 2; ++end) {
      const auto number = parse_number(rows[k].fields[end]);
      if (!number) return;
      numbers.push_back(*number);
    }
    loop = loop || rows[k].fields[0] == rows[k].fields[1];
  }
  if (!are_contiguous(numbers)) return;
  const auto known = [&](std::uint64_t number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
  };
  const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
  const std::uint64_t distinct = *most - *least + 1;
  const auto differ_by = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; };
  const bool near_vertices = differ_by(vertices, distinct) <= 1;
  const bool near_edges = differ_by(said, edges) <= 1 || said == 2 * edges || edges == 2 * said;
  const bool exact = said == edges && vertices >= distinct;
  const bool one_exact = said == edges || vertices == distinct;
  const bool as_loop = vertices == said && source.edge_kind() == GraphKind::undirected && !loop;
  if (exact || !near_vertices || !near_edges || !one_exact) return;
  if (!as_loop && known(vertices) && known(said)) return;
  source.ask(rows[0].line,
             fmt::format("{} {} above {} edges of {} vertices", head[0], head[1], edges, distinct),
             fmt::format("a first line {} {}, the numbers of vertices and edges, or none", distinct, edges),
             as_loop ? "--first-line edge (a loop)" : "--first-line edge");
}

// Whether the first line joins two vertices as the others do: not a vertex to itself, not twice the same,
// and no number of a vertex is left out on account of it.
bool first_may_be_edge(const TableSource& source, const std::vector<TableRow>& rows) {
  const std::vector<std::string_view>& head = rows[0].fields;
  const bool undirected = source.edge_kind() == GraphKind::undirected;
  if (head[0] == head[1] && undirected) return false;
  std::vector<std::uint64_t> numbers;
  for (const TableRow& row : rows) {
    numbers.push_back(*parse_number(row.fields[0]));
    numbers.push_back(*parse_number(row.fields[1]));
  }
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const std::vector<std::string_view>& row = rows[k].fields;
    if ((row[0] == head[0] && row[1] == head[1]) || (undirected && row[0] == head[1] && row[1] == head[0]))
      return source.options.multi != MultiPolicy::reject;
  }
  const bool with = are_contiguous(numbers);
  numbers.erase(numbers.begin(), numbers.begin() + 2);
  return with || !are_contiguous(numbers);
}

}  // namespace countpm
