#include "graph/read_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/arrow_words.hpp"
#include "graph/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::size_t table_sample = 65536;  // what tells whether a longer text is a plain edge list

class TableReading {
 public:
  explicit TableReading(const TableSource& source)
      : source_(source), options_(source.options), said_(options_.format) {}

  std::optional<Graph> read() {
    const bool dense_said = source_.info.format == Format::dense;
    const bool edges_said = said_ == Format::edge_list;
    if (!edges_said && said_ != Format::csv) {
      if (std::optional<Graph> graph = read_literal(source_)) return graph;
    }
    const char delimiter = delimiter_of_text();
    table_ = split_table(source_.bytes, delimiter, table_sample);
    const bool columns_said = !options_.weight_column.empty() || !options_.end_columns.empty();
    if (!options_.as && !options_.symmetric && !columns_said) ask_of_konect(source_);
    if (columns_said) return columns(delimiter);
    if (table_.plain || (table_.rows.empty() && table_.glued.empty())) return std::nullopt;
    if (!table_.whole) {
      if (looks_plain()) return std::nullopt;
      table_ = split_table(source_.bytes, delimiter);
      if (table_.plain) return std::nullopt;
    }
    if (edges_said) {
      if (delimiter != ' ') return std::nullopt;
      warn_of_glued(source_, table_);
      return separated(true);
    }
    if (said_ == Format::csv) return std::nullopt;
    refuse_bracketed_lines(source_, table_);
    if (dense_said) {
      check_metis();
      if (source_.info.format_by == FormatBy::content) warn_of_rule(source_, table_);
      if (Found graph = read_matrix()) return graph;
      if (source_.info.format_by != FormatBy::content) return std::nullopt;
      ask_of_more_columns(source_, table_);
      if (table_.all_have(table_.width())) return std::nullopt;  // else it is no matrix
    }
    if (options_.first_line == FirstLine::edge) return after_first_line();
    if (!table_.rules.empty()) {
      if (std::optional<Graph> graph = read_if_tgf(source_, table_)) return graph;
      warn_of_rule(source_, table_);
    }
    return after_first_line();
  }

 private:
  using Found = std::optional<Graph>;

  std::vector<TableRow>& rows() { return table_.rows; }

  // The first line with words decides.
  char delimiter_of_text() const {
    TextLines lines(source_.bytes);
    while (lines.next()) {
      if (lines.line_done()) continue;
      const std::string_view line = lines.line();
      if (line.front() == '#' || line.front() == '%') continue;
      if (source_.info.format == Format::csv) return delimiter_of_line(line);
      const std::string_view first = lines.word();
      if (source_.info.format_by == FormatBy::content && lines.line_done() &&
          first.find(';') != std::string_view::npos && first.size() > 1)
        return ';';
      // Behind the first number, which may be "(1,2)".
      const std::size_t number = first[0] == '(' ? std::min(first.find(')'), first.size()) : 0;
      const std::size_t parting = first.find_first_of(",;", number);
      const bool parted = source_.info.format == Format::dense && parting != std::string_view::npos;
      return parted ? first[parting] : ' ';
    }
    return source_.info.format == Format::csv ? ',' : ' ';
  }

  // Of a long text, by its beginning: nothing but edges in it, each with its ends and perhaps a weight.
  bool looks_plain() {
    if (table_.delimiter != ' ' || !table_.rules.empty() || !table_.glued.empty()) return false;
    const std::size_t width = rows().back().fields.size();
    if (width != 2 && width != 3) return false;
    if (!table_.all_have(width)) return false;
    const auto first_is = [&](const char* letter) { return rows().back().fields[0] == letter; };
    if (width == 3 && (first_is("e") || first_is("a"))) return false;
    if (heads_weights(rows()) || have_middle_word(rows())) return false;
    const std::string_view second = rows().back().fields[1];
    if (is_arrow(second) || is_separator(second)) return false;
    const TableRow& first = rows().front();
    if (is_whole(first.fields[0]) && is_whole(first.fields[1])) {
      // Numbers of vertices and edges: as many lines as the second or the third says.
      const auto lines =
          static_cast<std::uint64_t>(std::count(source_.bytes.begin(), source_.bytes.end(), '\n'));
      for (std::size_t k = 0; k < width; ++k) {
        const auto number = parse_number(first.fields[k]);
        if (number && *number <= lines && *number + 4096 >= lines) return false;
      }
    } else if (is_whole(rows().back().fields[0]) && is_whole(rows().back().fields[1])) {
      return false;  // words above numbers
    }
    if (width == 2) return !is_number_literal(second) || is_whole(second);
    if (options_.weights) return is_real_literal(rows().back().fields[2]);
    return std::any_of(rows().begin(), rows().end(), [](const TableRow& row) {
      return row.fields[2].find_first_of(".eE-/") != std::string_view::npos;
    });
  }

