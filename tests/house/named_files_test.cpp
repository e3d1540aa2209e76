// Comments and guides name files that there are: whoever moves a file finds them here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
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
      if (!known.contains(name)) wrong.push_back(path + ":" + std::to_string(number) + ": " + name);
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
