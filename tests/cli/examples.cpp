#include "tests/cli/examples.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <utility>

#include "test_paths.hpp"
#include "tests/cli/run_script.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr std::string_view dots = "...";

/// Whether the lines from `line` on are those of the pattern from `row` on.
bool fit_from(const Lines& text, std::size_t line, const Lines& pattern, std::size_t row) {
  if (row == pattern.size()) return line == text.size();
  if (pattern[row] != dots)
    return line < text.size() && fits(text[line], pattern[row]) && fit_from(text, line + 1, pattern, row + 1);
  for (std::size_t next = line; next <= text.size(); ++next)
    if (fit_from(text, next, pattern, row + 1)) return true;
  return false;
}

void drop_blank_end(Lines& lines) {
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

bool is_comment(const std::string& line) {
  return line == "#" || line.starts_with("# ");
}

/// Each key of the object on a line of its own; other text as it is.
Lines line_by_key(const std::string& out) {
  const auto value = nlohmann::ordered_json::parse(out, nullptr, false);
  if (value.is_discarded() || !value.is_object()) return lines_of(out);
  Lines lines{"{"};
  for (const auto& [key, part] : value.items())
    lines.push_back(fmt::format("  \"{}\": {}", key, part.dump()));
  lines.emplace_back("}");
  return lines;
}

}  // namespace

bool fits(std::string_view text, std::string_view pattern) {
  std::size_t at = pattern.find(dots);
  if (at == std::string_view::npos) return text == pattern;
  if (!text.starts_with(pattern.substr(0, at))) return false;
  text.remove_prefix(at);
  for (;;) {
    pattern.remove_prefix(at + dots.size());
    at = pattern.find(dots);
    if (at == std::string_view::npos) return text.ends_with(pattern);
    const std::size_t found = text.find(pattern.substr(0, at));
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + at);
  }
}

bool fit(const Lines& text, const Lines& pattern) {
  return fit_from(text, 0, pattern, 0);
}

std::vector<Example> examples_of_page(const std::string& markdown) {
  std::vector<Example> examples;
  bool in_console = false;
  bool first = false;
  bool is_long = false;
  bool goes_on = false;
  for (const std::string& line : lines_of(markdown)) {
    if (line.starts_with("```")) {
      in_console = !in_console && line == "```console";
      first = in_console;
      if (!in_console) is_long = false;
    } else if (!in_console) {
      is_long = line == "<!-- long -->" || (is_long && line.empty());
    } else if (goes_on) {
      examples.back().command += "\n" + line;
    } else if (line.starts_with("$ ")) {
      examples.emplace_back();
      examples.back().command = line.substr(2);
      examples.back().is_long = is_long;
      first = false;
    } else {
      if (first) ADD_FAILURE() << "a console block begins with: " << line;
      if (!examples.empty()) examples.back().out.push_back(line);
    }
    goes_on = in_console && !examples.empty() && examples.back().out.empty() && line.ends_with('\\');
  }
  return examples;
}

ConsoleFile read_console(const std::string& text) {
  ConsoleFile file;
  std::string head;      // of the next example, as far as it was read
  bool goes_on = false;  // the command goes on
  bool in_head = true;   // a comment may begin here: the line before is blank, or one
  for (const std::string& line : lines_of(text)) {
    const bool above = file.examples.empty();
    if (goes_on) {
      file.examples.back().command += "\n" + line;
      goes_on = line.ends_with('\\');
      continue;
    }
    if (line.starts_with("$ ")) {
      Example example;
      example.head = std::exchange(head, {});
      example.command = line.substr(2);
      file.examples.push_back(example);
      goes_on = line.ends_with('\\');
      in_head = false;
    } else if (line.empty() || (in_head && is_comment(line))) {
      head += line + "\n";
      in_head = true;
    } else if (above) {
      throw std::runtime_error("no command, and no comment: " + line);
    } else {
      Example& example = file.examples.back();
      // Blank lines that are followed by output are output.
      for (const std::string& before : lines_of(std::exchange(head, {}))) example.out.push_back(before);
      if (line.starts_with("2> ") || line == "2>") {
        example.err.push_back(line.size() > 3 ? line.substr(3) : "");
      } else if (line.starts_with("[exit ")) {
        example.code = std::stoi(line.substr(6));
      } else {
        example.out.push_back(line);
      }
      in_head = false;
    }
  }
  file.tail = head;
  return file;
}

