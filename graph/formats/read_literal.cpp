// Matrices and lists of edges as programs print them: [[0,1],[1,0]] and array([[0, 1], [1, 0]]),
// {{0,1},{1,0}},
// [[0 1] [1 0]], [0 1; 1 0], 0 1; 1 0, [(1, 2), (2, 3)], Graph[{1<->2,2<->3}]. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

constexpr std::size_t largest_literal = std::size_t{64} << 20U;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// The text from the first bracket to the last, without a name and a parenthesis around it; empty where it is
// none of these.
std::string_view bracketed(std::string_view text) {
  text = without_space(text);
  constexpr std::array<std::string_view, 9> names = {
      "np.array", "numpy.array", "array", "np.matrix", "matrix", "Matrix", "torch.tensor", "tensor", "Graph"};
  for (const std::string_view name : names) {
    if (!text.starts_with(name) || text.size() < name.size() + 2) continue;
    const std::string_view rest = without_space(text.substr(name.size()));
    const char open = rest.front();
    const char close = open == '(' ? ')' : ']';
    if ((open != '(' && open != '[') || rest.find(close) == std::string_view::npos) continue;
    // Divided by a number, say, it is another matrix.
    const std::string_view after = without_space(rest.substr(rest.rfind(close) + 1));
    if (after.find_first_not_of(';') != std::string_view::npos) return {};
    std::string_view within = without_space(rest.substr(1, rest.rfind(close) - 1));
    const std::size_t end = within.find_last_of("]}");
    if (end == std::string_view::npos) return {};
    // Behind the literal: a comma and how the numbers are stored.
    const std::string_view behind = without_space(within.substr(end + 1));
    if (!behind.empty() && behind.front() != ',') return {};
    text = within.substr(0, end + 1);
    break;
  }
  while (text.ends_with(';')) text = without_space(text.substr(0, text.size() - 1));
  const bool list = text.size() > 1 && ((text.front() == '[' && text.back() == ']') ||
                                        (text.front() == '{' && text.back() == '}'));
  return list ? text : std::string_view();
}

struct LiteralRow {
  TableRow row;
  bool pair = false;  // in parentheses, or with an arrow: an edge
};

class LiteralReader {
 public:
  explicit LiteralReader(const TableSource& source) : source_(source) {}

  std::optional<Graph> read() {
    std::string_view text = source_.bytes;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const std::string_view list = bracketed(text);
    if (!list.empty()) {
      if (source_.bytes.size() > largest_literal)
        source_.fail(0, "a list of at most 64 MiB in brackets", "a longer one");
      return nested(list.substr(1, list.size() - 2)) ? build() : std::nullopt;
    }
    return by_semicolons(without_space(text)) ? build() : std::nullopt;
  }

 private:
  std::uint64_t line_of(std::string_view part) const {
    const auto end = source_.bytes.begin() + (part.data() - source_.bytes.data());
    return static_cast<std::uint64_t>(std::count(source_.bytes.begin(), end, '\n')) + 1;
  }

  // [a, b], [c, d] or (a, b), (c, d) or a<->b, c<->d; in MATLAB's brackets rows parted by semicolons.
  bool nested(std::string_view text) {
    text = without_space(text);
    if (text.empty()) return false;
    if (text.front() != '[' && text.front() != '{' && text.front() != '(') {
      return text.find("->") != std::string_view::npos ? arrows(text) : by_semicolons(text);
    }
    if (text.front() == '(' && text.find(',') == std::string_view::npos) return by_semicolons(text);
    while (!text.empty()) {
      const char open = text.front();
      const char close = open == '[' ? ']' : open == '{' ? '}' : open == '(' ? ')' : '\0';
      if (close == '\0') return false;
      std::size_t end = 1;
      std::size_t depth = 1;  // of parentheses around complex numbers
      for (; end < text.size() && depth > 0; ++end) {
        if (open != '(' && text[end] == '(') ++depth;
        if (open != '(' && text[end] == ')') --depth;
        if (text[end] == close && depth == 1) --depth;
      }
      if (depth > 0) return false;
      if (!add_row(text.substr(1, end - 2), open == '(')) return false;
      text = without_space(text.substr(end));
      if (text.starts_with(',')) text = without_space(text.substr(1));
    }
    return true;
  }

