// countpm help: made from the tables of commands and options.
#include "apps/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/completions.hpp"
#include "apps/exit_codes.hpp"
#include "apps/manual.hpp"
#include "apps/output.hpp"
#include "apps/text.hpp"

namespace countpm::app {
namespace {

std::string option_text(const OptionInfo& option) {
  std::string about(option.help);
  if (option.type != ValueType::flag) about += fmt::format(" [{}]", value_help(option));
  if (!option.default_value.empty()) about += fmt::format(" (default {})", option.default_value);
  return wrap(about, help_width, fmt::format("  {:<24}  ", spelling(option)), std::string(28, ' '));
}

std::string options_of(std::string_view command) {
  std::string text;
  for (const OptionInfo& option : option_table()) {
    if (std::find(option.commands.begin(), option.commands.end(), command) != option.commands.end())
      text += option_text(option);
  }
  return text;
}

std::string exit_help() {
  std::string text = "Exit codes: ";
  for (const ExitMeaning& exit : exit_meanings())
    text += fmt::format("{}{} {}", exit.code == 0 ? "" : "; ", exit.code, exit.meaning);
  return text + ".";
}

}  // namespace

const std::string_view input_help =
    "INPUT is a file, - for standard input, or a lattice such as lattice:square:8x8. The format goes by the "
    "file's ending "
    "and is checked against the content; standard input goes by content. 'countpm methods' lists the "
    "formats.";

const std::vector<ExitMeaning>& exit_meanings() {
  static const std::vector<ExitMeaning> meanings{
      {exit_code::done, "done"},
      {exit_code::internal_fault, "internal fault, or output that cannot be written"},
      {exit_code::bad_usage, "bad usage or bad input"},
      {exit_code::unable, "unable within the limits given"},
      {exit_code::check_failed, "a check on the result failed"},
      {exit_code::interrupted, "interrupted"}};
  return meanings;
}

std::string general_help() {
  std::string text =
      "countpm: exact counts of perfect matchings (any graph) and of cycle covers (directed "
      "graphs)\n\nUsage:\n";
  for (const CommandInfo& command : command_table()) {
    text += wrap(command.help, help_width, fmt::format("  countpm {:<26}  ", command.synopsis),
                 std::string(38, ' '));
  }
  text += '\n';
  text += wrap(input_help, help_width, "", "");
  text += "\nOptions of countpm INPUT ('countpm help COMMAND' has the others):\n" + options_of("count");
  text += '\n';
  return text + wrap(exit_help(), help_width, "", "");
}

std::string command_help(const CommandInfo& command) {
  std::string text = fmt::format("Usage: countpm {}\n\n", command.synopsis);
  text += wrap(command.help, help_width, "", "");
  if (command.synopsis.find("INPUT") != std::string_view::npos) {
    text += '\n';
    text += wrap(input_help, help_width, "", "");
  }
  return text + "\nOptions:\n" + options_of(command.name);
}

std::string options_markdown() {
  std::string text =
      "# Options\n\nMade by `countpm help --markdown` from the table in apps/option_table.cpp; a test "
      "compares the two.\n\n"
      "| Option | Value | Default | Commands | What it does |\n|---|---|---|---|---|\n";
  for (const OptionInfo& option : option_table()) {
    std::string value = option.type == ValueType::flag ? "" : value_help(option);
    if (option.type == ValueType::choice) {
      value.clear();
      for (const std::string_view choice : option.choices)
        value += fmt::format("{}`{}`", value.empty() ? "" : ", ", choice);
    }
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", spelling(option), value,
                        option.default_value.empty() ? "" : fmt::format("`{}`", option.default_value),
                        fmt::join(option.commands, ", "), option.help);
  }
  text += "\n# Commands\n\n| Command | What it does |\n|---|---|\n";
  for (const CommandInfo& command : command_table())
    text += fmt::format("| `countpm {}` | {} |\n", command.synopsis, command.help);
  return text;
}

int run_help(const Request& request) {
  if (request.markdown) {
    write_output(options_markdown());
  } else if (request.manual) {
    write_output(manual_page());
  } else if (request.completions) {
    write_output(completions(*request.completions));
  } else if (request.arguments.empty()) {
    write_output(general_help());
  } else {
    const CommandInfo* command = find_command(request.arguments.front());
    if (command == nullptr) {
      throw UsageError(fmt::format("there is no command '{}'; the commands are: {}",
                                   quoted(request.arguments.front()), command_names()));
    }
    write_output(command_help(*command));
  }
  flush_output();
  return 0;
}

}  // namespace countpm::app
