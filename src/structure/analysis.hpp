#pragma once
// What structure alone says of an instance, bipartite or general, in one form for all that follows.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/instance.hpp"
#include "matching/free_vertices.hpp"
#include "matching/general_structure.hpp"
#include "matching/structure.hpp"
#include "src/api/entries.hpp"

namespace countpm {

struct Analysis {
  std::variant<Structure, GeneralStructure> structure;
  std::uint64_t matching_size = 0;
  std::optional<ViolatorReport> violator;  // why the count is 0
  std::uint64_t blocks = 0;                // pieces whose counts multiply
  std::uint64_t entries_dropped = 0;       // entries (of a general graph: edges) in no perfect matching
};

/// What is counted of a graph: to_instance(), with the vertices added that the matchings leave free
/// (matching/free_vertices.hpp).
Instance instance_of(Graph graph, MatchingSize matchings);

/// Matching, violator or decomposition; of a graph with monomers the components alone. Adds to the notes what
/// was left out. `poll` may throw. A violator is one of those sides that `matchings` are to cover.
Analysis analyse(const Instance& instance, const InputInfo& input, const Poll& poll,
                 std::vector<std::string>& notes, MatchingSize matchings = MatchingSize::perfect);

}  // namespace countpm
