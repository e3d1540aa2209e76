// Lines in which both ends of an edge stand in one word or within brackets, perhaps in front of a value:
// "1-2 7", "a->b [7]", "(1,2): 7", "1 -- 2: 7"; sparse matrices of MATLAB, Octave and SciPy below a heading
// are read before. O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/formats/arrow_words.hpp"
#include "graph/formats/printed_matrix.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/stop_poll.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

// Two labels; any one word, no brackets in it.
bool is_end(std::string_view label) {
  return !label.empty() && label.find_first_of(" \t()[]{}<>,;") == std::string_view::npos;
}

struct JoinedLine {
  TableEdge edge;
  std::string_view joiner;  // between the ends, or the bracket around them
  bool marked = false;      // the value is said to be one: "1-2: 7", "1-2 [7]"
  bool parted = false;      // a comma or a semicolon is in front of it
  bool entry = false;       // an arrow is, as Octave prints entries: "(1, 2) -> 7"
};

// Arrows are hardly ever in labels; the others are.
constexpr std::array<std::string_view, 16> arrows_in_words = {
    "<-->", "<->", "-->", "<--", "==>", "<=>", "---", "->", "=>", "<-", "--", "→", "↔", "←", "—", "–"};
constexpr std::array<std::string_view, 11> joiners_in_words = {"::", "..", "-", "_", ":", "|",
                                                               "~",  "=",  "+", "&", "/"};

bool is_arrow_in_word(std::string_view joiner) {
  return std::find(arrows_in_words.begin(), arrows_in_words.end(), joiner) != arrows_in_words.end();
}

template <std::size_t size>
bool split_at(std::string_view word, const std::array<std::string_view, size>& signs, JoinedLine& line) {
  for (const std::string_view sign : signs) {
    const std::size_t at = word.find(sign);
    if (at == std::string_view::npos) continue;
    line.edge.from = word.substr(0, at);
    line.edge.to = word.substr(at + sign.size());
    line.joiner = sign;
    return is_end(line.edge.from) && is_end(line.edge.to) &&
           line.edge.to.find(sign) == std::string_view::npos;
  }
  return false;
}

// What is behind the ends: ": 7", "[7]", "= 7", "-> 7", "7", "weight=7", nothing.
bool take_value(std::string_view rest, JoinedLine& line) {
  rest = without_space(rest);
  for (const std::string_view mark : {":", "=>", "->", "→", "=", "|"}) {
    if (!rest.starts_with(mark)) continue;
    line.marked = true;
    line.entry = mark == "->";
    rest = without_space(rest.substr(mark.size()));
    if (rest.empty()) return false;
    break;
  }
  if (!line.marked && (rest.starts_with(',') || rest.starts_with(';'))) {
    line.parted = true;
    rest = without_space(rest.substr(1));
  }
  if (rest.empty()) return true;
  if (!is_number_literal(rest)) {
    const char close = closing_bracket(rest.front());
    if (close != '\0' && rest.back() == close && rest.size() > 2) {
      line.marked = true;
      rest = without_space(rest.substr(1, rest.size() - 2));
    }
    for (const std::string_view name : {"'weight':", "\"weight\":", "weight=", "weight:", "w=", "label="}) {
      if (!rest.starts_with(name)) continue;
      line.marked = true;
      rest = without_space(rest.substr(name.size()));
      break;
    }
    if (rest.size() > 2 && (rest.front() == '"' || rest.front() == '\'') && rest.back() == rest.front())
      rest = rest.substr(1, rest.size() - 2);
  }
  line.edge.weight = rest;
  return is_number_literal(rest);
}

