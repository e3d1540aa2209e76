#pragma once
// Help, all of it made from the tables of commands and options.
#include <cstddef>
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

/// A name, then a text, which begins at the column; on the next line where the name is too long.
std::string help_entry(const std::string& name, std::string_view text, std::size_t column, std::size_t width);
/// Options, one after another, as the command's help has them.
std::string option_entries(const std::vector<std::string_view>& names, std::string_view command,
                           std::size_t width);

/// One screen: 80 columns and 24 lines are enough.
std::string general_help(std::size_t width);
std::string command_help(const CommandInfo& command, std::size_t width);
/// The shapes of lattices, a line or two each.
std::string lattice_help(std::size_t width);
/// docs/options.md
std::string options_markdown();

}  // namespace countpm::app