  Found columns(char delimiter) {
    source_.info.format = delimiter == ' ' ? Format::edge_list : Format::csv;
    return read_columns(source_.bytes, source_.name, options_, source_.info, delimiter);
  }

  // METIS's lines may have four numbers each, as its first.
  void check_metis() {
    if (source_.info.format_by != FormatBy::content || options_.as == GraphKind::bipartite) return;
    if (read_if_metis(source_, table_))
      source_.ask(rows()[0].line, "rows of numbers, which may be lines of neighbours as well",
                  "--format metis (numbers of vertices and edges, and a line of neighbours each)",
                  "--format dense (a matrix)");
  }

  Found read_matrix() {
    // "4", and then four rows of four.
    if (rows().size() > 2 && rows()[0].fields.size() == 1 &&
        parse_number(rows()[0].fields[0]) == rows().size() - 1 && table_.all_have(rows().size() - 1, 1)) {
      source_.tell_head(rows()[0].line, "the first line was taken for the number of rows");
      rows().erase(rows().begin());
      source_.info.format = Format::dense;
      return source_.matrix({rows(), {}, {}}, true);
    }
    return read_table_matrix(source_, table_);
  }

  Found after_first_line() {
    take_glued();
    if (table_.delimiter == ' ') {
      if (Found graph = separated(false)) return graph;
      take_letters();
    }
    if (options_.first_line != FirstLine::edge) {
      if (!changed_) {
        if (Found graph = read_if_metis(source_, table_)) return graph;
      }
      if (!changed_ && rows().size() > 1 && rows()[0].fields.size() == 1) {
        if (Found graph = read_matrix()) return graph;
      }
      take_counts();
    }
    if (!changed_) {
      if (Found graph = read_matrix()) return graph;
      if (Found graph = headed()) return graph;
    }
    if (!changed_) ask_of_middle_words(source_, table_);
    if (Found graph = read_if_adjacency(source_, table_)) return graph;
    check_third_column();
    ask_of_more_columns(source_, table_);
    if (!changed_ && options_.first_line != FirstLine::edge) warn_of_short_head(source_, table_);
    return changed_ ? Found(build()) : std::nullopt;
  }

  // "#1 #2" is an edge, and so is every other line then that begins like it; "#1 2" may be one that was taken
  // out.
  void take_glued() {
    if (table_.glued.empty()) return;
    const bool of_labels = std::any_of(table_.glued.begin(), table_.glued.end(), [](const TableRow& row) {
      return row.fields[1].starts_with('#') && row.fields[1].size() > 1;
    });
    if (of_labels) {
      source_.warn(table_.glued.front().line,
                   fmt::format("lines such as {} were taken for edges, # for a part of labels: {}",
                               shown(fmt::format("{} {}", table_.glued.front().fields[0],
                                                 table_.glued.front().fields[1])),
                               table_.glued.size()));
      rows().insert(rows().end(), table_.glued.begin(), table_.glued.end());
      std::sort(rows().begin(), rows().end(),
                [](const TableRow& a, const TableRow& b) { return a.line < b.line; });
      changed_ = true;
      return;
    }
    warn_of_glued(source_, table_);
  }