// "(1, 2) 7"
bool take_bracketed(std::string_view text, JoinedLine& line) {
  const std::size_t close = text.find(closing_bracket(text.front()));
  if (close == std::string_view::npos) return false;
  const std::string_view inner = without_space(text.substr(1, close - 1));
  std::size_t at = inner.find_first_of(",;");
  if (at == std::string_view::npos) at = inner.find_first_of(" \t");
  if (at == std::string_view::npos) return false;
  const auto plain = [](std::string_view label) {
    label = without_space(label);
    const bool quoted =
        label.size() > 2 && (label.front() == '\'' || label.front() == '"') && label.back() == label.front();
    return quoted ? label.substr(1, label.size() - 2) : label;
  };
  line.joiner = text.substr(0, 1);
  line.edge.from = plain(inner.substr(0, at));
  line.edge.to = plain(inner.substr(at + 1));
  if (!is_end(line.edge.from) || !is_end(line.edge.to)) return false;
  const std::string_view rest = text.substr(close + 1);
  if (!take_value(rest, line)) return false;
  // A second pair, or a complex number behind one.
  return line.edge.weight.empty() || without_space(rest).front() != '(' ||
         line.edge.weight.find(',') == std::string_view::npos;
}

std::optional<JoinedLine> joined_line(std::string_view text) {
  JoinedLine line;
  text = without_space(text);
  if (text.ends_with(';') || text.ends_with(',')) text = without_space(text.substr(0, text.size() - 1));
  if (text.size() < 3) return std::nullopt;
  if (closing_bracket(text.front()) != '\0')
    return take_bracketed(text, line) ? std::optional(line) : std::nullopt;
  std::string_view word = text.substr(0, text.find_first_of(" \t;"));
  std::string_view rest = text.substr(word.size());
  if (word.empty()) return std::nullopt;  // "; 4"
  if (word.front() == '"' && text.find('"', 1) != std::string_view::npos) {
    const std::size_t end = text.find('"', 1);
    word = text.substr(1, end - 1);
    rest = text.substr(end + 1);
  } else if (const std::size_t comma = word.find(','); comma != std::string_view::npos) {
    if (word.ends_with(':') || rest.starts_with(" :")) {  // "1,2: 7"
      if (word.ends_with(':')) word.remove_suffix(1);
      line = {{0, word.substr(0, comma), word.substr(comma + 1), {}}, ",", true};
      return is_end(line.edge.from) && is_end(line.edge.to) && take_value(rest, line) &&
                     !line.edge.weight.empty()
                 ? std::optional(line)
                 : std::nullopt;
    }
    rest = text.substr(comma);
    word = word.substr(0, comma);
  }
  if (word.size() > 1 && word.ends_with(':')) {
    word.remove_suffix(1);
    line.marked = true;
  }
  const bool complex = !is_real_literal(word) && printed_number(word).has_value();
  if (complex || (is_number_literal(word) && !parse_number(word))) return std::nullopt;
  if (split_at(word, arrows_in_words, line) || split_at(word, joiners_in_words, line))
    return take_value(rest, line) ? std::optional(line) : std::nullopt;
  // "1 -- 2: 7", "1 -> 2 [7]"
  if (!is_end(word) || line.marked) return std::nullopt;
  rest = without_space(rest);
  const std::string_view arrow = rest.substr(0, rest.find_first_of(" \t"));
  if (!is_arrow(arrow) && arrow != "-") return std::nullopt;
  rest = without_space(rest.substr(arrow.size()));
  std::string_view to = rest.substr(0, rest.find_first_of(" \t:"));
  if (!is_end(to)) return std::nullopt;
  line.edge.from = word;
  line.edge.to = to;
  line.joiner = arrow;
  return take_value(rest.substr(to.size()), line) ? std::optional(line) : std::nullopt;
}

bool is_passed_over(std::string_view text) {
  return text.empty() || text.front() == '#' || text.front() == '%';
}

class JoinedEnds {
 public:
  JoinedEnds(const TableSource& source, bool asked) : source_(source), asked_(asked) {}

  std::optional<Graph> read() {
    if (!begins_so() || !collect()) {
      if (asked_) refuse();
      return std::nullopt;
    }
    if (lines_.empty()) return std::nullopt;
    const JoinedLine& first = lines_.front();
    const std::string_view joiner = first.joiner;
    // "source|target" heads columns, which bars part.
    if (!asked_ && joiner == "|" && header_word(first.edge.from) == HeaderWord::from &&
        header_word(first.edge.to) == HeaderWord::to)
      return std::nullopt;
    const bool brackets = closing_bracket(joiner.front()) != '\0' && joiner.size() == 1;
    if (!asked_ && !fits(brackets)) return std::nullopt;
    tell(brackets);
    return brackets ? of_brackets() : build(std::nullopt);
  }

