// MDL molfiles. A V2000 file has fixed columns: three lines of header, the counts line, a line for each atom
// and for each bond, then property lines ("M  CHG", "M  RAD") up to "M  END". A V3000 file has words instead,
// on lines that begin with "M  V30 ". An SDF puts "$$$$" behind a molfile and its data. BIOVIA, CTfile
// formats (2020). O(bytes).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/errors.hpp"
#include "graph/molecules/molecule.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

std::string_view stripped_of_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  text = stripped_of_blanks(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view field_of(std::string_view line, std::size_t first, std::size_t width) {
  return line.size() <= first ? std::string_view{} : line.substr(first, width);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

class MolfileReader {
 public:
  MolfileReader(std::string_view bytes, const std::string& name) : name_(name), lines_(bytes) {}

  Molecule read() {
    next("a title, the first of three lines before the counts");
    molecule_.title = std::string(stripped_of_blanks(lines_.line()));
    next("the line of the program, the second of three before the counts");
    next("the comment, the last of three lines before the counts");
    next("the counts of atoms and bonds");
    const std::string_view counts = lines_.line();
    if (counts.find("V3000") != std::string_view::npos) {
      read_v3000();
    } else {
      read_v2000(counts);
    }
    end_of_molecule();
    return std::move(molecule_);
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

  void next(const std::string& expected) {
    poll_.step();
    if (!lines_.next()) fail(expected, "the end of the file");
    if (lines_.line().starts_with("$$$$")) fail(expected, "$$$$, the end of the entry");
  }

  // --- V2000 ---

  // Two numbers in the first columns of the counts line, and three in those of a bond: columns of three,
  // which leave no blank between large numbers; files made by hand have blanks instead.
  std::vector<std::uint64_t> numbers(std::string_view line, std::size_t count) const {
    std::vector<std::uint64_t> result;
    for (std::size_t k = 0; k < count; ++k) {
      const auto value = number_in<std::uint64_t>(field_of(line, 3 * k, 3));
      if (!value) break;
      result.push_back(*value);
    }
    if (result.size() == count) return result;
    result.clear();
    for (const std::string_view word : words_of(line)) {
      const auto value = number_in<std::uint64_t>(word);
      if (!value || result.size() == count) break;
      result.push_back(*value);
    }
    return result;
  }

  void read_v2000(std::string_view counts) {
    const std::vector<std::uint64_t> sizes = numbers(counts, 2);
    if (sizes.size() != 2) fail("the numbers of atoms and of bonds in columns of three", shown(counts));
    const bool has_version = counts.find("V2000") != std::string_view::npos;
    const std::vector<std::string_view> words = words_of(counts);  // the oldest files name no version
    if (!has_version && words.back().starts_with('V'))
      fail("the version V2000 or V3000", shown(words.back()));
    for (std::uint64_t k = 0; k < sizes[0]; ++k) {
      next(fmt::format("{} atoms", sizes[0]));
      read_atom();
    }
    for (std::uint64_t k = 0; k < sizes[1]; ++k) {
      next(fmt::format("{} bonds", sizes[1]));
      const std::vector<std::uint64_t> bond = numbers(lines_.line(), 3);
      if (bond.size() != 3)
        fail("two atoms and the type of their bond, in columns of three", shown(lines_.line()));
      constexpr std::uint64_t last_type = 8;  // V3000 has more
      if (bond[2] > last_type)
        fail("a bond of type 1 to 8 in the third column of three", fmt::format("{}", bond[2]));
      add_bond(bond[0], bond[1], bond[2]);
    }
    for (;;) {
      if (!lines_.next()) {
        if (has_version) fail("M  END", "the end of the file");
        return;
      }
      poll_.step();
      const std::string_view line = lines_.line();
      if (line.starts_with("M  END")) return;
      if (line.starts_with("$$$$")) {
        if (has_version) fail("M  END", "$$$$, the end of the entry");
        ended_ = true;
        return;
      }
      if (line.starts_with("M  CHG")) read_property(true);
      if (line.starts_with("M  RAD")) read_property(false);
    }
  }

  void read_atom() {
    const std::string_view line = lines_.line();
    Atom atom;
    const auto x = number_in<double>(field_of(line, 0, 10));
    const auto y = number_in<double>(field_of(line, 10, 10));
    const auto z = number_in<double>(field_of(line, 20, 10));
    std::string_view symbol = stripped_of_blanks(field_of(line, 31, 3));
    if (x && y && z && !symbol.empty() && symbol.find(' ') == std::string_view::npos) {
      atom.x = *x, atom.y = *y, atom.z = *z;
      set_charge(atom, number_in<int>(field_of(line, 36, 3)).value_or(0));
      set_valence(atom, number_in<int>(field_of(line, 48, 3)).value_or(0));
    } else {
      // By hand, with blanks between all.
      const std::vector<std::string_view> words = words_of(line);
      if (words.size() < 4) fail("three coordinates and an element in their columns", shown(line));
      set_coordinates(atom, words[0], words[1], words[2]);
      symbol = words[3];
      if (words.size() > 5) set_charge(atom, number_in<int>(words[5]).value_or(0));
      if (words.size() > 9) set_valence(atom, number_in<int>(words[9]).value_or(0));
    }
    add_atom(std::move(atom), symbol);
  }

  // The column of charges: 1, 2, 3 are +3, +2, +1; 4 is a doublet radical; 5, 6, 7 are -1, -2, -3.
  void set_charge(Atom& atom, int code) const {
    if (code < 0 || code > 7) fail("a charge from 0 to 7", fmt::format("{}", code));
    if (code == 4) {
      atom.radical = Radical::doublet;
    } else if (code != 0) {
      atom.charge = 4 - code;
    }
  }

  static void set_valence(Atom& atom, int code) {
    if (code > 0) atom.valence = code == 15 ? 0 : code;
  }

  // "M  CHG  2   4   1   7  -1": charges or radicals, which replace all that the atoms' lines say.
  void read_property(bool charges) {
    if (!properties_) {
      for (Atom& atom : molecule_.atoms) {
        atom.charge = 0;
        atom.radical = Radical::none;
      }
      properties_ = true;
    }
    const std::vector<std::string_view> words = words_of(lines_.line());
    const auto count = words.size() > 2 ? number_in<std::uint64_t>(words[2]) : std::nullopt;
    if (!count || words.size() != 3 + 2 * *count)
      fail("the number of atoms, then an atom and its value for each", shown(lines_.line()));
    for (std::size_t k = 3; k < words.size(); k += 2) {
      const Index atom = atom_numbered(number_in<std::uint64_t>(words[k]).value_or(0));
      const auto value = number_in<int>(words[k + 1]);
      if (!value) fail(charges ? "a charge" : "a radical from 0 to 3", shown(words[k + 1]));
      if (charges) {
        molecule_.atoms[atom].charge = charge_of(*value);
      } else {
        molecule_.atoms[atom].radical = radical_of(*value);
      }
    }
  }

  // --- V3000 ---

  // The words of a line behind "M  V30 ", those of its continuations too ("-" at its end).
  std::vector<std::string_view> v30_words(const std::string& expected) {
    v30_text_.clear();
    for (;;) {
      next(expected);
      const std::string_view line = lines_.line();
      if (!line.starts_with("M  V30 ")) fail(fmt::format("{} on a line M  V30", expected), shown(line));
      v30_text_ += stripped_of_blanks(line.substr(7));
      if (v30_text_.empty() || v30_text_.back() != '-') return words_of(v30_text_);
      v30_text_.back() = ' ';
    }
  }

  static bool is(const std::vector<std::string_view>& words, std::string_view first,
                 std::string_view second) {
    return words.size() >= 2 && words[0] == first && words[1] == second;
  }

  void read_v3000() {
    if (!is(v30_words("BEGIN CTAB"), "BEGIN", "CTAB")) fail("BEGIN CTAB", shown(v30_text_));
    std::optional<std::uint64_t> atoms;
    std::uint64_t bonds = 0;
    bool atoms_read = false;
    bool bonds_read = false;
    for (;;) {
      const std::vector<std::string_view> words = v30_words("END CTAB");
      if (is(words, "END", "CTAB")) break;
      if (!words.empty() && words[0] == "COUNTS") {
        const auto a = words.size() > 2 ? number_in<std::uint64_t>(words[1]) : std::nullopt;
        const auto b = words.size() > 2 ? number_in<std::uint64_t>(words[2]) : std::nullopt;
        if (!a || !b) fail("COUNTS with the numbers of atoms and of bonds", shown(v30_text_));
        atoms = a;
        bonds = *b;
      } else if (is(words, "BEGIN", "ATOM")) {
        read_v30_block(atoms_read, "ATOM", atoms, [&](const auto& line) { read_v30_atom(line); });
      } else if (is(words, "BEGIN", "BOND")) {
        if (!atoms_read) fail("BEGIN ATOM before the bonds", "BEGIN BOND");
        read_v30_block(bonds_read, "BOND", atoms ? std::optional(bonds) : atoms,
                       [&](const auto& line) { read_v30_bond(line); });
      }  // groups, collections and templates play no part
    }
    if (!atoms_read) fail("a block of atoms", "END CTAB");
    if (bonds > 0 && !bonds_read) fail(fmt::format("{} bonds", bonds), "END CTAB");
    for (;;) {
      next("M  END");
      if (lines_.line().starts_with("M  END")) return;
    }
  }

  template <class Read>
  void read_v30_block(bool& done, std::string_view block, std::optional<std::uint64_t> count,
                      const Read& read) {
    if (!count) fail("COUNTS before the blocks", fmt::format("BEGIN {}", block));
    if (done) fail(fmt::format("one block of {}S", block), "a second one");
    done = true;
    const std::string end = fmt::format("END {}", block);
    for (std::uint64_t k = 0; k < *count; ++k) {
      const std::vector<std::string_view> words = v30_words(fmt::format("{} {}S", *count, block));
      if (is(words, "END", block)) fail(fmt::format("{} lines as COUNTS says", *count), fmt::format("{}", k));
      read(words);
    }
    if (!is(v30_words(end), "END", block)) fail(end, shown(v30_text_));
  }

  void read_v30_atom(const std::vector<std::string_view>& words) {
    if (words.size() < 6) fail("INDEX ELEMENT X Y Z MAPPING", shown(v30_text_));
    const auto number = number_in<std::uint64_t>(words[0]);
    if (!number) fail("the atom's number", shown(words[0]));
    Atom atom;
    set_coordinates(atom, words[2], words[3], words[4]);
    for (std::size_t k = 6; k < words.size(); ++k) {
      const std::size_t equals = words[k].find('=');
      if (equals == std::string_view::npos) continue;
      const std::string_view key = words[k].substr(0, equals);
      if (key != "CHG" && key != "RAD" && key != "VAL") continue;
      const auto value = number_in<int>(words[k].substr(equals + 1));
      if (!value) fail(fmt::format("a number behind {}=", key), shown(words[k]));
      if (key == "CHG") atom.charge = charge_of(*value);
      if (key == "RAD") atom.radical = radical_of(*value);
      if (key == "VAL" && *value != 0) atom.valence = *value < 0 ? 0 : *value;
    }
    if (!v30_number_.emplace(*number, static_cast<Index>(molecule_.atoms.size())).second)
      fail("each atom's number once", fmt::format("{} again", *number));
    add_atom(std::move(atom), words[1]);
  }

  void read_v30_bond(const std::vector<std::string_view>& words) {
    std::uint64_t value[3] = {0, 0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto number = words.size() > 3 ? number_in<std::uint64_t>(words[k + 1]) : std::nullopt;
      if (!number) fail("INDEX TYPE ATOM ATOM", shown(v30_text_));
      value[k] = *number;
    }
    for (std::size_t k = 1; k < 3; ++k) {
      const auto found = v30_number_.find(value[k]);
      if (found == v30_number_.end()) fail("the number of an atom", fmt::format("{}", value[k]));
      value[k] = found->second + std::uint64_t{1};
    }
    add_bond(value[1], value[2], value[0]);
  }

  // --- both ---

  void set_coordinates(Atom& atom, std::string_view x, std::string_view y, std::string_view z) const {
    const auto value = [&](std::string_view word) {
      const auto number = number_in<double>(word);
      if (!number || !std::isfinite(*number)) fail("a coordinate", shown(word));
      return *number;
    };
    atom.x = value(x);
    atom.y = value(y);
    atom.z = value(z);
  }

  int charge_of(int value) const {
    if (value < -15 || value > 15) fail("a charge from -15 to 15", fmt::format("{}", value));
    return value;
  }
  Radical radical_of(int value) const {
    if (value < 0 || value > 3) fail("a radical from 0 to 3", fmt::format("{}", value));
    return static_cast<Radical>(value);
  }

  Index atom_numbered(std::uint64_t number) const {
    if (number < 1 || number > molecule_.atoms.size())
      fail(fmt::format("an atom from 1 to {}", molecule_.atoms.size()), fmt::format("{}", number));
    return static_cast<Index>(number - 1);
  }

  void add_atom(Atom atom, std::string_view symbol) {
    atom.element = element_named(symbol);
    if (atom.element.empty()) fail("the symbol of an element (queries are no molecules)", shown(symbol));
    if (!std::isfinite(atom.x) || !std::isfinite(atom.y) || !std::isfinite(atom.z))
      fail("finite coordinates", shown(lines_.line()));
    molecule_.atoms.push_back(std::move(atom));
  }

  void add_bond(std::uint64_t from, std::uint64_t to, std::uint64_t type) {
    const Index a = atom_numbered(from);
    const Index b = atom_numbered(to);
    if (a == b) fail("a bond between two atoms", fmt::format("one from atom {} to itself", from));
    constexpr std::uint64_t coordination = 9;
    constexpr std::uint64_t hydrogen = 10;
    if (type == coordination || type == hydrogen) return;  // no pair of electrons that two atoms share
    if (type < 1 || type > 4) {
      fail("a bond of type 1, 2, 3 or 4: single, double, triple or aromatic (5 to 8 are for queries)",
           fmt::format("{}", type));
    }
    const auto [first, second] = std::minmax(a, b);
    if (!bonded_.insert(std::uint64_t{first} << 32 | second).second)
      fail("one bond between two atoms", fmt::format("{} and {} again", from, to));
    molecule_.bonds.push_back({a, b, static_cast<BondOrder>(type), lines_.number()});
  }

  // Data, then $$$$ and nothing more.
  void end_of_molecule() {
    while (!ended_ && lines_.next()) {
      poll_.step();
      ended_ = lines_.line().starts_with("$$$$");
    }
    while (lines_.next()) {
      poll_.step();
      if (!lines_.line_done())
        fail("one molecule ('countpm many' counts every molecule of a file)", "a second one behind $$$$");
    }
  }

  const std::string& name_;
  TextLines lines_;
  StopPoll poll_;
  Molecule molecule_;
  bool properties_ = false;                   // a line M  CHG or M  RAD has been met
  bool ended_ = false;                        // by $$$$
  std::unordered_set<std::uint64_t> bonded_;  // pairs of atoms
  std::string v30_text_;
  std::unordered_map<std::uint64_t, Index> v30_number_;
};

}  // namespace

Molecule parse_molfile(std::string_view bytes, const std::string& name) {
  return MolfileReader(bytes, name).read();
}

}  // namespace countpm
