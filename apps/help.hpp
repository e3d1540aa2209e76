#pragma once
// Help, all of it made from the tables of commands and options.
#include <string>

#include "apps/commands.hpp"

namespace countpm::app {

std::string general_help();
std::string command_help(const CommandInfo& command);
/// docs/options.md
std::string options_markdown();

}  // namespace countpm::app
