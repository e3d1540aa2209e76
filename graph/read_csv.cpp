// Edges in a table of fields separated by commas, semicolons or tabs (RFC 4180, one record a line): columns
// named by a header ("source,target,weight", in any order, others passed over), or without one two ends and a
// weight. O(bytes).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/graph_builder.hpp"
#include "graph/header_words.hpp"
#include "graph/reader.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

// The records of a table, one after the other.
class CsvRecords {
 public:
  CsvRecords(std::string_view bytes, const std::string& name) : name_(name), lines_(bytes) {}

  // The next line with fields, split; false at the end.
  bool next() {
    while (lines_.next()) {
      poll_.step();
      if (lines_.line().size() > text_line_limit) fail("a line of at most 1 MiB", "a longer line");
      if (lines_.line_done() || lines_.line().front() == '#') continue;
      if (delimiter_ == '\0') delimiter_ = delimiter_of(lines_.line());
      split(lines_.line());
      return true;
    }
    return false;
  }

  // Without the blanks and quotation marks around them.
  const std::vector<std::string>& fields() const { return fields_; }
  std::uint64_t line() const { return lines_.number(); }
  char delimiter() const { return delimiter_; }

  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

 private:
  static char delimiter_of(std::string_view line) {
    // Of those outside quotation marks; commas are also in numbers and names that semicolons or tabs part.
    bool quoted = false;
    char delimiter = ',';
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (c == '\t') return c;
      if (c == ';') delimiter = c;
    }
    return delimiter;
  }

  void split(std::string_view line) {
    fields_.clear();
    std::size_t at = 0;
    for (;;) {
      while (at < line.size() && is_blank(line[at])) ++at;
      std::string& field = fields_.emplace_back();
      if (at < line.size() && line[at] == '"') {
        at = take_quoted(line, at + 1, field);
        while (at < line.size() && is_blank(line[at])) ++at;
        if (at < line.size() && line[at] != delimiter_)
          fail("the end of a field after its closing quotation mark", shown(line.substr(at)));
      } else {
        const std::size_t end = std::min(line.find(delimiter_, at), line.size());
        field = line.substr(at, end - at);
        field.resize(field.find_last_not_of(" \t") + 1);  // npos + 1 is 0
        at = end;
      }
      if (at >= line.size()) return;
      ++at;  // the delimiter
    }
  }

  bool is_blank(char c) const { return c != delimiter_ && (c == ' ' || c == '\t'); }

  // A quotation mark within stands twice.
  std::size_t take_quoted(std::string_view line, std::size_t at, std::string& field) const {
    for (;; ++at) {
      if (at >= line.size()) fail("a closing quotation mark on the same line", shown(line));
      if (line[at] != '"') {
        field += line[at];
      } else if (at + 1 < line.size() && line[at + 1] == '"') {
        field += line[++at];
      } else {
        return at + 1;
      }
    }
  }

  const std::string& name_;
  TextLines lines_;
  StopPoll poll_;
  char delimiter_ = '\0';
  std::vector<std::string> fields_;
};

bool is_number(const std::string& field) {
  return !field.empty() && field.find_first_not_of("0123456789+-./eE") == std::string::npos;
}

