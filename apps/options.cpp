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

#include "apps/commands.hpp"
#include "apps/option_errors.hpp"
#include "apps/parse_value.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/text.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm::app {
namespace {

// What cxxopts collects the other arguments under; no option of ours.
constexpr const char* positional = "positional";

void check_choice(const OptionInfo& option, std::string_view value) {
  if (std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end())
    throw_unknown_choice(option, std::string(value));
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
      for (const std::string_view part : split(value, ',')) check_choice(option, part);
      break;
    case ValueType::choice_or_integer:
      if (!within(option, value)) check_choice(option, value);
      break;
    case ValueType::integer:
      good = within(option, value);
      break;
    case ValueType::integers: {
      const auto parts = split(value, ',');
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
    case ValueType::weight:
      good = is_weight_or_letter(value, option.unknown);
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

// cxxopts puts the name between typographic quotes, as from 3.2 on between plain ones.
std::string between_quotes(const std::string& message) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> quotes = {
      {{"\u2018", "\u2019"}, {"'", "'"}}};
  for (const auto& [left, right] : quotes) {
    const std::size_t first = message.find(left);
    const std::size_t last = message.rfind(right);
    if (first != std::string::npos && last != std::string::npos && last >= first + left.size())
      return message.substr(first + left.size(), last - first - left.size());
  }
  return message;
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
    request.command_named = true;
    request.arguments.erase(request.arguments.begin());
    return;
  }
  if (word == "-" || word.starts_with("lattice:") || exists(word)) return;
  // What looks like a file's name is opened, which says why that cannot be.
  const bool file_like = word.find_first_of("./") != std::string::npos && meant_lattice(word).empty();
  if (!file_like) throw_unknown_word(request.arguments);
}

void check_arguments(const Request& request) {
  const CommandInfo& command = *find_command(request.command);
  const std::size_t given = request.arguments.size();
  if (request.command == "complete") return;
  if (std::count(request.arguments.begin(), request.arguments.end(), "-") > 1)
    throw UsageError("standard input (-) can be read only once");
  if (given < command.least_arguments || given > command.most_arguments) throw_wrong_arguments(request);
  if (request.command == "lattice" || request.command == "help") return;
  for (const std::string& argument : request.arguments) {
    if (argument.starts_with("lattice:") || meant_lattice(argument).empty() || exists(argument)) continue;
    throw_unknown_word({argument});
  }
}

void check_pictures(const Request& request) {
  if (request.command == "sample" && request.sample.count == 0 && (request.svg || request.heights))
    throw UsageError("--number 0 draws no matching, so that there is none for --svg or --heights");
}

// A coefficient is one of a polynomial, which is no single number.
void check_monomers(const Request& request) {
  const bool polynomial = request.read.monomers == monomer_letter;
  const std::string& ring_weight = request.read.ring_weight;
  const bool of_rings = !request.read.rings.empty() && (ring_weight.empty() || ring_weight == ring_letter);
  if (request.power && !polynomial && !of_rings)
    throw UsageError(
        fmt::format("--power is of a polynomial; give --monomers {} or --rings without --ring-weight, too",
                    monomer_letter));
  if (of_rings && request.command == "many")
    throw UsageError("a row of a table has one number, and --rings gives several; give --ring-weight, too");
  if (polynomial && request.command == "many")
    throw UsageError(
        "a row of a table has one number, and the matching polynomial has several; give --monomers a weight");
}

// A list of sets is a format, and so has an ending and --format, too.
void settle_hyper(Request& request) {
  if (!request.hyper) return;
  if (request.read.format.value_or(Format::hyper) != Format::hyper)
    throw UsageError(
        fmt::format("--kind hyper reads sets of vertices, one per line; --format {} is something else",
                    name_of(*request.read.format)));
  request.read.format = Format::hyper;
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
/// is one of its values. files_stay: and where no file has that name.
std::vector<std::string> with_values_joined(int argc, const char* const* argv, bool files_stay) {
  std::vector<std::string> words;
  bool options = true;
  const bool only_explains =
      argc > 1 && (std::string_view(argv[1]) == "explain" ||
                   std::find(argv, argv + argc, std::string_view("--explain")) != argv + argc);
  for (int i = 0; i < argc; ++i) {
    words.emplace_back(argv[i]);
    options = options && words.back() != "--";
    if (!options || i + 1 == argc) continue;
    for (const OptionInfo& option : option_table()) {
      if (option.bare_value.empty() || words.back() != "--" + std::string(option.name)) continue;
      // Of files: explain makes none.
      const bool is_value =
          option.type == ValueType::file ? !only_explains && !std::string_view(argv[i + 1]).starts_with("-")
          : option.type == ValueType::weight
              ? is_meant_as_weight(argv[i + 1], option.unknown) &&
                    !(exists(argv[i + 1]) && !is_weight_or_letter(argv[i + 1], option.unknown))
              : std::find(option.choices.begin(), option.choices.end(), argv[i + 1]) != option.choices.end();
      if (!is_value || (files_stay && option.type != ValueType::file && exists(argv[i + 1]))) continue;
      words.back() += "=" + std::string(argv[++i]);
      break;
    }
  }
  return words;
}

void apply(const OptionInfo& option, Request& request, std::string_view value) {
  option.apply(request, value);
  if (option.asks) request.asked = request.asked | *option.asks;
}

/// In the order of the command line. Of an option that is not repeatable the last one counts.
void apply_options(Request& request, const cxxopts::ParseResult& result) {
  // 'countpm INPUT --explain' is 'countpm explain INPUT'.
  const bool explained = request.command == "count" && result.count("explain") > 0;
  if (explained) request.command = "explain";
  const Question question = question_of(request.command);
  for (const cxxopts::KeyValue& typed : result.arguments()) {
    const OptionInfo* const option = find_option(typed.key());
    if (option == nullptr) continue;  // an argument
    if (explained && option->name == "explain") {
      check_value(*option, typed.value());
      continue;
    }
    if (!option->questions.has(question)) throw_foreign_option(*option, request.command);
    const bool no_file =
        option->type == ValueType::file && !option->bare_value.empty() && typed.value() == option->bare_value;
    if (no_file && question != Question::explain)
      throw UsageError(fmt::format("--{0}: expected a file's name behind it: --{0} {1}", option->name,
                                   option->value_name));
    if (!no_file && question == Question::explain && !option->bare_value.empty() &&
        option->type == ValueType::file)
      throw UsageError(
          fmt::format("--{0}: explain writes no file, and takes --{0} without one; 'countpm count' writes it",
                      option->name));
    if (!no_file) check_value(for_command(*option, request.command), typed.value());
    apply(*option, request, typed.value());
    if (!option->repeatable)
      std::erase_if(request.given, [&](const auto& given) { return given.first == typed.key(); });
    request.given.emplace_back(typed.key(), typed.value());
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

bool is_given(const Request& request, std::string_view option) {
  return std::any_of(request.given.begin(), request.given.end(),
                     [&](const auto& given) { return given.first == option; });
}

const OptionInfo* find_option(std::string_view name) {
  for (const OptionInfo& option : option_table()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

bool takes_option(std::string_view command, std::string_view name) {
  const OptionInfo* const option = find_option(name);
  return option != nullptr && option->questions.has(question_of(command));
}

bool could_take(const Request& request, std::string_view name) {
  return find_option(name)->questions.has_all(request.asked | question_of(request.command));
}

void apply_option(Request& request, const std::string& name, const std::string& value) {
  const OptionInfo* const option = find_option(name);
  if (option == nullptr) throw_unknown_option(name, {});
  check_value(*option, value);
  apply(*option, request, value);
}

std::vector<std::pair<std::string, std::string>> kept_options(const Request& request) {
  std::vector<std::pair<std::string, std::string>> kept;
  for (const auto& given : request.given) {
    if (find_option(given.first)->kept) kept.push_back(given);
  }
  return kept;
}

void apply_kept_options(Request& request, const std::vector<std::pair<std::string, std::string>>& options,
                        const std::string& file) {
  for (const auto& [name, value] : options) {
    // A count that is beyond its limits may have left its checkpoint to an estimate.
    const bool taken = takes_option("count", name) || takes_option("estimate", name);
    if (!taken || !find_option(name)->kept)
      throw InputError(file, 0, "options that a checkpoint keeps", fmt::format("--{}", quoted(name)));
    apply_option(request, name, value);
  }
}

Request parse_command_line(int argc, const char* const* argv) {
  const std::vector<std::string> typed(argv, argv + argc);
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (std::string_view(argv[i]).starts_with("--positional")) throw_unknown_option(positional, typed);
  }
  Request request;
  cxxopts::Options parser = make_parser();
  try {
    const auto parsed = [&](bool files_stay) {
      const std::vector<std::string> joined = with_values_joined(argc, argv, files_stay);
      std::vector<const char*> words;
      words.reserve(joined.size());
      for (const std::string& word : joined) words.push_back(word.c_str());
      cxxopts::ParseResult result = parser.parse(static_cast<int>(words.size()), words.data());
      request.arguments.clear();
      if (result.count(positional) > 0) request.arguments = result[positional].as<std::vector<std::string>>();
      choose_command(request);
      return result;
    };
    cxxopts::ParseResult result = parsed(false);
    // 'countpm --monomers t', where a file is called t, is about that file.
    if (request.arguments.size() < find_command(request.command)->least_arguments) result = parsed(true);
    apply_options(request, result);
    read_environment(request);
    check_options(request);
    check_pictures(request);
    settle_hyper(request);
    check_monomers(request);
    if (!request.help && !request.version) check_arguments(request);
  } catch (const cxxopts::exceptions::no_such_option& error) {
    throw_unknown_option(between_quotes(error.what()), typed);
  } catch (const cxxopts::exceptions::invalid_option_syntax& error) {
    throw_unknown_option(between_quotes(error.what()), typed);
  } catch (const cxxopts::exceptions::missing_argument& error) {
    throw_missing_value(between_quotes(error.what()));
  } catch (const cxxopts::exceptions::exception& error) {
    throw UsageError(quoted(error.what(), 400));
  }
  return request;
}

}  // namespace countpm::app
