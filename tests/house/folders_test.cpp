// Every folder and every file says what it is for, and the project's papers are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/house/project.hpp"

namespace countpm::house {
namespace {

std::size_t filled_lines(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  return static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find_first_not_of(" \t\r") != std::string::npos;
  }));
}

TEST(Folders, EachHasAReadmeOf3To8Lines) {
  const std::vector<std::string> files = project_files();
  const std::vector<std::string> folders = folders_of(files);
  EXPECT_GT(folders.size(), 10U);
  for (const std::string& folder : folders) {
    if (folder.starts_with("tests/fuzz/corpus"))
      continue;  // all files there are inputs; tests/fuzz/README.md
    const std::string readme = folder + "/README.md";
    if (!std::binary_search(files.begin(), files.end(), readme)) {
      ADD_FAILURE() << folder << " has no README.md";
      continue;
    }
    if (folder == "docs" || folder == "bench/results") continue;  // the index of the pages there
    const std::size_t lines = filled_lines(contents(readme));
    EXPECT_TRUE(lines >= 3 && lines <= 8)
        << readme << " has " << lines << " lines that are not blank; 3 to 8 are asked for";
  }
}

/// Whether a comment begins the text, behind #pragma once.
bool has_head(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  const std::size_t first = !lines.empty() && lines[0] == "#pragma once" ? 1 : 0;
  return first < lines.size() && lines[first].starts_with("// ");
}

// A file is as long as its idea, and its head, or that of the header of its name, says which that is.
TEST(Folders, SourceFilesSayTheirIdeaFirst) {
  const std::vector<std::string> files = project_files();
  for (const std::string& path : files) {
    const std::string top = top_folder(path);
    if (top != "graph" && top != "matching" && top != "kernels" && top != "src" && top != "bench") continue;
    if (!ends_with_any(path, {".cpp", ".hpp", ".cu", ".cuh", ".inc"})) continue;
    const std::string header = path.substr(0, path.rfind('.')) + ".hpp";
    if (path != header && std::binary_search(files.begin(), files.end(), header)) continue;
    EXPECT_TRUE(has_head(contents(path))) << path << " begins with no comment that says what it is for";
  }
  EXPECT_TRUE(has_head("#pragma once\n// What.\n"));
  EXPECT_FALSE(has_head("#pragma once\n#include <map>\n// What.\n"));
}

TEST(Folders, NamesAreUniqueWithoutCase) {
  std::map<std::string, std::string> seen;
  for (const std::string& path : project_files()) {
    std::string lower = path;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto [where, fresh] = seen.emplace(lower, path);
    EXPECT_TRUE(fresh) << path << " and " << where->second;
  }
}

// A test that forgets to leave the current folder may leave files of names that drive terminals.
TEST(Folders, NamesArePlain) {
  for (const std::string& path : project_files())
    EXPECT_TRUE(is_plain_name(path)) << ::testing::PrintToString(path);
}

TEST(Folders, FindsNamesThatAreNotPlain) {
  for (const char* name : {"docs/json.md", ".ci/run", "a-b_c+d.E9"}) EXPECT_TRUE(is_plain_name(name)) << name;
  for (const char* name : {"", "a\nb", "a b", "\x1b[31m", "a\x7f", "\u202e.part", "docs/\xff", "a\tb", "'a'"})
    EXPECT_FALSE(is_plain_name(name)) << ::testing::PrintToString(name);
}

TEST(Papers, AreThere) {
  EXPECT_NE(contents("LICENSE").find("MIT License"), std::string::npos);
  EXPECT_NE(contents("CONTRIBUTING.md").find("scripts/test"), std::string::npos);
  EXPECT_NE(contents("README.md").find("scripts/run"), std::string::npos);
  EXPECT_NE(contents("CHANGELOG.md").find("## ["), std::string::npos);
}

// The version stands in CMakeLists.txt; the changelog must know it.
TEST(Papers, ChangelogNamesTheVersion) {
  const std::string cmake = contents("CMakeLists.txt");
  const std::size_t at = cmake.find("VERSION ", cmake.find("project(")) + 8;
  const std::string version = cmake.substr(at, cmake.find_first_of(" \n)", at) - at);
  EXPECT_NE(contents("CHANGELOG.md").find("[" + version + "]"), std::string::npos) << version;
}

TEST(Folders, CountsFilledLines) {
  EXPECT_EQ(filled_lines(""), 0U);
  EXPECT_EQ(filled_lines("# a\n\n \t\nb"), 2U);
  EXPECT_EQ(folders_of({"a/b/c.txt", "a/d.txt", "e.txt"}), (std::vector<std::string>{"a", "a/b"}));
}

}  // namespace
}  // namespace countpm::house
