#pragma once
// Why a command lacks an option that others have, and what to do in its place.
#include <string_view>

namespace countpm::app {

/// Empty where there is nothing to say but which commands have it.
std::string_view why_missing(std::string_view option, std::string_view command);

}  // namespace countpm::app