  bool arrows(std::string_view text) {
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      const std::string_view part = without_space(text.substr(0, comma));
      text = text.substr(std::min(comma + 1, text.size()));
      const std::size_t at = part.find("->");
      if (at == std::string_view::npos) return false;
      const bool both = at > 0 && part[at - 1] == '<';
      directed_ = directed_ || !both;
      const std::string_view from = without_space(part.substr(0, both ? at - 1 : at));
      const std::string_view to = without_space(part.substr(at + 2));
      if (!is_element(from) || !is_element(to)) return false;
      rows_.push_back({{line_of(part), {from, to}}, true});
    }
    return true;
  }

  static bool is_element(std::string_view word) {
    return !word.empty() && word.find_first_of("[]{}();<>") == std::string_view::npos;
  }

  // "0 1; 1 0" or "0, 1; 1, 0": numbers, and more than one row, in one line or with a semicolon in each.
  bool by_semicolons(std::string_view text) {
    const std::size_t semicolons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ';'));
    if (semicolons == 0) return false;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(';'), text.size());
      const std::string_view part = without_space(text.substr(0, end));
      text = text.substr(std::min(end + 1, text.size()));
      if (part.empty() && without_space(text).empty()) break;
      decimals_ = decimals_ && with_decimal_point(part).has_value();
      if (part.find('\n') != std::string_view::npos || !add_row(part, false)) return false;
    }
    if (rows_.size() < 2) return false;
    by_semicolons_ = true;
    return std::all_of(rows_.begin(), rows_.end(), [&](const LiteralRow& row) {
      const std::vector<std::string_view>& fields = row.row.fields;
      return fields.size() > 1 && fields.size() == rows_.front().row.fields.size() &&
             std::all_of(fields.begin(), fields.end(), is_number_literal);
    });
  }

  bool add_row(std::string_view text, bool pair) {
    LiteralRow row{{line_of(text), {}}, pair};
    text = without_space(text);
    while (!text.empty()) {
      std::size_t end = 0;
      if (text.front() == '(') {
        end = text.find(')');
        if (end == std::string_view::npos) return false;
        ++end;
      } else if (text.front() == '"' || text.front() == '\'') {
        end = text.find(text.front(), 1);
        if (end == std::string_view::npos) return false;
        row.row.fields.push_back(text.substr(1, end - 1));
        text = without_space(text.substr(end + 1));
        if (text.starts_with(',')) text = without_space(text.substr(1));
        continue;
      } else {
        while (end < text.size() && !is_space(text[end]) && text[end] != ',') ++end;
      }
      const std::string_view word = text.substr(0, end);
      if (word.empty()) return false;  // ",,"
      if (word == "...") source_.fail(row.row.line, "all of a matrix", "one printed in short ('...')");
      if (word.front() != '(' && !is_element(word)) return false;
      row.row.fields.push_back(word);
      text = without_space(text.substr(end));
      if (text.starts_with(',')) text = without_space(text.substr(1));
    }
    if (row.row.fields.empty()) return false;
    rows_.push_back(std::move(row));
    return true;
  }

  std::optional<Graph> build() {
    if (rows_.empty()) return std::nullopt;
    const std::size_t width = rows_.front().row.fields.size();
    std::vector<TableRow> rows;
    bool numbers = true;
    bool whole_ends = true;
    bool pairs = false;
    for (const LiteralRow& row : rows_) {
      const std::vector<std::string_view>& fields = row.row.fields;
      if (fields.size() != width)
        source_.fail(row.row.line, fmt::format("{} entries, as in the first row", width),
                     fmt::format("{}", fields.size()));
      numbers = numbers && std::all_of(fields.begin(), fields.end(), is_number_literal);
      whole_ends = whole_ends && width > 1 && parse_number(fields[0]) && parse_number(fields[1]);
      pairs = pairs || row.pair;
      rows.push_back(row.row);
    }
    const std::optional<Format>& said = source_.options.format;
    const bool may_be_edges = (width == 2 || width == 3) && (pairs || !numbers || whole_ends);
    const bool may_be_matrix = !pairs && numbers && said != Format::edge_list;
    if (said != Format::dense && may_be_edges && may_be_matrix && rows.size() == width) {
      source_.ask(rows[0].line, fmt::format("a list of {} times {} numbers", width, width),
                  "--format edgelist (edges)", "--format dense (a matrix)");
    }
    if (may_be_matrix && (said == Format::dense || !may_be_edges)) {
      if (by_semicolons_ && decimals_)
        source_.warn(
            rows[0].line,
            fmt::format("semicolons were taken for the ends of rows and commas for what parts numbers, "
                        "not for decimal points: {} rows and {} columns",
                        rows.size(), width));
      source_.info.format = Format::dense;
      return source_.matrix({std::move(rows), {}, {}}, false);
    }
    if (!may_be_edges || said == Format::dense)
      source_.fail(rows[0].line, "a matrix of numbers, or edges (pairs, or two ends and a weight)",
                   fmt::format("lists of {}", width));
    std::vector<TableEdge> edges;
    edges.reserve(rows.size());
    for (const TableRow& row : rows)
      edges.push_back(
          {row.line, row.fields[0], row.fields[1], width == 3 ? row.fields[2] : std::string_view()});
    source_.info.format = Format::edge_list;
    source_.warn(0, directed_ && !source_.options.kind
                        ? "a list in brackets was taken for edges; --kind directed makes arcs of them"
                        : "a list in brackets was taken for edges");
    return source_.edges(edges);
  }

  const TableSource& source_;
  std::vector<LiteralRow> rows_;
  bool directed_ = false;
  bool by_semicolons_ = false;
  bool decimals_ = true;  // "1,5;2,0": between semicolons there are numbers with decimal commas as well
};

}  // namespace

std::optional<Graph> read_literal(const TableSource& source) {
  // Cheaply, for all other texts: a bracket in front, a name and one, or semicolons in a short text.
  std::string_view text = source.bytes;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  const std::string_view line = text.substr(0, std::min<std::size_t>(text.find('\n'), 4096));
  const bool opens = text.front() == '[' || text.front() == '{' ||
                     line.find("([") != std::string_view::npos || line.starts_with("Graph[{");
  if (!opens && (line.find(';') == std::string_view::npos || source.info.format == Format::csv))
    return std::nullopt;
  return LiteralReader(source).read();
}

}  // namespace countpm
