#include "apps/options.hpp"

// Values must not be split at commas (file names have them); no argument holds a zero byte.
#define CXXOPTS_VECTOR_DELIMITER '\0'
// Its own scanners in place of its regular expressions, which take half of the program's start to compile.
#define CXXOPTS_NO_REGEX true
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cxxopts.hpp>
#include <numeric>

#include "apps/commands.hpp"
#include "apps/parse_value.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm::app {
namespace {

// What cxxopts collects the other arguments under; no option of ours.
constexpr const char* positional = "positional";

// Commands of the plan that this release does not have yet.

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein distance but for the case of letters, O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string joined(const std::vector<std::string_view>& words, std::string_view before = "") {
  std::string result;
  for (const std::string_view word : words)
    result += fmt::format("{}{}{}", result.empty() ? "" : ", ", before, word);
  return result;
}

// "; did you mean 'X'?", or nothing where no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string_view>& candidates,
                       std::string_view dashes = "") {
  std::size_t best = std::max<std::size_t>(1, std::min<std::size_t>(word.size(), 9) / 3) + 1;
  std::string_view nearest;
  if (word.size() > 64) return "";
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) best = distance, nearest = candidate;
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}{}'?", dashes, nearest);
}

void check_choice(const OptionInfo& option, std::string_view value) {
  if (std::find(option.choices.begin(), option.choices.end(), value) != option.choices.end()) return;
  throw UsageError(fmt::format("--{}: there is no '{}'{}; valid: {}", option.name, quoted(std::string(value)),
                               suggestion(value, option.choices), joined(option.choices)));
}

bool within(const OptionInfo& option, std::string_view value) {
  const auto number = parse_integer(value);
  return number && *number >= option.least && *number <= option.most;
}

void check_value(const OptionInfo& option, std::string_view value) {
  const std::string found = quoted(std::string(value));
  bool good = true;
  switch (option.type) {
    case ValueType::flag:
      good = value == "true";
      break;
    case ValueType::choice:
      check_choice(option, value);
      break;
    case ValueType::choices:
      for (const std::string_view part : split_at_commas(value)) check_choice(option, part);
      break;
    case ValueType::integer:
      good = within(option, value);
      break;
    case ValueType::integers: {
      const auto parts = split_at_commas(value);
      good = std::all_of(parts.begin(), parts.end(),
                         [&](std::string_view part) { return within(option, part); });
      break;
    }
    case ValueType::duration:
      good = parse_duration(value).has_value();
      break;
    case ValueType::bytes:
      good = parse_bytes(value).has_value();
      break;
    case ValueType::range:
      good = parse_range(value).has_value();
      break;
    case ValueType::guarantee:
      good = parse_guarantee(value).has_value();
      break;
    case ValueType::share:
      good = parse_share(value).has_value() || (option.most == 1 && (value == "1" || value == "100%"));
      break;
    case ValueType::text:
      good = !value.empty();
      break;
    case ValueType::file:
      good = !value.empty() && value != "-";
      break;
  }
  if (!good)
    throw UsageError(fmt::format("--{}: expected {}, found '{}'", option.name, value_help(option), found));
}

bool belongs(const OptionInfo& option, std::string_view command) {
  return std::find(option.commands.begin(), option.commands.end(), command) != option.commands.end();
}

// cxxopts puts the name between typographic quotes.
std::string between_quotes(const std::string& message) {
  const std::string_view left = "\u2018";
  const std::string_view right = "\u2019";
  const std::size_t first = message.find(left);
  const std::size_t last = message.rfind(right);
  if (first == std::string::npos || last == std::string::npos || last < first + left.size()) return message;
  return message.substr(first + left.size(), last - first - left.size());
}

[[noreturn]] void throw_unknown_option(std::string name) {
  name.erase(0, name.find_first_not_of('-'));
  std::vector<std::string_view> names;
  for (const OptionInfo& option : option_table()) names.push_back(option.name);
  // countpm::, for std has a quoted(), too, wherever <iomanip> is included.
  throw UsageError(fmt::format("there is no option '{}{}'{}; the options are: {}",
                               name.size() == 1 ? "-" : "--", countpm::quoted(name),
                               suggestion(name, names, "--"), joined(names, "--")));
}

