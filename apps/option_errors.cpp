#include "apps/option_errors.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "apps/commands.hpp"
#include "apps/complete.hpp"
#include "apps/help_topics.hpp"
#include "apps/missing_options.hpp"
#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/nearest_word.hpp"

namespace countpm::app {
namespace {

std::vector<std::string_view> command_names() {
  std::vector<std::string_view> names;
  for (const CommandInfo& command : command_table()) {
    if (command.group != CommandGroup::hidden) names.push_back(command.name);
  }
  return names;
}

bool is_shape(std::string_view word) {
  const std::vector<LatticeShape>& shapes = lattice_shapes();
  return std::any_of(shapes.begin(), shapes.end(), [&](const LatticeShape& one) { return one.name == word; });
}

/// Names that other programs have for an option, or that countpm had, and what it is called now.
struct Habit {
  std::string_view name;
  std::string_view ours;
};
constexpr std::array<Habit, 24> habits{{{"verbose", "--report"},
                                        {"jobs", "--threads"},
                                        {"nproc", "--threads"},
                                        {"timeout", "--time-limit"},
                                        {"silent", "--quiet"},
                                        {"force", "--overwrite"},
                                        {"algorithm", "--method"},
                                        {"out", "--output"},
                                        {"directed", "--kind directed"},
                                        {"weighted", "--weights"},
                                        {"permanent", "--kind bipartite"},
                                        {"plot", "--svg"},
                                        {"checks", "--report checks"},
                                        {"no-progress", "--progress none"},
                                        {"precision", "--arithmetic BITS"},
                                        {"rel-error", "--error"},
                                        {"edge-error", "--error"},
                                        {"log-error", "--ln-error"},
                                        {"log-weights", "--ln-weights"},
                                        {"limit", "--number"},
                                        {"count", "--number"},
                                        {"ratio", "--ratio-to"},
                                        {"ratio", "--ratio-to-first"}}};

/// The command that argv names; count where it names none.
std::string command_of(const std::vector<std::string>& argv) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    if (!argv[i].starts_with('-')) return find_command(argv[i]) != nullptr ? argv[i] : "count";
  }
  return "count";
}

/// The word of argv in which the option stands, without its value.
std::string word_of_option(const std::string& name, const std::vector<std::string>& argv) {
  for (std::size_t i = 1; i < argv.size() && argv[i] != "--"; ++i) {
    std::string word = argv[i].substr(0, argv[i].find('='));
    if (word == "--" + name) return word;
    const bool letters = word.size() > 1 && word[0] == '-' && word[1] != '-';
    if (letters && name.size() == 1 && word.find(name, 1) != std::string::npos) return word;
  }
  return (name.size() == 1 ? "-" : "--") + name;
}

std::string joined(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view found = nearest_word(word, candidates);
  return found.empty() ? "" : fmt::format("; did you mean '{}'?", found);
}

std::string meant_lattice(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos || colon + 1 == word.size()) return {};
  const std::string_view first = word.substr(0, colon);
  if (is_shape(first)) return fmt::format("lattice:{}", word);
  constexpr std::size_t two = 2;
  if (typing_distance(first, "lattice") <= two) return fmt::format("lattice{}", word.substr(colon));
  return {};
}

std::string where_to_look(std::string_view command) {
  return command.empty() ? "see 'countpm help'" : fmt::format("see 'countpm help {}'", command);
}

bool input_waits() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISREG(status.st_mode));
}

void throw_unknown_word(const std::vector<std::string>& arguments) {
  const std::string& word = arguments.front();
  const std::string shown = quoted(word, 400);
  std::string lattice = meant_lattice(word);
  if (lattice.empty() && is_shape(word) && arguments.size() > 1)
    lattice = fmt::format("lattice:{}:{}", word, arguments[1]);
  if (!lattice.empty()) {
    throw UsageError(fmt::format("there is no file '{}'; did you mean '{}'?", shown, quoted(lattice, 400)));
  }
  const std::string meant = suggestion(word, command_names());
  if (!meant.empty()) throw UsageError(fmt::format("there is no file and no command '{}'{}", shown, meant));
  if (arguments.size() > 1 || word.empty())
    throw UsageError(fmt::format("there is no command '{}'; {}", shown, where_to_look("")));
  throw UsageError(fmt::format("{}: No such file or directory, and no command has that name; {}", shown,
                               where_to_look("")));
}

void throw_unknown_command(const std::string& word) {
  std::vector<std::string_view> names = command_names();
  for (const HelpTopic& topic : help_topics()) names.push_back(topic.name);
  const std::string meant = suggestion(word, names);
  throw UsageError(fmt::format("there is no command '{}'{}", quoted(word),
                               meant.empty() ? fmt::format("; the commands are: {}; other topics: {}",
                                                           joined(command_names()), topic_names(", "))
                                             : meant));
}

