#include "apps/options.hpp"

// Values must not be split at commas (file names have them); no argument holds a zero byte.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cxxopts.hpp>
#include <limits>
#include <numeric>

#include "apps/commands.hpp"
#include "apps/parse_value.hpp"
#include "kernels/method.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// What cxxopts collects the other arguments under; no option of ours.
constexpr const char* positional = "positional";

// Commands of the plan that this release does not have yet.
constexpr std::array<std::string_view, 4> later_commands{"estimate", "compare", "sample", "resume"};

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names{"auto"};
  for (const Method* method : exact_methods()) names.push_back(method->name());
  return names;
}

std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const FormatInfo& format : formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string_view> rule_names() {
  std::vector<std::string_view> names;
  for (const RuleInfo& rule : rules()) names.push_back(rule.name);
  return names;
}

std::vector<OptionInfo> make_table() {
  using R = Request&;
  using V = std::string_view;
  using T = ValueType;
  return {
      {"method",
       0,
       T::choice,
       "NAME",
       "auto",
       0,
       0,
       method_names(),
       "count by this method, or refuse with the reason",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.method = v; }},
      {"device",
       0,
       T::choice,
       "NAME",
       "auto",
       0,
       0,
       {"auto", "cpu", "gpu"},
       "where to count; no method has a GPU kernel in this release, so gpu is refused",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.device = v; }},
      {"gpus",
       0,
       T::integer,
       "N",
       "0",
       0,
       64,
       {},
       "how many GPUs to use; above 0 is refused in this release",
       {"count", "explain"},
       false,
       [](R r, V v) { r.gpus = static_cast<int>(*parse_integer(v)); }},
      {"threads",
       0,
       T::integer,
       "N",
       "0",
       0,
       1024,
       {},
       "threads; 0: as many as OpenMP gives. The count never depends on it",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.threads = static_cast<int>(*parse_integer(v)); }},
      {"time-limit",
       0,
       T::duration,
       "TIME",
       "1h",
       0,
       0,
       {},
       "refuse what is predicted to take longer, and stop what does (exit 3)",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.time_limit_seconds = *parse_duration(v); }},
      {"memory-limit",
       0,
       T::bytes,
       "BYTES",
       "",
       1,
       no_limit,
       {},
       "refuse what needs more memory (exit 3); without it: the machine's available memory",
       {"count", "explain", "list"},
       false,
       [](R r, V v) { r.count.memory_limit_bytes = *parse_bytes(v); }},
      {"double-check",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "count again by another method on the transpose, and compare",
       {"count"},
       false,
       [](R r, V) { r.count.double_check = true; }},
      {"no-rule",
       0,
       T::choice,
       "NAME",
       "",
       0,
       0,
       rule_names(),
       "switch a reduction rule off; may be given several times",
       {"count", "explain"},
       true,
       [](R r, V v) { r.count.rules.drop(rule_named(v)); }},
      {"seed",
       0,
       T::integer,
       "N",
       "1",
       0,
       no_limit,
       {},
       "seed of the samples that predict work; never changes a count",
       {"count", "explain"},
       false,
       [](R r, V v) { r.count.seed = *parse_integer(v); }},
      {"arithmetic",
       0,
       T::choice,
       "NAME",
       "kahan",
       0,
       0,
       {"plain", "kahan", "double-double"},
       "floating point for real and complex weights; integers and fractions are always exact",
       {"count", "explain"},
       false,
       [](R r, V v) {
         r.count.floating = v == "plain"   ? FloatChoice::plain
                            : v == "kahan" ? FloatChoice::kahan
                                           : FloatChoice::double_double;
       }},
      {"precision",
       0,
       T::integer,
       "BITS",
       "",
       24,
       1'000'000,
       {},
       "count real and complex weights in MPFR with this many bits, in place of --arithmetic",
       {"count", "explain"},
       false,
       [](R r, V v) {
         r.count.floating = FloatChoice::mpfr;
         r.count.precision_bits = static_cast<unsigned>(*parse_integer(v));
       }},
      {"format",
       0,
       T::choice,
       "NAME",
       "",
       0,
       0,
       format_names(),
       "the input's format; without it: by the file's ending, checked against the content",
       {"count", "explain", "list"},
       false,
       [](R r, V v) { r.read.format = format_named(v); }},
      {"as",
       0,
       T::choice,
       "KIND",
       "",
       0,
       0,
       {"bipartite", "directed", "undirected"},
       "the kind of graph; without it: what the format says, undirected for an edge list",
       {"count", "explain", "list"},
       false,
       [](R r, V v) {
         r.read.as = v == "bipartite"  ? GraphKind::bipartite
                     : v == "directed" ? GraphKind::directed
                                       : GraphKind::undirected;
       }},
      {"weights",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "sum the products of the input's weights; without it every edge counts 1",
       {"count", "explain"},
       false,
       [](R r, V) { r.read.weights = true; }},
      {"multi",
       0,
       T::choice,
       "POLICY",
       "reject",
       0,
       0,
       {"reject", "sum"},
       "parallel edges: an error, or add them up",
       {"count", "explain", "list"},
       false,
       [](R r, V v) { r.read.multi = v == "sum" ? MultiPolicy::sum : MultiPolicy::reject; }},
      {"loops",
       0,
       T::choice,
       "POLICY",
       "reject",
       0,
       0,
       {"reject", "drop"},
       "loops of an undirected graph: an error, or leave them out (in a directed graph a loop is a cycle)",
       {"count", "explain", "list"},
       false,
       [](R r, V v) { r.read.loops = v == "drop" ? LoopPolicy::drop : LoopPolicy::reject; }},
      {"limit",
       0,
       T::integer,
       "N",
       "",
       0,
       no_limit,
       {},
       "stop after N matchings",
       {"list"},
       false,
       [](R r, V v) { r.limit = *parse_integer(v); }},
      {"range",
       0,
       T::range,
       "A..B",
       "1..",
       0,
       0,
       {},
       "only the matchings number A to B, counted from 1",
       {"list"},
       false,
       [](R r, V v) {
         const NumberRange range = *parse_range(v);
         r.list.first = range.first;
         r.list.last = range.last;
       }},
      {"json",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write JSON to standard output (docs/json.md)",
       {"count", "explain", "list", "methods"},
       false,
       [](R r, V) { r.json = true; }},
      {"report",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write the report to standard error even when that is no terminal",
       {"count", "list"},
       false,
       [](R r, V) { r.report = true; }},
      {"checks",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write the report with every check and what it compared",
       {"count"},
       false,
       [](R r, V) { r.checks = true; }},
      {"quiet",
       'q',
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "no report and no progress bar",
       {"count", "list"},
       false,
       [](R r, V) { r.quiet = true; }},
      {"progress",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "show progress on standard error even when that is no terminal: a line every 10 seconds",
       {"count"},
       false,
       [](R r, V) { r.progress = true; }},
      {"no-progress",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "no progress bar",
       {"count"},
       false,
       [](R r, V) { r.no_progress = true; }},
      {"markdown",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "write docs/options.md",
       {"help"},
       false,
       [](R r, V) { r.markdown = true; }},
      {"help",
       'h',
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "the command's help",
       {"count", "explain", "list", "lattice", "methods", "version", "help"},
       false,
       [](R r, V) { r.help = true; }},
      {"version",
       0,
       T::flag,
       "",
       "",
       0,
       0,
       {},
       "the version",
       {"count", "version"},
       false,
       [](R r, V) { r.version = true; }},
  };
}

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

