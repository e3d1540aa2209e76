#pragma once
// How many perfect matchings there are when symmetric ones count as one.
#include <cstdint>
#include <string>
#include <vector>

#include "src/api/results.hpp"
#include "src/api/value.hpp"

namespace countpm {

/// Two matchings are of one orbit where a symmetry of the graph, its weights included, takes one to the
/// other.
struct OrbitCount : InputSummary {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  Value orbits;  // their number; weighted: the sum over them of the weight that all matchings of one have
  std::string count;             // the same in decimal, or "p/q"
  std::string matchings;         // all of them, as CountResult::count
  std::uint64_t symmetries = 1;  // the order of the graph's group
  std::uint64_t counts = 0;      // how many counts it took: of symmetries that are no conjugates
  std::vector<std::string> notes;
  double seconds = 0;
};

}  // namespace countpm
