#pragma once
// The weight of ground states as people read it.
#include <string>

#include "graph/kinds/ground_states.hpp"

namespace countpm {

/// All its digits: "-12", "7/3"; of decimal weights "0.75". "none" where there is no perfect matching.
std::string weight_text(const GroundStates& states);

}  // namespace countpm
