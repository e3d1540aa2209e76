#pragma once
// Molfiles made by the tests: atoms as "C", "N+", "O-", "C." (a doublet radical), bonds as {from, to, type}
// from 1.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

namespace countpm::testing {

using MolBonds = std::vector<std::array<int, 3>>;

inline std::string v2000(const std::vector<std::string>& atoms, const MolBonds& bonds,
                         const std::string& title = "") {
  std::string text = fmt::format("{}\n  test\n\n{:3}{:3}  0  0  0  0  0  0  0  0999 V2000\n", title,
                                 atoms.size(), bonds.size());
  std::string properties;
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    const std::string symbol = atoms[a].substr(0, atoms[a].find_first_of("+-."));
    text += fmt::format("{:10.4f}{:10.4f}{:10.4f} {:<3} 0  0  0  0  0  0  0  0  0  0  0  0\n",
                        1.4 * static_cast<double>(a), a % 2 == 0 ? 0.0 : 0.8, 0.0, symbol);
    if (atoms[a].ends_with('+')) properties += fmt::format("M  CHG  1{:4}   1\n", a + 1);
    if (atoms[a].ends_with('-')) properties += fmt::format("M  CHG  1{:4}  -1\n", a + 1);
    if (atoms[a].ends_with('.')) properties += fmt::format("M  RAD  1{:4}   2\n", a + 1);
  }
  for (const auto& [from, to, type] : bonds) text += fmt::format("{:3}{:3}{:3}  0\n", from, to, type);
  return text + properties + "M  END\n";
}

inline std::string v3000(const std::vector<std::string>& atoms, const MolBonds& bonds) {
  std::string text = "\n  test\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n";
  text += fmt::format("M  V30 COUNTS {} {} 0 0 0\nM  V30 BEGIN ATOM\n", atoms.size(), bonds.size());
  for (std::size_t a = 0; a < atoms.size(); ++a) {
    const std::string symbol = atoms[a].substr(0, atoms[a].find_first_of("+-."));
    text += fmt::format("M  V30 {} {} {} 0 0 0{}\n", a + 1, symbol, a,
                        atoms[a].ends_with('+')   ? " CHG=1"
                        : atoms[a].ends_with('-') ? " CHG=-1"
                        : atoms[a].ends_with('.') ? " RAD=2"
                                                  : "");
  }
  text += "M  V30 END ATOM\nM  V30 BEGIN BOND\n";
  for (std::size_t b = 0; b < bonds.size(); ++b)
    text += fmt::format("M  V30 {} {} -\nM  V30 {} {}\n", b + 1, bonds[b][2], bonds[b][0], bonds[b][1]);
  return text + "M  V30 END BOND\nM  V30 END CTAB\nM  END\n";
}

/// A ring of `size` atoms from 1 on, single and double bonds in turns, or all of one type.
inline MolBonds ring(int size, int type = 0, int first = 1) {
  MolBonds bonds;
  for (int k = 0; k < size; ++k)
    bonds.push_back({first + k, first + (k + 1) % size, type != 0 ? type : k % 2 == 0 ? 2 : 1});
  return bonds;
}

inline MolBonds joined(MolBonds bonds, const MolBonds& more) {
  bonds.insert(bonds.end(), more.begin(), more.end());
  return bonds;
}

inline std::vector<std::string> carbons(std::size_t number) {
  return std::vector<std::string>(number, "C");
}

}  // namespace countpm::testing
