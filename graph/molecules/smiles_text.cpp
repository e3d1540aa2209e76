// SMILES as the OpenSMILES specification (2016) has it: atoms of the organic subset or in brackets, bonds,
// branches that close, and ring numbers in pairs.
#include "graph/molecules/smiles_text.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "graph/text.hpp"

namespace countpm {
namespace {

class SmilesWord {
 public:
  explicit SmilesWord(std::string_view word) : left_(word) {}

  bool read() {
    while (!left_.empty()) {
      if (!read_part()) return false;
    }
    return atom_ && !bond_ && depth_ == 0 && open_rings_.none();
  }

  /// Whether it has what names have not: a double bond, a ring, a branch or an atom in brackets.
  bool tells() const { return tells_; }

 private:
  static constexpr std::string_view digits = "0123456789";

  bool read_part() {
    const char c = left_.front();
    if (c == '(') return open_branch();
    if (c == ')') return close_branch();
    if (c == '.') return end_molecule();
    if (c == '%' || digits.find(c) != std::string_view::npos) return read_ring();
    if (std::string_view("-=#:/\\$").find(c) != std::string_view::npos) return read_bond(c);
    return c == '[' ? read_bracket() : read_atom();
  }

  bool read_atom() {
    for (const std::string_view symbol : {"Cl", "Br"}) {
      if (left_.starts_with(symbol)) return take_atom(2);
    }
    return std::string_view("BCNOPSFIbcnops*").find(left_.front()) != std::string_view::npos && take_atom(1);
  }

  bool read_bracket() {
    const std::size_t end = left_.find(']');
    if (end == std::string_view::npos) return false;
    std::string_view inner = left_.substr(1, end - 1);
    inner.remove_prefix(std::min(inner.find_first_not_of(digits), inner.size()));  // an isotope
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
    };
    const bool fits =
        !inner.empty() && is_letter(inner.front()) && std::all_of(inner.begin(), inner.end(), [&](char c) {
          return is_letter(c) || std::string_view("0123456789@+-:").find(c) != std::string_view::npos;
        });
    tells_ = true;
    return fits && take_atom(end + 1);
  }

  bool take_atom(std::size_t length) {
    left_.remove_prefix(length);
    atom_ = true;
    bond_ = false;
    return true;
  }

  bool read_bond(char c) {
    if (!atom_ || bond_) return false;
    tells_ = tells_ || c == '=' || c == '#';
    bond_ = true;
    left_.remove_prefix(1);
    return true;
  }

  bool read_ring() {
    const bool two = left_.front() == '%';
    const auto number = parse_number(left_.substr(two ? 1 : 0, two ? 2 : 1));
    if (!atom_ || !number || (two && left_.size() < 3)) return false;
    open_rings_.flip(*number);
    bond_ = false;
    tells_ = true;
    left_.remove_prefix(two ? 3 : 1);
    return true;
  }

  bool open_branch() {
    if (!atom_ || bond_) return false;
    ++depth_;
    tells_ = true;
    left_.remove_prefix(1);
    const bool atom_follows = !left_.empty() && left_.front() != ')' && left_.front() != '(';
    return atom_follows && digits.find(left_.front()) == std::string_view::npos;
  }

  bool close_branch() {
    if (depth_ == 0 || bond_ || !atom_) return false;
    --depth_;
    left_.remove_prefix(1);
    return true;
  }

  bool end_molecule() {
    if (!atom_ || bond_) return false;
    atom_ = false;
    left_.remove_prefix(1);
    return true;
  }

  std::string_view left_;
  bool atom_ = false;  // one stands before
  bool bond_ = false;  // which waits for its second atom
  bool tells_ = false;
  int depth_ = 0;
  std::bitset<100> open_rings_;
};

// Words between the characters of `parting`, none of which SMILES has; without quotation marks.
std::vector<std::string_view> words_of(std::string_view line, std::string_view parting) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(parting); at != std::string_view::npos;
       at = line.find_first_not_of(parting, at)) {
    const std::size_t end = std::min(line.find_first_of(parting, at), line.size());
    std::string_view word = line.substr(at, end - at);
    if (word.size() > 2 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    words.push_back(word);
    at = end;
  }
  return words;
}

bool has_column_of_smiles(std::string_view head, std::string_view parting) {
  constexpr std::size_t most_lines = 64;
  constexpr std::size_t columns = 2;
  std::array<bool, columns> all{true, true};
  std::array<bool, columns> any{};
  std::array<bool, columns> tells{};
  std::size_t seen = 0;
  TextLines lines(head);
  while (seen < most_lines && lines.next() && (all[0] || all[1])) {
    const std::vector<std::string_view> words = words_of(lines.line(), parting);
    if (words.empty() || words[0].starts_with("#")) continue;
    const bool header = seen == 0 && std::any_of(words.begin(), words.end(), [](std::string_view word) {
                          return ascii_lower(word).find("smiles") != std::string::npos;
                        });
    ++seen;
    if (header) continue;
    for (std::size_t k = 0; k < columns; ++k) {
      if (k >= words.size()) continue;
      any[k] = true;
      SmilesWord word(words[k]);
      all[k] = all[k] && word.read();
      tells[k] = tells[k] || (all[k] && word.tells());
    }
  }
  for (std::size_t k = 0; k < columns; ++k) {
    const std::size_t other = 1 - k;
    if (any[k] && all[k] && tells[k] && !(any[other] && all[other])) return true;
  }
  return false;
}

}  // namespace

bool looks_like_smiles(std::string_view head) {
  // Names may have blanks.
  return has_column_of_smiles(head, " \t,;") || has_column_of_smiles(head, "\t,;");
}

}  // namespace countpm
