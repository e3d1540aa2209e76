// docs/internals/first-kind.md, first-question.md and first-method.md lead through files: each is there, and
// has the names that stand beside it. The list of files that name a method is all of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "tests/house/project.hpp"

namespace countpm::house::first_pages_test {
namespace {

using Lines = std::vector<std::string>;

const Lines pages{"docs/internals/first-kind.md", "docs/internals/first-question.md",
                  "docs/internals/first-method.md"};
const std::string method = "rook";

/// A row of a table, below the first cell of the table's head.
struct Row {
  std::string head;
  Lines cells;
  std::size_t line = 0;
};

/// The cells of a line of a table; "\|" is a '|' inside of one.
Lines cells_of(const std::string& line) {
  Lines cells(1);
  for (std::size_t at = 1; at < line.size(); ++at) {
    if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '|')
      cells.back() += line[++at];
    else if (line[at] == '|')
      cells.emplace_back();
    else
      cells.back() += line[at];
  }
  cells.pop_back();
  return cells;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<Row> rows_of(const std::string& page) {
  std::vector<Row> rows;
  std::string head;
  const Lines lines = lines_of(page);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!lines[k].starts_with('|')) {
      head.clear();
    } else if (head.empty()) {
      head = trimmed(cells_of(lines[k]).front());
    } else if (!lines[k].starts_with("|--")) {
      rows.push_back({head, cells_of(lines[k]), k + 1});
    }
  }
  return rows;
}

/// What stands between backticks.
Lines names_in(const std::string& cell) {
  Lines names;
  for (std::size_t at = cell.find('`'); at != std::string::npos;) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == std::string::npos) break;
    names.push_back(cell.substr(at + 1, end - at - 1));
    at = cell.find('`', end + 1);
  }
  return names;
}

bool is_letter(char character) {
  return std::isalpha(static_cast<unsigned char>(character)) != 0;
}
bool is_part_of_name(char character) {
  return is_letter(character) || std::isdigit(static_cast<unsigned char>(character)) != 0 || character == '_';
}

