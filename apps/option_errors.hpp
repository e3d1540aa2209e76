#pragma once
// What is said about words of the command line that mean nothing: the nearest word that does, and where to
// look. Each message is one line.
#include <string>
#include <string_view>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

/// "; did you mean 'X'?", or nothing where no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates);
/// "lattice:square:8x8" for "square:8x8" or "latice:square:8x8"; empty where the word looks like no lattice.
std::string meant_lattice(std::string_view word);
/// Where there is more: "see 'countpm help count'".
std::string where_to_look(std::string_view command);

/// Whether a pipe or a file is standard input: not a terminal, nor /dev/null.
bool input_waits();

/// The first word is no command and no file.
[[noreturn]] void throw_unknown_word(const std::vector<std::string>& arguments);
[[noreturn]] void throw_unknown_command(const std::string& word);
/// No option has the name, with dashes or without, which stands somewhere in argv.
[[noreturn]] void throw_unknown_option(const std::string& typed, const std::vector<std::string>& argv);
/// The option, by its name or its letter, stands at the end without a value.
[[noreturn]] void throw_missing_value(const std::string& name);
/// The command does not take it.
[[noreturn]] void throw_foreign_option(const OptionInfo& option, const std::string& command);
/// None of the option's choices.
[[noreturn]] void throw_unknown_choice(const OptionInfo& option, const std::string& value);
/// Too few arguments, or too many.
[[noreturn]] void throw_wrong_arguments(const Request& request);

}  // namespace countpm::app