  // "a -- b", "a -> b 2", "a--b".
  Found separated(bool only_arrows) {
    if (rows().empty()) return std::nullopt;
    split_glued_arrows(rows());
    // A first line may be a header, or the numbers of vertices and edges.
    const auto is_separated = [&](const TableRow& row) {
      return row.fields.size() > 2 && (is_arrow(row.fields[1]) || (!only_arrows && row.fields.size() < 5 &&
                                                                   is_separator(row.fields[1])));
    };
    const std::size_t first = rows().size() > 1 && !is_separated(rows()[0]) ? 1 : 0;
    const auto begin = rows().begin() + static_cast<std::ptrdiff_t>(first);
    const auto odd = std::find_if_not(begin, rows().end(), is_separated);
    if (odd != rows().end()) {
      const auto arrow = std::find_if(rows().begin(), rows().end(), [&](const TableRow& row) {
        return row.fields.size() > 2 && is_arrow(row.fields[1]);
      });
      if (arrow != rows().end() && !only_arrows)
        source_.fail(
            odd->line,
            fmt::format("{} between two labels, as in line {}", shown(arrow->fields[1]), arrow->line),
            "a line without it");
      return std::nullopt;
    }
    const std::string_view word = rows()[first].fields[1];
    bool one_way = false;
    for (std::size_t k = first; k < rows().size(); ++k) {
      std::vector<std::string_view>& fields = rows()[k].fields;
      one_way = one_way || points_one_way(fields[1]);
      if (fields[1] == "<-" || fields[1] == "<--") std::swap(fields[0], fields[2]);
      if (!points_one_way(fields[1]) && is_arrow(fields[1])) both_ways_.insert(rows()[k].line);
      fields.erase(fields.begin() + 1);
    }
    const bool directed = options_.as == GraphKind::directed;
    source_.warn(rows()[first].line,
                 fmt::format("{} was taken for what stands between the ends of an edge{}", shown(word),
                             one_way && !directed ? "; --as directed makes arcs of arrows" : ""));
    changed_ = true;
    if (only_arrows) return build();
    return std::nullopt;
  }

  // DIMACS's lines without its line p.
  void take_letters() {
    char letter = '\0';
    std::size_t edges = 0;
    for (const TableRow& row : rows()) {
      const std::string_view word = row.fields[0];
      if (word == "c") continue;
      if ((word != "e" && word != "a") || row.fields.size() < 3 || row.fields.size() > 4) return;
      if (!is_whole(row.fields[1]) || !is_whole(row.fields[2])) return;
      if (letter != '\0' && letter != word[0]) return;
      letter = word[0];
      ++edges;
    }
    if (edges == 0) return;
    std::erase_if(rows(), [](const TableRow& row) { return row.fields[0] == "c"; });
    for (TableRow& row : rows()) row.fields.erase(row.fields.begin());
    source_.warn(rows().front().line,
                 fmt::format("'{}' was taken for the mark of an edge, as in DIMACS{}", letter,
                             letter == 'a' && !options_.as ? "; --as directed makes arcs of them" : ""));
    changed_ = true;
  }

  static bool within(std::string_view word, std::uint64_t largest) {
    const auto number = parse_number(word);
    return number && *number <= largest;
  }

  // Numbers of vertices and edges in the first line: "n m", "n", "L R m".
  void take_counts() {
    if (rows().size() < 2) return;
    const std::vector<std::string_view> head = rows()[0].fields;
    const std::size_t edges = rows().size() - 1;
    const auto is_edge = [](const TableRow& row) { return row.fields.size() == 2 || row.fields.size() == 3; };
    if (head.empty() || head.size() > 3 || !std::all_of(rows().begin() + 1, rows().end(), is_edge)) return;
    if (!std::all_of(head.begin(), head.end(), is_whole)) return;
    const std::size_t width = table_.all_have(2, 1) ? 2 : 3;
    if (head.size() == 3) return take_three_counts(width);
    const std::uint64_t vertices = *parse_number(head[0]);
    if (head.size() == 2 && parse_number(head[1]) != edges) return;
    // Two lines of two may be a matrix, too, and are asked for later on.
    const bool by_content = source_.info.format_by == FormatBy::content;
    if (head.size() == 2 && width == 2 && edges == 1 && by_content &&
        options_.first_line != FirstLine::header)
      return;
    for (std::size_t k = 1; k <= edges; ++k) {
      if (within(rows()[k].fields[0], vertices) && within(rows()[k].fields[1], vertices)) continue;
      // A first line shorter than others, and as many of these as it says; or a damaged number.
      const bool numbers = is_whole(rows()[k].fields[0]) && is_whole(rows()[k].fields[1]);
      if (head.size() == 2 && (width == 3 || !numbers)) refuse_counts(rows()[k].line);
      return;
    }
    if (head.size() == 2 && options_.first_line != FirstLine::header && width == 2 && may_be_edge(head)) {
      source_.ask(rows()[0].line,
                  fmt::format("{} {} above {} lines, which may be numbers of vertices and edges, or an edge",
                              head[0], head[1], edges),
                  "--first-line header (the numbers)", "--first-line edge");
    }
    take_head(fmt::format("the first line was taken for the {} of vertices{}, not for an edge",
                          head.size() == 2 ? "numbers" : "number", head.size() == 2 ? " and edges" : ""));
    lone_up_to_ = vertices;
  }