void throw_unknown_option(const std::string& typed, const std::vector<std::string>& argv) {
  const std::string command = command_of(argv);
  const std::string name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  const std::string word = word_of_option(name, argv);
  const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::vector<std::string_view> own;
  std::vector<std::string_view> others;
  std::string meant;
  for (const OptionInfo& option : option_table()) {
    (option.questions.has(question_of(command)) ? own : others).push_back(option.name);
    if (bare.size() == 1 && option.letter == bare[0]) meant = fmt::format("-{}", option.letter);
  }
  if (meant.empty() && bare.size() > 1) {
    for (const Habit& habit : habits) {
      if (bare == habit.name && takes_option(command, habit.ours.substr(2, habit.ours.find(' ') - 2)))
        meant = habit.ours;
    }
  }
  if (meant.empty() && bare.size() > 1) {
    std::string_view found = nearest_word(bare, own);
    if (found.empty()) found = nearest_word(bare, others);
    if (!found.empty()) meant = fmt::format("--{}", found);
  }
  // "-method": where nothing is meant by the whole word, it is a letter that is wrong.
  const bool letters = word.size() > 2 && word[1] != '-';
  const std::string shown = letters && meant.empty() ? fmt::format("-{}", name) : word;
  throw UsageError(fmt::format("there is no option '{}'; {}ee 'countpm help {}'", countpm::quoted(shown),
                               meant.empty() ? "s" : fmt::format("did you mean '{}'? S", meant), command));
}

void throw_missing_value(const std::string& name) {
  for (const OptionInfo& option : option_table()) {
    if (option.name == name || (name.size() == 1 && option.letter == name[0]))
      throw UsageError(
          fmt::format("--{} needs a value: --{} {}", option.name, option.name, option.value_name));
  }
  throw UsageError(fmt::format("--{} needs a value", quoted(name)));
}

void throw_foreign_option(const OptionInfo& option, const std::string& command) {
  constexpr std::size_t few = 4;
  std::vector<std::string_view> shown = commands_of(option.questions);
  std::string more;
  if (shown.size() > few + 1) {
    more = fmt::format(" and {} others", shown.size() - few);
    shown.resize(few);
  }
  const std::string_view why = why_missing(option.name, command);
  throw UsageError(fmt::format("--{} is not an option of {}, but of {}{}{}{}; {}", option.name, command,
                               joined(shown), more, why.empty() ? "" : "; ", why, where_to_look(command)));
}

void throw_unknown_choice(const OptionInfo& option, const std::string& value) {
  const std::vector<std::string_view>& all = find_option(option.name)->choices;
  if (option.type == ValueType::choice && std::find(all.begin(), all.end(), value) != all.end())
    throw UsageError(fmt::format("--{} {} does not belong to this command; valid: {}", option.name, value,
                                 joined(option.choices)));
  std::string valid = joined(option.choices);
  if (option.type == ValueType::choice_or_integer) valid = value_help(option);
  std::string hint = suggestion(value, option.choices);
  if (option.name == "format" && value == "html")
    hint = fmt::format(" of input; for output there is --{}", value);
  throw UsageError(fmt::format("--{}: there is no '{}'{}{}: {}", option.name, quoted(value), hint,
                               hint.ends_with('?') ? " Valid" : "; valid", valid));
}

void throw_wrong_arguments(const Request& request) {
  const CommandInfo& command = *find_command(request.command);
  const std::vector<std::string>& given = request.arguments;
  if (given.empty() && argument_of(command, 0).find("INPUT") != std::string_view::npos && input_waits()) {
    throw UsageError(fmt::format("no input is named: - stands for standard input, as in 'countpm {}-'; {}",
                                 request.command_named ? request.command + " " : "",
                                 where_to_look(request.command)));
  }
  if (given.empty() && !request.command_named && request.report)
    throw UsageError("no input is named (-v is --report; 'countpm -V' shows the version); " +
                     where_to_look(""));
  if (request.command == "lattice" && given.size() == 2 && is_shape(given[0])) {
    throw UsageError(fmt::format("one argument too many, '{}'; did you mean 'countpm lattice {}:{}'?",
                                 quoted(given[1], 400), given[0], quoted(given[1], 400)));
  }
  if (given.size() > 1 && request.command == "explain" && request.count.proof)
    throw UsageError(
        fmt::format("explain writes no file, and takes --proof without one; '{}' is one too many",
                    quoted(given[1], 400)));
  if (given.size() > 1 && (request.command == "count" || request.command == "explain")) {
    throw UsageError(
        fmt::format("one input is counted at a time, and '{}' is one too many; 'countpm many' takes "
                    "several; {}",
                    quoted(given[1], 400), where_to_look(request.command)));
  }
  std::string found = given.empty() ? "none" : std::to_string(given.size());
  if (given.size() > command.most_arguments)
    found += fmt::format(" ('{}' is one too many)", quoted(given[command.most_arguments], 400));
  throw UsageError(
      fmt::format("usage: countpm {}; expected {} argument{}, found {}; {}", command.synopsis,
                  command.most_arguments == 0    ? "no"
                  : command.least_arguments == 0 ? "at most one"
                  : command.most_arguments == 2  ? command.least_arguments == 2 ? "two" : "one or two"
                  : command.most_arguments > 1   ? "one or more"
                                                 : "one",
                  command.most_arguments == 1 ? "" : "s", found, where_to_look(request.command)));
}

}  // namespace countpm::app
