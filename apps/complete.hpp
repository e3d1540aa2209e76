#pragma once
// countpm complete -- WORDS...: what the last word of a command line can become. The shells ask it at every
// Tab (docs/options.md); what it knows comes from the tables of commands, options and lattices.
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"

namespace countpm::app {

/// The words behind the program's name, up to the cursor; the last one is to be completed, and may be empty.
/// The first line of the answer has "files" where names of files may stand there, too, and "nospace" where
/// more follows in the same word; then a line for each word: the word, a tab, and a few words about it.
std::string completed(std::vector<std::string> words);

/// The placeholder of the command's argument of that number from 0 on: "INPUT"; empty where there is none.
std::string_view argument_of(const CommandInfo& command, std::size_t number);

/// "bash", "zsh", "fish".
std::vector<std::string_view> shell_names();
/// What that shell reads: `countpm help --completions SHELL`.
std::string_view completion_script(std::string_view shell);

}  // namespace countpm::app