// Whether the word names something in the file system, readable or not.
bool exists(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

// The first word is a command's name, or an input and the command is count.
void choose_command(Request& request) {
  if (request.arguments.empty()) return;
  const std::string word = request.arguments.front();
  if (find_command(word) != nullptr) {
    request.command = word;
    request.arguments.erase(request.arguments.begin());
    return;
  }
  if (word == "-" || word.starts_with("lattice:") || exists(word)) return;
  std::vector<std::string_view> names;
  for (const CommandInfo& command : command_table()) names.push_back(command.name);
  throw UsageError(fmt::format("there is no file and no command '{}'{}; the commands are: {}",
                               quoted(word, 400), suggestion(word, names), command_names()));
}

void check_arguments(const Request& request) {
  const CommandInfo& command = *find_command(request.command);
  const std::size_t given = request.arguments.size();
  if (std::count(request.arguments.begin(), request.arguments.end(), "-") > 1)
    throw UsageError("standard input (-) can be read only once");
  if (given >= command.least_arguments && given <= command.most_arguments) return;
  const std::string found = given == 0 ? "none"
                                       : fmt::format("{} ('{}' is one too many)", given,
                                                     quoted(request.arguments[command.most_arguments], 400));
  throw UsageError(fmt::format("usage: countpm {}; expected {} argument{}, found {}", command.synopsis,
                               command.most_arguments == 0    ? "no"
                               : command.least_arguments == 0 ? "at most one"
                               : command.most_arguments == 2  ? "one or two"
                               : command.most_arguments > 1   ? "one or more"
                                                              : "one",
                               command.most_arguments == 1 ? "" : "s", found));
}

// What is drawn belongs to a picture, and a picture of a sample needs one.
void check_pictures(const Request& request) {
  if (request.draw != DrawKind::automatic && !request.svg)
    throw UsageError("--draw says what --svg FILE draws; give it, too");
  if (request.command == "marginals" &&
      (request.draw == DrawKind::tiles || request.draw == DrawKind::height)) {
    throw UsageError("--draw: of marginals, edges or matrix; tiles and height are pictures of samples");
  }
  if (request.sample.count == 0 && (request.svg || request.heights))
    throw UsageError("--count 0 draws no matching, so that there is none for --svg or --heights");
}

void check_contradictions(const cxxopts::ParseResult& result) {
  constexpr std::array<std::pair<const char*, const char*>, 18> pairs{{{"progress", "no-progress"},
                                                                       {"quiet", "report"},
                                                                       {"quiet", "checks"},
                                                                       {"precision", "arithmetic"},
                                                                       {"json", "csv"},
                                                                       {"exact", "digits"},
                                                                       {"samples", "rel-error"},
                                                                       {"guarantee", "samples"},
                                                                       {"guarantee", "rel-error"},
                                                                       {"guarantee", "confidence"},
                                                                       {"guarantee", "sampler"},
                                                                       {"guarantee", "prune"},
                                                                       {"guarantee", "scale-interval"},
                                                                       {"guarantee", "scale-steps"},
                                                                       {"guarantee", "exact-tail"},
                                                                       {"guarantee", "strata"},
                                                                       {"guarantee", "population"},
                                                                       {"all-sampled", "exact-below"}}};
  for (const auto& [one, other] : pairs) {
    if (result.count(one) > 0 && result.count(other) > 0) {
      throw UsageError(fmt::format("--{} and --{} contradict each other; give one of them", one, other));
    }
  }
}

cxxopts::Options make_parser() {
  cxxopts::Options parser("countpm");
  for (const OptionInfo& option : option_table()) {
    const std::string names =
        option.letter == 0 ? std::string(option.name) : fmt::format("{},{}", option.letter, option.name);
    if (option.type == ValueType::flag) {
      parser.add_options()(names, "", cxxopts::value<std::string>()->implicit_value("true"));
    } else if (!option.bare_value.empty()) {
      parser.add_options()(
          names, "",
          cxxopts::value<std::vector<std::string>>()->implicit_value(std::string(option.bare_value)));
    } else {
      parser.add_options()(names, "", cxxopts::value<std::vector<std::string>>());
    }
  }
  parser.add_options()(positional, "", cxxopts::value<std::vector<std::string>>());
  parser.parse_positional({positional});
  return parser;
}

/// "--progress json" as "--progress=json": an option that may stand alone takes the next word only where that
/// is one of its values.
std::vector<std::string> with_values_joined(int argc, const char* const* argv) {
  std::vector<std::string> words;
  bool options = true;
  for (int i = 0; i < argc; ++i) {
    words.emplace_back(argv[i]);
    options = options && words.back() != "--";
    if (!options || i + 1 == argc) continue;
    for (const OptionInfo& option : option_table()) {
      if (option.bare_value.empty() || words.back() != "--" + std::string(option.name)) continue;
      if (std::find(option.choices.begin(), option.choices.end(), argv[i + 1]) == option.choices.end())
        continue;
      words.back() += "=" + std::string(argv[++i]);
      break;
    }
  }
  return words;
}

void apply_options(Request& request, const cxxopts::ParseResult& result) {
  for (const OptionInfo& option : option_table()) {
    const std::string name(option.name);
    const std::size_t times = result.count(name);
    if (times == 0) continue;
    if (!belongs(option, request.command)) {
      throw UsageError(fmt::format("--{} is no option of {}; it belongs to: {}", name, request.command,
                                   joined(option.commands)));
    }
    if (times > 1 && !option.repeatable) throw UsageError(fmt::format("--{} is given {} times", name, times));
    const std::vector<std::string> values = option.type == ValueType::flag
                                                ? std::vector<std::string>{result[name].as<std::string>()}
                                                : result[name].as<std::vector<std::string>>();
    for (const std::string& value : values) {
      check_value(option, value);
      option.apply(request, value);
      request.given.emplace_back(name, value);
    }
  }
}

/// COUNTPM_EMULATED_GPUS=N: GPUs that are emulated on the CPU, for tests where there are none (docs/gpu.md).
void read_environment(Request& request) {
  const char* const emulated = std::getenv("COUNTPM_EMULATED_GPUS");
  if (emulated == nullptr) return;
  constexpr std::uint64_t most = 64;
  const auto number = parse_integer(emulated);
  if (!number || *number > most)
    throw UsageError(fmt::format("COUNTPM_EMULATED_GPUS={}: expected a whole number from 0 to {}",
                                 quoted(emulated), most));
  if (*number > 0 && !has_emulated_gpu())
    throw UsageError(
        fmt::format("COUNTPM_EMULATED_GPUS={}: this program has no emulated GPU; the target "
                    "countpm_emulated of a build with tests has (docs/gpu.md)",
                    quoted(emulated)));
  request.count.emulated_gpus = static_cast<int>(*number);
}

}  // namespace

