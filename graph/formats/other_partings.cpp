#include "graph/formats/other_partings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/formats/arrow_words.hpp"
#include "graph/formats/word_table.hpp"
#include "graph/text.hpp"
#include "graph/without_space.hpp"

namespace countpm {
namespace {

// The longest first: "->" is also in "-->". Hyphens, points, slashes and the like are in names too often.
constexpr std::array<std::string_view, 23> signs = {
    "<-->", "<->", "-->", "<--", "==>", "<=>", "---", "->", "=>", "<-", "--", "→",
    "↔",    "←",   "—",   "::",  "|",   ";",   "=",   ":",  "~",  "&",  ","};

/// A sign in a line, and the words beside it, up to what was taken to part fields.
struct Place {
  std::string_view sign;
  std::string_view left;
  std::string_view right;
  bool glued = true;       // no blanks beside it
  bool spaced = true;      // on both sides
  std::size_t before = 0;  // how often fields are parted on each side of the sign
  std::size_t behind = 0;
};

/// The line with blanks in place of what is within quotation marks, and without a comment behind it.
std::string unquoted(std::string_view line) {
  std::string text(line.substr(0, line.find(" #")));
  bool inside = false;
  for (char& c : text) {
    const bool mark = c == '"';
    if (mark) inside = !inside;
    if (mark || inside) c = 'q';
  }
  return text;
}

/// Where the sign is, if it is there once; arrows in each of several words ("a->b,c->d") as well.
std::optional<Place> place_of(std::string_view sign, std::string_view line, char delimiter) {
  const std::size_t at = line.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  if (!is_arrow(sign) && line.find(sign, at + 1) != std::string_view::npos) return std::nullopt;
  const std::size_t end = at + sign.size();
  // A part of a longer sign.
  const auto longer = [&](std::string_view other) {
    return other.size() > sign.size() && other.find(sign) != std::string_view::npos &&
           line.find(other) != std::string_view::npos;
  };
  if (std::any_of(signs.begin(), signs.end(), longer)) return std::nullopt;
  const auto parts = [&](char c) { return c == delimiter || (delimiter == ' ' && c == '\t'); };
  const std::string_view from = line.substr(0, at);
  const std::string_view to = line.substr(end);
  if (without_space(from).empty() || without_space(to).empty()) return std::nullopt;
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  Place place{sign, {}, {}, true, true, 0, 0};
  place.glued = !is_blank(from.back()) && !is_blank(to.front());
  place.spaced = is_blank(from.back()) && is_blank(to.front());
  std::size_t start = at;
  while (start > 0 && !parts(line[start - 1])) --start;
  std::size_t stop = end;
  while (stop < line.size() && !parts(line[stop])) ++stop;
  place.left = without_space(line.substr(start, at - start));
  place.right = without_space(line.substr(end, stop - end));
  // "1-> 2 3": at the end of a word.
  if (place.left.empty() && (place.right.empty() || delimiter != ' ')) return std::nullopt;
  if (place.right.empty() && delimiter != ' ') return std::nullopt;
  place.before = static_cast<std::size_t>(std::count_if(from.begin(), from.end(), parts));
  place.behind = static_cast<std::size_t>(std::count_if(to.begin(), to.end(), parts));
  return place;
}

/// A sign that has been in all lines so far.
struct Candidate {
  std::string_view sign;
  std::string left;  // of the first line
  std::string right;
  bool lefts_differ = false;
  bool rights_differ = false;
  bool even = true;  // as many fields on either side of it, and more than one
};

class OtherPartings {
 public:
  OtherPartings(std::string_view bytes, const Graph& graph, const ReadOptions& options, InputInfo& info)
      : bytes_(bytes), graph_(graph), options_(options), info_(info) {}

  void tell() {
    if (info_.format != Format::edge_list && info_.format != Format::csv) return;
    const bool asked = info_.format_by == FormatBy::option || !options_.end_columns.empty();
    if (asked || !look_at_lines()) return;
    for (const Candidate& candidate : candidates_) {
      // The same word beside it in every line ("GO:12", "GO:34") is a part of names.
      const bool even = candidate.even && (candidate.sign == "|" || candidate.sign == ";");
      const bool varied = even || lines_ == 1 || (candidate.lefts_differ && candidate.rights_differ);
      if (!varied) continue;
      const std::optional<std::string> label = label_with(candidate.sign);
      if (!label) continue;
      if (even) ask(candidate);
      info_.warnings.push_back(fmt::format(
          "{}: {} is in every line and was taken for a part of labels such as {}, and not for what stands "
          "between the ends of an edge ({})",
          quoted(info_.path, 400), shown(candidate.sign), shown(*label), how_to_say()));
      return;
    }
  }