  void refuse_counts(std::uint64_t line) {
    const std::vector<std::string_view>& head = rows()[0].fields;
    if (options_.first_line == FirstLine::header)
      source_.fail(line, fmt::format("vertices up to {}, as the first line says", head[0]), "another");
    source_.ask(rows()[0].line,
                fmt::format("{} {} above as many edges, some of which have other vertices", head[0], head[1]),
                "--first-line edge", "vertices up to the first number (--first-line header)");
  }

  // Whether the first line joins two vertices as the others do: not a vertex to itself, not twice the same,
  // and no number of a vertex is left out on account of it.
  bool may_be_edge(const std::vector<std::string_view>& head) {
    if (head[0] == head[1] && edges_are_undirected()) return false;
    std::vector<std::uint64_t> numbers;
    for (const TableRow& row : rows()) {
      numbers.push_back(*parse_number(row.fields[0]));
      numbers.push_back(*parse_number(row.fields[1]));
    }
    for (std::size_t k = 1; k < rows().size(); ++k) {
      const std::vector<std::string_view>& row = rows()[k].fields;
      if ((row[0] == head[0] && row[1] == head[1]) ||
          (edges_are_undirected() && row[0] == head[1] && row[1] == head[0]))
        return false;
    }
    const bool with = are_contiguous(numbers);
    numbers.erase(numbers.begin(), numbers.begin() + 2);
    return with || !are_contiguous(numbers);
  }

  bool edges_are_undirected() const { return source_.edge_kind() == GraphKind::undirected; }

  // "L R m", and left and right vertices counted from 1 or 0 each.
  void take_three_counts(std::size_t width) {
    const std::vector<std::string_view>& head = rows()[0].fields;
    const std::uint64_t left = *parse_number(head[0]);
    const std::uint64_t right = *parse_number(head[1]);
    const std::size_t edges = rows().size() - 1;
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
    if (left == right && own_numbers && !options_.as) {
      source_.ask(rows()[0].line,
                  fmt::format("{} {} {}, which may be sizes of two sides, or of one matrix of a graph",
                              head[0], head[1], head[2]),
                  "--as bipartite (left and right vertices of the same numbers)", "--as undirected");
    }
    if (own_numbers && !beyond_left && !options_.as) kind_ = GraphKind::bipartite;
    if (kind_ && options_.first_line == FirstLine::header)
      source_.warn(rows()[0].line,
                   "the edges were taken for those from left to right vertices, by the numbers above them "
                   "(--as bipartite and --as undirected say it)");
    take_head(fmt::format("the first line was taken for numbers of left vertices, right vertices and edges{}",
                          kind_ ? ", the edges for those from left to right" : ""));
    lone_up_to_ = own_numbers && kind_ ? left : left + right;
    if (own_numbers && (kind_ || options_.as == GraphKind::bipartite)) {
      lone_up_to_ = left;
      lone_right_ = right;
    }
  }

  void take_head(const std::string& how) {
    source_.tell_head(rows()[0].line, how);
    rows().erase(rows().begin());
    changed_ = true;
  }

  // Words above numbers, names of rows.
  Found headed() {
    if (options_.first_line == FirstLine::edge || rows().size() < 2) return std::nullopt;
    const std::size_t width = rows()[1].fields.size();
    const std::vector<std::string_view>& head = rows()[0].fields;
    if (table_.delimiter != ' ') return std::nullopt;  // the reader of columns looks by itself
    if (width < 2 || !table_.all_have(width, 1) || (head.size() != width && head.size() + 1 != width))
      return std::nullopt;
    if (std::any_of(head.begin(), head.end(), is_number_literal)) return std::nullopt;
    const bool names = head.size() + 1 == width;
    if (names && head.size() < 2) return std::nullopt;
    const std::size_t ends = names ? 1 : 0;
    const bool above_numbers = std::all_of(rows().begin() + 1, rows().end(), [&](const TableRow& row) {
      return is_whole(row.fields[ends]) && is_whole(row.fields[ends + 1]);
    });
    if (options_.first_line == FirstLine::header) return columns(' ');
    // Names of rows are numbers, as R's are, or words: then the first line may be an edge without a weight.
    if (names ? counts_up(0) : above_numbers) return columns(' ');
    if (!names && heads_weights(rows())) return columns(' ');
    if (names && above_numbers)
      source_.ask(rows()[0].line, "a first line of one word less than the others",
                  "--first-line header (names of rows in front of the others)",
                  "--first-line edge (an edge without a weight)");
    return std::nullopt;
  }

