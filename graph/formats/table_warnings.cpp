// What in a table of words may be something else than what it is taken for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"

namespace countpm {

void warn_of_rule(const TableSource& source, const WordTable& table) {
  if (table.rules.size() != 1 || table.rows.empty() || table.rows.front().line > table.rules.front()) return;
  source.warn(table.rules.front(),
              "the line # was passed over as a comment: in Trivial Graph Format (--format tgf) it parts "
              "vertices and edges");
}

void warn_of_glued(const TableSource& source, const WordTable& table) {
  if (table.glued.empty()) return;
  const std::vector<TableRow>& rows = table.rows;
  const bool numbers = !rows.empty() && rows.back().fields.size() > 1 && is_whole(rows.back().fields[0]) &&
                       is_whole(rows.back().fields[1]);
  std::set<std::string_view> ends;
  for (const TableRow& row : rows) {
    for (std::size_t k = 0; k < std::min<std::size_t>(row.fields.size(), 2); ++k) ends.insert(row.fields[k]);
  }
  const bool named_rows = table.all_have(3) && std::all_of(rows.begin(), rows.end(), [](const TableRow& row) {
                            return !is_number_literal(row.fields[0]) && is_number_literal(row.fields[1]) &&
                                   is_number_literal(row.fields[2]);
                          });
  for (const TableRow& row : table.glued) {
    // "#name c0 c1" above "r0 0 4"
    const bool heads = named_rows && !rows.empty() && row.line < rows.front().line &&
                       row.fields.size() == 3 &&
                       std::none_of(row.fields.begin(), row.fields.end(), [](std::string_view word) {
                         word.remove_prefix(word.front() == '#' || word.front() == '%' ? 1 : 0);
                         return header_word(word) != HeaderWord::none;
                       });
    if (heads) {
      source.warn(row.line, fmt::format("the comment {} was passed over: as names of columns it would make a "
                                        "matrix of the lines below",
                                        shown(fmt::format("{}", fmt::join(row.fields, " ")))));
      return;
    }
    const std::string_view from = row.fields[0].substr(1);
    const bool of_numbers = numbers && is_whole(from) && is_whole(row.fields[1]);
    if (!of_numbers && !ends.contains(from) && !ends.contains(row.fields[1])) continue;
    source.warn(row.line, fmt::format("the comment {} looks like an edge and was passed over",
                                      shown(fmt::format("{} {}", row.fields[0], row.fields[1]))));
    return;
  }
}

void warn_of_other_head(const TableSource& source, const WordTable& table) {
  if (table.delimiter != ' ' || table.rows.size() < 2) return;
  const std::vector<std::string_view>& head = table.rows[0].fields;
  if (head.size() == 2 && table.rows.size() > 2 && table.all_have(3, 1))
    source.warn(table.rows[0].line,
                "the first line was taken for an edge without a weight: all others have one");
  if (head.size() == 3 && table.all_have(2, 1) && std::all_of(head.begin(), head.end(), is_whole))
    source.warn(table.rows[0].line,
                "the first line was taken for an edge with a weight: no other has one (numbers of vertices "
                "and edges are read where they are those of the lines below)");
}

std::string edge_of_heads(std::string_view from, std::string_view to) {
  return fmt::format(
      "{} and {} were taken for the ends of an edge, since one of them is in a later line, too; --first-line "
      "header takes them for names of columns",
      shown(from), shown(to));
}

bool are_names_too(std::string_view from) {
  return from.size() < 2 || from.find_first_of("0123456789") != std::string_view::npos;
}

void warn_of_heads_again(const TableSource& source, const std::vector<TableRow>& rows) {
  if (rows.empty()) return;
  const std::vector<std::string_view>& head = rows.front().fields;
  if (head.size() < 2 || header_word(head[0]) != HeaderWord::from || header_word(head[1]) != HeaderWord::to)
    return;
  std::array<bool, 2> again{};
  bool letters = false;  // other labels of one letter
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    for (const std::string_view word : row->fields) {
      for (std::size_t end = 0; end < 2; ++end) again[end] = again[end] || word == head[end];
      letters = letters || (word.size() == 1 && word != head[0] && word != head[1]);
    }
  }
  if (!again[0] && !again[1]) return;
  // u and v are names of vertices, too: where both are there again, or others like them.
  if (are_names_too(head[0]) && ((again[0] && again[1]) || letters)) return;
  source.warn(rows.front().line, edge_of_heads(head[0], head[1]));
}

