// Numbers of vertices and edges among the lines of a table: "n m", "m n", "n", "L R m" in the first line, "p
// n m", and words: "4 nodes", "vertices: 4", "n = 4 m = 6", "Total 6". O(bytes).
#include "graph/formats/told_counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

bool within(std::string_view word, std::uint64_t largest) {
  const auto number = parse_number(word);
  return number && *number <= largest;
}

constexpr std::array<std::string_view, 12> vertex_words = {
    "node", "nodes", "vertex", "vertices", "vert", "verts", "n", "v", "nv", "nnodes", "order", "points"};
constexpr std::array<std::string_view, 11> edge_words = {"edge", "edges", "arc", "arcs",   "link", "links",
                                                         "m",    "e",     "ne",  "nedges", "size"};
constexpr std::array<std::string_view, 16> other_words = {
    "number", "num", "of",    "the",   "graph", "with", "and", "a",
    "has",    "on",  "total", "count", "sum",   "nr",   "no",  "undirected"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::optional<WordedCounts> worded_counts(std::string_view text) {
  const std::string lower = ascii_lower(text);
  constexpr std::string_view parting = " \t,;:=|_()[]#.\"";
  WordedCounts found;
  std::optional<std::uint64_t> number;  // without a word so far
  char word = '\0';                     // 'v' or 'e', without a number so far
  for (std::size_t at = lower.find_first_not_of(parting); at != std::string::npos;) {
    const std::size_t end = std::min(lower.find_first_of(parting, at), lower.size());
    const std::string_view token = std::string_view(lower).substr(at, end - at);
    at = lower.find_first_not_of(parting, end);
    char sort = '\0';
    if (is_one_of(vertex_words, token)) sort = 'v';
    if (is_one_of(edge_words, token)) sort = 'e';
    const auto value = parse_number(token);
    if (sort != '\0') {
      found.short_words = found.short_words || token.size() == 1;
      if (word != '\0' && !number) continue;  // "number of edges of the graph"
      word = sort;
    } else if (value) {
      if (number) return std::nullopt;
      number = value;
    } else if (is_one_of(other_words, token)) {
      found.total = found.total || token == "total" || token == "sum" || token == "count";
    } else {
      return std::nullopt;
    }
    if (word == '\0' || !number) continue;
    std::optional<std::uint64_t>& place = word == 'v' ? found.vertices : found.edges;
    if (place) return std::nullopt;
    place = number;
    number.reset();
    word = '\0';
  }
  if (word != '\0') return std::nullopt;
  if (number) {
    if (!found.total || found.vertices || found.edges) return std::nullopt;
    found.any = number;
  }
  return found.vertices || found.edges || found.any ? std::optional(found) : std::nullopt;
}

namespace {

class TakingCounts {
 public:
  TakingCounts(const TableSource& source, WordTable& table, ToldCounts& counts)
      : source_(source), options_(source.options), table_(table), counts_(counts) {}

  // Lines of words and numbers above or below all others.
  void take_words() {
    std::vector<std::pair<std::size_t, WordedCounts>> found;
    const auto look = [&](std::size_t k) {
      const TableRow& row = rows()[k];
      if (row.fields.empty() || row.fields.size() > 12) return false;
      if (std::all_of(row.fields.begin(), row.fields.end(), is_whole)) return false;
      const auto counts = worded_counts(fmt::format("{}", fmt::join(row.fields, " ")));
      if (counts) found.emplace_back(k, *counts);
      return counts.has_value();
    };
    constexpr std::size_t most = 3;
    std::size_t above = 0;
    while (above < std::min(most, rows().size()) && look(above)) ++above;
    std::size_t below = rows().size();
    while (below > above + 1 && rows().size() - below < most && look(below - 1)) --below;
    if (found.empty() || above >= below) return;
    std::set<std::string_view> ends;
    bool numbers = true;
    for (std::size_t k = above; k < below; ++k) {
      const TableRow& row = rows()[k];
      if (row.fields.size() < 2 || row.fields.size() > 3) return;
      numbers = numbers && is_whole(row.fields[0]) && is_whole(row.fields[1]);
      ends.insert({row.fields[0], row.fields[1]});
    }
    const std::size_t edges = below - above;
    std::optional<std::uint64_t> vertices;
    for (const auto& [k, said] : found) {
      const TableRow& row = rows()[k];
      if (!numbers && said.short_words && row.fields.size() == 2) return;
      // "n 4" and "e 2" may be edges, and so may be others among names.
      const bool exact = said.edges == edges || said.vertices == ends.size() || said.any == edges;
      if (!exact && (!numbers || said.any || (said.short_words && row.fields.size() == 2))) {
        if (numbers)
          source_.warn(row.line, fmt::format("{} was taken for an edge like the others",
                                             shown(fmt::format("{}", fmt::join(row.fields, " ")))));
        return;
      }
      if (!numbers && row.fields.size() == 2 && ends.contains(row.fields[0])) return;
      if (said.edges && said.edges != edges)
        source_.fail(
            row.line,
            fmt::format("as many edges as there are lines of them, {} (--first-line edge takes every "
                        "line for an edge)",
                        edges),
            fmt::format("{}", *said.edges));
      if (said.vertices) {
        const auto beyond =
            std::find_if(rows().begin() + static_cast<std::ptrdiff_t>(above),
                         rows().begin() + static_cast<std::ptrdiff_t>(below),
                         [&, most = *said.vertices](const TableRow& edge) {
                           return !within(edge.fields[0], most) || !within(edge.fields[1], most);
                         });
        const bool outside = numbers ? beyond != rows().begin() + static_cast<std::ptrdiff_t>(below) &&
                                           *said.vertices != ends.size()
                                     : *said.vertices != ends.size();
        if (outside)
          source_.fail(
              row.line,
              fmt::format("as many vertices as the lines have, {} (--first-line edge takes every line "
                          "for an edge)",
                          ends.size()),
              fmt::format("{}", *said.vertices));
        if (numbers && beyond == rows().begin() + static_cast<std::ptrdiff_t>(below))
          vertices = said.vertices;
      }
    }
    for (const auto& [k, said] : found)
      source_.tell_head(rows()[k].line,
                        "the line was taken for numbers of vertices or edges, not for an edge");
    rows().erase(rows().begin() + static_cast<std::ptrdiff_t>(below), rows().end());
    rows().erase(rows().begin(), rows().begin() + static_cast<std::ptrdiff_t>(above));
    counts_.taken = true;
    counts_.vertices = vertices;
  }

  // DIMACS's "p n m", without a problem's name, above lines of two numbers.
  void take_letter() {
    std::vector<std::string_view>& head = rows().front().fields;
    if (rows().size() < 2 || head.size() != 3 || head[0] != "p") return;
    if (parse_number(head[2]) != rows().size() - 1 || !is_whole(head[1])) return;
    head.erase(head.begin());
    said_ = true;
  }

  // "4 0" alone: an edge, or a graph of four vertices without one.
  void warn_of_no_edges() {
    const std::vector<std::string_view>& words = rows()[0].fields;
    if (words.size() != 2 || !is_whole(words[0]) || parse_number(words[1]) != 0 ||
        options_.first_line == FirstLine::edge)
      return;
    source_.warn(rows()[0].line,
                 fmt::format("{} {} was taken for an edge, not for numbers of vertices and edges "
                             "(--first-line edge says so)",
                             words[0], words[1]));
  }

  // Numbers of vertices and edges in the first line: "n m", "n", "L R m".
  void take() {
    if (rows().size() < 2) return;
    const std::vector<std::string_view> head = rows()[0].fields;
    const std::size_t edges = rows().size() - 1;
    const auto is_edge = [](const TableRow& row) { return row.fields.size() == 2 || row.fields.size() == 3; };
    if (head.empty() || head.size() > 3 || !std::all_of(rows().begin() + 1, rows().end(), is_edge)) return;
    if (!std::all_of(head.begin(), head.end(), is_whole)) return;
    const std::size_t width = table_.all_have(2, 1) ? 2 : 3;
    if (head.size() == 3) return take_three_counts(width);
    // "m n" where it is not "n m".
    const bool swapped = head.size() == 2 && parse_number(head[1]) != edges;
    const bool other_way = swapped && parse_number(head[0]) == edges && edges >= 2;
    const std::uint64_t vertices = *parse_number(head[swapped ? 1 : 0]);
    const bool exact_way = other_way && has_last(vertices);
    if (head.size() == 2 && !exact_way && options_.first_line != FirstLine::header)
      ask_of_doubtful_counts(source_, rows());
    if (swapped && !other_way) return;
    if (swapped && !exact_way) return warn_of_beyond(vertices);
    // Two lines of two may be a matrix, too, and are asked for later on.
    const bool by_content = source_.info.format_by == FormatBy::content;
    if (head.size() == 2 && width == 2 && edges == 1 && by_content &&
        options_.first_line != FirstLine::header)
      return;
    for (std::size_t k = 1; k <= edges; ++k) {
      if (within(rows()[k].fields[0], vertices) && within(rows()[k].fields[1], vertices)) continue;
      // A first line shorter than others, and as many of these as it says; or a damaged number.
      const bool numbers = is_whole(rows()[k].fields[0]) && is_whole(rows()[k].fields[1]);
      if (swapped) return;
      if (head.size() == 2 && (width == 3 || !numbers)) refuse_counts(rows()[k].line);
      return;
    }
    if (head.size() == 2 && options_.first_line != FirstLine::header && width == 2 && !said_ &&
        first_may_be_edge(source_, rows())) {
      source_.ask(rows()[0].line,
                  fmt::format("{} {} above {} lines, which may be numbers of vertices and edges, or an edge",
                              head[0], head[1], edges),
                  "--first-line header (the numbers)", "--first-line edge");
    }
    take_head(fmt::format("the first line was taken for the {} of vertices{}, not for an edge",
                          head.size() == 2 ? "numbers" : "number",
                          swapped            ? " (the second) and edges"
                          : head.size() == 2 ? " and edges"
                                             : ""));
    counts_.vertices = vertices;
  }

  void refuse_counts(std::uint64_t line) {
    const std::vector<std::string_view>& head = rows()[0].fields;
    if (options_.first_line == FirstLine::header)
      source_.fail(line, fmt::format("vertices up to {}, as the first line says", head[0]), "another");
    source_.ask(rows()[0].line,
                fmt::format("{} {} above as many edges, some of which have other vertices", head[0], head[1]),
                "--first-line edge", "vertices up to the first number (--first-line header)");
  }

  // "m n" with vertices behind all others is an edge, and said to be one.
  void warn_of_beyond(std::uint64_t vertices) {
    const bool all = std::all_of(rows().begin() + 1, rows().end(), [&](const TableRow& row) {
      return within(row.fields[0], vertices - 1) && within(row.fields[1], vertices - 1);
    });
    if (!all || vertices == 0 || options_.first_line == FirstLine::edge) return;
    source_.warn(rows()[0].line,
                 fmt::format("{} {} was taken for an edge, not for numbers of edges and vertices, though {} "
                             "lines follow (--first-line edge says so)",
                             rows()[0].fields[0], rows()[0].fields[1], rows().size() - 1));
  }

  // Whether the last of so many vertices has an edge.
  bool has_last(std::uint64_t vertices) {
    std::uint64_t last = 0;
    bool zero = false;
    for (std::size_t k = 1; k < rows().size(); ++k) {
      for (std::size_t end = 0; end < 2; ++end) {
        const std::uint64_t number = parse_number(rows()[k].fields[end]).value_or(0);
        zero = zero || number == 0;
        last = std::max(last, number);
      }
    }
    return last + (zero ? 1 : 0) == vertices;
  }

  // "n m k" or "m n k" above lines of two numbers: an edge with a weight, or not.
  bool take_two_of_three() {
    const std::vector<std::string_view>& head = rows()[0].fields;
    const std::size_t edges = rows().size() - 1;
    std::set<std::uint64_t> ends;
    for (std::size_t k = 1; k <= edges; ++k) {
      const auto from = parse_number(rows()[k].fields[0]);
      const auto to = parse_number(rows()[k].fields[1]);
      if (!from || !to) return false;
      ends.insert({*from, *to});
    }
    const std::uint64_t last = *ends.rbegin();
    for (const std::size_t at : {0, 1}) {
      const auto vertices = parse_number(head[at]);
      if (parse_number(head[1 - at]) != edges || *vertices < last || *vertices < ends.size()) continue;
      if (parse_number(head[2]) == edges) continue;  // "L R m"
      if (options_.first_line != FirstLine::header)
        source_.ask(rows()[0].line,
                    fmt::format("{} {} {} above {} lines of two numbers", head[0], head[1], head[2], edges),
                    "--first-line header (numbers of vertices and edges, and another)",
                    "--first-line edge (an edge and its weight)");
      take_head("the first line was taken for the numbers of vertices and edges, not for an edge");
      counts_.vertices = vertices;
      return true;
    }
    return false;
  }

  // "L R m", and left and right vertices counted from 1 or 0 each.
  void take_three_counts(std::size_t width) {
    const std::vector<std::string_view>& head = rows()[0].fields;
    const std::uint64_t left = *parse_number(head[0]);
    const std::uint64_t right = *parse_number(head[1]);
    const std::size_t edges = rows().size() - 1;
    if (width == 2 && take_two_of_three()) return;
    if (parse_number(head[2]) != edges) return;
    bool own_numbers = true;
    bool one_numbering = true;
    bool beyond_left = true;
    for (std::size_t k = 1; k <= edges; ++k) {
      const auto from = parse_number(rows()[k].fields[0]);
      const auto to = parse_number(rows()[k].fields[1]);
      if (!from || !to) return;
      own_numbers = own_numbers && *from <= left && *to <= right;
      one_numbering = one_numbering && *from <= left + right && *to <= left + right;
      beyond_left = beyond_left && *to >= left;
    }
    if (!own_numbers && !one_numbering) return;
    if (width == 3 && options_.first_line != FirstLine::header && head[0] != head[1]) {
      source_.ask(rows()[0].line, fmt::format("{} {} {} above {} lines", head[0], head[1], head[2], edges),
                  "--first-line header (numbers of vertices and edges)",
                  "--first-line edge (an edge and its weight)");
    }
    if (left == right && own_numbers && !options_.kind) {
      source_.ask(rows()[0].line,
                  fmt::format("{} {} {}, which may be sizes of two sides, or of one matrix of a graph",
                              head[0], head[1], head[2]),
                  "--kind bipartite (left and right vertices of the same numbers)", "--kind undirected");
    }
    if (own_numbers && !beyond_left && !options_.kind) counts_.kind = GraphKind::bipartite;
    if (counts_.kind && options_.first_line == FirstLine::header)
      source_.warn(rows()[0].line,
                   "the edges were taken for those from left to right vertices, by the numbers above them "
                   "(--kind bipartite and --kind undirected say it)");
    take_head(fmt::format("the first line was taken for numbers of left vertices, right vertices and edges{}",
                          counts_.kind ? ", the edges for those from left to right" : ""));
    counts_.vertices = own_numbers && counts_.kind ? left : left + right;
    if (own_numbers && (counts_.kind || options_.kind == GraphKind::bipartite)) {
      counts_.vertices = left;
      counts_.right = right;
    }
  }

  void take_head(const std::string& how) {
    source_.tell_head(rows()[0].line, how);
    rows().erase(rows().begin());
    counts_.taken = true;
  }

  std::vector<TableRow>& rows() { return table_.rows; }

  const TableSource& source_;
  const ReadOptions& options_;
  WordTable& table_;
  ToldCounts& counts_;
  bool said_ = false;  // the first line says that it has counts
};

}  // namespace

void take_told_counts(const TableSource& source, WordTable& table, ToldCounts& counts) {
  if (table.rows.empty()) return;
  TakingCounts taking(source, table, counts);
  if (table.rows.size() == 1) return taking.warn_of_no_edges();
  taking.take_words();
  if (counts.taken) return;
  taking.take_letter();
  taking.take();
}

std::vector<std::string_view> lone_vertices(const TableSource& source, const std::vector<TableRow>& rows,
                                            std::size_t side, std::uint64_t count,
                                            std::deque<std::string>& labels) {
  constexpr std::uint64_t largest_lone = 10'000'000;
  std::vector<std::string_view> lone;
  std::set<std::uint64_t> known;
  bool zero = false;
  for (const TableRow& row : rows) {
    for (std::size_t k = 0; k < 2; ++k) {
      const std::uint64_t vertex = *parse_number(row.fields[k]);
      zero = zero || vertex == 0;
      if (side == 2 || side == k) known.insert(vertex);
    }
  }
  if (known.size() >= count) return lone;
  if (count > largest_lone)
    source.fail(0, fmt::format("at most {} vertices in the first line", largest_lone),
                fmt::format("{}", count));
  const std::uint64_t first = zero ? 0 : 1;
  for (std::uint64_t v = first; v < first + count; ++v) {
    if (!known.contains(v)) lone.push_back(labels.emplace_back(std::to_string(v)));
  }
  return lone;
}

namespace {

// The numbers of a comment, and nothing else on it: KONECT's "% 6 4 4".
std::vector<std::uint64_t> numbers_of(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  TextLines words(text);
  words.next();
  for (std::string_view word = words.word(); !word.empty(); word = words.word()) {
    const auto number = parse_number(word);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

struct CommentedCounts {
  std::uint64_t line = 0;
  std::optional<std::uint64_t> vertices;
  std::optional<std::uint64_t> edges;
};

void look_at_comment(std::string_view comment, std::uint64_t line, bool konect, const Graph& graph,
                     CommentedCounts& found) {
  WordedCounts said = worded_counts(comment).value_or(WordedCounts{});
  const bool words = said.vertices.has_value() || said.edges.has_value();
  const std::vector<std::uint64_t> numbers = numbers_of(comment);
  const std::uint64_t edges = graph.edges.size();
  if (konect && (numbers.size() == 2 || numbers.size() == 3)) {
    const bool sides = numbers.size() == 3 && graph.kind == GraphKind::bipartite;
    said.edges = numbers[0];
    said.vertices = sides ? numbers[1] + numbers[2] : numbers[1];
  } else if (numbers.size() == 2 && (numbers[0] == edges || numbers[1] == edges)) {
    // "# n m" or "# m n"; more vertices than there are speak for it.
    const std::uint64_t other = numbers[numbers[1] == edges ? 0 : 1];
    if (other > graph.left_labels.size() + graph.right_labels.size()) said.vertices = other;
  } else if (!words) {
    return;
  }
  if (found.vertices || found.edges || (!said.vertices && !said.edges)) return;
  found = {line, said.vertices, said.edges};
}

}  // namespace

void warn_of_counts_in_comments(std::string_view bytes, const Graph& graph, InputInfo& info) {
  constexpr std::size_t most_lines = 64;
  CommentedCounts found;
  bool konect = false;
  TextLines lines(bytes.substr(0, 65536));
  for (std::size_t k = 0; k < most_lines && lines.next(); ++k) {
    if (lines.line_done()) continue;
    std::string_view text = lines.line();
    if (text.front() != '#' && text.front() != '%') break;
    text.remove_prefix(std::min(text.find_first_not_of("#% \t"), text.size()));
    const bool head = text.starts_with("sym ") || text.starts_with("asym ") || text.starts_with("bip ");
    look_at_comment(text, lines.number(), konect, graph, found);
    konect = konect || head;
  }
  const std::uint64_t listed = graph.edges.size() + info.repeats_merged + info.parallel_summed +
                               info.zeros_dropped + info.loops_dropped;
  const std::uint64_t vertices =
      graph.left_labels.size() + (graph.kind == GraphKind::bipartite ? graph.right_labels.size() : 0);
  const bool other_edges = found.edges && *found.edges != listed && *found.edges != graph.edges.size();
  const bool other_vertices = found.vertices && *found.vertices != vertices;
  if (!other_edges && !other_vertices) return;
  std::string said;
  std::string read;
  if (other_vertices) {
    said = fmt::format("{} vertices", *found.vertices);
    read = fmt::format("{}", vertices);
  }
  if (other_edges) {
    said += fmt::format("{}{} edges", said.empty() ? "" : " and ", *found.edges);
    read += fmt::format("{}{}", read.empty() ? "" : " and ", listed);
  }
  info.warnings.push_back(fmt::format("{}:{}: the comment speaks of {}, and the lines have {}{}",
                                      quoted(info.path, 400), found.line, said, read,
                                      other_vertices && *found.vertices > vertices
                                          ? ": vertices without an edge are left out (the line '#! vertex "
                                            "LABEL' adds one; with one the count of "
                                            "perfect matchings is 0)"
                                          : ""));
}

}  // namespace countpm
