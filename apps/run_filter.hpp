#pragma once
// Another program as a filter.
#include <string>
#include <string_view>
#include <vector>

namespace countpm::app {

/// Runs the program command[0] with these arguments, feeds it `input` and returns its standard output. Throws
/// UnableError with the last line of its standard error where it cannot be started or fails.
std::string run_filter(const std::vector<std::string>& command, std::string_view input);

}  // namespace countpm::app