void ask_of_konect(const TableSource& source) {
  if (source.bytes.starts_with("% bip "))
    source.ask(1, "the line of KONECT's bipartite graphs",
               "--kind bipartite (left and right vertices, perhaps of the same numbers)",
               "--kind undirected");
}

void refuse_bracketed_lines(const TableSource& source, const WordTable& table) {
  for (const TableRow& row : table.rows) {
    if (row.fields.size() > 2 && (row.fields[1] == "=" || row.fields[1] == ":=" || row.fields[1] == "<-") &&
        (row.fields[2].starts_with('[') || row.fields[2].starts_with('{') || row.fields[2].starts_with("((")))
      source.fail(row.line, "a matrix, a list of edges, or edges in lines",
                  fmt::format("{} {} and a list that is neither", shown(row.fields[0]), row.fields[1]));
  }
  constexpr std::array<std::string_view, 8> open = {"[", "(", "{", "<", "|", "\u23a1", "\u23a2", "\u23a3"};
  constexpr std::array<std::string_view, 8> close = {"]", ")", "}", ">", "|", "\u23a4", "\u23a5", "\u23a6"};
  const auto is_bracketed = [&](const TableRow& row) {
    std::vector<std::string_view> inner = row.fields;
    if (inner.size() > 2 && inner.back().empty()) inner.pop_back();  // a comma at the end
    for (std::size_t k = 0; inner.size() > 1 && k < open.size(); ++k) {
      if (!inner.front().starts_with(open[k]) || !inner.back().ends_with(close[k])) continue;
      inner.front().remove_prefix(open[k].size());
      inner.back().remove_suffix(close[k].size());
      return std::none_of(inner.begin(), inner.end(), [&](std::string_view field) {
        return field.find(open[k]) != std::string_view::npos;
      });
    }
    return false;
  };
  if (!table.rows.empty() && std::all_of(table.rows.begin(), table.rows.end(), is_bracketed))
    source.fail(table.rows.front().line,
                "edges or rows without brackets around them, or one list of lists ([[1, 2], [3, 4]])",
                "every line within brackets");
}

bool have_middle_word(const std::vector<TableRow>& rows) {
  return rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [&](const TableRow& row) {
           return row.fields.size() == 3 && row.fields[1] == rows.front().fields[1] &&
                  row.fields[1].find_first_of("0123456789") == std::string_view::npos;
         });
}

void ask_of_middle_words(const TableSource& source, const WordTable& table) {
  if (have_middle_word(table.rows))
    source.ask(
        table.rows.front().line,
        fmt::format("{} in the middle of every line", shown(table.rows.front().fields[1])),
        "--ends 1,3 (what stands between the ends of an edge)",
        "--format edgelist or csv (the second end of every edge, and a weight), --ends 1,2, or --format "
        "adjlist (a vertex and its neighbours)");
}

