#include "src/api/known_limit.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "graph/lattices/lattice.hpp"

namespace countpm {
namespace {

// Catalan's constant over pi.
constexpr double square_limit = 0.29156090403081878;
// (1/2) log of Mahler's measure of 1 + x + y: Cl_2(pi/3) / (2 pi).
constexpr double honeycomb_limit = 0.16153297360972527;
// (1/4) of the mean of ln 4(sin^2 x + sin^2 y + cos^2(x + y)) over both angles; the rule with equal weights
// converges exponentially, and 50 x 50 and 300 x 300 points agree in these digits (2026-11-21).
constexpr double triangular_limit = 0.42859453746496;

using Sizes = std::array<double, 3>;

/// x^2 ln(x) / 2, the leading term of the logarithm of 1! 2! ... (x - 1)!.
double superfactorial_term(double x) {
  return x * x * std::log(x) / 2;
}

/// MacMahon's product for a box of sides n a, n b, n c: ln Z / n^2, over 2(ab + bc + ca) vertices.
double hexagon_limit(const Sizes& sides) {
  const auto [a, b, c] = sides;
  const auto h = superfactorial_term;
  return (h(a) + h(b) + h(c) + h(a + b + c) - h(a + b) - h(b + c) - h(c + a)) / (2 * (a * b + b * c + c * a));
}

/// A strip of that many rows: ln Z a column is the sum of ln(cos t + sqrt(1 + cos^2 t)) at t = pi k / (rows +
/// 1), k up to rows / 2.
double strip_limit(std::uint64_t rows) {
  double sum = 0;
  for (std::uint64_t k = 1; k <= rows / 2; ++k)
    sum += std::asinh(std::cos(std::numbers::pi * static_cast<double>(k) / (static_cast<double>(rows) + 1)));
  return sum / static_cast<double>(rows);
}

const char* const kasteleyn = "P. W. Kasteleyn, Physica 27 (1961) 1209";

std::optional<KnownLimit> limit_of(const LatticeInfo& info, const Sizes& growth) {
  if (!info.weights.empty() || info.removed != 0) return std::nullopt;
  if (info.shape == "square" && (growth[0] == 0 || growth[1] == 0)) {
    const std::uint64_t width = growth[0] == 0 ? info.size[0] : info.size[1];
    return KnownLimit{strip_limit(width), fmt::format("square lattice, strip of width {}", width), kasteleyn};
  }
  const std::size_t sizes = info.shape == "aztec" || info.shape == "prism"     ? 1
                            : info.shape == "hexagon" || info.shape == "cubic" ? 3
                                                                               : 2;
  for (std::size_t axis = 0; axis < sizes; ++axis) {
    if (growth[axis] == 0) return std::nullopt;
  }
  if (info.shape == "square" || info.shape == "cylinder" || info.shape == "torus" ||
      info.shape == "moebius" || info.shape == "klein")
    return KnownLimit{square_limit, "square lattice: G / pi", kasteleyn};
  if (info.shape == "prism") return KnownLimit{strip_limit(2), "strip of width 2", kasteleyn};
  if (info.shape == "honeycomb-torus" || info.shape == "brickwork-torus") {
    return KnownLimit{
        honeycomb_limit, "honeycomb: Cl2(pi/3) / (2 pi)",
        "G. H. Wannier, Phys. Rev. 79 (1950) 357; F. Y. Wu, Int. J. Mod. Phys. B 20 (2006) 5357"};
  }
  if (info.shape == "honeycomb") {
    return KnownLimit{0, "parallelogram of hexagons: frozen by its boundary",
                      "M. Gordon, W. H. T. Davison, J. Chem. Phys. 20 (1952) 428"};
  }
  if (info.shape == "triangular" || info.shape == "triangular-torus") {
    return KnownLimit{triangular_limit, "triangular lattice",
                      "P. Fendley, R. Moessner, S. L. Sondhi, Phys. Rev. B 66 (2002) 214513"};
  }
  if (info.shape == "kagome" || info.shape == "kagome-torus") {
    return KnownLimit{std::numbers::ln2 / 3, "kagome lattice: ln(2) / 3",
                      "V. Elser, C. Zeng, Phys. Rev. B 48 (1993) 13647"};
  }
  if (info.shape == "aztec") {
    return KnownLimit{std::numbers::ln2 / 4, "Aztec diamond: ln(2) / 4",
                      "N. Elkies, G. Kuperberg, M. Larsen, J. Propp, J. Algebraic Combin. 1 (1992) 111"};
  }
  if (info.shape == "hexagon") {
    return KnownLimit{hexagon_limit(growth), "hexagon of these proportions: MacMahon's product",
                      "P. A. MacMahon, Combinatory Analysis 2 (1916)"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<KnownLimit> known_limit(const std::string& spec) {
  const LatticeInfo info = lattice_info(spec);
  Sizes growth{};
  for (std::size_t axis = 0; axis < 3; ++axis) growth[axis] = static_cast<double>(info.size[axis]);
  return limit_of(info, growth);
}

std::optional<KnownLimit> known_limit(const std::string& first, const std::string& last) {
  const LatticeInfo from = lattice_info(first);
  const LatticeInfo to = lattice_info(last);
  Sizes growth{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    growth[axis] = static_cast<double>(to.size[axis]) - static_cast<double>(from.size[axis]);
  }
  return limit_of(to, growth);
}

}  // namespace countpm
