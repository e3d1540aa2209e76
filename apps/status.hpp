#pragma once
// What a checkpoint says of itself, as JSON.
#include <string>

#include "src/api/entries.hpp"

namespace countpm::app {

/// docs/json.md, with a line's end.
std::string status_json(const JournalStatus& status, const std::string& file);

}  // namespace countpm::app
