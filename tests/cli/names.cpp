// docs/names.md says what each thing is called on the command line, in Python, in C++ and in JSON. What it
// names exists, and what users can name is there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apps/commands.hpp"
#include "apps/options.hpp"
#include "graph/text.hpp"
#include "test_paths.hpp"
#include "tests/file_text.hpp"

namespace countpm::names_test {
namespace {

using Names = std::set<std::string>;

const std::filesystem::path source_dir = COUNTPM_SOURCE_DIR;

/// The columns of the tables.
enum Column : std::size_t { thing, command_line, python, cpp, json, columns };

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (const std::string_view cell : split(line, '|')) cells.emplace_back(cell);
  if (cells.size() < 2) return {};
  return {cells.begin() + 1, cells.end() - 1};  // a line begins and ends with '|'
}

/// What stands between backticks.
std::vector<std::string> names_in(const std::string& cell) {
  static const std::regex quoted("`([^`]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator match(cell.begin(), cell.end(), quoted), end; match != end; ++match)
    names.push_back((*match)[1].str());
  return names;
}

/// The names of each column of all tables.
std::vector<Names> tables_of(const std::string& page) {
  std::vector<Names> names(columns);
  for (const std::string_view line : split(page, '\n')) {
    const std::vector<std::string> cells = cells_of(std::string(line));
    if (cells.empty()) continue;
    EXPECT_EQ(cells.size(), columns) << line;
    for (std::size_t column = command_line; column < std::min<std::size_t>(cells.size(), columns); ++column)
      for (const std::string& name : names_in(cells[column])) names[column].insert(name);
  }
  return names;
}

const std::vector<Names>& documented() {
  static const std::vector<Names> names = tables_of(testing::file_text(source_dir / "docs" / "names.md"));
  return names;
}

/// All files below with these endings, one after another.
std::vector<std::string> texts_below(const std::string& folder, const std::string& ending) {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir / folder)) {
    if (entry.path().extension() == ending) texts.push_back(testing::file_text(entry.path()));
  }
  return texts;
}

