#include "graph/formats/set_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/formats/printed_matrix.hpp"
#include "graph/formats/table_reading.hpp"
#include "graph/text.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

using SetLabels = std::vector<std::string_view>;

bool is_bit(std::string_view word) {
  return word == "0" || word == "1";
}

std::string_view unquoted_label(std::string_view word) {
  const bool quoted =
      word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front();
  return quoted ? word.substr(1, word.size() - 2) : word;
}

SetLabels blank_parted(std::string_view text) {
  SetLabels words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

SetLabels parted(std::string_view text, char separator) {
  if (separator == ' ') return blank_parted(text);
  SetLabels fields;
  for (const std::string_view field : split(text, separator))
    fields.push_back(unquoted_label(without_space(field)));
  if (fields.size() > 1 && fields.back().empty()) fields.pop_back();
  return fields;
}

bool are_brackets(char open, char close) {
  return (open == '[' && close == ']') || (open == '{' && close == '}') || (open == '(' && close == ')');
}

/// The place of the bracket that closes the first; npos: none does.
std::size_t closing_place(std::string_view text) {
  std::size_t depth = 0;
  char quote = '\0';
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (c == ']' || c == '}' || c == ')') {
      if (--depth == 0) return k;
    }
  }
  return std::string_view::npos;
}

class SetReader {
 public:
  SetReader(std::string_view text, FirstLine first_line) : text_(text), first_line_(first_line) {}

  std::optional<SetLines> read() {
    if (!take_list()) {
      if (!take_lines()) return std::nullopt;
      take_names();
      part();
    }
    take_size();
    const bool matrix = take_matrix();
    if (!matrix && !changed_) return std::nullopt;
    return std::move(found_);
  }

 private:
  std::uint64_t line_at(std::string_view part) {
    const auto end = part.data();
    line_ += static_cast<std::uint64_t>(std::count(counted_, end, '\n'));
    counted_ = end;
    return line_;
  }

