#pragma once
// What was read, as JSON.
#include <nlohmann/json_fwd.hpp>

#include "src/api/results.hpp"

namespace countpm {

nlohmann::ordered_json input_json(const InputSummary& summary);

}  // namespace countpm