class CsvReader {
 public:
  CsvReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info)
      : bytes_(bytes),
        name_(name),
        info_(info),
        asked_for_(options.format == Format::csv),
        records_(bytes, name),
        builder_(name, options.symmetric ? GraphKind::undirected : options.as.value_or(GraphKind::undirected),
                 options, info) {}

  Graph read() {
    if (!records_.next()) throw InputError(name_, 0, "edges", "only blank lines and comments");
    width_ = fields().size();
    if (width_ < 2) {
      records_.fail("fields separated by commas, semicolons or tabs: source,target or source,target,weight",
                    fmt::format("the single field {}", shown(fields()[0])));
    }
    if (find_header()) {
      if (!records_.next()) return builder_.finish();
    } else {
      use_first_columns();
    }
    do {
      add_record();
    } while (records_.next());
    return builder_.finish();
  }

 private:
  const std::vector<std::string>& fields() const { return records_.fields(); }

  std::optional<std::size_t> column_of(HeaderWord wanted) const {
    const auto found = std::find_if(fields().begin(), fields().end(),
                                    [wanted](const std::string& f) { return header_word(f) == wanted; });
    if (found == fields().end()) return std::nullopt;
    return static_cast<std::size_t>(found - fields().begin());
  }

  // Whether the first record heads the columns; then it finds them.
  bool find_header() {
    const std::optional<std::size_t> from = column_of(HeaderWord::from);
    const std::optional<std::size_t> to = column_of(HeaderWord::to);
    if (!from || !to) {
      if (!asked_for_ && above_numbers(0, 1)) {
        records_.fail(
            "an edge, or a header with columns such as source, target and weight (--format csv takes it for "
            "an "
            "edge)",
            fmt::format("{} and {} above lines of numbers", shown(fields()[0]), shown(fields()[1])));
      }
      return false;
    }
    weight_ = column_of(HeaderWord::weight);
    const bool telling = are_telling_heads(fields()[*from], fields()[*to]) || weight_;
    if (telling ? occurs_again(*from, *to) : !above_numbers(*from, *to)) {
      weight_.reset();
      return false;  // these are vertices
    }
    from_ = *from;
    to_ = *to;
    info_.assumptions.push_back(header_text());
    return true;
  }

  std::string header_text() const {
    std::vector<std::string> others;
    for (std::size_t k = 0; k < width_; ++k) {
      if (k != from_ && k != to_ && k != weight_ && !fields()[k].empty())
        others.push_back(quoted(fields()[k]));
    }
    return fmt::format(
        "line {} was taken for a header: edges from '{}' to '{}'{}{}", records_.line(),
        quoted(fields()[from_]), quoted(fields()[to_]),
        weight_ ? fmt::format(", weights '{}'", quoted(fields()[*weight_])) : "",
        others.empty() ? "" : fmt::format("; columns passed over: {}", fmt::join(others, ", ")));
  }

  // Whether the labels of the first record are those of a later edge, too.
  bool occurs_again(std::size_t from, std::size_t to) const {
    CsvRecords later(bytes_, name_);
    later.next();
    while (later.next()) {
      for (const std::size_t k : {from, to}) {
        if (k >= later.fields().size()) continue;
        if (later.fields()[k] == fields()[from] || later.fields()[k] == fields()[to]) return true;
      }
    }
    return false;
  }

  // Whether the first record's labels are words, and those of all others whole numbers.
  bool above_numbers(std::size_t from, std::size_t to) const {
    if (parse_number(fields()[from]) || parse_number(fields()[to])) return false;
    CsvRecords later(bytes_, name_);
    later.next();
    bool any = false;
    while (later.next()) {
      for (const std::size_t k : {from, to}) {
        if (k >= later.fields().size() || !parse_number(later.fields()[k])) return false;
      }
      any = true;
    }
    return any;
  }

  void use_first_columns() {
    if (!asked_for_ || width_ > 3) refuse_matrix();
    if (width_ > 3) {
      records_.fail("two or three fields, or a header that names the columns (source,target,weight)",
                    fmt::format("{} fields", width_));
    }
    if (width_ == 3) weight_ = 2;
  }

  // A square of numbers is a matrix, or may be one.
  void refuse_matrix() const {
    CsvRecords again(bytes_, name_);
    std::size_t rows = 0;
    while (rows <= width_ && again.next()) {
      if (again.fields().size() != width_) return;
      if (!std::all_of(again.fields().begin(), again.fields().end(), is_number)) return;
      ++rows;
    }
    if (rows != width_) return;
    throw InputError(
        name_, 0,
        fmt::format("edges{}; for a matrix: tr '{}' ' ' < FILE | countpm --format dense -",
                    width_ > 3 ? ", source,target or source,target,weight" : " (--format csv says so)",
                    records_.delimiter()),
        fmt::format("a square of {} times {} numbers", width_, width_));
  }

  void add_record() {
    if (fields().size() != width_)
      records_.fail(fmt::format("{} fields, as in the first line", width_),
                    fmt::format("{}", fields().size()));
    const Index from = builder_.left(checked_label(fields()[from_]));
    const Index to = builder_.right(checked_label(fields()[to_]));
    if (weight_ && !fields()[*weight_].empty()) {
      builder_.add(from, to, records_.line(), fields()[*weight_]);
    } else {
      builder_.add(from, to, records_.line());
    }
  }

  const std::string& checked_label(const std::string& label) const {
    if (label.empty()) records_.fail("a label at each end of the edge", "an empty field");
    for (std::size_t at = 0; at < label.size();) {
      const std::size_t length = utf8_length(std::string_view(label).substr(at));
      const auto byte = static_cast<unsigned char>(label[at]);
      if (length == 0)
        records_.fail("UTF-8 text", fmt::format("the byte 0x{:02x}, which is not UTF-8", byte));
      if (byte < 0x20 || byte == 0x7f) records_.fail("text", fmt::format("the byte 0x{:02x}", byte));
      at += length;
    }
    return label;
  }

  std::string_view bytes_;
  const std::string& name_;
  InputInfo& info_;
  bool asked_for_;  // by --format: then what may be something else is edges
  CsvRecords records_;
  GraphBuilder builder_;
  std::size_t width_ = 0;
  std::size_t from_ = 0;
  std::size_t to_ = 1;
  std::optional<std::size_t> weight_;
};

}  // namespace

Graph read_csv(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  return CsvReader(bytes, name, options, info).read();
}

}  // namespace countpm
