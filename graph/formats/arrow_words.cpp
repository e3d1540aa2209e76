#include "graph/formats/arrow_words.hpp"

#include <algorithm>
#include <array>

namespace countpm {
namespace {

// Between two labels. Those of the first kind are hardly ever labels themselves.
constexpr std::array<std::string_view, 16> arrows = {"--", "---", "->", "-->", "<->", "<-->", "=>", "<=>",
                                                     "==", "==>", "<-", "<--", "→",   "↔",    "—",  "–"};
constexpr std::array<std::string_view, 10> separators = {":", "|", ";", "=", "to", "-", "&", "and", "~", ","};
constexpr std::array<std::string_view, 5> glued_arrows = {"<->", "-->", "->", "=>", "--"};

template <std::size_t size>
bool is_one_of_words(const std::array<std::string_view, size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool is_arrow(std::string_view word) {
  return is_one_of_words(arrows, word);
}

bool is_separator(std::string_view word) {
  return is_one_of_words(separators, word);
}

bool points_one_way(std::string_view word) {
  return word == "->" || word == "-->" || word == "=>" || word == "==>" || word == "→" || word == "<-" ||
         word == "<--";
}

bool splits_glued(std::string_view arrow) {
  return is_one_of_words(glued_arrows, arrow);
}

void split_glued_arrows(std::vector<TableRow>& rows) {
  std::vector<std::array<std::string_view, 3>> parts;
  for (const TableRow& row : rows) {
    if (row.fields.empty() || row.fields.size() > 2) return;
    const std::string_view word = row.fields[0];
    for (const std::string_view arrow : glued_arrows) {
      const std::size_t at = word.find(arrow);
      if (at == std::string_view::npos || at == 0 || at + arrow.size() >= word.size()) continue;
      if (word.find(arrow, at + 1) != std::string_view::npos) return;  // a path, "a--b--c"
      parts.push_back({word.substr(0, at), arrow, word.substr(at + arrow.size())});
      break;
    }
    if (parts.empty() || parts.back()[0].data() != word.data()) return;
    if (row.fields.size() == 2 && !is_number_literal(row.fields[1])) return;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::string_view>& fields = rows[k].fields;
    fields.erase(fields.begin());
    fields.insert(fields.begin(), parts[k].begin(), parts[k].end());
  }
}

}  // namespace countpm