 private:
  [[noreturn]] void refuse() const {
    source_.fail(0, "both ends of an edge in the first word of every line (1-2 7), as --ends says",
                 "other lines");
  }

  // Cheaply, for all other texts: the first lines.
  bool begins_so() const {
    TextLines lines(source_.bytes);
    std::size_t seen = 0;
    while (seen < 6 && lines.next()) {
      if (lines.line().size() > 4096) return false;
      const std::string_view text = without_space(lines.line());
      if (is_passed_over(text)) continue;
      ++seen;
      if (joined_line(text)) return true;
    }
    return false;
  }

  // All lines but the first, which may be a header, in one form.
  bool collect() {
    TextLines lines(source_.bytes);
    std::vector<std::uint64_t> others;
    while (lines.next()) {
      poll_.step();
      if (lines.line().size() > text_line_limit) return false;
      std::string_view text = without_space(lines.line());
      if (text.starts_with("#!")) return false;
      if (is_passed_over(text)) continue;
      if (const std::size_t comment = text.find(" #"); comment != std::string_view::npos)
        text = text.substr(0, comment);
      std::optional<JoinedLine> line = joined_line(text);
      if (line && !lines_.empty() && line->joiner != lines_.front().joiner &&
          !(points(line->joiner) && points(lines_.front().joiner)))
        line.reset();
      if (line) {
        line->edge.line = lines.number();
        lines_.push_back(*line);
        continue;
      }
      if (!lines_.empty()) {
        others.push_back(lines.number());
        // An edge as well, whose weight is no plain number (3*x): others read it.
        if (others.size() > 1 || has_joiner(text)) return false;
        continue;
      }
      if (heads_.size() > 3) return false;
      heads_.push_back({lines.number(), {text}});
    }
    if (lines_.empty()) return false;
    const JoinedLine& first = lines_.front();
    const bool certain = is_strong(first) && (first.marked || lines_.size() > 1);
    if (!others.empty()) {
      if (certain && lines_.size() > 1 && has_values())
        source_.fail(others.front(), fmt::format("an edge as in line {}", first.edge.line), "another line");
      return false;
    }
    return heads_.empty() || take_heads(certain);
  }

  /// What joins the ends of the lines, or another arrow where that is one.
  bool has_joiner(std::string_view text) const {
    const std::string_view joiner = lines_.front().joiner;
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return has(joiner) || (points(joiner) && (has("->") || has("<-") || has("=>") || has("<=")));
  }

  static bool points(std::string_view joiner) { return is_arrow_in_word(joiner) || is_arrow(joiner); }
  static bool is_strong(const JoinedLine& line) {
    return line.marked || closing_bracket(line.joiner.front()) != '\0' || points(line.joiner);
  }

  // Words above the lines: "edge weight", "edges =".
  bool take_heads(bool certain) {
    for (const TableRow& head : heads_) {
      const std::string_view text = head.fields[0];
      if (text.ends_with('=')) continue;
      const bool words = std::none_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
      if (words && heads_.size() == 1 && text.find_first_of("()[]{}<>") == std::string_view::npos) continue;
      if (has_joiner(text)) return false;
      if (certain && has_values() && lines_.size() > 1)
        source_.fail(head.line, fmt::format("an edge as in line {}", lines_.front().edge.line), shown(text));
      return false;
    }
    return true;
  }

  bool has_values() const {
    return std::any_of(lines_.begin(), lines_.end(),
                       [](const JoinedLine& line) { return !line.edge.weight.empty(); });
  }

