#include "graph/formats/unclear_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/arrow_words.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

bool has_words(Format format) {
  return format == Format::edge_list || format == Format::adjacency_list || format == Format::tgf ||
         format == Format::hyper;
}

// The no-break space and its kin, and separators of lines and paragraphs, as Unicode has them.
constexpr std::array<std::pair<std::string_view, const char*>, 21> blanks = {
    {{"\xc2\x85", "U+0085"},     {"\xc2\xa0", "U+00A0"},     {"\xe1\x9a\x80", "U+1680"},
     {"\xe2\x80\x80", "U+2000"}, {"\xe2\x80\x81", "U+2001"}, {"\xe2\x80\x82", "U+2002"},
     {"\xe2\x80\x83", "U+2003"}, {"\xe2\x80\x84", "U+2004"}, {"\xe2\x80\x85", "U+2005"},
     {"\xe2\x80\x86", "U+2006"}, {"\xe2\x80\x87", "U+2007"}, {"\xe2\x80\x88", "U+2008"},
     {"\xe2\x80\x89", "U+2009"}, {"\xe2\x80\x8a", "U+200A"}, {"\xe2\x80\x8b", "U+200B"},
     {"\xe2\x80\xa8", "U+2028"}, {"\xe2\x80\xa9", "U+2029"}, {"\xe2\x80\xaf", "U+202F"},
     {"\xe2\x81\x9f", "U+205F"}, {"\xe3\x80\x80", "U+3000"}, {"\xef\xbb\xbf", "U+FEFF"}}};

/// The name of a blank in the label that is not ASCII's; null where it has none.
const char* blank_in(std::string_view label) {
  const auto lead = [](char c) {
    return c == '\xc2' || c == '\xe1' || c == '\xe2' || c == '\xe3' || c == '\xef';
  };
  if (std::none_of(label.begin(), label.end(), lead)) return nullptr;
  for (const auto& [bytes, code] : blanks) {
    if (label.find(bytes) != std::string_view::npos) return code;
  }
  return nullptr;
}

/// Whole numbers, and names of ASCII letters, digits and _ that begin with a letter: nearly all labels, and
/// nothing else to anybody.
bool is_plain(std::string_view label) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (label.starts_with('_')) return false;  // "_4" may be the end of "2_4"
  const bool number = !label.empty() && digit(label.front());
  return std::all_of(label.begin(), label.end(), [&](char c) { return digit(c) || (!number && letter(c)); });
}

class Labels {
 public:
  explicit Labels(InputInfo& info)
      : info_(info),
        hash_(has_told_of_hash(info)),
        commas_(!is_asked_for(info) || info.format == Format::csv),  // which has commas or semicolons
        numbers_(!is_asked_for(info)),
        marks_(!is_asked_for(info)) {}

  void look(const LabelTable& table) {
    for (Index id = 0; id < table.size(); ++id) {
      const std::string label = table.label(id);
      if (is_plain(label)) {
        if (unquoted_.empty()) unquoted_ = label;
        continue;
      }
      // In a CSV file # behind a blank or a number, or at the end: "a,b # a comment".
      const bool hash = has_words(info_.format) ? label.find('#') != std::string::npos
                                                : info_.format == Format::csv && is_like_a_comment(label);
      if (!hash_ && hash) {
        hash_ = true;
        warn(fmt::format("# was taken for a part of the label {}, and not for the beginning of a comment",
                         shown(label)));
      }
      if (commas_ && parts_look_like_words(label)) {
        commas_ = false;
        warn(fmt::format("{} was taken for a part of the label {}, and not for what parts words",
                         label[label.find_first_of(",;")], shown(label)));
      }
      if (marks_ && has_words(info_.format) && (is_arrow(label) || is_piece_of_list(label))) {
        marks_ = false;
        warn(fmt::format("{} was taken for the label of a vertex", shown(label)));
      }
      if (info_.format == Format::csv) look_at_field(label);
      look_at_joined(label);
      const std::string_view word = within_quotes(label);
      const bool in_quotes = word.size() < label.size();
      if (numbers_ && !parse_number(word) && is_number_literal(word)) {
        numbers_ = false;
        warn(fmt::format("the number {} was taken for the label of a vertex", shown(label)));
      }
      std::string& first = in_quotes ? quoted_ : unquoted_;
      if (first.empty()) first = label;
      if (const char* code = blank_ ? nullptr : blank_in(label)) {
        blank_ = true;
        warn(fmt::format(
            "the blank {} was taken for a part of the label {}: blanks of ASCII and tabs part words", code,
            shown(label)));
      }
    }
  }

  void tell_of_quoted() {
    if (quoted_.empty() || unquoted_.empty()) return;
    warn(fmt::format(
        "the quotation marks of {} were taken for a part of the label: others, such as {}, have none",
        shown(quoted_), shown(unquoted_)));
  }

 private:
  // What commas, semicolons or tabs part, and others would have parted by blanks, too.
  void look_at_field(const std::string& label) {
    if (fields_) return;
    const bool at_ends = label.front() == ' ' || label.back() == ' ';
    std::vector<std::string_view> words;
    const std::string_view text = label;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    const bool numbers = words.size() > 1 && std::all_of(words.begin(), words.end(), is_number_literal);
    const bool arrow = words.size() > 1 && (is_arrow(words.front()) || is_arrow(words.back()));
    if (!at_ends && !numbers && !arrow) return;
    fields_ = true;
    warn(fmt::format("the blank in {} was taken for a part of the label", shown(label)));
  }

