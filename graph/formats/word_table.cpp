#include "graph/formats/word_table.hpp"

#include <algorithm>
#include <bitset>

#include "graph/number_dialects.hpp"
#include "graph/parse_weight.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {

bool WordTable::all_have(std::size_t fields, std::size_t first) const {
  return std::all_of(rows.begin() + static_cast<std::ptrdiff_t>(std::min(first, rows.size())), rows.end(),
                     [fields](const TableRow& row) { return row.fields.size() == fields; });
}

namespace {

bool is_blank_in_row(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

char delimiter_of_line(std::string_view line) {
  // Commas are also in numbers and names that semicolons or tabs part.
  bool quoted = false;
  char delimiter = '\0';
  char before = '\0';  // the last that is no blank
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\t' && before != ',') return c;
    if (!is_blank_in_row(c)) before = c;
    if (c == ';' || (c == ',' && delimiter != ';') || (c == '|' && delimiter == '\0')) delimiter = c;
  }
  return delimiter == '\0' ? ',' : delimiter;
}

char delimiter_of_matrix(std::string_view line) {
  std::size_t depth = 0;
  char delimiter = ' ';
  for (const char c : line.substr(0, line.find('#'))) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (depth > 0) continue;
    if (c == ';') return c;
    if (c == ',') delimiter = c;
  }
  return delimiter;
}

std::optional<char> said_delimiter(std::string_view line) {
  if (line.starts_with('"') && line.ends_with('"') && line.size() > 2) line = line.substr(1, line.size() - 2);
  if (line.size() != 5 || ascii_lower(line.substr(0, 4)) != "sep=") return std::nullopt;
  return std::string_view(",;\t|").find(line[4]) == std::string_view::npos ? std::nullopt
                                                                           : std::optional<char>(line[4]);
}

std::string_view without_quotes(std::string_view word) {
  for (const char mark : {'"', '\''}) {
    if (word.size() >= 2 && word.front() == mark && word.find(mark, 1) == word.size() - 1)
      return word.substr(1, word.size() - 2);
  }
  return word;
}

std::optional<std::string> with_decimal_point(std::string_view field) {
  const std::size_t comma = field.find(',');
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (comma == std::string_view::npos || comma + 1 >= field.size() || !is_digit(field[comma + 1]))
    return std::nullopt;
  std::string result(field);
  result[comma] = '.';
  if (field.find_first_of("./") != std::string_view::npos || !is_real_literal(result)) return std::nullopt;
  return result;
}

std::optional<std::size_t> end_of_single_quotes(std::string_view line, std::size_t at, char delimiter) {
  for (std::size_t end = line.find('\'', at + 1); end != std::string_view::npos;
       end = line.find('\'', end + 1)) {
    std::size_t next = end + 1;
    while (next < line.size() && line[next] != delimiter && (line[next] == ' ' || line[next] == '\t')) ++next;
    if (next == line.size() || line[next] == delimiter) return end + 1;
  }
  return std::nullopt;
}

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank_in_row(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank_in_row(text.back())) text.remove_suffix(1);
  return text;
}

bool begins_comment(std::string_view word) {
  return word.starts_with('#') || word.starts_with('%');
}

class TableSplitter {
 public:
  TableSplitter(std::string_view bytes, char delimiter) : lines_(bytes) { table_.delimiter = delimiter; }

  WordTable split() {
    while (lines_.next()) {
      if (lines_.number() == 1 && table_.delimiter != ' ' && said_delimiter(lines_.line())) continue;
      table_.plain = table_.plain || lines_.line().find('\r') != std::string_view::npos;  // which is refused
      if (lines_.line_done()) {
        table_.blanks.push_back(lines_.number());
        continue;
      }
      if (table_.delimiter == ' ') {
        add_words();
      } else {
        add_fields(without_blanks(lines_.line()));
      }
    }
    // Ends of edges are in the first two columns mostly.
    const bool in_ends = (single_quotes_[0] || single_quotes_[1]) && (no_quotes_[0] || no_quotes_[1]);
    const bool uneven = !table_.rows.empty() && !table_.all_have(table_.rows.front().fields.size());
    table_.single_quoted = in_ends || (single_quotes_ & no_quotes_).any() ||
                           (uneven && single_quotes_.any() && no_quotes_.any());
    return std::move(table_);
  }

