// The documentation site has every guide in its navigation, and nothing there that is gone.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/house/project.hpp"

namespace countpm::house {
namespace {

/// The pages that the navigation names: "- Title: page.md".
std::set<std::string> pages_in(const std::string& text) {
  static const std::regex page("\n +- [^\n:]+: ([a-z0-9/-]+\\.md)");
  std::set<std::string> pages;
  for (std::sregex_iterator at(text.begin(), text.end(), page), end; at != end; ++at) pages.insert((*at)[1]);
  return pages;
}

TEST(Site, HasEveryGuide) {
  // What packaging/site/hooks.py adds.
  const std::set<std::string> made{"index.md",     "contents.md", "cpp.md",          "contributing.md",
                                   "changelog.md", "license.md",  "results/index.md"};
  std::set<std::string> guides = made;
  for (const std::string& path : project_files()) {
    if (path.starts_with("docs/") && path.ends_with(".md") && !path.ends_with("README.md"))
      guides.insert(path.substr(5));
  }
  EXPECT_GT(guides.size(), 20U);
  EXPECT_EQ(pages_in(contents("packaging/site/mkdocs.yml")), guides) << "packaging/site/mkdocs.yml, nav";
}

TEST(Site, FindsPages) {
  EXPECT_EQ(pages_in("nav:\n  - Home: index.md\n  - Guides:\n      - A, b: c/a-b.md\n"),
            (std::set<std::string>{"c/a-b.md", "index.md"}));
}

}  // namespace
}  // namespace countpm::house
