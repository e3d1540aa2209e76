#include "apps/completions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/lattice.hpp"

namespace countpm::app {
namespace {

struct Shell {
  std::string_view name;
  std::string (*completions)();
};
constexpr std::array<Shell, 3> shells{
    {{"bash", bash_completions}, {"zsh", zsh_completions}, {"fish", fish_completions}}};

Completed completed_by_name(std::string_view placeholder) {
  if (placeholder.find("INPUT") != std::string_view::npos) return Completed::inputs;
  if (placeholder.find("SPEC") != std::string_view::npos) return Completed::lattices;
  if (placeholder.find("COMMAND") != std::string_view::npos) return Completed::commands;
  return Completed::files;
}

}  // namespace

std::vector<std::string_view> shell_names() {
  std::vector<std::string_view> names;
  names.reserve(shells.size());
  for (const Shell& shell : shells) names.push_back(shell.name);
  return names;
}

std::string completions(std::string_view shell) {
  return std::find_if(shells.begin(), shells.end(), [&](const Shell& known) { return known.name == shell; })
      ->completions();
}

std::vector<Completed> completed_arguments(const CommandInfo& command) {
  std::vector<Completed> arguments;
  std::string_view rest = command.synopsis;
  while (!rest.empty() && arguments.size() < command.most_arguments) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word.starts_with("--")) break;  // "--parts K"
    if (word.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos)
      arguments.push_back(completed_by_name(word));
  }
  if (arguments.size() == command.most_arguments) arguments.push_back(Completed::nothing);
  return arguments;
}

Completed completed_value(const OptionInfo& option) {
  return option.type != ValueType::file                   ? Completed::nothing
         : option.value_name == std::string_view("INPUT") ? Completed::inputs
                                                          : Completed::files;
}

bool takes_next_word(const OptionInfo& option) {
  return option.type != ValueType::flag && option.bare_value.empty();
}

std::vector<const OptionInfo*> options_taken(std::string_view command) {
  std::vector<const OptionInfo*> taken;
  for (const OptionInfo& option : option_table()) {
    if (takes_option(command, option.name)) taken.push_back(&option);
  }
  return taken;
}

std::vector<std::string> option_words(const OptionInfo& option) {
  std::vector<std::string> words{fmt::format("--{}", option.name)};
  if (option.letter != 0) words.push_back(fmt::format("-{}", option.letter));
  return words;
}

std::string options_with_values(std::string_view separator) {
  std::vector<std::string> words;
  for (const OptionInfo& option : option_table()) {
    if (!takes_next_word(option)) continue;
    for (std::string& word : option_words(option)) words.push_back(std::move(word));
  }
  return fmt::format("{}", fmt::join(words, separator));
}

std::string_view short_help(const OptionInfo& option) {
  return option.help.substr(0, option.help.find(';'));
}

std::string all_command_names() {
  std::string names;
  for (const CommandInfo& command : command_table())
    names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
  return names;
}

std::string lattice_beginnings(std::string_view prefix) {
  std::string words;
  for (const LatticeShape& shape : lattice_shapes())
    words += fmt::format("{}{}{}:", words.empty() ? "" : " ", prefix, shape.name);
  return words;
}

}  // namespace countpm::app