 private:
  // Whether a sign is in all lines.
  bool look_at_lines() {
    TextLines lines(bytes_);
    while (lines.next()) {
      if (lines.line_done()) continue;
      if (lines_ == 0 && said_delimiter(lines.line())) return false;
      const std::string_view whole = without_space(lines.line());
      if (whole.front() == '#' || whole.front() == '%') continue;
      if (lines_ == 0) delimiter_ = info_.format == Format::csv ? delimiter_of_line(lines.line()) : ' ';
      const std::string line = unquoted(whole);
      if (++lines_ == 1) {
        for (const std::string_view sign : signs) {
          const std::optional<Place> place = place_of(sign, line, delimiter_);
          if (!place || !may_part(*place)) continue;
          candidates_.push_back({sign, std::string(place->left), std::string(place->right),
                                 place->left.empty(), place->right.empty(),
                                 place->before == place->behind && place->before > 0});
        }
      } else {
        std::erase_if(candidates_, [&](Candidate& candidate) { return !fits(candidate, line); });
      }
      if (candidates_.empty()) return false;
    }
    return !candidates_.empty();
  }

  // Beside tabs, which are in no label, and commas in names, which have a blank behind them.
  bool may_part(const Place& place) const {
    if (place.sign.size() == 1 && place.sign[0] == delimiter_) return false;
    if (place.sign == ";" && delimiter_ == ' ') return false;  // warn_of_unclear_labels() tells of it
    const bool numbers = parse_number(place.left) && parse_number(place.right);
    // Within a word beside others, as in "x=1 y"; but "1~2 7" may be an edge and its value.
    if (delimiter_ == ' ' && place.glued && place.sign != "|" && !is_arrow(place.sign)) return numbers;
    if (place.sign == ",") return delimiter_ != ' ' && (place.spaced || (place.glued && delimiter_ != '\t'));
    return delimiter_ != '\t' || place.spaced || is_arrow(place.sign) || numbers;
  }

  bool fits(Candidate& candidate, std::string_view line) const {
    const std::optional<Place> place = place_of(candidate.sign, line, delimiter_);
    if (!place || !may_part(*place)) return false;
    candidate.lefts_differ = candidate.lefts_differ || place->left != candidate.left;
    candidate.rights_differ = candidate.rights_differ || place->right != candidate.right;
    candidate.even = candidate.even && place->before == place->behind && place->before > 0;
    return true;
  }

  std::optional<std::string> label_with(std::string_view sign) const {
    for (const LabelTable* table : {&graph_.left_labels, &graph_.right_labels}) {
      for (Index id = 0; id < table->size(); ++id) {
        std::string label = table->label(id);
        if (label.size() > sign.size() && label.find(sign) != std::string::npos) return label;
      }
    }
    return std::nullopt;
  }

  const char* how_to_say() const {
    return info_.format == Format::csv ? "--format csv says so" : "--format edgelist says so";
  }

  [[noreturn]] void ask(const Candidate& candidate) const {
    const char* const taken = delimiter_ == ' '   ? "blanks"
                              : delimiter_ == ',' ? "commas"
                              : delimiter_ == ';' ? "semicolons"
                                                  : "bars";
    throw InputError(
        info_.path, 0,
        fmt::format("one reading: --format {} ({} part labels), or a first line sep={} ({} does)",
                    info_.format == Format::csv ? "csv" : "edgelist", taken, candidate.sign, candidate.sign),
        fmt::format("{} and {}, either of which may part the labels of every line", taken,
                    shown(candidate.sign)));
  }

  std::string_view bytes_;
  const Graph& graph_;
  const ReadOptions& options_;
  InputInfo& info_;
  char delimiter_ = ' ';
  std::size_t lines_ = 0;
  std::vector<Candidate> candidates_;
};

}  // namespace

void tell_of_other_partings(std::string_view bytes, const Graph& graph, const ReadOptions& options,
                            InputInfo& info) {
  OtherPartings(bytes, graph, options, info).tell();
}

}  // namespace countpm
