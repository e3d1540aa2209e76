#include "graph/molecules/molecule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

struct ElementInfo {
  std::string_view symbol;
  double radius;  // angstrom; of carbon that of sp3, which is the largest
};

// By atomic number, from 1. Beyond curium the source has no radii.
constexpr std::array<ElementInfo, 96> elements{{
    {"H", 0.31},  {"He", 0.28}, {"Li", 1.28}, {"Be", 0.96}, {"B", 0.84},  {"C", 0.76},  {"N", 0.71},
    {"O", 0.66},  {"F", 0.57},  {"Ne", 0.58}, {"Na", 1.66}, {"Mg", 1.41}, {"Al", 1.21}, {"Si", 1.11},
    {"P", 1.07},  {"S", 1.05},  {"Cl", 1.02}, {"Ar", 1.06}, {"K", 2.03},  {"Ca", 1.76}, {"Sc", 1.70},
    {"Ti", 1.60}, {"V", 1.53},  {"Cr", 1.39}, {"Mn", 1.39}, {"Fe", 1.32}, {"Co", 1.26}, {"Ni", 1.24},
    {"Cu", 1.32}, {"Zn", 1.22}, {"Ga", 1.22}, {"Ge", 1.20}, {"As", 1.19}, {"Se", 1.20}, {"Br", 1.20},
    {"Kr", 1.16}, {"Rb", 2.20}, {"Sr", 1.95}, {"Y", 1.90},  {"Zr", 1.75}, {"Nb", 1.64}, {"Mo", 1.54},
    {"Tc", 1.47}, {"Ru", 1.46}, {"Rh", 1.42}, {"Pd", 1.39}, {"Ag", 1.45}, {"Cd", 1.44}, {"In", 1.42},
    {"Sn", 1.39}, {"Sb", 1.39}, {"Te", 1.38}, {"I", 1.39},  {"Xe", 1.40}, {"Cs", 2.44}, {"Ba", 2.15},
    {"La", 2.07}, {"Ce", 2.04}, {"Pr", 2.03}, {"Nd", 2.01}, {"Pm", 1.99}, {"Sm", 1.98}, {"Eu", 1.98},
    {"Gd", 1.96}, {"Tb", 1.94}, {"Dy", 1.92}, {"Ho", 1.92}, {"Er", 1.89}, {"Tm", 1.90}, {"Yb", 1.87},
    {"Lu", 1.87}, {"Hf", 1.75}, {"Ta", 1.70}, {"W", 1.62},  {"Re", 1.51}, {"Os", 1.44}, {"Ir", 1.41},
    {"Pt", 1.36}, {"Au", 1.36}, {"Hg", 1.32}, {"Tl", 1.45}, {"Pb", 1.46}, {"Bi", 1.48}, {"Po", 1.40},
    {"At", 1.50}, {"Rn", 1.50}, {"Fr", 2.60}, {"Ra", 2.21}, {"Ac", 2.15}, {"Th", 2.06}, {"Pa", 2.00},
    {"U", 1.96},  {"Np", 1.90}, {"Pu", 1.87}, {"Am", 1.80}, {"Cm", 1.69},
}};

const ElementInfo* find_element(std::string_view symbol) {
  const auto* const found = std::find_if(elements.begin(), elements.end(),
                                         [&](const ElementInfo& e) { return e.symbol == symbol; });
  return found == elements.end() ? nullptr : found;
}

}  // namespace

std::string atom_label(const Molecule& molecule, Index atom) {
  return fmt::format("{}{}", molecule.atoms[atom].element, atom + std::uint64_t{1});
}

std::string formula_of(const Molecule& molecule) {
  std::map<std::string, std::uint64_t> count;
  for (const Atom& atom : molecule.atoms) ++count[atom.element];
  std::string formula;
  const auto write = [&](const std::string& element) {
    const auto found = count.find(element);
    if (found == count.end()) return;
    formula += element;
    if (found->second > 1) formula += std::to_string(found->second);
    count.erase(found);
  };
  if (count.contains("C")) {
    write("C");
    write("H");
  }
  while (!count.empty()) write(count.begin()->first);
  return formula;
}

