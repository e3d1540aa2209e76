// countpm help --completions fish: a call of complete(1) for each option.
#include <fmt/format.h>

#include "apps/completions.hpp"
#include "apps/help_topics.hpp"

namespace countpm::app {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// The words of a value, or the function that gives them; and whether files may stand there.
std::string fish_value(const OptionInfo& option) {
  if (option.type == ValueType::flag) return "";
  if (option.type == ValueType::choice && !option.bare_value.empty())
    return fmt::format(" -f -a {}", fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  if (option.type == ValueType::choice)
    return fmt::format(" -x -a {}", fish_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  if (option.type == ValueType::choices)
    return fmt::format(" -x -a {}",
                       fish_quoted(fmt::format("(__countpm_list {})", fmt::join(option.choices, " "))));
  switch (completed_value(option)) {
    case Completed::inputs:
      return fmt::format(" -r -F -a {}", fish_quoted(lattice_beginnings("lattice:")));
    case Completed::files:
      return " -r -F";
    default:
      return option.bare_value.empty() ? " -x" : " -f -a t";
  }
}

std::string fish_options() {
  std::string text;
  for (const OptionInfo& option : option_table()) {
    const std::string letter = option.letter == 0 ? "" : fmt::format(" -s {}", option.letter);
    text += fmt::format("complete -c countpm -n '__countpm_takes {}'{} -l {}{} -d {}\n",
                        fmt::join(option.commands, " "), letter, option.name, fish_value(option),
                        fish_quoted(short_help(option)));
  }
  return text;
}

/// What stands in an argument of each command: where nothing but words or nothing at all does, no files.
std::string fish_arguments() {
  std::string text;
  for (const CommandInfo& command : command_table()) {
    const std::vector<Completed> kinds = completed_arguments(command);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const bool last = k + 1 == kinds.size();
      const std::string where = fmt::format("__countpm_at {} {} {}", command.name, k, last ? "on" : "once");
      const std::string lattices = fish_quoted(lattice_beginnings("lattice:"));
      if (kinds[k] == Completed::nothing) text += fmt::format("complete -c countpm -n '{}' -f\n", where);
      if (kinds[k] == Completed::inputs)
        text += fmt::format("complete -c countpm -n '{}' -a {} -d lattice\n", where, lattices);
      if (kinds[k] == Completed::lattices)
        text += fmt::format("complete -c countpm -n '{}' -f -a {} -d lattice\n", where, lattices);
      if (kinds[k] == Completed::commands)
        text += fmt::format("complete -c countpm -n '{}' -f -a '{} {}'\n", where, all_command_names(),
                            topic_names(" "));
    }
  }
  for (const CommandInfo& command : command_table()) {
    text += fmt::format("complete -c countpm -n '__countpm_at none 0 on' -a {} -d {}\n", command.name,
                        fish_quoted(command.help));
  }
  text += fmt::format("complete -c countpm -n '__countpm_at none 0 on' -a {} -d lattice\n",
                      fish_quoted(lattice_beginnings("lattice:")));
  // fish looks for files after a colon, too.
  return text + "complete -c countpm -n 'string match -q \"lattice:*\" -- (commandline -ct)' -f\n";
}

constexpr std::string_view fish_functions = R"fish(                set skip yes
            case '-'
                test $command = none; and set command count
                set arguments (math $arguments + 1)
            case '-*'
            case '*'
                if test $command = none; and contains -- $word $commands
                    set command $word
                else
                    test $command = none; and set command count
                    set arguments (math $arguments + 1)
                end
        end
    end
    echo $command
    echo $arguments
end

# COMMAND...: is it one of these? Without a command it is count.
function __countpm_takes
    set -l line (__countpm_line)
    test $line[1] = none; and set line[1] count
    contains -- $line[1] $argv
end

# COMMAND NUMBER once|on: is this argument the one of that number, or one after it?
function __countpm_at
    set -l line (__countpm_line)
    test $line[1] = $argv[1]; or return 1
    test $line[2] -eq $argv[2]; or test $argv[3] = on -a $line[2] -gt $argv[2]
end

# WORD...: each after what stands before the last comma.
function __countpm_list
    set -l before (string match -r '^.*,' -- (string replace -r '^--[a-z-]+=' '' -- (commandline -ct)))
    for word in $argv
        echo "$before$word"
    end
end

)fish";

}  // namespace

std::string fish_completions() {
  std::string text =
      "# Completions of countpm for fish. Made by 'countpm help --completions fish'.\n\n"
      "# The command, none where there is none yet, and how many arguments it has before the word to be "
      "completed.\n"
      "function __countpm_line\n";
  text += fmt::format("    set -l commands {}\n", all_command_names());
  text +=
      "    set -l words (commandline -opc)\n    set -l command none\n    set -l arguments 0\n    set -l skip "
      "no\n"
      "    for word in $words[2..]\n        if test $skip = yes\n            set skip no\n            "
      "continue\n"
      "        end\n        switch $word\n";
  text += fmt::format("            case {}\n", options_with_values(" "));
  text += fish_functions;
  return text + fish_arguments() + fish_options();
}

}  // namespace countpm::app
