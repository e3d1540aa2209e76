// countpm help --completions zsh: a function for zsh's completion system, zshcompsys(1).
#include <fmt/format.h>

#include "apps/completions.hpp"
#include "apps/help_topics.hpp"

namespace countpm::app {
namespace {

/// Within single quotes, and with what _arguments reads as its own marks escaped.
std::string zsh_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result;
}

std::string zsh_action(Completed kind) {
  switch (kind) {
    case Completed::files:
      return "file:_files";
    case Completed::inputs:
      return "input:_countpm_inputs";
    case Completed::lattices:
      return "lattice:_countpm_lattices";
    case Completed::commands:
      return "command:_countpm_commands_and_topics";
    case Completed::nothing:
      break;
  }
  return {};
}

/// ":NAME:action", with which a value is completed; empty for flags.
std::string zsh_value(const OptionInfo& option) {
  if (option.type == ValueType::flag) return {};
  std::string action = " ";  // nothing but the name is shown
  if (option.type == ValueType::choice) {
    action = fmt::format("({})", fmt::join(option.choices, " "));
  } else if (option.type == ValueType::choices) {
    action = fmt::format("_sequence compadd - {}", fmt::join(option.choices, " "));
  } else if (option.type == ValueType::file) {
    return ":" + zsh_action(completed_value(option));
  }
  return fmt::format("{}:{}:{}", option.bare_value.empty() ? "" : ":", zsh_text(option.value_name), action);
}

/// "      (method) options+=('--method=[count by this method]:NAME:(auto ...)') ;;" for each option.
std::string zsh_options() {
  std::string text;
  for (const OptionInfo& option : option_table()) {
    const std::string about = fmt::format("[{}]{}", zsh_text(short_help(option)), zsh_value(option));
    const std::string equals = option.type == ValueType::flag ? "" : option.bare_value.empty() ? "=" : "=-";
    const std::string others = option.letter == 0 || option.repeatable
                                   ? ""
                                   : fmt::format("({})", fmt::join(option_words(option), " "));
    std::string specs =
        fmt::format("'{}{}--{}{}{}'", option.repeatable ? "*" : "", others, option.name, equals, about);
    if (option.letter != 0) {
      specs += fmt::format(" '{}{}-{}{}{}'", option.repeatable ? "*" : "", others, option.letter,
                           equals.empty() ? "" : "+", about);
    }
    text += fmt::format("      ({}) options+=({}) ;;\n", option.name, specs);
  }
  return text;
}

/// What each command takes: the names of its options, and its arguments.
std::string zsh_commands() {
  std::string text;
  for (const CommandInfo& command : command_table()) {
    std::string names, arguments;
    for (const OptionInfo* option : options_taken(command.name))
      names += fmt::format("{}{}", names.empty() ? "" : " ", option->name);
    const std::vector<Completed> kinds = completed_arguments(command);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (kinds[k] == Completed::nothing) continue;
      const bool last = k + 1 == kinds.size();
      arguments += fmt::format(" '{}:{}'", last ? "*" : std::to_string(k + 1), zsh_action(kinds[k]));
    }
    text += fmt::format("    ({}) names=({}) arguments=({}) ;;\n", command.name, names,
                        arguments.empty() ? "" : arguments.substr(1));
  }
  return text;
}

std::string zsh_described_commands() {
  std::string text;
  for (const CommandInfo& command : command_table())
    text += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.help));
  return text;
}

constexpr std::string_view zsh_inputs = R"zsh(
_countpm_inputs() {
  _alternative 'files:file:_files' 'lattices:lattice:_countpm_lattices'
}

_countpm_commands_and_topics() {
  _alternative 'commands:command:_countpm_commands' 'topics:topic:_countpm_topics'
}

# An input alone is counted.
_countpm_commands_and_inputs() {
  _alternative 'commands:command:_countpm_commands' 'files:file:_files' 'lattices:lattice:_countpm_lattices'
}

_countpm_options() {
  local name
  for name; do
    case $name in
)zsh";

constexpr std::string_view zsh_variables = R"zsh(    esac
  done
}

_countpm() {
  local word command i skip=0
  local -a names arguments options
)zsh";

constexpr std::string_view zsh_function = R"zsh(  for ((i = 2; i < CURRENT; ++i)); do
    word=$words[i]
    if ((skip)); then
      skip=0
      continue
    fi
    case $word in
)zsh";

constexpr std::string_view zsh_end = R"zsh(      (-?*) ;;
      (*)
        command=$word
        break
        ;;
    esac
  done
  if [[ -n $command && " $commands " == *" $command "* ]]; then
    # What follows is seen as if the command were the program.
    words[i]=()
    ((--CURRENT))
  elif [[ -n $command ]]; then
    command=count
  fi
  case ${command:-count} in
)zsh";

}  // namespace

std::string zsh_completions() {
  std::string text =
      "#compdef countpm\n# Completions of countpm for zsh. Made by 'countpm help --completions zsh'.\n\n"
      "_countpm_commands() {\n  local -a described=(\n";
  text += zsh_described_commands();
  text +=
      "  )\n  _describe -t commands command described\n}\n\n_countpm_topics() {\n  local -a described=(\n";
  for (const HelpTopic& topic : help_topics())
    text += fmt::format("    '{}:{}'\n", topic.name, zsh_text(topic.about));
  text += "  )\n  _describe -t topics topic described\n}\n\n_countpm_lattices() {\n  compadd -S '' -- ";
  text += lattice_beginnings("lattice:") + "\n}\n";
  text += zsh_inputs;
  text += zsh_options();
  text += zsh_variables;
  text += fmt::format("  local commands='{}'\n", all_command_names());
  text += zsh_function;
  text += fmt::format("      ({}) skip=1 ;;\n", options_with_values("|"));
  text += zsh_end;
  text += zsh_commands();
  text +=
      "  esac\n  [[ -n $command ]] || arguments=('1:input:_countpm_commands_and_inputs')\n"
      "  _countpm_options $names\n  _arguments -S -s $options $arguments\n}\n\n_countpm \"$@\"\n";
  return text;
}

}  // namespace countpm::app