  // Whether it is that, and nothing else; asks where it may be labels.
  bool fits(bool brackets) {
    const bool values = has_values();
    const bool marked =
        std::any_of(lines_.begin(), lines_.end(), [](const auto& line) { return line.marked; });
    const std::string_view joiner = lines_.front().joiner;
    if (!values) return !marked && fits_alone(brackets);
    if (brackets && joiner != "(" && lines_.size() < 2) return false;
    if (brackets || joiner == ",") return true;
    if (points(joiner)) {
      // "1 -- 2 7" and "1--2 7" are told from the words.
      if (!marked && splits_glued(joiner) && !lines_.front().parted) return false;
      const std::string_view from = lines_.front().edge.from;
      const bool one_word = lines_.front().edge.to.data() == from.data() + from.size() + joiner.size();
      return one_word || marked;
    }
    bool numbers = true;
    bool names = true;
    bool whole = true;
    std::set<std::string_view> froms;
    std::set<std::string_view> tos;
    for (const JoinedLine& line : lines_) {
      const bool from = is_whole(line.edge.from);
      const bool to = is_whole(line.edge.to);
      numbers = numbers && from && to;
      names = names && !has_digit(line.edge.from) && !has_digit(line.edge.to);
      whole = whole && is_whole(line.edge.weight);
      froms.insert(line.edge.from);
      tos.insert(line.edge.to);
    }
    const bool varied = lines_.size() == 1 || (froms.size() > 1 && tos.size() > 1);
    if (joiner == ":" && numbers && !marked && froms.size() == lines_.size()) {
      source_.ask(
          lines_.front().edge.line, "a colon between the first two of three numbers",
          "--ends 1 (1:2 7 is an edge and its value)",
          "--format adjlist (a vertex and its neighbours), or --format edgelist (labels as they stand)");
    }
    if (numbers && varied && distinct()) return true;
    if (numbers || marked || (names && !whole)) return ask();
    if (!varied || !distinct()) return false;  // "host-1 3", "host-2 3": names
    return ask();
  }

  bool ask() const {
    const JoinedLine& line = lines_.front();
    // cppcheck-suppress missingReturn ; ask() throws
    source_.ask(line.edge.line,
                fmt::format("{}{}{} in front of a number", line.edge.from, line.joiner, line.edge.to),
                "--ends 1 (both ends of an edge are in the first word, and its value behind)",
                source_.info.format == Format::csv ? "--format csv (the first word is a label)"
                                                   : "--format edgelist (the first word is a label)");
  }

  static bool has_digit(std::string_view label) {
    return label.find_first_of("0123456789") != std::string_view::npos;
  }

  // One word a line: no edge has that.
  bool fits_alone(bool brackets) const {
    if (!heads_.empty() || lines_.size() < 2) return false;
    const std::string_view joiner = lines_.front().joiner;
    if (brackets) return lines_.size() > 2 && joiner != "[";
    if (splits_glued(joiner)) return false;
    const std::string_view from = lines_.front().edge.from;
    if (lines_.front().edge.to.data() != from.data() + from.size() + joiner.size()) return false;
    // In names there are hyphens and the like.
    constexpr std::array<std::string_view, 6> hardly_in_names = {"=", "|", "::", ":", "~", "&"};
    const bool telling =
        std::find(hardly_in_names.begin(), hardly_in_names.end(), joiner) != hardly_in_names.end();
    return telling || std::all_of(lines_.begin(), lines_.end(), [](const JoinedLine& line) {
             return is_whole(line.edge.from) && is_whole(line.edge.to);
           });
  }

  // No edge twice, no loop.
  bool distinct() const {
    std::set<std::pair<std::string_view, std::string_view>> pairs;
    return std::all_of(lines_.begin(), lines_.end(), [&](const JoinedLine& line) {
      return line.edge.from != line.edge.to && pairs.insert(std::minmax(line.edge.from, line.edge.to)).second;
    });
  }

  void tell(bool brackets) const {
    const JoinedLine& first = lines_.front();
    for (const TableRow& head : heads_)
      source_.warn(head.line, "the line was taken for a heading, not for an edge");
    const std::string example = brackets
                                    ? fmt::format("{}{},{}{}", first.joiner, first.edge.from, first.edge.to,
                                                  closing_bracket(first.joiner.front()))
                                    : fmt::format("{}{}{}", first.edge.from, first.joiner, first.edge.to);
    if (asked_) return;
    const bool directed = source_.options.kind == GraphKind::directed;
    source_.warn(
        first.edge.line,
        fmt::format(
            "{} was taken for an edge{}{}{}", shown(example),
            has_values() ? " and what is behind it for its value" : "",
            brackets || source_.options.format ? "" : " (--format edgelist takes it for a label)",
            !directed && points_one_way(first.joiner) ? "; --kind directed makes arcs of arrows" : ""));
  }