bool takes_option(std::string_view command, std::string_view name) {
  const std::vector<OptionInfo>& table = option_table();
  return std::any_of(table.begin(), table.end(), [&](const OptionInfo& option) {
    return option.name == name && belongs(option, command);
  });
}

void apply_option(Request& request, const std::string& name, const std::string& value) {
  for (const OptionInfo& option : option_table()) {
    if (option.name != name) continue;
    check_value(option, value);
    option.apply(request, value);
    return;
  }
  throw_unknown_option(name);
}

Request parse_command_line(int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (std::string_view(argv[i]).starts_with("--positional")) throw_unknown_option(positional);
  }
  Request request;
  cxxopts::Options parser = make_parser();
  try {
    const std::vector<std::string> joined = with_values_joined(argc, argv);
    std::vector<const char*> words;
    words.reserve(joined.size());
    for (const std::string& word : joined) words.push_back(word.c_str());
    const cxxopts::ParseResult result = parser.parse(static_cast<int>(words.size()), words.data());
    if (result.count(positional) > 0) request.arguments = result[positional].as<std::vector<std::string>>();
    choose_command(request);
    apply_options(request, result);
    read_environment(request);
    check_contradictions(result);
    check_pictures(request);
    if (!request.help && !request.version) check_arguments(request);
  } catch (const cxxopts::exceptions::no_such_option& error) {
    throw_unknown_option(between_quotes(error.what()));
  } catch (const cxxopts::exceptions::invalid_option_syntax& error) {
    throw_unknown_option(between_quotes(error.what()));
  } catch (const cxxopts::exceptions::missing_argument& error) {
    throw UsageError(fmt::format("--{} needs a value", quoted(between_quotes(error.what()))));
  } catch (const cxxopts::exceptions::exception& error) {
    throw UsageError(quoted(error.what(), 400));
  }
  return request;
}

}  // namespace countpm::app