std::string element_named(std::string_view symbol) {
  if (symbol == "*" || symbol == "R" || symbol == "R#" || symbol == "Du") return "*";
  std::string name = ascii_lower(symbol);
  if (name == "d" || name == "t") return "H";
  if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return find_element(name) == nullptr ? "" : name;
}

std::string element_numbered(std::uint64_t number) {
  return number >= 1 && number <= elements.size() ? std::string(elements[number - 1].symbol) : "";
}

double covalent_radius(std::string_view element) {
  const ElementInfo* const info = find_element(element);
  return info == nullptr ? 0 : info->radius;
}

std::vector<Point> drawn_positions(const Molecule& molecule) {
  constexpr double flat = 1e-3;      // z of a drawing
  constexpr double too_near = 0.05;  // of the mean bond: one dot in a picture
  if (molecule.bonds.empty()) return {};
  double length = 0;
  for (const Bond& bond : molecule.bonds) {
    const Atom& a = molecule.atoms[bond.from];
    const Atom& b = molecule.atoms[bond.to];
    length += std::hypot(a.x - b.x, a.y - b.y) / static_cast<double>(molecule.bonds.size());
  }
  if (!(length > 0) || length > std::numeric_limits<float>::max()) return {};
  std::vector<Point> points;
  for (const Atom& atom : molecule.atoms) {
    if (std::abs(atom.z) > flat * length) return {};
    points.push_back({atom.x / length, -atom.y / length});
  }
  std::vector<Point> sorted = points;
  std::sort(sorted.begin(), sorted.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  StopPoll poll;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    for (std::size_t l = k + 1; l < sorted.size() && sorted[l].x - sorted[k].x < too_near; ++l) {
      poll.step();
      if (std::abs(sorted[l].y - sorted[k].y) < too_near) return {};
    }
  }
  return points;
}

namespace {

bool is_coordinate(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos &&
         word.find_first_not_of("+-.0123456789eEdD") == std::string_view::npos;
}

// n, and then n lines of n numbers: one line less than n atoms have.
bool is_counted_matrix(std::string_view head) {
  TextLines lines(head);
  if (!lines.next()) return false;
  const std::optional<std::uint64_t> size = parse_number(lines.word());
  if (!size || !lines.line_done()) return false;
  std::uint64_t rows = 0;
  while (lines.next()) {
    if (lines.line_done()) continue;
    std::uint64_t words = 0;
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word(), ++words) {
      if (!is_coordinate(word) || words >= *size) return false;
    }
    if (words != *size || ++rows > *size) return false;
  }
  return rows == *size;
}

}  // namespace

std::optional<Format> guess_molecule(std::string_view head) {
  TextLines lines(head);
  std::array<std::string_view, 4> first;
  for (std::string_view& line : first) {
    if (!lines.next()) break;
    line = lines.line();
  }
  if (first[3].size() >= 39 &&
      (first[3].substr(33).starts_with(" V2000") || first[3].substr(33).starts_with(" V3000")))
    return head.find("$$$$") == std::string_view::npos ? Format::mol : Format::sdf;
  if (is_counted_matrix(head)) return std::nullopt;
  // The number of atoms alone; a comment; an element and three coordinates.
  TextLines again(head);
  if (!again.next() || !parse_number(again.word()) || !again.line_done()) return std::nullopt;
  if (!again.next() || !again.next()) return std::nullopt;
  const std::string_view symbol = again.word();
  if (symbol.empty() || (element_named(symbol).empty() && !parse_number(symbol))) return std::nullopt;
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_coordinate(again.word())) return std::nullopt;
  }
  return Format::xyz;
}

}  // namespace countpm
