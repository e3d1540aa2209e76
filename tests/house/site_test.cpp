// The documentation site has every guide in its navigation, in five groups, and nothing there that is gone.
// If scripts/docs has built it and there is a Chromium, that looks at it.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/house/project.hpp"
#include "tests/house/shell.hpp"

namespace countpm::house {
namespace {

struct Navigation {
  std::vector<std::string> groups;
  std::vector<std::string> pages;     // "- Title: page.md"
  std::vector<std::string> patterns;  // "- methods/*": each page that no other line names
};

Navigation navigation_of(const std::string& text) {
  static const std::regex group("  - ([^:]+):");
  static const std::regex page(" +- [^:]+: ([a-z0-9/-]+\\.md)");
  static const std::regex pattern(" +- ([a-z0-9/-]+\\*)");
  Navigation navigation;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    std::smatch found;
    if (line == "nav:") inside = true;
    if (line.empty()) inside = false;
    if (!inside) continue;
    if (std::regex_match(line, found, group)) navigation.groups.push_back(found[1]);
    if (std::regex_match(line, found, page)) navigation.pages.push_back(found[1]);
    if (std::regex_match(line, found, pattern)) navigation.patterns.push_back(found[1]);
  }
  return navigation;
}

/// What is wrong with it, if these pages are there.
std::vector<std::string> faults(const Navigation& navigation, const std::set<std::string>& there) {
  std::vector<std::string> result;
  std::set<std::string> named;
  for (const std::string& page : navigation.pages) {
    if (!named.insert(page).second) result.push_back(page + " stands there twice");
    if (!there.contains(page)) result.push_back(page + " is not there");
  }
  for (const std::string& page : there) {
    const bool fits = std::any_of(
        navigation.patterns.begin(), navigation.patterns.end(),
        [&](const std::string& pattern) { return fnmatch(pattern.c_str(), page.c_str(), 0) == 0; });
    if (!named.contains(page) && !fits) result.push_back(page + " is in no group");
  }
  return result;
}

using Faults = std::vector<std::string>;

TEST(Site, HasEveryGuide) {
  // What packaging/site/hooks.py adds.
  std::set<std::string> pages{"index.md",     "contents.md", "cpp.md",           "contributing.md",
                              "changelog.md", "license.md",  "results/index.md", "python-reference.md"};
  const std::size_t added = pages.size();
  for (const std::string& path : project_files()) {
    if (path.starts_with("docs/") && path.ends_with(".md") && !path.ends_with("README.md"))
      pages.insert(path.substr(5));
  }
  EXPECT_GT(pages.size(), added + 20);
  const Navigation navigation = navigation_of(contents("packaging/site/mkdocs.yml"));
  EXPECT_EQ(faults(navigation, pages), Faults{}) << "packaging/site/mkdocs.yml, nav";
  EXPECT_EQ(navigation.groups.size(), 5U);
  ASSERT_FALSE(navigation.groups.empty());
  EXPECT_EQ(navigation.groups[0], "Guides");
}

TEST(Site, FindsPages) {
  const Navigation navigation = navigation_of(
      "nav:\n  - Home: index.md\n  - Guides:\n      - A, b: c/a-b.md\n      - c/*\n\nx:\n  - y:\n");
  EXPECT_EQ(navigation.groups, std::vector<std::string>{"Guides"});
  EXPECT_EQ(faults(navigation, {"index.md", "c/a-b.md", "c/d.md"}), Faults{});
  EXPECT_EQ(faults(navigation, {"index.md", "other.md"}),
            (Faults{"c/a-b.md is not there", "other.md is in no group"}));
}

// Every page 1280 and 390 pixels wide, light and dark: nothing is cut off, and all writing has a contrast
// of 4.5.
TEST(Site, LooksRightInChromium) {
  if (run("command -v python3").status != 0) GTEST_SKIP() << "no python3";
  const Outcome outcome =
      run("exec python3 packaging/site/look.py build/site --pictures build/site-pictures");
  if (outcome.status == 77) GTEST_SKIP() << outcome.output;
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

// Pages that are wrong, each in one way.
TEST(Site, LookingFindsWhatIsWrong) {
  if (run("command -v python3").status != 0) GTEST_SKIP() << "no python3";
  const Outcome outcome = run("exec python3 packaging/site/look.py --try");
  if (outcome.status == 77) GTEST_SKIP() << outcome.output;
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

}  // namespace
}  // namespace countpm::house
