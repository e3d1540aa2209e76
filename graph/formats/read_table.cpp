#include "graph/formats/read_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/formats/arrow_words.hpp"
#include "graph/formats/header_words.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/formats/told_counts.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::size_t table_sample = 65536;  // what tells whether a longer text is a plain edge list

class TableReading {
 public:
  explicit TableReading(const TableSource& source)
      : source_(source), options_(source.options), said_(options_.format) {}

  // The most certain reading first: what is one literal, what programs print, lines in one form with signs or
  // brackets, other programs' tables, and then words or fields.
  std::optional<Graph> read() {
    const bool dense_said = source_.info.format == Format::dense;
    // By the option or by the ending.
    const bool matrix_said = dense_said && source_.info.format_by != FormatBy::content;
    const bool edges_said = said_ == Format::edge_list;
    const bool joined_said =
        !options_.end_columns.empty() && options_.end_columns.find(',') == std::string::npos;
    if (joined_said && options_.end_columns == "1") return read_joined_ends(source_, true);
    if (!edges_said && said_ != Format::csv) {
      if (std::optional<Graph> graph = read_listing(source_)) return graph;
    }
    if (said_ != Format::csv) {
      if (std::optional<Graph> graph = read_printed(source_)) return graph;
    }
    if (!edges_said && said_ != Format::csv) {
      if (std::optional<Graph> graph = read_literal(source_)) return graph;
      const bool columns_free = options_.end_columns.empty() && options_.weight_column.empty();
      if (columns_free && options_.first_line != FirstLine::edge && !matrix_said) {
        if (std::optional<Graph> graph = read_if_marked_neighbours(source_)) return graph;
        if (std::optional<Graph> graph = read_joined_ends(source_, false)) return graph;
      }
    }
    if (tabs_are_unclear()) return std::nullopt;
    if (!dense_said) {
      if (std::optional<Graph> graph = read_if_gdf(source_)) return graph;
      if (std::optional<Graph> graph = read_if_lgl(source_)) return graph;
    }
    const char delimiter = delimiter_of_text();
    table_ = split_table(source_.bytes, delimiter, table_sample);
    take_decimal_commas(source_, table_);
    const bool columns_said = !options_.weight_column.empty() || !options_.end_columns.empty();
    if (!options_.kind && !options_.symmetric && !columns_said) ask_of_konect(source_);
    warn_of_single_quotes(source_, table_);
    if (columns_said) return columns(delimiter);
    if (table_.plain || (table_.rows.empty() && table_.glued.empty())) return std::nullopt;
    if (!table_.whole) {
      if (looks_plain(source_, table_)) return std::nullopt;
      table_ = split_table(source_.bytes, delimiter);
      take_decimal_commas(source_, table_);
      if (table_.plain) return std::nullopt;
    }
    if (edges_said) {
      if (delimiter != ' ') return std::nullopt;
      warn_of_glued(source_, table_);
      return separated(true);
    }
    if (said_ == Format::csv) return std::nullopt;
    refuse_bracketed_lines(source_, table_);
    if (!matrix_said && options_.first_line != FirstLine::edge) {
      if (Found graph = read_if_numbered(source_, table_)) return graph;
      // Rows of four numbers and more are no edges.
      if (table_.width() > 3 && table_.all_have(table_.width())) {
        if (Found graph = read_if_adjacency(source_, table_)) return graph;
      }
    }
    if (dense_said) {
      check_metis();
      if (source_.info.format_by == FormatBy::content) warn_of_rule(source_, table_);
      // Numbers in quotation marks are a matrix's where they cannot be ends.
      if (source_.info.format_by == FormatBy::content && table_.quoted) ask_of_more_columns(source_, table_);
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

  // Tabs and blanks, either of which may part labels: that is asked for where the format is settled.
  bool tabs_are_unclear() const {
    const std::string_view head = source_.bytes.substr(0, table_head);
    return source_.info.format_by == FormatBy::content && head.find('\t') != std::string_view::npos &&
           guess_format(head).tabs;
  }

  // The first line with words decides.
  char delimiter_of_text() const {
    TextLines lines(source_.bytes);
    while (lines.next()) {
      if (lines.line_done()) continue;
      const std::string_view line = lines.line();
      if (const auto said = said_delimiter(line); said && source_.info.format == Format::csv) return *said;
      if (line.front() == '#' || line.front() == '%') continue;
      if (source_.info.format == Format::csv) return delimiter_of_line(line);
      const std::string_view first = lines.word();
      if (source_.info.format_by == FormatBy::content && lines.line_done() &&
          first.find(';') != std::string_view::npos && first.size() > 1)
        return ';';
      if (source_.info.format != Format::dense) return ' ';
      const char parting = delimiter_of_matrix(line);
      // "0,5<TAB>1" has decimal commas.
      const bool decimal = parting == ',' && line.find('\t') != std::string_view::npos &&
                           with_decimal_point(first).has_value();
      return decimal ? '\t' : parting;
    }
    return source_.info.format == Format::csv ? ',' : ' ';
  }

  Found columns(char delimiter) {
    source_.info.format = delimiter == ' ' ? Format::edge_list : Format::csv;
    return read_columns(source_.bytes, source_.name, options_, source_.info, delimiter);
  }

  // METIS's lines may have four numbers each, as its first.
  void check_metis() {
    if (source_.info.format_by != FormatBy::content || options_.kind == GraphKind::bipartite) return;
    if (read_if_metis(source_, table_))
      source_.ask(rows()[0].line, "rows of numbers, which may be lines of neighbours as well",
                  "--format metis (numbers of vertices and edges, and a line of neighbours each)",
                  "--format dense (a matrix)");
  }

  Found read_matrix() {
    if (Found graph = read_sized_matrix(source_, table_)) return graph;
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
        if (Found graph = read_sized_matrix(source_, table_)) return graph;
      }
      if (!changed_ && rows().size() > 1 && rows()[0].fields.size() == 1) {
        if (Found graph = read_matrix()) return graph;
      }
      take_told_counts(source_, table_, counts_);
      changed_ = changed_ || counts_.taken;
      if (bare_head_ && !counts_.taken)
        source_.ask(*bare_head_, "a first line without the sign between the ends of the others",
                    "a first line of the numbers of vertices and edges below", "--first-line edge");
    }
    if (!changed_) {
      if (Found graph = read_matrix()) return graph;
      if (Found graph = headed()) return graph;
    }
    // Numbers in quotation marks may be a matrix: that is asked for where the format is settled.
    if (table_.parts_unlike_words && source_.info.format_by == FormatBy::content &&
        guess_format(source_.bytes.substr(0, table_head)).ambiguous)
      return std::nullopt;
    changed_ = changed_ || (table_.parts_unlike_words && are_edges(rows()));
    if (!changed_) ask_of_middle_words(source_, table_);
    if (Found graph = read_if_adjacency(source_, table_)) return graph;
    check_third_column();
    ask_of_more_columns(source_, table_);
    if (!changed_ && options_.first_line != FirstLine::edge) {
      warn_of_other_head(source_, table_);
      warn_of_heads_again(source_, rows());
    }
    warn_of_odd_line(source_, table_);
    const bool taken = counts_.taken || head_taken_;
    if (!taken && options_.first_line == FirstLine::header && table_.delimiter == ' ')
      source_.fail(
          rows()[0].line,
          "names of columns, or numbers of vertices and edges that are those of the lines below "
          "(--first-line header)",
          fmt::format("{} above {} lines", shown(fmt::format("{}", fmt::join(rows()[0].fields, " "))),
                      rows().size() - 1));
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

  // "a -- b;" in all lines, perhaps but the last.
  void drop_ends_of_lines() {
    const std::string_view last = rows().front().fields.back();
    if (last.empty()) return;
    const char end = last.back();
    if ((end != ';' && end != ',') || rows().size() < 2) return;
    const auto has_end = [&](const TableRow& row) {
      return row.fields.size() > 1 && row.fields.back().ends_with(end) && row.fields.size() < 6;
    };
    if (!std::all_of(rows().begin(), rows().end() - 1, has_end)) return;
    source_.warn(rows().front().line, fmt::format("{} at the ends of lines was passed over", end));
    for (TableRow& row : rows()) {
      std::string_view& word = row.fields.back();
      if (word.ends_with(end)) word.remove_suffix(1);
      if (word.empty()) row.fields.pop_back();
    }
    changed_ = true;
  }

  // A first line of words without the sign of the others: names of columns, or an edge all the same. The
  // number of the first line with the sign then.
  std::size_t take_bare_head() {
    const TableRow& head = rows()[0];
    const bool numbers = std::any_of(head.fields.begin(), head.fields.end(), is_number_literal);
    if (options_.first_line == FirstLine::edge || head.fields.size() < 2) return 1;
    if (numbers) {
      bare_head_ = head.line;
      return 1;
    }
    const bool telling = are_telling_heads(head.fields[0], head.fields[1]);
    if (!telling && options_.first_line != FirstLine::header)
      source_.ask(head.line,
                  fmt::format("{} without the {} of the lines below",
                              shown(fmt::format("{}", fmt::join(head.fields, " "))), rows()[1].fields[1]),
                  "--first-line header (names of columns)", "--first-line edge");
    source_.tell_head(head.line, "the first line was taken for names of columns, and not for an edge");
    head_taken_ = true;
    rows().erase(rows().begin());
    return 0;
  }

  // "a -- b", "a -> b 2", "a--b".
  Found separated(bool only_arrows) {
    if (rows().empty()) return std::nullopt;
    drop_ends_of_lines();
    split_glued_arrows(rows());
    // A first line may be a header, or the numbers of vertices and edges.
    const auto is_separated = [&](const TableRow& row) {
      return row.fields.size() > 2 && (is_arrow(row.fields[1]) || (!only_arrows && row.fields.size() < 5 &&
                                                                   is_separator(row.fields[1])));
    };
    std::size_t first = rows().size() > 1 && !is_separated(rows()[0]) ? 1 : 0;
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
    if (first == 1 && !only_arrows) first = take_bare_head();
    const std::string_view word = rows()[first].fields[1];
    bool one_way = false;
    for (std::size_t k = first; k < rows().size(); ++k) {
      std::vector<std::string_view>& fields = rows()[k].fields;
      one_way = one_way || points_one_way(fields[1]);
      if (fields[1] == "<-" || fields[1] == "<--") std::swap(fields[0], fields[2]);
      if (!points_one_way(fields[1]) && is_arrow(fields[1])) both_ways_.insert(rows()[k].line);
      fields.erase(fields.begin() + 1);
    }
    const bool directed = options_.kind == GraphKind::directed;
    source_.warn(rows()[first].line,
                 fmt::format("{} was taken for what stands between the ends of an edge{}", shown(word),
                             one_way && !directed ? "; --kind directed makes arcs of arrows" : ""));
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
      if (word == "c" || (word == "p" && &row == rows().data())) continue;
      if ((word != "e" && word != "a") || row.fields.size() < 3 || row.fields.size() > 4) return;
      if (!is_whole(row.fields[1]) || !is_whole(row.fields[2])) return;
      if (letter != '\0' && letter != word[0]) return;
      letter = word[0];
      ++edges;
    }
    if (edges == 0) return;
    std::erase_if(rows(), [](const TableRow& row) { return row.fields[0] == "c"; });
    for (TableRow& row : rows()) {
      if (row.fields[0] != "p") row.fields.erase(row.fields.begin());
    }
    source_.warn(rows().front().line,
                 fmt::format("'{}' was taken for the mark of an edge, as in DIMACS{}", letter,
                             letter == 'a' && !options_.kind ? "; --kind directed makes arcs of them" : ""));
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
    if (!names && ((width > 2 && counts_rows(head[0]) && counts_up(0)) || has_telling_heads(rows())))
      return columns(' ');
    if (!names && width < 4) {
      const HeadReading reading = reading_of_heads(rows());
      if (reading == HeadReading::header) return columns(' ');
      if (reading == HeadReading::either)
        source_.ask(rows()[0].line,
                    fmt::format("{} and {}, which may head columns, or be an edge as those below",
                                shown(head[0]), shown(head[1])),
                    "--first-line header (names of columns)", "--first-line edge");
    }
    if (names && (above_numbers || has_telling_heads(rows())))
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
    if (!changed_ || counts_.taken) ask_of_first_column(source_, table_);
    if (options_.weights || !table_.all_have(3) || rows().size() < 2) return;
    // Below names of columns, which the reader of columns takes.
    const bool counted = counts_rows(rows()[0].fields[0]) && !rows()[0].fields[0].empty() && counts_up(0);
    if (counted || reading_of_heads(rows()) == HeadReading::header || has_telling_heads(rows())) return;
    const std::optional<ThirdColumn> third = look_at_third_column(rows());
    // Nothing above the first column: names of rows, which the reader of columns knows.
    if (!third && !changed_ && !rows()[0].fields[0].empty()) ask_of_third_words(source_, table_);
    if (!third) return;
    const auto [numbered, neighbours, loop] = *third;
    if (numbered && loop && source_.edge_kind() == GraphKind::undirected &&
        options_.loops == LoopPolicy::reject) {
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
    const bool arcs_both_ways = options_.kind == GraphKind::directed && !options_.symmetric;
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
    std::deque<std::string> labels;
    const auto lone = [&](std::size_t side, std::uint64_t count) {
      return lone_vertices(source_, rows(), side, count, labels);
    };
    if (counts_.right)
      return source_.edges(edges, counts_.kind, lone(0, *counts_.vertices), lone(1, *counts_.right));
    if (counts_.vertices && source_.edge_kind() != GraphKind::bipartite)
      return source_.edges(edges, counts_.kind, lone(2, *counts_.vertices));
    return source_.edges(edges, counts_.kind);
  }

  const TableSource& source_;
  const ReadOptions& options_;
  std::optional<Format> said_;
  WordTable table_;
  bool changed_ = false;                    // the plain readers would read something else
  bool head_taken_ = false;                 // names of columns above "a -- b"
  std::optional<std::uint64_t> bare_head_;  // a first line of numbers above "1 -- 2"
  std::set<std::uint64_t> both_ways_;       // lines of edges that are no arcs
  ToldCounts counts_;
};

}  // namespace

std::optional<Graph> read_table(std::string_view bytes, const std::string& name, const ReadOptions& options,
                                InputInfo& info) {
  return TableReading(TableSource(bytes, name, options, info)).read();
}

}  // namespace countpm