  // Entries of a matrix, or edges.
  std::optional<Graph> of_brackets() {
    const bool numbers = std::all_of(lines_.begin(), lines_.end(), [](const JoinedLine& line) {
      return is_whole(line.edge.from) && is_whole(line.edge.to);
    });
    if (!numbers || source_.options.symmetric) return build(std::nullopt);
    const std::optional<GraphKind> as = source_.options.kind;
    if (as) return as == GraphKind::bipartite ? entries() : build(std::nullopt);
    const JoinedLine& first = lines_.front();
    const bool colon = first.marked && !first.entry;
    bool up = true;
    bool down = true;
    for (const JoinedLine& line : lines_) {
      const auto from = parse_number(line.edge.from);
      const auto to = parse_number(line.edge.to);
      up = up && *from < *to;
      down = down && *from > *to;
    }
    const bool edges = up || down || (distinct() && (colon || !has_values()));
    // cppcheck-suppress missingReturn ; ask() throws
    if (edges) return build(std::nullopt);
    source_.ask(first.edge.line,
                "pairs of numbers, which may be edges or the places of a sparse matrix's entries",
                "--kind undirected (edges)", "--kind bipartite (rows x columns: its permanent)");
  }

  // Left and right vertices of the same numbers; rows and columns without an entry are there as well.
  std::optional<Graph> entries() {
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::uint64_t first = 1;
    for (const JoinedLine& line : lines_) {
      const std::uint64_t row = *parse_number(line.edge.from);
      const std::uint64_t column = *parse_number(line.edge.to);
      rows = std::max(rows, row);
      columns = std::max(columns, column);
      if (row == 0 || column == 0) first = 0;
    }
    if (!source_.options.kind)
      source_.warn(
          lines_.front().edge.line,
          "the pairs were taken for rows and columns of a matrix (--kind undirected takes them for edges)");
    const std::uint64_t most = source_.bytes.size();
    if (rows > most || columns > most) return build(GraphKind::bipartite);
    std::deque<std::string> names;
    const auto numbered = [&](std::uint64_t last) {
      std::vector<std::string_view> labels;
      for (std::uint64_t k = first; k <= last; ++k) labels.push_back(names.emplace_back(std::to_string(k)));
      return labels;
    };
    return build(GraphKind::bipartite, numbered(rows), numbered(columns));
  }

  Graph build(std::optional<GraphKind> kind, const std::vector<std::string_view>& left = {},
              const std::vector<std::string_view>& right = {}) {
    const bool both_ways = source_.options.kind == GraphKind::directed && !source_.options.symmetric;
    std::vector<TableEdge> edges;
    edges.reserve(lines_.size());
    for (const JoinedLine& line : lines_) {
      TableEdge edge = line.edge;
      const bool arrow = points(line.joiner);
      if (line.joiner == "<-" || line.joiner == "<--" || line.joiner == "←") std::swap(edge.from, edge.to);
      const bool one_way = points_one_way(line.joiner) || line.joiner == "←";
      edges.push_back(edge);
      if (!both_ways || !arrow || one_way || edge.from == edge.to) continue;
      std::swap(edge.from, edge.to);
      edges.push_back(edge);
    }
    source_.info.format = Format::edge_list;
    if (!source_.options.weight_column.empty() && !source_.options.weights) {
      ReadOptions options = source_.options;
      options.weights = true;
      return TableSource(source_.bytes, source_.name, options, source_.info).edges(edges, kind, left, right);
    }
    return source_.edges(edges, kind, left, right);
  }

  const TableSource& source_;
  bool asked_;  // --ends 1
  StopPoll poll_;
  std::vector<JoinedLine> lines_;
  std::vector<TableRow> heads_;
};

}  // namespace

std::optional<Graph> read_joined_ends(const TableSource& source, bool asked) {
  return JoinedEnds(source, asked).read();
}

}  // namespace countpm