std::string write_console(const ConsoleFile& file) {
  std::string text;
  for (const Example& example : file.examples) {
    text += example.head + "$ " + example.command + "\n";
    for (const std::string& line : example.out) text += line + "\n";
    for (const std::string& line : example.err) text += line.empty() ? "2>\n" : "2> " + line + "\n";
    if (example.code != 0) text += fmt::format("[exit {}]\n", example.code);
  }
  return text + file.tail;
}

std::string folder_of_examples(const std::string& name) {
  const fs::path folder = fs::path(file_with("", "beside")).parent_path() / name;
  fs::create_directories(folder);
  for (const char* link : {"data", "examples"})
    fs::create_directory_symlink(COUNTPM_SOURCE_DIR + ("/" + std::string(link)), folder / link);
  return folder.string();
}

namespace {

Example run_bash(const Example& example, const std::string& folder, bool one_core) {
  // What is recorded was printed without a GPU.
  const std::string without_gpus = one_core ? "export CUDA_VISIBLE_DEVICES=\n" : "";
  const std::string script =
      without_gpus +
      "set -o pipefail\ncountpm=$1\ncountpm() { \"$countpm${COUNTPM_EMULATED_GPUS:+_emulated}\" \"$@\"; }\n" +
      example.command + "\n";
  const Outcome outcome = run_script({"bash"}, script, folder, one_core);
  Example found;
  found.head = example.head;
  found.command = example.command;
  const bool json = one_core && example.command.find("--json") != std::string::npos;
  found.out = json ? line_by_key(outcome.out) : lines_of(outcome.out);
  for (std::string& line : found.out)
    if (line.ends_with('\r')) line.pop_back();
  found.err = lines_of(outcome.err);
  found.code = outcome.code;
  if (one_core) drop_blank_end(found.out);
  return found;
}

}  // namespace

Example run_example(const Example& example, const std::string& folder) {
  return run_bash(example, folder, false);
}

Example run_on_one_core(const Example& example, const std::string& folder) {
  return run_bash(example, folder, true);
}

std::string with_dots(const std::string& line) {
  static const std::vector<std::pair<std::regex, std::string>> rules{
      {std::regex(R"re(/[^" ]*/countpm-cli-[^/]+/[0-9]+/)re"), "..."},  // the folder of the examples
      {std::regex(R"re("([a-z0-9_]*seconds[a-z_]*)":( ?)(null|[-+.0-9e]+|\{[^}]*\}))re"), R"("$1":$2...)"},
      {std::regex(R"re("version":( ?)"[^"]*")re"), R"("version":$1"...")"},
      {std::regex(R"re("bytes":( ?)[0-9]+)re"), R"("bytes":$1...)"},
      {std::regex(R"re(modulo the prime [0-9]+)re"), "modulo the prime ..."},  // drawn at random
      // As far as other processors and libraries round alike.
      {std::regex(R"re("work":[0-9]+\.[0-9]{6,})re"), R"("work":...)"},
      {std::regex(R"re(([0-9]\.[0-9]{8})[0-9]{4,})re"), "$1..."},
      {std::regex(R"re((under )?[0-9][0-9.]*(e-?[0-9]+)? (ms|s|min|h|B|KiB|MiB|GiB)\b)re"), "..."},
      {std::regex(R"re(\.\.\.( +\.\.\.)+)re"), "..."},
      {std::regex(R"re(  +\.\.\.)re"), " ..."},
      {std::regex(R"re(\.\.\.  +)re"), "... "},
      {std::regex(R"re( +$)re"), ""}};
  std::string text = line;
  for (const auto& [rule, by] : rules) text = std::regex_replace(text, rule, by);
  return text;
}

}  // namespace countpm::test