/// Whether the text has the name, and not as a part of a longer one.
template <class IsPart>
bool has_word(const std::string& text, const std::string& name, const IsPart& is_part) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_part(name.front()) || !is_part(text[at - 1]);
    const bool ends = end == text.size() || !is_part(name.back()) || !is_part(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

/// A command to run, not a name in a file.
bool is_command(const std::string& name) {
  return name.starts_with("countpm ") || name.starts_with("cmake ") || name.starts_with("COUNTPM_");
}

/// "Suite.Test", split; empty where it is none.
std::pair<std::string, std::string> test_of(const std::string& name) {
  const std::size_t point = name.find('.');
  if (point == std::string::npos || point == 0 || point + 1 == name.size()) return {};
  const bool plain = std::all_of(name.begin(), name.end(), [](char character) {
    return is_part_of_name(character) || character == '.';
  });
  const auto is_capital = [](char character) { return character >= 'A' && character <= 'Z'; };
  if (!plain || !is_capital(name[0]) || !is_capital(name[point + 1])) return {};
  return {name.substr(0, point), name.substr(point + 1)};
}

/// What is wrong with a page: "LINE: FILE is not there", "LINE: FILE has no NAME", "LINE: no test NAME",
/// "LINE: names no file", "LINE: FILE: no name". read: a file's text.
template <class Read>
Lines faults_of(const std::string& page, const std::set<std::string>& files, const std::string& tests,
                const Read& read) {
  Lines faults;
  for (const Row& row : rows_of(page)) {
    const auto say = [&](const std::string& text) {
      faults.push_back(fmt::format("{}: {}", row.line, text));
    };
    const Lines named = names_in(row.cells.front());
    if (named.empty()) say("names no file");
    for (const std::string& file : named)
      if (!files.contains(file)) say(file + " is not there");
    if (row.head != "file") continue;
    Lines names = names_in(row.cells.at(1));
    names.erase(std::remove_if(names.begin(), names.end(), is_command), names.end());
    for (const std::string& file : named) {
      if (!files.contains(file)) continue;
      if (names.empty()) say(file + ": no name");
      const std::string text = read(file);
      for (const std::string& name : names)
        if (!has_word(text, name, is_part_of_name)) say(fmt::format("{} has no {}", file, name));
    }
    for (const std::string& name : names_in(row.cells.at(2))) {
      const auto [suite, test] = test_of(name);
      if (!suite.empty() && tests.find(fmt::format("({}, {})", suite, test)) == std::string::npos)
        say("no test " + name);
    }
  }
  return faults;
}

/// The files that the page's table of "files" lists.
std::set<std::string> listed_in(const std::string& page) {
  std::set<std::string> listed;
  for (const Row& row : rows_of(page))
    if (row.head == "files")
      for (const std::string& file : names_in(row.cells.front())) listed.insert(file);
  return listed;
}

/// Prose may name any method, and so may what measures; its own folders do.
bool may_name_methods(const std::string& path) {
  const std::string top = top_folder(path);
  return top == "bench" || path == "README.md" || path == "CHANGELOG.md" ||
         (top == "docs" && path.ends_with(".md")) || path.starts_with("kernels/" + method + "/") ||
         path.starts_with("tests/kernels/" + method + "/");
}

TEST(FirstPages, NameWhatIsThere) {
  const Lines paths = project_files();
  const std::set<std::string> files(paths.begin(), paths.end());
  std::string tests;
  for (const std::string& path : paths)
    if (top_folder(path) == "tests" && path.ends_with(".cpp")) tests += contents(path);
  for (const std::string& page : pages) {
    const std::string text = contents(page);
    EXPECT_GT(rows_of(text).size(), 15U) << page;
    for (const std::string& fault : faults_of(text, files, tests, contents))
      ADD_FAILURE() << page << ":" << fault;
  }
}

TEST(FirstPages, ListAllThatNameTheMethod) {
  const std::string page = "docs/internals/first-method.md";
  std::set<std::string> found;
  for (const std::string& path : project_files())
    if (!may_name_methods(path) && has_word(contents(path), method, is_letter)) found.insert(path);
  const std::set<std::string> listed = listed_in(contents(page));
  for (const std::string& path : found)
    EXPECT_TRUE(listed.contains(path))
        << path << " names " << method << ", and " << page << " does not list it";
  for (const std::string& path : listed)
    EXPECT_TRUE(found.contains(path)) << page << " lists " << path << ", which does not name " << method;
}

// A page is one screen.
TEST(FirstPages, AreShort) {
  for (const std::string& page : pages) EXPECT_LE(lines_of(contents(page)).size(), 60U) << page;
}

TEST(FirstPages, FindsFaults) {
  const std::string head = "| file | what | shows |\n|---|---|---|\n";
  const auto faults = [&](const std::string& row) {
    return faults_of(head + row + "\n", {"a.cpp", "b.cpp"}, "TEST(Suite, Test) {\n",
                     [](const std::string& file) { return file + ": int run(int unit); x|y\n"; });
  };
  EXPECT_EQ(faults("| `a.cpp` | `run(`, and `countpm a` | |"), Lines{});
  EXPECT_EQ(faults("| `a.cpp`, `b.cpp` | `int run`, `x\\|y` | `Suite.Test`, `a.cpp` |"), Lines{});
  EXPECT_EQ(faults("| `c.cpp` | `run` | |"), Lines{"3: c.cpp is not there"});
  EXPECT_EQ(faults("| a file | `run` | |"), Lines{"3: names no file"});
  EXPECT_EQ(faults("| `a.cpp` | a line | |"), Lines{"3: a.cpp: no name"});
  EXPECT_EQ(faults("| `a.cpp` | `ru`, `un(` | |"), (Lines{"3: a.cpp has no ru", "3: a.cpp has no un("}));
  EXPECT_EQ(faults("| `a.cpp` | `run` | `Suite.Tests` |"), Lines{"3: no test Suite.Tests"});
}

TEST(FirstPages, FindsWhoNamesAMethod) {
  EXPECT_EQ(
      listed_in(
          "| files | why |\n|---|---|\n| `a`, `b/c` | |\n\n| file | x | y |\n|---|---|---|\n| `d` | | |\n"),
      (std::set<std::string>{"a", "b/c"}));
  EXPECT_TRUE(has_word("the rook_method()", "rook", is_letter));
  EXPECT_FALSE(has_word("rooks, brook, Rook", "rook", is_letter));
  EXPECT_TRUE(may_name_methods("docs/methods.md") && may_name_methods("kernels/rook/plan.cpp"));
  EXPECT_FALSE(may_name_methods("docs/pictures/planner.svg") || may_name_methods("kernels/rook.cpp"));
}

}  // namespace
}  // namespace countpm::house::first_pages_test