std::string joined(const std::vector<std::string_view>& words, std::string_view before = "") {
  std::string result;
  for (const std::string_view word : words)
    result += fmt::format("{}{}{}", result.empty() ? "" : ", ", before, word);
  return result;
}

void check_value(const OptionInfo& option, std::string_view value) {
  const std::string found = quoted(std::string(value));
  bool good = true;
  switch (option.type) {
    case ValueType::flag:
      good = value == "true";
      break;
    case ValueType::choice:
      if (std::find(option.choices.begin(), option.choices.end(), value) == option.choices.end()) {
        throw UsageError(fmt::format("--{}: there is no '{}'{}; valid: {}", option.name, found,
                                     suggestion(value, option.choices), joined(option.choices)));
      }
      break;
    case ValueType::integer: {
      const auto number = parse_integer(value);
      good = number && *number >= option.least && *number <= option.most;
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
  throw UsageError(fmt::format("there is no option '{}{}'{}; the options are: {}",
                               name.size() == 1 ? "-" : "--", quoted(name), suggestion(name, names, "--"),
                               joined(names, "--")));
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
  if (std::find(later_commands.begin(), later_commands.end(), word) != later_commands.end()) {
    throw UsageError(
        fmt::format("this release has no command '{}'; the commands are: {} (a file of that name: ./{})",
                    word, command_names(), word));
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
  if (given >= command.least_arguments && given <= command.most_arguments) return;
  const std::string found = given == 0 ? "none"
                                       : fmt::format("{} ('{}' is one too many)", given,
                                                     quoted(request.arguments[command.most_arguments], 400));
  throw UsageError(fmt::format("usage: countpm {}; expected {} argument{}, found {}", command.synopsis,
                               command.most_arguments == 0    ? "no"
                               : command.least_arguments == 0 ? "at most one"
                                                              : "one",
                               command.most_arguments == 0 ? "s" : "", found));
}

void check_contradictions(const cxxopts::ParseResult& result) {
  constexpr std::array<std::pair<const char*, const char*>, 4> pairs{
      {{"progress", "no-progress"}, {"quiet", "report"}, {"quiet", "checks"}, {"precision", "arithmetic"}}};
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
    } else {
      parser.add_options()(names, "", cxxopts::value<std::vector<std::string>>());
    }
  }
  parser.add_options()(positional, "", cxxopts::value<std::vector<std::string>>());
  parser.parse_positional({positional});
  return parser;
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
    }
  }
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = make_table();
  return table;
}

std::string spelling(const OptionInfo& option) {
  const std::string letter = option.letter == 0 ? "" : fmt::format("-{}, ", option.letter);
  return fmt::format("{}--{}{}{}", letter, option.name, option.value_name.empty() ? "" : " ",
                     option.value_name);
}

std::string value_help(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
      return "no value";
    case ValueType::choice:
      return joined(option.choices);
    case ValueType::integer:
      if (option.most == no_limit) return fmt::format("a whole number from {} to 2^64-1", option.least);
      return fmt::format("a whole number from {} to {}", option.least, option.most);
    case ValueType::duration:
      return "seconds above 0, or 10s, 5m, 2h, 3d, none";
    case ValueType::bytes:
      return "bytes above 0, or 512K, 512M, 4G, 1T";
    case ValueType::range:
      return "A..B with 1 <= A <= B, or A..";
  }
  return "";
}

Request parse_command_line(int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (std::string_view(argv[i]).starts_with("--positional")) throw_unknown_option(positional);
  }
  Request request;
  cxxopts::Options parser = make_parser();
  try {
    const cxxopts::ParseResult result = parser.parse(argc, argv);
    if (result.count(positional) > 0) request.arguments = result[positional].as<std::vector<std::string>>();
    choose_command(request);
    apply_options(request, result);
    check_contradictions(result);
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
