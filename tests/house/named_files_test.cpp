// Comments and guides name files that there are: whoever moves a file finds them here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "tests/house/project.hpp"

namespace countpm::house::named_files_test {
namespace {

const std::vector<std::string> code_endings{".cpp", ".hpp", ".cu", ".cuh", ".inc"};

// Named, and not among the files: each with its reason.
const std::map<std::string, std::string>& not_files() {
  static const std::map<std::string, std::string> table{
      {"countpm/countpm.hpp", "as it is installed"},
      {"countpm/advanced.hpp", "as it is installed"},
      {"NAME.cu", "any name"},
      {"NAME_test.cpp", "any name"},
      {"ryser_emulated.cpp", "gone; its mention goes with the folders of the GPU forms"}};
  return table;
}

bool is_part_of_name(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_' || character == '.' ||
         character == '/' || character == '-';
}

/// The names with one of the endings in a line; "*_test.cpp" and "{a,b}.hpp", which stand for several, are
/// left out.
std::vector<std::string> names_in(const std::string& line) {
  std::vector<std::string> names;
  for (const std::string& ending : code_endings) {
    for (std::size_t at = line.find(ending); at != std::string::npos; at = line.find(ending, at + 1)) {
      const std::size_t end = at + ending.size();
      if (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_'))
        continue;
      std::size_t begin = at;
      while (begin > 0 && is_part_of_name(line[begin - 1])) --begin;
      const bool several =
          begin > 0 && (line[begin - 1] == '*' || line[begin - 1] == '}' || line[begin - 1] == '>');
      while (begin < at && (line[begin] == '.' || line[begin] == '/')) ++begin;
      if (begin < at && !several) names.push_back(line.substr(begin, end - begin));
    }
  }
  return names;
}

/// "FILE:LINE: NAME" for every name in a comment, or anywhere in a guide, that is no file's path from some
/// folder on.
std::vector<std::string> names_of_nothing(const std::string& path, const std::string& text,
                                          const std::set<std::string>& known) {
  const bool is_code = ends_with_any(path, code_endings);
  std::vector<std::string> wrong;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    const std::size_t comment = is_code ? line.find("//") : 0;
    if (comment == std::string::npos) continue;
    for (const std::string& name : names_in(line.substr(comment)))
      if (!known.contains(name)) wrong.push_back(fmt::format("{}:{}: {}", path, number, name));
  }
  return wrong;
}

/// Every path, and what is left of it below each folder.
std::set<std::string> known_names(const std::vector<std::string>& paths) {
  std::set<std::string> known;
  for (const std::string& path : paths) {
    known.insert(path);
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      known.insert(path.substr(slash + 1));
  }
  return known;
}

/// The guides that a text names from the top of the project: docs/NAME.md, bench/results/NAME.md.
std::set<std::string> guides_in(const std::string& text) {
  static const std::regex guide("(docs|bench/results)/[A-Za-z0-9/_-]+\\.md");
  std::set<std::string> guides;
  for (std::sregex_iterator at(text.begin(), text.end(), guide), end; at != end; ++at)
    guides.insert(at->str());
  return guides;
}

/// The files that the links of a page lead to, from the top of the project; the web and places on the page
/// itself are left out.
std::set<std::string> links_in(const std::string& page, const std::string& text) {
  static const std::regex link("\\]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
  std::set<std::string> targets;
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at)
    if ((*at)[1].str().find(':') == std::string::npos)
      targets.insert(
          (std::filesystem::path(page).parent_path() / (*at)[1].str()).lexically_normal().string());
  return targets;
}

bool is_read(const std::string& path) {
  const std::string top = top_folder(path);
  const bool checked = top == "graph" || top == "matching" || top == "kernels" || top == "src" ||
                       top == "apps" || top == "docs" || path == "CONTRIBUTING.md" || path == "README.md";
  return checked && (ends_with_any(path, code_endings) || path.ends_with(".md"));
}

TEST(NamedFiles, AreThere) {
  const std::vector<std::string> files = project_files();
  std::set<std::string> known = known_names(files);
  for (const auto& [name, reason] : not_files()) known.insert(name);
  for (const std::string& path : files)
    if (is_read(path))
      for (const std::string& wrong : names_of_nothing(path, contents(path), known)) ADD_FAILURE() << wrong;
}

// Whoever moves or drops a page finds here who names it, in code, messages, scripts and other pages.
TEST(NamedFiles, GuidesAreThere) {
  const std::vector<std::string> files = project_files();
  const std::set<std::string> known(files.begin(), files.end());
  for (const std::string& path : files) {
    const bool read = ends_with_any(path, code_endings) ||
                      ends_with_any(path, {".md", ".py", ".cmake", ".txt", ".yml", ".yaml", ".sbatch"}) ||
                      top_folder(path) == "scripts";
    if (!read || path == "tests/house/named_files_test.cpp" || path.starts_with("tests/fuzz/corpus"))
      continue;
    for (const std::string& guide : guides_in(contents(path)))
      EXPECT_TRUE(known.contains(guide)) << path << " names " << guide;
  }
}

TEST(NamedFiles, FindsGuides) {
  EXPECT_EQ(guides_in("(docs/a.md), bench/results/b-c.md: docs/d/e.md. docs/f.cpp"),
            (std::set<std::string>{"bench/results/b-c.md", "docs/a.md", "docs/d/e.md"}));
}

TEST(NamedFiles, LinksLeadToFiles) {
  const std::vector<std::string> files = project_files();
  const std::set<std::string> known(files.begin(), files.end());
  for (const std::string& path : files) {
    if (!path.ends_with(".md")) continue;
    for (const std::string& target : links_in(path, contents(path)))
      EXPECT_TRUE(known.contains(target)) << path << " links to " << target;
  }
}

TEST(NamedFiles, FindsLinks) {
  EXPECT_EQ(
      links_in("docs/a/b.md", "[x](../c.md#d), [y](e.svg), [z](https://f.org/g.md), [w](#h), [](const T& t)"),
      (std::set<std::string>{"docs/a/e.svg", "docs/c.md"}));
}

TEST(NamedFiles, FindsThoseThatAreGone) {
  const std::set<std::string> known = known_names({"kernels/rook/rook.hpp", "kernels/rook/simd.inc"});
  EXPECT_EQ(
      names_of_nothing(
          "kernels/a.cpp",
          "// as rook/rook.hpp, and exact/rook.hpp, says.\nint x;  // gone.cpp\nf(\"gone.cpp\");\n", known),
      (std::vector<std::string>{"kernels/a.cpp:1: exact/rook.hpp", "kernels/a.cpp:2: gone.cpp"}));
  EXPECT_EQ(names_of_nothing("docs/a.md", "(`old.cu`) old.cuh\n", known),
            (std::vector<std::string>{"docs/a.md:1: old.cu", "docs/a.md:1: old.cuh"}));
  EXPECT_TRUE(
      names_of_nothing("docs/a.md", "*_test.cpp ../rook/simd.inc, rook.hpp. a.hpples .cpp\n", known).empty());
}

}  // namespace
}  // namespace countpm::house::named_files_test