 private:
  void add_words() {
    TableRow row{lines_.number(), {}};
    for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word()) {
      // Behind a tab, "<TAB>#a<TAB>b" heads columns.
      const bool heads = row.fields.empty() && word.size() > 1 && word.starts_with('#') &&
                         lines_.line().starts_with('\t') &&
                         lines_.line().find('\t', 1) != std::string_view::npos;
      if (row.fields.empty() && begins_comment(word) && !heads) return add_comment(word);
      if (begins_comment(word) && !heads) break;  // "a # alone", or "a #b"
      if (row.fields.size() == 2 && (word.front() == '{' || (word.front() == '(' && word.back() != ')')))
        table_.plain = true;
      row.fields.push_back(unquoted_word(word, row.fields.size()));
    }
    table_.partly_quoted = table_.partly_quoted || (quoted_words_ > 0 && quoted_words_ < row.fields.size());
    quoted_words_ = 0;
    table_.rows.push_back(std::move(row));
  }

  // Words in quotation marks may have blanks.
  std::string_view unquoted_word(std::string_view word, std::size_t column) {
    if (word.front() != '"') return word;
    const std::string_view line = lines_.line();
    const std::string_view left = line.substr(static_cast<std::size_t>(word.data() - line.data()));
    const std::size_t end = left.find('"', 1);
    const bool closed =
        end != std::string_view::npos && (end + 1 == left.size() || is_blank_in_row(left[end + 1]));
    if (!closed) return word;
    while (word.data() + word.size() < left.data() + end + 1) word = lines_.word();
    table_.quoted = true;
    ++quoted_words_;
    table_.parts_unlike_words =
        table_.parts_unlike_words || column > 1 || left.substr(0, end).find_first_of(" \t") < end;
    return left.substr(1, end - 1);
  }

  void add_comment(std::string_view word) {
    if (word == "#" && lines_.line_done()) table_.rules.push_back(lines_.number());
    if (word.starts_with("#!")) table_.plain = true;
    if (word.size() < 2 || begins_comment(word.substr(1))) return;
    TableRow row{lines_.number(), {word}};
    for (std::string_view next = lines_.word(); !next.empty() && row.fields.size() < 4; next = lines_.word())
      row.fields.push_back(next);
    if (row.fields.size() == 2 || row.fields.size() == 3) table_.glued.push_back(std::move(row));
  }

  void add_fields(std::string_view line) {
    // Behind a tab it is in the second field, as above the names of rows.
    const bool comment =
        line.starts_with('#') && !(table_.delimiter == '\t' && lines_.line().starts_with('\t'));
    if (comment) {
      if (without_blanks(line.substr(1)).empty()) table_.rules.push_back(lines_.number());
      const bool glued = line.size() > 1 && !is_blank_in_row(line[1]) && line[1] != '#' && line[1] != '!';
      if (!glued) return;
    }
    TableRow row{lines_.number(), {}};
    // The blanks at the ends of a line parted by tabs are fields.
    std::string_view left = table_.delimiter == '\t' ? lines_.line() : line;
    for (;;) {
      const std::string_view field = next_field(left, std::min(row.fields.size(), single_quotes_.size() - 1));
      row.fields.push_back(field);
      if (left.empty()) break;
      left.remove_prefix(1);
      if (left.empty()) {
        row.fields.emplace_back();
        break;
      }
    }
    if (comment) {
      if (row.fields.size() == 2 || row.fields.size() == 3) table_.glued.push_back(std::move(row));
      return;
    }
    table_.rows.push_back(std::move(row));
  }

  // Takes a field off the front; what is left begins with the delimiter.
  std::string_view next_field(std::string_view& left, std::size_t column) {
    std::size_t at = 0;
    while (at < left.size() && left[at] != table_.delimiter && is_blank_in_row(left[at])) ++at;
    if (at < left.size() && left[at] == '"') {
      std::string text;
      for (std::size_t k = at + 1; k < left.size(); ++k) {
        if (left[k] != '"') {
          text += left[k];
        } else if (k + 1 < left.size() && left[k + 1] == '"') {
          text += left[++k];
        } else {
          const std::size_t end = std::min(left.find(table_.delimiter, k), left.size());
          if (!without_blanks(left.substr(k + 1, end - k - 1)).empty()) break;  // no closing mark
          left.remove_prefix(end);
          return table_.unquoted.emplace_back(std::move(text));
        }
      }
    }
    std::size_t end = std::min(left.find(table_.delimiter, at), left.size());
    if (at < left.size() && left[at] == '\'') {
      if (const auto behind = end_of_single_quotes(left, at, table_.delimiter)) {
        const std::string_view text = left.substr(at + 1, *behind - at - 2);
        left.remove_prefix(std::min(left.find(table_.delimiter, *behind), left.size()));
        single_quotes_.set(column);
        return text;
      }
    }
    if (at < left.size() && left[at] == '(' && table_.delimiter == ',') {  // (re,im)
      const std::size_t close = left.find(')', at);
      if (close != std::string_view::npos) end = std::min(left.find(table_.delimiter, close), left.size());
    }
    const std::string_view field = without_blanks(left.substr(0, end));
    left.remove_prefix(end);
    if (!field.empty()) no_quotes_.set(column);
    return field;
  }

  std::bitset<64> single_quotes_;  // columns with them, and with fields without any
  std::bitset<64> no_quotes_;
  std::size_t quoted_words_ = 0;  // of the line
  TextLines lines_;
  WordTable table_;
};

}  // namespace

WordTable split_table(std::string_view bytes, char delimiter, std::size_t limit) {
  bool whole = true;
  if (bytes.size() > limit) {
    const std::size_t end = bytes.rfind('\n', limit);
    whole = end == std::string_view::npos;
    if (!whole) bytes = bytes.substr(0, end + 1);
  }
  WordTable table = TableSplitter(bytes, delimiter).split();
  table.whole = whole;
  return table;
}

bool is_real_literal(std::string_view word, std::string_view exponents) {
  std::size_t at = !word.empty() && (word[0] == '+' || word[0] == '-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < word.size() && word[at] >= '0' && word[at] <= '9') ++at;
    return at - start;
  };
  std::size_t mantissa = digits();
  if (at < word.size() && word[at] == '.') {
    ++at;
    mantissa += digits();
  }
  if (mantissa == 0) return false;
  if (at == word.size()) return true;
  const char next = word[at++];
  if (next == '/') return digits() > 0 && at == word.size();
  if (exponents.find(next) == std::string_view::npos) return false;
  if (at < word.size() && (word[at] == '+' || word[at] == '-')) ++at;
  return digits() > 0 && at == word.size();
}

bool is_number_literal(std::string_view word) {
  if (is_real_literal(word) || is_complex_literal(word)) return true;
  return word.find_first_of("`^") != std::string_view::npos && rewritten_number(word).has_value();
}

}  // namespace countpm
