#pragma once
// A request as a command line again.
#include <string>
#include <utility>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

/// "countpm explain lattice:square:8x8 --html page.html", words in quotation marks where a shell needs them.
std::string command_line(const std::string& command, const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& options);
std::string command_line(const Request& request);

}  // namespace countpm::app
