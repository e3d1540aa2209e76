#pragma once
// Random perfect matchings of lattices, for tests of what is drawn of them.
#include <string>

#include "src/api/entries.hpp"
#include "src/matchings/lattice_matching.hpp"

namespace countpm::test {

inline LatticeMatching sample_of(const std::string& spec, std::uint64_t seed = 1) {
  LatticeMatching matching;
  CountOptions options;
  options.seed = seed;
  sample_matchings(Source::from_argument(spec), {}, options, {}, [&](const auto& pairs) {
    matching = lattice_matching(spec, pairs);
    return true;
  });
  return matching;
}

}  // namespace countpm::test