bool is_letter(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// Whether the word stands somewhere by itself, where fits(what is before it, what is behind it).
template <class Fits>
bool stands_in(const std::string& text, const std::string& word, const Fits& fits) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const std::string_view behind = std::string_view(text).substr(at + word.size());
    const bool whole =
        (before.empty() || !is_letter(before.back())) && (behind.empty() || !is_letter(behind.front()));
    if (whole && fits(before, behind)) return true;
  }
  return false;
}
template <class Fits>
bool stands_in(const std::vector<std::string>& texts, const std::string& word, const Fits& fits) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return stands_in(text, word, fits); });
}
bool ends_with_any(std::string_view text, const std::vector<std::string_view>& ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

Names matches_in(const std::string& text, const std::regex& pattern) {
  Names names;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    names.insert((*match)[1].str());
  return names;
}

/// The strings of `__all__`.
const Names& python_names() {
  static const Names names = [] {
    const std::string text = testing::file_text(source_dir / "python" / "countpm" / "__init__.py");
    return matches_in(text.substr(std::min(text.find("__all__"), text.size())), std::regex("\"(\\w+)\""));
  }();
  return names;
}

/// The functions that countpm.hpp declares: lines that begin with a type, and not with a space or a comment.
const Names& cpp_functions() {
  static const Names names = [] {
    const std::string text = testing::file_text(source_dir / "src" / "library" / "countpm.hpp");
    Names found;
    for (const std::string_view line : split(text, '\n')) {
      static const std::regex declaration(R"(^[A-Za-z][\w:<>, ]* (\w+)\(.*)");
      const std::string one(line);
      std::smatch match;
      if (!line.starts_with("using") && std::regex_match(one, match, declaration))
        found.insert(match[1].str());
    }
    return found;
  }();
  return names;
}

struct Schema {
  Names objects;
  Names keys;
};

void collect_keys(const nlohmann::json& part, Names& keys) {
  if (part.is_object() && part.contains("properties") && part["properties"].is_object()) {
    for (const auto& [key, value] : part["properties"].items()) keys.insert(key);
  }
  if (part.is_structured()) {
    for (const auto& inner : part) collect_keys(inner, keys);
  }
}

const Schema& schema() {
  static const Schema known = [] {
    Schema found;
    const auto all = nlohmann::json::parse(testing::file_text(source_dir / "docs" / "schema.json"));
    collect_keys(all, found.keys);
    for (const auto& [name, one] : all["$defs"].items()) {
      const auto& keys = one.value("properties", nlohmann::json::object());
      if (keys.contains("object") || name == "progress") found.objects.insert(name);
    }
    return found;
  }();
  return known;
}

bool is_function(const std::string& name) {
  return name.ends_with("()");
}
std::string without_end(const std::string& name, std::size_t letters) {
  return name.substr(0, name.size() - letters);
}

std::string trouble_on_command_line(const std::string& name) {
  const std::string first = name.substr(0, name.find(' '));
  if (!first.starts_with("--") && app::find_command(first) == nullptr) return "no command";
  const std::size_t dashes = name.find("--");
  if (dashes != std::string::npos && app::find_option(name.substr(dashes + 2)) == nullptr) return "no option";
  return {};
}

std::string trouble_in_python(const std::string& name) {
  static const std::vector<std::string> sources = texts_below("python/countpm", ".py");
  if (is_function(name)) return python_names().contains(without_end(name, 2)) ? "" : "no function";
  if (name.ends_with('=')) {
    const auto is_keyword = [](std::string_view, std::string_view behind) {
      return behind.substr(std::min(behind.find_first_not_of(' '), behind.size())).starts_with(':');
    };
    return stands_in(sources, without_end(name, 1), is_keyword) ? "" : "no keyword";
  }
  const std::size_t dot = name.find('.');
  const std::string type = name.substr(0, dot);
  if (!python_names().contains(type)) return "no class";
  if (dot == std::string::npos) return {};
  const std::string attribute = name.substr(dot + 1);
  const auto is_declared = [](std::string_view before, std::string_view) {
    return ends_with_any(before, {"def ", "self.", "\n    "});
  };
  return stands_in(sources, attribute, is_declared) ? "" : "no attribute";
}

std::string trouble_in_cpp(const std::string& name) {
  static const std::vector<std::string> headers = [] {
    std::vector<std::string> all = texts_below("src", ".hpp");
    for (const char* folder : {"graph", "kernels/estimate"}) {
      for (std::string& text : texts_below(folder, ".hpp")) all.push_back(std::move(text));
    }
    return all;
  }();
  const auto anywhere = [](std::string_view, std::string_view) { return true; };
  if (is_function(name)) {
    const auto is_call = [](std::string_view, std::string_view behind) { return behind.starts_with('('); };
    static const std::vector<std::string> library = texts_below("src/library", ".hpp");
    const std::string called = without_end(name, 2);
    return called == "json_text" || stands_in(library, called, is_call) ? "" : "no function";
  }
  const std::size_t colons = name.find("::");
  const std::string type = name.substr(0, colons);
  const auto is_type = [](std::string_view before, std::string_view) {
    return ends_with_any(before, {"struct ", "class ", "using "});
  };
  bool known = false;
  for (const std::string& header : headers) {
    if (!stands_in(header, type, is_type)) continue;
    known = true;
    if (colons == std::string::npos || stands_in(header, name.substr(colons + 2), anywhere)) return {};
  }
  return known ? "no member" : "no type";
}

std::string trouble_in_json(const std::string& name) {
  if (name.starts_with('"'))
    return schema().objects.contains(name.substr(1, name.size() - 2)) ? "" : "no object";
  return schema().keys.contains(name) ? "" : "no key";
}

TEST(Names, OfTheTableExist) {
  for (const std::string& name : documented()[command_line])
    EXPECT_EQ(trouble_on_command_line(name), "") << "command line: " << name;
  for (const std::string& name : documented()[python])
    EXPECT_EQ(trouble_in_python(name), "") << "Python: " << name;
  for (const std::string& name : documented()[cpp]) EXPECT_EQ(trouble_in_cpp(name), "") << "C++: " << name;
  for (const std::string& name : documented()[json]) EXPECT_EQ(trouble_in_json(name), "") << "JSON: " << name;
}

TEST(Names, OfCommandsAndOptionsAreInTheTable) {
  const Names& known = documented()[command_line];
  for (const app::CommandInfo& command : app::command_table()) {
    if (command.group != app::CommandGroup::hidden) {
      EXPECT_TRUE(known.contains(std::string(command.name))) << command.name;
    }
  }
  for (const app::OptionInfo& option : app::option_table())
    EXPECT_TRUE(known.contains("--" + std::string(option.name))) << option.name;
}

TEST(Names, OfFunctionsAreInTheTable) {
  EXPECT_GT(python_names().size(), 60U);
  for (const std::string& name : python_names()) {
    if (std::islower(static_cast<unsigned char>(name[0])) != 0) {
      EXPECT_TRUE(documented()[python].contains(name + "()")) << "Python: " << name;
    }
  }
  EXPECT_GT(cpp_functions().size(), 35U);
  for (const std::string& name : cpp_functions())
    EXPECT_TRUE(documented()[cpp].contains(name + "()")) << "C++: " << name;
}

/// Keys that belong to a family, in which one word means one thing.
TEST(Names, OfJsonAreInTheTable) {
  EXPECT_GT(schema().objects.size(), 25U);
  for (const std::string& name : schema().objects)
    EXPECT_TRUE(documented()[json].contains(fmt::format("\"{}\"", name))) << "object: " << name;
  static const std::regex family(
      "(.*_)?(ln|log|log2|log10|error|exact|interval|held|covered|reach|width|told|doubt|digits|pairs|ratio)("
      "_.*)?");
  for (const std::string& key : schema().keys) {
    if (std::regex_match(key, family)) {
      EXPECT_TRUE(documented()[json].contains(key)) << "key: " << key;
    }
  }
}

TEST(Names, ThatDoNotExistAreSeen) {
  const std::vector<Names> names =
      tables_of("| ln Z | `--no-such` | `countpm()` | `Options::x1` | `\"sum\"`, `ln_y` |\ntext `--other`\n");
  EXPECT_EQ(names[command_line], Names{"--no-such"});
  EXPECT_EQ(names[json], (Names{"\"sum\"", "ln_y"}));
  EXPECT_EQ(trouble_on_command_line("--no-such"), "no option");
  EXPECT_EQ(trouble_on_command_line("count --no-such"), "no option");
  EXPECT_EQ(trouble_on_command_line("counts"), "no command");
  EXPECT_EQ(trouble_in_python("countpm()"), "no function");
  EXPECT_EQ(trouble_in_python("countpm="), "no keyword");
  EXPECT_EQ(trouble_in_python("Sum"), "no class");
  EXPECT_EQ(trouble_in_python("Estimate.no_such"), "no attribute");
  EXPECT_EQ(trouble_in_cpp("no_such()"), "no function");
  EXPECT_EQ(trouble_in_cpp("NoSuch"), "no type");
  EXPECT_EQ(trouble_in_cpp("Options::x1"), "no member");
  EXPECT_EQ(trouble_in_json("\"sum\""), "no object");
  EXPECT_EQ(trouble_in_json("ln_y"), "no key");
}

}  // namespace
}  // namespace countpm::names_test
