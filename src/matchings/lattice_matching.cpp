#include "src/matchings/lattice_matching.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace countpm {

LatticeMatching lattice_matching(const std::string& spec,
                                 const std::vector<std::pair<std::string, std::string>>& pairs) {
  LatticeMatching matching{spec, lattice_info(spec), {}};
  matching.pairs.reserve(pairs.size());
  for (const auto& [first, second] : pairs) {
    const std::optional<LatticeSite> one = site_of_label(first);
    const std::optional<LatticeSite> other = site_of_label(second);
    if (!one || !other)
      throw std::invalid_argument(fmt::format("no labels of a lattice: {}, {}", first, second));
    matching.pairs.emplace_back(*one, *other);
  }
  return matching;
}

bool has_dominoes(const LatticeInfo& lattice) {
  return lattice.shape == "square" || lattice.shape == "cylinder" || lattice.shape == "torus" ||
         lattice.shape == "aztec";
}

bool has_lozenges(const LatticeInfo& lattice) {
  return lattice.shape == "honeycomb" || lattice.shape == "hexagon";
}

std::int64_t first_colour(const LatticeInfo& lattice) {
  // The first vertex of an Aztec diamond of order N is r0c(N-1), of a rectangle r0c0.
  return lattice.shape == "aztec" ? static_cast<std::int64_t>((lattice.size[0] + 1) % 2) : 0;
}

}  // namespace countpm
