// countpm help: made from the tables of commands and options.
#include "apps/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>

#include "apps/complete.hpp"
#include "apps/exit_codes.hpp"
#include "apps/help_topics.hpp"
#include "apps/manual.hpp"
#include "apps/option_errors.hpp"
#include "apps/output.hpp"
#include "apps/text.hpp"
#include "graph/lattices/lattice.hpp"

namespace countpm::app {
namespace {

struct GroupTitle {
  CommandGroup group;
  std::string_view title;
};
constexpr std::array<GroupTitle, 6> group_titles{{{CommandGroup::count, "Count"},
                                                  {CommandGroup::estimate, "Estimate"},
                                                  {CommandGroup::matchings, "Matchings"},
                                                  {CommandGroup::tables, "Pictures and tables"},
                                                  {CommandGroup::long_runs, "Long runs"},
                                                  {CommandGroup::about, "About"}}};

constexpr std::array<CommandExample, 5> first_examples{
    {{"countpm graph.edgelist", "how many perfect matchings it has"},
     {"countpm lattice:square:8x8", "domino tilings of a chessboard"},
     {"countpm explain matrix.mtx", "how long a count would take"},
     {"countpm estimate matrix.mtx", "an estimate with its error"},
     {"countpm sample lattice:aztec:9 --svg a.svg", "draws a random tiling"}}};

std::string option_text(const OptionInfo& option, std::string_view command, std::size_t width) {
  std::string about(help_of(option, command));
  if (const std::string values = short_value_help(for_command(option, command)); !values.empty())
    about += fmt::format(" [{}]", values);
  if (const std::string_view value = default_of(option, command); !value.empty())
    about += fmt::format(" (default {})", value);
  constexpr std::size_t column = 28;
  return help_entry("  " + spelling(option), about, column, width);
}

/// The command's own options, then those of each section.
std::string options_of(std::string_view command, std::size_t width) {
  std::string own;
  std::string shared;
  for (const OptionSection& section : option_sections()) {
    std::string text;
    for (const OptionInfo& option : section.options) {
      if (option.questions.has(question_of(command))) text += option_text(option, command, width);
    }
    if (section.own) {
      own += text;
    } else if (!text.empty()) {
      shared += fmt::format("\n{}:\n{}", section.title, text);
    }
  }
  if (!own.empty()) own = fmt::format("\nOptions of {}:\n{}", command, own);
  return own + shared;
}

template <class Examples>
std::string examples_text(const Examples& examples, std::size_t width) {
  std::size_t column = 0;
  for (const CommandExample& example : examples) {
    const std::size_t wide = display_width(example.command) + 4;
    if (wide <= width / 2 + 8) column = std::max(column, wide);
  }
  if (column == 0) column = 6;
  std::string text;
  for (const CommandExample& example : examples)
    text += help_entry(fmt::format("  {}", example.command), example.meaning, column, width);
  return text;
}

std::string exit_help() {
  std::string text = "Exit codes: ";
  for (const ExitMeaning& exit : exit_meanings())
    text += fmt::format("{}{} {}", exit.code == 0 ? "" : "; ", exit.code, exit.meaning);
  return text + ".";
}

using CommandNames = std::vector<std::string_view>;

CommandNames without(const CommandNames& names, const CommandNames& left_out) {
  CommandNames kept;
  std::copy_if(names.begin(), names.end(), std::back_inserter(kept), [&](std::string_view name) {
    return std::find(left_out.begin(), left_out.end(), name) == left_out.end();
  });
  return kept;
}

/// An option's commands as they differ from the usual ones, or all of them if that is shorter.
std::string commands_beside(const CommandNames& usual, const CommandNames& names) {
  std::size_t others = 0;
  for (const CommandInfo& command : command_table()) others += command.group != CommandGroup::hidden ? 1 : 0;
  if (names.size() >= others) return "all";
  const CommandNames more = without(names, usual);
  const CommandNames fewer = without(usual, names);
  if (usual.empty() || more.size() + fewer.size() >= names.size())
    return fmt::format("{}", fmt::join(names, ", "));
  std::string text = fewer.empty() ? "" : fmt::format("not {}", fmt::join(fewer, ", "));
  if (!more.empty()) text += fmt::format("{}also {}", text.empty() ? "" : "; ", fmt::join(more, ", "));
  return text;
}

/// The commands that make the section's table shortest when they go without saying.
CommandNames usual_commands(const OptionSection& section) {
  CommandNames usual;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const auto try_out = [&](const CommandNames& names) {
    std::size_t length = fmt::format("{}", fmt::join(names, ", ")).size();
    for (const OptionInfo& option : section.options)
      length += commands_beside(names, commands_of(option.questions)).size();
    if (length >= least) return;
    least = length;
    usual = names;
  };
  try_out({});
  for (const OptionInfo& option : section.options) try_out(commands_of(option.questions));
  return usual;
}

/// What an option takes, and its default.
std::string values_of(const OptionInfo& option) {
  std::string text = option.type == ValueType::range ? value_help(option) : short_value_help(option);
  if (option.type == ValueType::choice || option.type == ValueType::choice_or_integer) {
    text.clear();
    for (const std::string_view choice : option.choices)
      text += fmt::format("{}`{}`", text.empty() ? "" : ", ", choice);
    if (option.type == ValueType::choice_or_integer)
      text += fmt::format(", or {} to {}", option.least, option.most);
  }
  if (!option.default_value.empty())
    text += fmt::format("{}default `{}`", text.empty() ? "" : "; ", option.default_value);
  return text;
}

bool counts(const CommandInfo& command) {
  return command.group < CommandGroup::about && command.name != "lattice";
}

}  // namespace

std::string help_entry(const std::string& name, std::string_view text, std::size_t column,
                       std::size_t width) {
  const std::string rest(column, ' ');
  if (text.empty()) return name + "\n";
  if (display_width(name) + 2 <= column) return wrap(text, width, fmt::format("{:<{}}", name, column), rest);
  return name + "\n" + wrap(text, width, rest, rest);
}

std::string option_entries(const std::vector<std::string_view>& names, std::string_view command,
                           std::size_t width) {
  std::string text;
  for (const std::string_view name : names) text += option_text(*find_option(name), command, width);
  return text;
}

const std::string_view input_help =
    "INPUT is a file, - for standard input, or a lattice such as lattice:square:8x8 ('countpm help lattice' "
    "lists the shapes). The file's ending says which format it has, and the content is checked; standard "
    "input is recognised by its content. 'countpm formats' lists the formats.";

const std::vector<ExitMeaning>& exit_meanings() {
  static const std::vector<ExitMeaning> meanings{
      {exit_code::done, "done"},
      {exit_code::internal_fault, "internal fault, or output that cannot be written"},
      {exit_code::bad_usage, "bad usage or bad input"},
      {exit_code::unable, "beyond the limits, or no method can do it"},
      {exit_code::check_failed, "a check on the result failed"},
      {exit_code::not_verified, "not verified, or in part only (verify)"},
      {exit_code::units_missing, "units are missing (merge)"},
      {exit_code::interrupted, "interrupted by Ctrl-C"},
      {exit_code::terminated, "ended by SIGTERM"}};
  return meanings;
}

std::string general_help(std::size_t width) {
  std::string text =
      wrap("countpm counts perfect matchings of graphs and cycle covers of digraphs.", width, "", "");
  text +=
      "\nUsage: countpm INPUT [options]        INPUT: a file, a lattice, or - for a pipe\n"
      "       countpm COMMAND ...\n\nExamples:\n";
  text += examples_text(first_examples, width);
  text += "\nCommands:\n";
  for (const auto& [group, title] : group_titles) {
    std::string names;
    for (const CommandInfo& command : command_table()) {
      if (command.group != group) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", command.name);
      if (!command.gloss.empty()) names += fmt::format(" ({})", command.gloss);
    }
    constexpr std::size_t column = 23;
    text += help_entry(fmt::format("  {}", title), names, column, width);
  }
  return text + "\n" +
         wrap(fmt::format("'countpm help COMMAND' shows its options; topics: {}.", topic_names(", ")), width,
              "", "");
}

std::string lattice_help(std::size_t width) {
  std::string text = "Lattices:\n";
  for (const LatticeShape& shape : lattice_shapes()) {
    constexpr std::size_t column = 30;
    text += help_entry(fmt::format("  {}:{}", shape.name, shape.sizes), shape.help, column, width);
  }
  text += '\n';
  text += wrap(
      "A lattice is written lattice:SHAPE:SIZES, such as lattice:square:8x8. After it may stand "
      ":weights=W1,W2,... (one per direction of edges: right,down for square) and "
      ":remove=LABEL+LABEL+... (sites to leave out: r0c0+r7c7). docs/lattices.md shows each shape.",
      width, "", "");
  return text;
}

std::string command_help(const CommandInfo& command, std::size_t width) {
  std::string text = fmt::format("Usage: countpm {}\n\n", command.synopsis);
  std::string help(command.help);
  if (!help.empty() && help[0] >= 'a' && help[0] <= 'z') help[0] = static_cast<char>(help[0] - 'a' + 'A');
  text += wrap(help + ".", width, "", "");
  if (command.synopsis.find("INPUT") != std::string_view::npos && command.name != "verify")
    text += "\n" + wrap(input_help, width, "", "");
  if (!command.examples.empty()) text += "\nExamples:\n" + examples_text(command.examples, width);
  if (command.name == "lattice") text += "\n" + lattice_help(width);
  if (command.name == "formats") text += "\nFormats:\n" + format_lines(width);
  text += options_of(command.name, width);
  if (counts(command)) text += "\n" + wrap(exit_help(), width, "", "");
  return text;
}

std::string options_markdown() {
  std::string text =
      "# Options\n\nMade by `countpm help --markdown` from the tables in apps/option_table.cpp, "
      "apps/own_options.cpp "
      "and apps/questions.cpp; a test compares the two.\n";
  for (const OptionSection& section : option_sections()) {
    const CommandNames usual = usual_commands(section);
    text += fmt::format("\n## {}\n\n", section.title);
    if (!usual.empty())
      text += wrap(fmt::format("Commands, unless a row says otherwise: {}.", fmt::join(usual, ", ")), 160, "",
                   "") +
              "\n";
    text += "| Option | Value | Commands | What it does |\n|---|---|---|---|\n";
    for (const OptionInfo& option : section.options)
      text += fmt::format("| `{}` | {} | {} | {} |\n", spelling(option), values_of(option),
                          commands_beside(usual, commands_of(option.questions)), help_of_all(option));
  }
  text += exclusions_markdown();
  text += "\n# Commands\n\n| Command | What it does |\n|---|---|\n";
  for (const CommandInfo& command : command_table())
    text += fmt::format("| `countpm {}` | {} |\n", command.synopsis, command.help);
  return text;
}

int run_help(const Request& request) {
  const HelpTopic* const topic = request.arguments.empty() ? nullptr : find_topic(request.arguments.front());
  if (request.markdown) {
    write_output(topic != nullptr && topic->markdown != nullptr ? topic->markdown() : options_markdown());
  } else if (request.manual) {
    write_output(manual_page());
  } else if (request.completions) {
    write_output(completion_script(*request.completions));
  } else if (request.arguments.empty()) {
    write_output(general_help(output_width()));
  } else {
    const CommandInfo* const command = find_command(request.arguments.front());
    if (topic != nullptr) {
      write_output(topic->page(output_width()));
      flush_output();
      return 0;
    }
    if (command == nullptr) throw_unknown_command(request.arguments.front());
    write_output(command_help(*command, output_width()));
  }
  flush_output();
  return 0;
}

}  // namespace countpm::app
