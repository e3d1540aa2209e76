// Edges in a table of fields separated by commas, semicolons or tabs (RFC 4180, one record a line): columns
// named by a header ("source,target,weight", in any order, others passed over) or by options, or without one
// two ends and a weight; names or numbers of rows may stand in front. Also of words with blanks between them,
// as R writes tables. O(bytes).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/csv_records.hpp"
#include "graph/formats/header_words.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/graph_builder.hpp"
#include "graph/label_text.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info,
            char delimiter)
      : bytes_(bytes),
        name_(name),
        options_(options),
        info_(info),
        source_(bytes, name, options, info),
        asked_for_(options.format == Format::csv),
        delimiter_(delimiter),
        records_(bytes, name, delimiter),
        builder_(name,
                 options.symmetric ? GraphKind::undirected : options.kind.value_or(GraphKind::undirected),
                 options, info) {}

  Graph read() {
    if (!records_.next()) throw InputError(name_, 0, "edges", "only blank lines and comments");
    heads_ = fields();
    delimiter_ = records_.delimiter();
    if (has_row_names()) heads_.insert(heads_.begin(), "");
    width_ = heads_.size();
    if (width_ < 2) {
      records_.fail("fields separated by commas, semicolons or tabs: source,target or source,target,weight",
                    fmt::format("the single field {}", shown(heads_[0])));
    }
    head_line_ = records_.line();
    header_ = find_header();
    find_ends();
    find_weight();
    if (header_) tell_header();
    tell_passed_over();
    if (header_ && !records_.next()) return builder_.finish();
    do {
      add_record();
    } while (records_.next());
    tell_missing_weights();
    return builder_.finish();
  }

 private:
  const std::vector<std::string>& fields() const { return records_.fields(); }

  // Calls look(fields) for every record behind the first, until it returns false.
  template <class Look>
  void look_at_later(const Look& look) const {
    CsvRecords later(bytes_, name_, delimiter_);
    later.next();
    while (later.next() && look(later.fields())) {
    }
  }

  // One field more than the first line has names, in all others: names of rows, as R writes them.
  bool has_row_names() const {
    bool all = true;
    std::uint64_t row = 0;
    std::optional<std::uint64_t> first;
    look_at_later([&](const std::vector<std::string>& later) {
      const auto number = parse_number(later[0]);
      if (row == 0) first = number;
      // Words in front may be ends of edges with weights, and the first line one without.
      const bool counts = first && *first <= 1 && number == *first + row;
      all = later.size() == fields().size() + 1 && (counts || options_.first_line == FirstLine::header);
      ++row;
      return all;
    });
    return row > 0 && all && fields().size() >= 2 && options_.first_line != FirstLine::edge &&
           std::none_of(fields().begin(), fields().end(), [](const auto& f) { return is_number_literal(f); });
  }

  std::optional<std::size_t> column_of(HeaderWord wanted) const {
    const auto found = std::find_if(heads_.begin(), heads_.end(),
                                    [wanted](const std::string& f) { return header_word(f) == wanted; });
    if (found == heads_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - heads_.begin());
  }

  // The column of that name or number, from 1.
  std::optional<std::size_t> column_named(std::string_view name, bool& by_name) const {
    const auto found = std::find(heads_.begin(), heads_.end(), name);
    if (found != heads_.end() && !parse_number(name)) {
      by_name = true;
      return static_cast<std::size_t>(found - heads_.begin());
    }
    const auto number = parse_number(name);
    if (number && *number >= 1 && *number <= width_) return static_cast<std::size_t>(*number - 1);
    return std::nullopt;
  }

  std::size_t required_column(std::string_view name, const char* option) {
    if (const auto column = column_named(name, named_)) return *column;
    throw InputError(name_, head_line_, fmt::format("a column {} ({})", shown(name), option),
                     fmt::format("{} columns: {}", width_, fmt::join(heads_, ", ")));
  }

  // Whether the first record heads the columns.
  bool find_header() {
    from_word_ = column_of(HeaderWord::from);
    to_word_ = column_of(HeaderWord::to);
    if (!options_.end_columns.empty()) {
      const std::size_t comma = std::min(options_.end_columns.find(','), options_.end_columns.size() - 1);
      ends_ = {required_column(std::string_view(options_.end_columns).substr(0, comma), "--ends A,B"),
               required_column(std::string_view(options_.end_columns).substr(comma + 1), "--ends A,B")};
    }
    if (!options_.weight_column.empty()) weight_ = required_column(options_.weight_column, "--weight-column");
    if (options_.first_line != FirstLine::automatic) return options_.first_line == FirstLine::header;
    if (named_ || heads_.size() > fields().size()) return true;
    if (from_word_ && to_word_) {
      const std::size_t from = *from_word_;
      const std::size_t to = *to_word_;
      telling_ = are_telling_heads(heads_[from], heads_[to]) || column_of(HeaderWord::weight);
      const bool again = occurs_again(from, to);
      const bool counted = width_ > 2 && counts_rows(heads_[0]) && counts_up();
      // u,v and node1,node2 among words are edges like others, but one letter among longer words.
      const bool letters =
          are_names_too(heads_[from]) &&
          all_later([&](const auto& later) { return from < later.size() && !parse_number(later[from]); }) &&
          (heads_[from].size() > 1 || has_letters(from, to));
      if (again && !letters) {
        source_.warn(head_line_, edge_of_heads(heads_[from], heads_[to]));
      } else if (!again && !telling_ && !counted && !above_numbers(from, to) &&
                 all_later([](const auto&) { return true; })) {
        ask_of_header(from, to);
      }
      return !again && (telling_ || counted || above_numbers(from, to));
    }
    const std::size_t first = counts_rows(heads_[0]) && width_ > 2 ? 1 : 0;
    const HeadReading reading = ends_ ? HeadReading::edge : reading_of_heads(first, first + 1);
    if (reading == HeadReading::header || (!ends_ && first == 1 && counts_up())) return true;
    if (!ends_ && heads_weights() && !occurs_again(0, 1)) {
      if (options_.weights && may_be_weight(heads_[2])) ask_of_header(0, 1);
      return true;
    }
    if (asked_for_) return false;
    const std::size_t from = ends_ ? ends_->first : first;
    const std::size_t to = ends_ ? ends_->second : first + 1;
    if (above_numbers(from, to)) return true;
    if (reading == HeadReading::either) ask_of_header(first, first + 1);
    if (!ends_ && is_numbered()) source_.warn(head_line_, std::string(numbered_header));
    return false;
  }

  static constexpr std::string_view numbered_header =
      "0 and 1 were taken for the ends of an edge; if they are the names that pandas gives to columns, "
      "--first-line header leaves them out";
  bool is_numbered() const {
    return heads_[0] == "0" && heads_[1] == "1" &&
           all_later([](const auto& later) { return later[0] != "0" && later.back() != "0"; });
  }

  // Where semicolons or tabs part fields, a number's comma is a decimal one.
  bool is_number(std::string_view field) const {
    return is_number_literal(field) ||
           (allows_decimal_commas(delimiter_) && with_decimal_point(field).has_value());
  }

  // A word in the third column, and numbers below it.
  bool heads_weights() const {
    return width_ == 3 && !is_number(heads_[2]) && all_later([this](const std::vector<std::string>& later) {
             return later.size() == 3 && is_number(later[2]);
           });
  }

  [[noreturn]] void ask_of_header(std::size_t from, std::size_t to) const {
    source_.ask(head_line_,
                fmt::format("{} and {}, which may head columns, or be an edge as those below",
                            shown(heads_[from]), shown(heads_[to])),
                "--first-line header (names of columns)", "--first-line edge");
  }

  // Whether there are records behind the first, and all fit.
  template <class Fits>
  bool all_later(const Fits& fits) const {
    bool any = false;
    bool all = true;
    look_at_later([&](const std::vector<std::string>& later) {
      any = true;
      return all = fits(later);
    });
    return any && all;
  }

  // Whether a word such as "id" is above 1, 2, 3, ..., or nothing, with words beside them: numbers may be
  // those of a matrix.
  bool counts_up() const {
    std::uint64_t row = 0;
    std::optional<std::uint64_t> start;
    return all_later([&](const std::vector<std::string>& later) {
      if (heads_[0].empty() && (later.size() < 2 || is_number(later[1]))) return false;
      const auto number = parse_number(later[0]);
      if (row == 0) start = number;
      return start && *start <= 1 && number == *start + row++;
    });
  }

  HeadReading reading_of_heads(std::size_t from, std::size_t to) const {
    if (to >= width_ || width_ - from > 3) return HeadReading::edge;
    HeadJudge judge(heads_[from], heads_[to]);
    look_at_later([&](const std::vector<std::string>& later) {
      if (later.size() != width_) return false;
      judge.look(later[from], later[to]);
      return true;
    });
    return judge.reading();
  }

  void find_ends() {
    if (ends_) {
      std::tie(from_, to_) = *ends_;
      if (from_ == to_) throw UsageError("--ends A,B: two columns, found the same twice");
      return;
    }
    if (header_ && from_word_ && to_word_) {
      from_ = *from_word_;
      to_ = *to_word_;
      return;
    }
    const std::size_t first = header_ && counts_rows(heads_[0]) && width_ > 2 ? 1 : 0;
    from_ = first;
    to_ = first + 1;
    if (!header_ && options_.weight_column.empty()) return use_first_columns();
    if (width_ - first > 3 && options_.weight_column.empty()) {
      records_.fail(
          "names of columns such as source, target and weight, or --ends A,B (their names or numbers)",
          fmt::format("{}", fmt::join(heads_, ", ")));
    }
  }

  bool is_other(std::size_t column) const { return column != from_ && column != to_ && column != weight_; }

  // Whether what stands in the column, if anything does, is numbers; and they are not those of the rows.
  bool holds_numbers(std::size_t column) const {
    bool any = false;
    bool all = true;
    std::uint64_t row = 0;
    bool counts = counts_rows(heads_[column]) && header_;
    std::optional<std::uint64_t> first;
    const auto look = [&](const std::vector<std::string>& record) {
      if (column >= record.size()) return true;
      const auto number = parse_number(record[column]);
      if (row == 0) first = number;
      counts = counts && first && *first <= 1 && number == *first + row;
      ++row;
      if (record[column].empty()) return true;
      any = true;
      all = is_number(record[column]);
      return all;
    };
    if (!header_) look(heads_);
    look_at_later(look);
    return any && all && !counts;
  }

  void find_weight() {
    if (weight_) return;
    std::vector<std::size_t> named;
    std::vector<std::size_t> numbers;
    for (std::size_t k = 0; k < width_; ++k) {
      if (!is_other(k)) continue;
      if (header_ && header_word(heads_[k]) == HeaderWord::weight) named.push_back(k);
      if (holds_numbers(k)) numbers.push_back(k);
    }
    if (!header_ && !ends_) {
      if (width_ == 3) weight_ = 2;
      return;
    }
    if (named.size() > 1) {
      const auto plain = std::find_if(named.begin(), named.end(), [&](std::size_t k) {
        return ascii_lower(heads_[k]).starts_with("weight");
      });
      if (plain != named.end()) named = {*plain};
    }
    if (named.size() == 1) {
      weight_ = named.front();
    } else if (options_.weights && numbers.size() == 1) {
      weight_ = numbers.front();
      source_.warn(head_line_, fmt::format("the column {} was taken for the weights", column_text(*weight_)));
    } else if (options_.weights && numbers.size() > 1) {
      std::string texts;
      for (const std::size_t k : numbers) texts += (texts.empty() ? "" : ", ") + column_text(k);
      source_.fail(head_line_, "one column of weights (--weight-column NAME chooses it)",
                   fmt::format("{} of numbers: {}", numbers.size(), texts));
    }
  }

  std::string column_text(std::size_t k) const {
    return header_ && !heads_[k].empty() ? fmt::format("'{}'", quoted(heads_[k]))
                                         : fmt::format("number {}", k + 1);
  }

  void tell_header() {
    const std::string text =
        fmt::format("line {} was taken for a header: edges from {} to {}{}", head_line_, column_text(from_),
                    column_text(to_), weight_ ? ", weights " + column_text(*weight_) : "");
    if ((telling_ && delimiter_ != ' ') || ends_ || options_.first_line == FirstLine::header) {
      info_.assumptions.push_back(text);
    } else {
      source_.warn(0, text);
    }
  }

  void tell_passed_over() {
    std::vector<std::string> others;
    bool numbers = false;
    for (std::size_t k = 0; k < width_; ++k) {
      if (!is_other(k) || (header_ && (heads_[k].empty() || (k == 0 && counts_rows(heads_[k]))))) continue;
      others.push_back(column_text(k));
      numbers = numbers || holds_numbers(k);
    }
    if (others.empty()) return;
    const std::string text = fmt::format("columns passed over: {}{}", fmt::join(others, ", "),
                                         options_.weights ? "" : " (without --weights every edge counts 1)");
    // Who names the ends and the weights knows of the other columns.
    if (!options_.end_columns.empty() && (!options_.weight_column.empty() || !numbers)) {
      info_.assumptions.push_back(text);
    } else {
      source_.warn(head_line_, text);
    }
  }

  // Whether the labels of the first record are those of a later edge, too.
  bool occurs_again(std::size_t from, std::size_t to) const {
    bool again = false;
    look_at_later([&](const std::vector<std::string>& later) {
      for (const std::size_t k : {from, to}) {
        if (k < later.size()) again = again || later[k] == heads_[from] || later[k] == heads_[to];
      }
      return !again;
    });
    return again;
  }

  // Whether both labels of the first record, or other letters, are ends of later edges.
  bool has_letters(std::size_t from, std::size_t to) const {
    std::set<std::string> letters;
    look_at_later([&](const std::vector<std::string>& later) {
      for (const std::size_t k : {from, to}) {
        if (k < later.size() && later[k].size() == 1) letters.insert(later[k]);
      }
      return letters.size() < 2;
    });
    return letters.size() > 1 ||
           (letters.size() == 1 && *letters.begin() != heads_[from] && *letters.begin() != heads_[to]);
  }

  // Whether the first record's labels are words, and those of all others whole numbers.
  bool above_numbers(std::size_t from, std::size_t to) const {
    if (is_number_literal(heads_[from]) || is_number_literal(heads_[to])) return false;
    bool any = false;
    bool all = true;
    look_at_later([&](const std::vector<std::string>& later) {
      for (const std::size_t k : {from, to}) all = all && k < later.size() && parse_number(later[k]);
      any = true;
      return all;
    });
    return any && all;
  }

  void use_first_columns() {
    if (width_ > 3) {
      records_.fail(
          "two or three fields, or a header that names the columns (source,target,weight), or --ends A,B",
          fmt::format("{} fields", width_));
    }
  }

  void add_record() {
    if (fields().size() != width_)
      records_.fail(fmt::format("{} fields, as in the first line", width_),
                    fmt::format("{}", fields().size()));
    const Index from = builder_.left(checked_label(fields()[from_]));
    const Index to = builder_.right(checked_label(fields()[to_]));
    if (weight_) ++(fields()[*weight_].empty() ? without_weight_ : with_weight_);
    if (weight_ && !fields()[*weight_].empty()) {
      const std::string& weight = fields()[*weight_];
      const auto with_point =
          allows_decimal_commas(records_.delimiter()) ? with_decimal_point(weight) : std::nullopt;
      builder_.add(from, to, records_.line(), with_point ? *with_point : weight);
    } else {
      builder_.add(from, to, records_.line());
    }
  }

  // A missing value may be 1, or no edge.
  void tell_missing_weights() const {
    if (!options_.weights || without_weight_ == 0 || with_weight_ == 0) return;
    source_.warn(0,
                 without_weight_ == 1
                     ? "a line has nothing in the column of weights, and its edge counts 1"
                     : fmt::format("{} lines have nothing in the column of weights, and their edges count 1",
                                   without_weight_));
  }

  const std::string& checked_label(const std::string& label) const {
    if (label.empty()) records_.fail("a label at each end of the edge", "an empty field");
    if (const std::optional<BadText> bad = bad_text(label)) records_.fail(bad->expected, bad->found);
    return label;
  }

  std::string_view bytes_;
  const std::string& name_;
  const ReadOptions& options_;
  InputInfo& info_;
  TableSource source_;
  bool asked_for_;  // by --format: then what may be something else is edges
  char delimiter_;
  CsvRecords records_;
  GraphBuilder builder_;
  std::vector<std::string> heads_;  // the first record, with the place of row names
  std::uint64_t head_line_ = 0;
  bool header_ = false;
  bool named_ = false;    // an option names a column
  bool telling_ = false;  // the heads are hardly ever vertices
  std::optional<std::size_t> from_word_;
  std::optional<std::size_t> to_word_;
  std::optional<std::pair<std::size_t, std::size_t>> ends_;  // by option
  std::size_t width_ = 0;
  std::size_t from_ = 0;
  std::size_t to_ = 1;
  std::optional<std::size_t> weight_;
  std::uint64_t with_weight_ = 0;  // edges
  std::uint64_t without_weight_ = 0;
};

}  // namespace

Graph read_csv(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info) {
  return read_columns(bytes, name, options, info, '\0');
}

Graph read_columns(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info, char delimiter) {
  return CsvReader(bytes, name, options, info, delimiter).read();
}

}  // namespace countpm
