// XYZ: the number of atoms, a comment, and a line "ELEMENT X Y Z" for each atom, in angstrom. There are no
// bonds in the file: two atoms have one where they are nearer than 1.25 times the sum of their covalent radii
// (carbon: 1.9 angstrom, where a bond has 1.2 to 1.55 and the next distance is 2.4). A sweep along x: O(n log
// n), and the pairs that are near along x.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "graph/errors.hpp"
#include "graph/molecules/molecule.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr double longest_share = 1.25;  // of the sum of the radii, for a bond
constexpr double shortest_share = 0.4;  // below it two atoms are on top of each other
// More atoms at one place along x than any molecule has; all of them would be compared with each other.
constexpr std::uint64_t most_comparisons = 2'000'000'000;

class XyzReader {
 public:
  XyzReader(std::string_view bytes, const std::string& name) : name_(name), lines_(bytes) {}

  Molecule read() {
    if (!lines_.next()) fail("the number of atoms", "the end of the file");
    const std::string_view word = lines_.word();
    const auto count = parse_number(word);
    if (!count || !lines_.line_done()) fail("the number of atoms alone", shown(lines_.line()));
    if (*count >= no_index) fail(fmt::format("at most {} atoms", no_index - 1), fmt::format("{}", *count));
    if (!lines_.next()) fail("a comment", "the end of the file");
    molecule_.title = std::string(lines_.line());
    for (std::uint64_t k = 0; k < *count; ++k) {
      poll_.step();
      if (!lines_.next() || lines_.line_done())
        fail(fmt::format("{} atoms, as the first line says", *count), fmt::format("{}", k));
      read_atom();
    }
    read_end(*count);
    find_bonds();
    return std::move(molecule_);
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    throw InputError(name_, lines_.number(), std::move(expected), std::move(found));
  }

  // QM9 has three lines behind the atoms: frequencies, SMILES and InChI.
  void read_end(std::uint64_t count) {
    std::vector<std::pair<std::uint64_t, std::string_view>> more;
    while (lines_.next() && more.size() < 4) {
      poll_.step();
      if (!lines_.line_done()) more.emplace_back(lines_.number(), lines_.line());
    }
    if (more.empty() || (more.size() == 3 && more.back().second.starts_with("InChI="))) return;
    throw InputError(name_, more.front().first,
                     fmt::format("one molecule of {} atoms, as the first line says", count),
                     "more lines (a second frame, or more atoms)");
  }

  double coordinate() {
    std::string_view word = lines_.word();
    const std::string_view whole = word;
    std::string power;  // 8.4*^-6 is what Mathematica writes for 8.4e-6, and QM9 has
    if (const std::size_t star = word.find("*^"); star != std::string_view::npos) {
      power = fmt::format("{}e{}", word.substr(0, star), word.substr(star + 2));
      word = power;
    }
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      fail("ELEMENT X Y Z", whole.empty() ? shown(lines_.line()) : shown(whole));
    return value;
  }

  void read_atom() {
    const std::string_view symbol = lines_.word();
    Atom atom;
    const auto number = parse_number(symbol);
    // "C12": the number belongs to whoever wrote it.
    const std::size_t letters = std::min(symbol.find_first_of("0123456789"), symbol.size());
    atom.element = number ? element_numbered(*number) : element_named(symbol.substr(0, letters));
    if (atom.element.empty()) fail("the symbol or number of an element", shown(symbol));
    atom.x = coordinate();
    atom.y = coordinate();
    atom.z = coordinate();
    molecule_.atoms.push_back(std::move(atom));  // charges or forces may follow on the line
  }

  void find_bonds() {
    const std::vector<Atom>& atoms = molecule_.atoms;
    std::vector<Index> order(atoms.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return atoms[a].x < atoms[b].x; });
    std::vector<double> radius;
    double largest = 0;
    for (const Atom& atom : atoms) {
      radius.push_back(covalent_radius(atom.element));
      largest = std::max(largest, radius.back());
    }
    std::uint64_t compared = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Atom& a = atoms[order[k]];
      for (std::size_t l = k + 1; l < order.size(); ++l) {
        poll_.step();
        const Atom& b = atoms[order[l]];
        if (b.x - a.x > 2 * longest_share * largest) break;
        if (++compared > most_comparisons)
          throw InputError(name_, 0, "the coordinates of a molecule, in angstrom",
                           "far too many atoms at one place");
        const double sum = radius[order[k]] + radius[order[l]];
        const double distance = std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
        const auto [first, second] = std::minmax(order[k], order[l]);
        if (distance < shortest_share * sum) {
          throw InputError(name_, second + std::uint64_t{3}, "atoms apart from each other, in angstrom",
                           fmt::format("{} at {:.2g} from {}", atom_label(molecule_, second), distance,
                                       atom_label(molecule_, first)));
        }
        if (distance < longest_share * sum)
          molecule_.bonds.push_back({first, second, BondOrder::unknown, second + std::uint64_t{3}});
      }
    }
    std::sort(molecule_.bonds.begin(), molecule_.bonds.end(),
              [](const Bond& a, const Bond& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  }

  const std::string& name_;
  TextLines lines_;
  StopPoll poll_;
  Molecule molecule_;
};

}  // namespace

Molecule parse_xyz(std::string_view bytes, const std::string& name) {
  return XyzReader(bytes, name).read();
}

}  // namespace countpm