  // "0-5" beside "2--4" or "7-": the ends of edges in one word, but for what joins them.
  void look_at_joined(std::string_view label) {
    if (joined_twice_ || is_asked_for(info_)) return;
    constexpr std::string_view signs = "-_:|~=+&>";
    const std::size_t dots = label.find("..");
    const std::size_t from = std::min(label.find_first_of(signs), dots);
    if (from == std::string_view::npos || label.find_first_of("0123456789") == std::string_view::npos) return;
    const std::size_t to =
        std::min(label.find_first_not_of(from == dots ? std::string_view(".") : signs, from), label.size());
    const std::string_view sign = label.substr(from, to - from);
    const bool whole =
        parse_number(label.substr(0, from)) && parse_number(label.substr(to)) && sign.size() < 4;
    std::string& first = whole ? joined_ : damaged_;
    if (whole && first.empty()) joiner_ = sign;
    if (first.empty()) first = label;
    const bool other_sign = whole && joiner_ != sign;
    const bool damaged = !joined_.empty() && !damaged_.empty() && damaged_.find(joiner_) != std::string::npos;
    if (!other_sign && !damaged) return;
    joined_twice_ = true;
    warn(fmt::format("{} and {} were taken for the labels of vertices, and not for the ends of edges",
                     shown(joined_), shown(other_sign ? std::string(label) : damaged_)));
  }

  void warn(const std::string& text) {
    info_.warnings.push_back(fmt::format("{}: {}", quoted(info_.path, 400), text));
  }

  // The label without the quotation marks that it begins and ends with; in CSV straight ones part fields.
  std::string_view within_quotes(std::string_view label) const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> marks = {{{"\"", "\""},
                                                                                     {"'", "'"},
                                                                                     {"\u201c", "\u201d"},
                                                                                     {"\u201e", "\u201c"},
                                                                                     {"\u201e", "\u201d"},
                                                                                     {"\u2018", "\u2019"},
                                                                                     {"\u00ab", "\u00bb"}}};
    if (info_.format != Format::edge_list && info_.format != Format::csv) return label;
    for (const auto& [open, close] : marks) {
      const bool straight = open.size() == 1;
      if (straight && info_.format == Format::csv) continue;
      if (label.size() > open.size() + close.size() && label.starts_with(open) && label.ends_with(close))
        return label.substr(open.size(), label.size() - open.size() - close.size());
    }
    return label;
  }

  static bool is_asked_for(const InputInfo& info) {
    return info.format_by == FormatBy::option &&
           (info.format == Format::edge_list || info.format == Format::csv);
  }

  static bool is_like_a_comment(std::string_view label) {
    const std::size_t at = label.find('#');
    if (at == std::string_view::npos) return false;
    return label.find(" #") != std::string_view::npos || label.starts_with("# ") ||
           (at > 0 && (label.ends_with('#') || is_number_literal(label.substr(0, at))));
  }

  // "[1,2]", "[1", "3]": of a list; "a[1]" is a name. "5\"": of a text in quotation marks.
  static bool is_piece_of_list(std::string_view label) {
    if (label.front() == '[' || label.front() == '{') return true;
    if (label.size() > 1 && label.back() == ':') return true;  // a vertex in front of neighbours
    const auto count = [&](char c) { return std::count(label.begin(), label.end(), c); };
    return count('[') != count(']') || count('{') != count('}') || count('"') % 2 != 0;
  }

  // "1;2 3"; in CSV, where names may have commas, those of numbers alone, "1,2;3,4", or with a number at the
  // end, "a, 4".
  bool parts_look_like_words(const std::string& label) const {
    if (label.find_first_of(",;") == std::string::npos) return false;
    if (has_words(info_.format)) return label.find_first_of("([{") == std::string::npos;
    const auto is_letter = [](char c) { return static_cast<unsigned char>(c) >= 'A'; };
    std::string_view last = std::string_view(label).substr(label.find_last_of(",;") + 1);
    last.remove_prefix(std::min(last.find_first_not_of(' '), last.size()));
    return std::none_of(label.begin(), label.end(), is_letter) || is_number_literal(last) ||
           label.find_first_of("([{") != std::string::npos;
  }

  // "#1 #2" was told of as an edge.
  static bool has_told_of_hash(const InputInfo& info) {
    return std::any_of(info.warnings.begin(), info.warnings.end(), [](const std::string& text) {
      return text.find("# for a part of labels") != std::string::npos;
    });
  }

  InputInfo& info_;
  bool hash_;
  bool commas_;
  bool numbers_;
  bool marks_;
  std::string quoted_;  // the first of each sort
  std::string unquoted_;
  bool blank_ = false;
  bool fields_ = false;
  std::string joined_;  // the first label such as "0-5", and what is between the numbers
  std::string joiner_;
  std::string damaged_;  // the first other one with digits and such a sign
  bool joined_twice_ = false;
};

}  // namespace

void warn_of_unclear_labels(const Graph& graph, InputInfo& info) {
  if (!has_words(info.format) && info.format != Format::csv) return;
  Labels labels(info);
  labels.look(graph.left_labels);
  labels.look(graph.right_labels);
  labels.tell_of_quoted();
}

}  // namespace countpm
