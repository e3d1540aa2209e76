#pragma once
// Completion of the command line in bash, zsh and fish, made from the tables of commands, options and
// lattices: commands, options, their values where these are words or files, inputs, and the shapes of
// lattices.
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"

namespace countpm::app {

/// "bash", "zsh", "fish".
std::vector<std::string_view> shell_names();
/// What that shell reads: `countpm help --completions SHELL`.
std::string completions(std::string_view shell);

std::string bash_completions();
std::string zsh_completions();
std::string fish_completions();

/// What can stand where the shell completes.
enum class Completed {
  nothing,
  files,
  inputs,  // files and lattices
  lattices,
  commands
};
/// The command's arguments, as its synopsis names them; the last one stands for all that follow.
std::vector<Completed> completed_arguments(const CommandInfo& command);
/// An option's value where it is no word of a list.
Completed completed_value(const OptionInfo& option);
/// Whether the next word is the option's value.
bool takes_next_word(const OptionInfo& option);
std::vector<const OptionInfo*> options_taken(std::string_view command);
/// "--method", "-q": as they are typed.
std::vector<std::string> option_words(const OptionInfo& option);
/// All that take the next word, as they are typed, with `separator` between.
std::string options_with_values(std::string_view separator);
/// The help up to its first semicolon.
std::string_view short_help(const OptionInfo& option);
std::string all_command_names();
/// "square:", ... after `prefix`, with blanks between.
std::string lattice_beginnings(std::string_view prefix);

}  // namespace countpm::app