bool has_telling_heads(const std::vector<TableRow>& rows) {
  const std::vector<std::string_view>& head = rows.front().fields;
  // "u weight v": the third word makes heads of the others.
  const bool weight = std::any_of(head.begin(), head.end(), [](std::string_view word) {
    return header_word(word) == HeaderWord::weight;
  });
  const auto are_heads = [&](std::string_view from, std::string_view to) {
    return are_telling_heads(from, to) ||
           (weight && header_word(from) == HeaderWord::from && header_word(to) == HeaderWord::to);
  };
  for (std::size_t from = 0; from < head.size(); ++from) {
    for (std::size_t to = 0; to < head.size(); ++to) {
      if (!are_heads(head[from], head[to])) continue;
      return std::none_of(rows.begin() + 1, rows.end(), [&](const TableRow& row) {
        const auto is_head = [&](std::size_t k) {
          return k < row.fields.size() && (row.fields[k] == head[from] || row.fields[k] == head[to]);
        };
        return is_head(from) || is_head(to);
      });
    }
  }
  return false;
}

HeadReading reading_of_heads(const std::vector<TableRow>& rows) {
  if (rows.size() < 2 || rows.front().fields.size() < 2) return HeadReading::edge;
  const std::vector<std::string_view>& head = rows.front().fields;
  const bool numbers = is_number_literal(head[0]) || is_number_literal(head[1]);
  if (numbers || (head.size() > 2 && is_number_literal(head[2]))) return HeadReading::edge;
  HeadJudge judge(head[0], head[1]);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    if (rows[k].fields.size() != head.size()) return HeadReading::edge;
    judge.look(rows[k].fields[0], rows[k].fields[1]);
  }
  return judge.reading();
}

bool heads_weights(const std::vector<TableRow>& rows) {
  const std::vector<std::string_view>& head = rows.front().fields;
  if (rows.size() < 2 || head.size() != 3 || is_number_literal(head[2])) return false;
  return std::all_of(rows.begin() + 1, rows.end(), [&](const TableRow& row) {
    const auto is_head = [&](std::string_view word) { return word == head[0] || word == head[1]; };
    return row.fields.size() == 3 && is_number_literal(row.fields[2]) && !is_head(row.fields[0]) &&
           !is_head(row.fields[1]);
  });
}

void ask_of_third_words(const TableSource& source, const WordTable& table) {
  const auto is_word = [](const TableRow& row) { return !is_number_literal(row.fields[2]); };
  const auto is_empty = [](const TableRow& row) { return row.fields[2].empty(); };  // "a;b;"
  if (std::all_of(table.rows.begin(), table.rows.end(), is_word) &&
      !std::all_of(table.rows.begin(), table.rows.end(), is_empty))
    source.ask(table.rows[0].line, "two labels and a third word, which is no weight",
               "--format adjlist (a vertex and its neighbours)",
               "--ends 1,2 (edges; with --weights the word is a letter)");
}

void ask_of_first_column(const TableSource& source, const WordTable& table) {
  if (table.rows.size() < 2 || !table.all_have(3)) return;
  std::vector<std::uint64_t> firsts;
  std::vector<std::uint64_t> behind;
  std::vector<std::uint64_t> front;
  bool times = true;  // no whole numbers, dates among them
  for (const TableRow& row : table.rows) {
    const auto b = parse_number(row.fields[1]);
    const auto c = parse_number(row.fields[2]);
    if (!b || !c || *b == *c) return;
    const std::string_view word = row.fields[0];
    const auto a = parse_number(word);
    times = times && !a && word[0] >= '0' && word[0] <= '9' &&
            word.find_first_not_of("0123456789-/:.,+TZeE") == std::string_view::npos;
    if (!a && !times) return;
    behind.insert(behind.end(), {*b, *c});
    if (!a) continue;
    firsts.push_back(*a);
    front.insert(front.end(), {*a, *b});
  }
  if (!times) {
    if (front.size() != behind.size()) return;
    // Vertices are numbered without gaps behind, and with some in front.
    if (!are_contiguous(behind) || are_contiguous(front)) return;
    const auto [least, largest] = std::minmax_element(behind.begin(), behind.end());
    const bool apart = std::none_of(
        firsts.begin(), firsts.end(),
        [&, low = *least, high = *largest](auto value) { return value >= low && value <= high; });
    if (!apart && !std::is_sorted(firsts.begin(), firsts.end())) return;
  }
  source.ask(table.rows[0].line, "three columns, the first of which may be a time or a value",
             "--ends 2,3 (edges between the others)", "--ends 1,2 or --format edgelist or csv (u v weight)");
}