  // Whether the column is 1, 2, 3, ... or 0, 1, 2, ... below the first line.
  bool counts_up(std::size_t column) {
    const auto first = parse_number(rows()[1].fields[column]);
    for (std::size_t k = 1; k < rows().size(); ++k) {
      if (!first || *first > 1 || parse_number(rows()[k].fields[column]) != *first + k - 1) return false;
    }
    return true;
  }

  // Numbers behind two ends that may be vertices themselves: neighbours, or the edge's number is in front.
  void check_third_column() {
    if (options_.weights || !table_.all_have(3) || rows().size() < 2) return;
    const std::optional<ThirdColumn> third = look_at_third_column(rows());
    if (!third && !changed_) ask_of_third_words(source_, table_);
    if (!third) return;
    const auto [numbered, neighbours, loop] = *third;
    if (numbered && loop && edges_are_undirected() && options_.loops == LoopPolicy::reject) {
      source_.warn(rows()[0].line, "the first column was taken for numbers of the edges, and not for ends");
      for (TableRow& row : rows()) row.fields.erase(row.fields.begin());
      changed_ = true;
      return;
    }
    if (!numbered && !neighbours) return;
    source_.ask(rows()[0].line, "two numbers and a third, which may be a vertex, too",
                "--weights or --format edgelist (u v weight)",
                neighbours && numbered ? "--format adjlist (a vertex and its neighbours), or --ends 2,3 (the "
                                         "first column counts the edges)"
                : neighbours           ? "--format adjlist (a vertex and its neighbours)"
                                       : "--ends 2,3 (the first column counts the edges)");
  }

  Graph build() {
    std::vector<TableEdge> edges;
    edges.reserve(rows().size());
    const bool arcs_both_ways = options_.as == GraphKind::directed && !options_.symmetric;
    for (const TableRow& row : rows()) {
      if (row.fields.size() < 2 || row.fields.size() > 3)
        source_.fail(row.line, "two labels, and a weight if there is one",
                     fmt::format("{}", row.fields.size()));
      const std::string_view weight = row.fields.size() == 3 ? row.fields[2] : std::string_view();
      edges.push_back({row.line, row.fields[0], row.fields[1], weight});
      if (arcs_both_ways && both_ways_.contains(row.line) && row.fields[0] != row.fields[1])
        edges.push_back({row.line, row.fields[1], row.fields[0], weight});
    }
    source_.info.format = table_.delimiter == ' ' ? Format::edge_list : Format::csv;
    if (lone_right_)
      return source_.edges(edges, kind_, lone_vertices(0, *lone_up_to_), lone_vertices(1, *lone_right_));
    if (lone_up_to_ && source_.edge_kind() != GraphKind::bipartite)
      return source_.edges(edges, kind_, lone_vertices(2, *lone_up_to_));
    return source_.edges(edges, kind_);
  }

  // Vertices that the first line counts and no edge has: of a side, 0 or 1, or of both.
  std::vector<std::string_view> lone_vertices(std::size_t side, std::uint64_t count) {
    std::vector<std::string_view> lone;
    std::set<std::uint64_t> known;
    bool zero = false;
    for (const TableRow& row : rows()) {
      for (std::size_t k = 0; k < 2; ++k) {
        const std::uint64_t vertex = *parse_number(row.fields[k]);
        zero = zero || vertex == 0;
        if (side == 2 || side == k) known.insert(vertex);
      }
    }
    if (known.size() >= count) return lone;
    if (count > largest_lone)
      source_.fail(0, fmt::format("at most {} vertices in the first line", largest_lone),
                   fmt::format("{}", count));
    const std::uint64_t first = zero ? 0 : 1;
    for (std::uint64_t v = first; v < first + count; ++v) {
      if (!known.contains(v)) lone.push_back(lone_labels_.emplace_back(std::to_string(v)));
    }
    return lone;
  }

  static constexpr std::uint64_t largest_lone = 10'000'000;
  const TableSource& source_;
  const ReadOptions& options_;
  std::optional<Format> said_;
  WordTable table_;
  bool changed_ = false;               // the plain readers would read something else
  std::set<std::uint64_t> both_ways_;  // lines of edges that are no arcs
  std::optional<GraphKind> kind_;
  std::optional<std::uint64_t> lone_up_to_;
  std::optional<std::uint64_t> lone_right_;
  std::deque<std::string> lone_labels_;
};

}  // namespace

std::optional<Graph> read_table(std::string_view bytes, const std::string& name, const ReadOptions& options,
                                InputInfo& info) {
  return TableReading(TableSource(bytes, name, options, info)).read();
}

}  // namespace countpm