  // The whole text is one list of lists, or a dictionary of them.
  bool take_list() {
    std::string_view text = without_space(text_);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && is_assigned_name(without_space(text.substr(0, equals))))
      text = without_space(text.substr(equals + 1));
    while (text.ends_with(';')) text = without_space(text.substr(0, text.size() - 1));
    if (text.size() < 2 || (text.front() != '[' && text.front() != '{' && text.front() != '(') ||
        closing_place(text) != text.size() - 1)
      return false;
    const bool dictionary = text.front() == '{' && text.find(':') != std::string_view::npos;
    std::string_view inner = without_space(text.substr(1, text.size() - 2));
    std::vector<SetLine> sets;
    bool keys = false;
    while (!inner.empty()) {
      if (dictionary) {
        const std::size_t colon = inner.find(':');
        const std::size_t open = inner.find_first_of("[{(");
        if (colon == std::string_view::npos || open == std::string_view::npos || colon > open) return false;
        keys = true;
        inner = without_space(inner.substr(colon + 1));
      }
      const std::size_t end = closing_place(inner);
      if (end == std::string_view::npos || !are_brackets(inner.front(), inner[end])) return false;
      const std::string_view within = inner.substr(1, end - 1);
      if (within.find_first_of("[{(") != std::string_view::npos) return false;
      const bool commas = within.find(',') != std::string_view::npos;
      SetLabels labels = parted(within, commas ? ',' : ' ');
      for (std::string_view& label : labels) label = unquoted_label(label);
      sets.push_back({line_at(inner), std::move(labels), {}});
      inner = without_space(inner.substr(end + 1));
      if (inner.starts_with(',')) inner = without_space(inner.substr(1));
    }
    if (sets.empty()) return false;
    found_.sets = std::move(sets);
    found_.notes.emplace_back(
        keys ? "the lists of a dictionary were taken for sets, and its keys for their names"
             : "lists in brackets were taken for sets");
    changed_ = true;
    return true;
  }

  // The lines without comments and brackets, each as one label; false: none, or directives, which others do
  // not have.
  bool take_lines() {
    TextLines lines(text_);
    while (lines.next()) {
      std::string_view line = without_space(lines.line());
      if (line.starts_with("#!")) return false;
      if (line.empty()) continue;
      SetLine set{lines.number(), {line}, {}};
      // One semicolon is in front of a weight, more of them part fields.
      if (std::count(line.begin(), line.end(), ';') == 1) {
        const std::size_t at = line.find(';');
        if (at == 0 || at + 1 == line.size()) return false;  // which is refused
        set.labels[0] = without_space(line.substr(0, at));
        set.weight = without_space(line.substr(at + 1));
      }
      found_.sets.push_back(std::move(set));
    }
    return !found_.sets.empty();
  }

  template <class Test>
  bool every(const Test& test) const {
    return std::all_of(found_.sets.begin(), found_.sets.end(),
                       [&](const SetLine& set) { return test(set.labels[0]); });
  }

  static bool is_bracketed(std::string_view text) {
    return text.size() > 1 && are_brackets(text.front(), text.back()) &&
           closing_place(text) == text.size() - 1;
  }

  // The place behind "r1:" or "r1 ="; 0: there is none.
  static std::size_t behind_name(std::string_view text) {
    const std::size_t blank = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, blank);
    if (word.size() > 1 && word.ends_with(':') && blank < text.size()) return blank;
    const std::size_t next = text.find_first_not_of(" \t", blank);
    if (next == std::string_view::npos || (text[next] != ':' && text[next] != '=')) return 0;
    return next + 1 < text.size() ? next + 1 : 0;
  }

  void take_names() {
    bool commas = true;  // behind every line but the last
    for (std::size_t k = 0; k < found_.sets.size(); ++k)
      commas = commas && (found_.sets[k].labels[0].ends_with(',') || (k > 0 && k + 1 == found_.sets.size()));
    if (commas) {
      for (SetLine& set : found_.sets) {
        if (set.labels[0].ends_with(',')) set.labels[0].remove_suffix(1);
      }
    }
    if (every([](std::string_view text) { return behind_name(text) > 0; })) {
      std::set<std::string_view> names;
      for (const SetLine& set : found_.sets) names.insert(blank_parted(set.labels[0])[0]);
      if (names.size() == found_.sets.size()) {
        found_.notes.push_back(
            fmt::format("{} in front of a line was taken for the name of its set, and not for a vertex",
                        shown(*names.begin())));
        for (SetLine& set : found_.sets)
          set.labels[0] = without_space(set.labels[0].substr(behind_name(set.labels[0])));
        changed_ = true;
      }
    }
    if (every(is_bracketed)) {
      for (SetLine& set : found_.sets)
        set.labels[0] = without_space(set.labels[0].substr(1, set.labels[0].size() - 2));
      bracketed_ = changed_ = true;
      found_.notes.emplace_back("the brackets around every line were not taken for parts of labels");
    }
  }

  // Commas part labels if no blank does without one: "1,4", "1, 4"; in "0,0 0,1" they are parts of labels.
  char separator() const {
    const auto counts = [&](char c) {
      return std::count_if(found_.sets.begin(), found_.sets.end(), [&](const SetLine& set) {
        return set.labels[0].find(c) != std::string_view::npos;
      });
    };
    if (counts(';') > 0) return ';';
    if (counts(',') == 0) return ' ';
    if (bracketed_) return ',';
    const bool fits = every([](std::string_view text) {
      for (std::size_t k = 1; k < text.size(); ++k) {
        const bool starts_word =
            text[k] != ' ' && text[k] != '\t' && (text[k - 1] == ' ' || text[k - 1] == '\t');
        if (starts_word && without_space(text.substr(0, k)).back() != ',' && text[k] != ',') return false;
      }
      return true;
    });
    return fits ? ',' : ' ';
  }

  void part() {
    const char between = separator();
    for (SetLine& set : found_.sets) set.labels = parted(set.labels[0], between);
    if (between == ' ') return;
    changed_ = true;
    found_.notes.push_back(
        fmt::format("{} was taken for what parts labels", shown(std::string_view(&between, 1))));
  }

  // "4 5" above five lines with four labels, or four lines with five.
  void take_size() {
    std::vector<SetLine>& sets = found_.sets;
    if (sets.size() < 3 || first_line_ == FirstLine::edge || !sets[0].weight.empty()) return;
    const SetLabels& head = sets[0].labels;
    if (head.empty() || head.size() > 2) return;
    const auto a = parse_number(head.front());
    const auto b = parse_number(head.back());
    if (!a || !b) return;
    const std::uint64_t lines = sets.size() - 1;
    std::set<std::string_view> labels;
    bool matrix = true;
    for (std::size_t k = 1; k < sets.size(); ++k) {
      labels.insert(sets[k].labels.begin(), sets[k].labels.end());
      matrix =
          matrix && std::all_of(sets[k].labels.begin(), sets[k].labels.end(), [](std::string_view label) {
            return label.find_first_not_of("01") == std::string_view::npos;
          });
    }
    const std::size_t width = sets[1].labels.size() == 1 ? sets[1].labels[0].size() : sets[1].labels.size();
    const bool of_matrix = matrix && *a == lines && *b == (head.size() == 1 ? lines : width) && width > 1;
    const bool of_sets = head.size() == 2 &&
                         ((*a == labels.size() && *b == lines) || (*a == lines && *b == labels.size())) &&
                         (head[0] == head[1] || !labels.contains(head[0]) || !labels.contains(head[1]));
    if (!of_matrix && !of_sets && first_line_ != FirstLine::header) return;
    found_.notes.emplace_back("the first line was taken for numbers of vertices and sets, and not for a set");
    sets.erase(sets.begin());
    changed_ = true;
  }

  // Rows of 0 and 1, which as sets would have a label twice, under labels or behind names or not.
  bool take_matrix() {
    std::vector<SetLine>& sets = found_.sets;
    if (std::any_of(sets.begin(), sets.end(), [](const SetLine& set) { return !set.weight.empty(); }))
      return false;
    const auto is_packed = [&](const SetLine& set) {
      return set.labels.size() == 1 && set.labels[0].size() == sets.back().labels[0].size() &&
             set.labels[0].find_first_not_of("01") == std::string_view::npos;
    };
    if (sets.empty() || sets.back().labels.empty()) return false;
    if (sets.back().labels[0].size() > 2 && std::all_of(sets.begin(), sets.end(), is_packed)) {
      for (SetLine& set : sets) {
        // cppcheck-suppress containerOutOfBounds ; is_packed() says that it has one
        const std::string_view word = set.labels[0];
        set.labels.clear();
        for (std::size_t k = 0; k < word.size(); ++k) set.labels.push_back(word.substr(k, 1));
      }
    }
    const std::size_t width = sets.back().labels.size();
    SetLabels head = sets.front().labels;
    const bool headed = sets.size() > 1 && std::none_of(head.begin(), head.end(), is_bit);
    const std::size_t first = headed ? 1 : 0;
    const bool even = std::all_of(sets.begin() + static_cast<std::ptrdiff_t>(first), sets.end(),
                                  [&](const SetLine& set) { return set.labels.size() == width; });
    if (!even) return false;
    const bool named = std::none_of(sets.begin() + static_cast<std::ptrdiff_t>(first), sets.end(),
                                    [](const SetLine& set) { return is_bit(set.labels[0]); });
    const std::size_t skip = named ? 1 : 0;
    if (width < 2 + skip || (headed && head.size() != width && head.size() != width - skip)) return false;
    bool twice = false;
    for (std::size_t k = first; k < sets.size(); ++k) {
      const auto begin = sets[k].labels.begin() + static_cast<std::ptrdiff_t>(skip);
      if (!std::all_of(begin, sets[k].labels.end(), is_bit)) return false;
      twice = twice || *begin == *(begin + 1);
    }
    if (width - skip == 2 && !twice && sets.size() - first < 3) return false;
    make_columns(first, skip, headed ? head : SetLabels());
    return true;
  }

  void make_columns(std::size_t first, std::size_t skip, const SetLabels& head) {
    std::vector<SetLine>& sets = found_.sets;
    const std::size_t width = sets.back().labels.size() - skip;
    for (std::size_t k = 0; k < width; ++k)
      found_.columns.push_back(head.empty() ? std::to_string(k + 1)
                                            : std::string(head[head.size() - width + k]));
    sets.erase(sets.begin(), sets.begin() + static_cast<std::ptrdiff_t>(first));
    for (SetLine& set : sets) {
      SetLabels ones;
      for (std::size_t k = 0; k < width; ++k) {
        if (set.labels[skip + k] == "1") ones.emplace_back(found_.columns[k]);
      }
      if (ones.empty() && !found_.empty_row) {
        found_.empty_row = true;
        found_.line = set.line;
      }
      set.labels = std::move(ones);
    }
    found_.notes.push_back(fmt::format("rows of 0 and 1 were taken for sets of {} columns{}{}", width,
                                       head.empty() ? "" : ", with their labels above",
                                       skip == 0 ? "" : ", with names in front"));
  }

  std::string_view text_;
  FirstLine first_line_;
  SetLines found_;
  bool bracketed_ = false;
  bool changed_ = false;
  const char* counted_ = text_.data();
  std::uint64_t line_ = 1;
};

}  // namespace

std::optional<SetLines> set_lines(std::string_view text, FirstLine first_line) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  auto plain = std::make_unique<const std::string>(
      text.find("#!") == std::string_view::npos ? without_comments(text) : std::string());
  if (!plain->empty()) text = *plain;
  std::optional<SetLines> found = SetReader(text, first_line).read();
  if (found) found->text = std::move(plain);
  return found;
}

}  // namespace countpm