namespace {

/// "x,1" above "0,1": an edge, or the names of columns above rows of a matrix.
void warn_of_mixed_heads(const TableSource& source, const WordTable& table, const TableRow& odd) {
  const std::size_t width = odd.fields.size();
  const bool first = &odd == table.rows.data() && table.rows.size() > 1 && table.all_have(width);
  const bool one_word = first && is_whole(odd.fields[0]) != is_whole(odd.fields[1]);
  const auto is_row = [](const TableRow& row) {
    return std::all_of(row.fields.begin(), row.fields.end(), is_number_literal);
  };
  const bool rows = one_word && !is_row(odd) && std::all_of(table.rows.begin() + 1, table.rows.end(), is_row);
  if (!rows || source.options.first_line == FirstLine::edge) return;
  source.warn(odd.line,
              fmt::format("{} was taken for an edge, and not for names above rows of numbers (--format "
                          "dense --first-line header)",
                          shown(fmt::format("{}", fmt::join(odd.fields, " ")))));
}

}  // namespace

void warn_of_odd_line(const TableSource& source, const WordTable& table) {
  const TableRow* odd = nullptr;
  std::size_t others = 0;
  for (const TableRow& row : table.rows) {
    if (row.fields.size() < 2) return;
    if (is_whole(row.fields[0]) && is_whole(row.fields[1])) {
      ++others;
      continue;
    }
    if (odd != nullptr) return;
    odd = &row;
  }
  if (odd == nullptr) return;
  if (others < 3) return warn_of_mixed_heads(source, table, *odd);
  // Two words in the first line may be a header, which is told from other things.
  if (odd == table.rows.data() && !is_whole(odd->fields[0]) && !is_whole(odd->fields[1])) return;
  source.warn(odd->line, fmt::format("{} was taken for an edge, though all others join numbers",
                                     shown(fmt::format("{} {}", odd->fields[0], odd->fields[1]))));
}

void ask_of_more_columns(const TableSource& source, const WordTable& table) {
  const std::size_t width = table.width();
  if (width < 4 || !table.all_have(width) || table.rows.size() < 2) return;
  if (!may_be_ends(table.rows, 0, 1)) {
    const auto are_numbers = [](const TableRow& row) {
      return std::all_of(row.fields.begin(), row.fields.end(), is_number_literal);
    };
    if (table.partly_quoted && std::all_of(table.rows.begin(), table.rows.end(), are_numbers))
      source.ask(table.rows[0].line, fmt::format("{} columns, some of them in quotation marks", width),
                 "--ends A,B (edges: the columns of their ends)", "--format dense (a matrix)");
    return;
  }
  if (table.rows.size() == width) {
    // A square is a matrix, but for values without --weights and for times.
    constexpr std::uint64_t first_time = 100'000'000;  // 1973
    const auto is_bit = [](std::string_view word) { return word == "0" || word == "1"; };
    const bool values = !source.options.weights &&
                        std::any_of(table.rows.begin(), table.rows.end(), [&](const TableRow& row) {
                          return !std::all_of(row.fields.begin(), row.fields.end(), is_bit);
                        });
    const bool times = std::all_of(table.rows.begin(), table.rows.end(), [](const TableRow& row) {
      return parse_number(row.fields.back()).value_or(0) >= first_time;
    });
    if (!values && !times) return;
  }
  source.ask(table.rows[0].line,
             fmt::format("{} columns, the first two of which may be ends of edges", width),
             "--weight-column 3, or --ends 1,2 (edges)", "--format dense (a matrix)");
}

}  // namespace countpm
