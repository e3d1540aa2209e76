#pragma once
// What structure alone says of an instance, bipartite or general, in one form for all that follows.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/instance.hpp"
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

/// Matching, violator or decomposition; adds to the notes what was left out. `poll` may throw.
Analysis analyse(const Instance& instance, const InputInfo& input, const Poll& poll,
                 std::vector<std::string>& notes);

}  // namespace countpm
