#pragma once
// Help, all of it made from the tables of commands and options.
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"

namespace countpm::app {

/// What INPUT may be.
extern const std::string_view input_help;
/// What an exit code means.
struct ExitMeaning {
  int code;
  std::string_view meaning;
};
const std::vector<ExitMeaning>& exit_meanings();

std::string general_help();
std::string command_help(const CommandInfo& command);
/// docs/options.md
std::string options_markdown();

}  // namespace countpm::app
