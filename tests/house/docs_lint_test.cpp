// scripts/lint-docs finds nothing in the docs, and finds what is wrong in made-up ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/file_text.hpp"
#include "tests/house/project.hpp"
#include "tests/house/shell.hpp"

namespace countpm::house::docs_lint_test {
namespace {

namespace fs = std::filesystem;

/// A project of its own with pages in it.
class LintOfDocs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run("command -v python3").status != 0) GTEST_SKIP() << "no python3";
    std::string name = (fs::temp_directory_path() / "countpm-docs-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = name;
    fs::create_directories(top_ / "docs");
    fs::create_directories(top_ / "scripts");
    write(
        "docs/"
        "other.md",
        "# Other\n\n## Ratios: `--ratio-to`\n\nIt is short.\n");
  }
  void TearDown() override {
    if (!top_.empty()) fs::remove_all(top_);
  }

  void write(const std::string& page, const std::string& text) const { std::ofstream(top_ / page) << text; }
  Outcome lint(const std::string& options = "") const {
    return run("scripts/lint-docs --top '" + top_.string() + "' " + options);
  }

  /// What it finds in the page with this text; nothing if it is clean.
  std::string found_in(const std::string& text) const {
    write(
        "docs/"
        "page.md",
        text);
    const Outcome outcome = lint();
    EXPECT_EQ(outcome.status, outcome.output.empty() ? 0 : 1) << outcome.output;
    return outcome.output;
  }
  void expect_found(const std::string& text, const std::string& finding) const {
    const std::string found = found_in(text);
    EXPECT_NE(found.find(finding), std::string::npos) << text << "\nfinds\n" << found;
  }

  fs::path top_;
};

TEST_F(LintOfDocs, FindsNothingInOurs) {
  const Outcome outcome = run("scripts/lint-docs");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST_F(LintOfDocs, IsPartOfTheLint) {
  EXPECT_NE(contents("scripts/lint").find("scripts/lint-docs"), std::string::npos);
}

TEST_F(LintOfDocs, LinksLeadSomewhere) {
  EXPECT_EQ(found_in("# A\n\nSee [ratios](other.md#ratios---ratio-to) and [this](#a).\n"), "");
  // A folder, a second heading of the same name, code that is no link, and other people's pages.
  EXPECT_EQ(
      found_in(
          "# A\n\n## B\n\n## B\n\nSee [docs](.), [b](#b-1), `a[i](j)` and <https://example.org/a_(b)>.\n"),
      "");
  expect_found("See [it](gone.md).\n",
               "docs/"
               "page.md:1: link gone.md: no such file");
  expect_found("See [it](other.md#ratios-ratio-to).\n", "no such heading; there is #ratios---ratio-to");
  expect_found("\nSee [it](#nowhere).\n",
               "docs/"
               "page.md:2: link #nowhere: no such heading");
  expect_found("See [it](../../elsewhere.md).\n", "leaves the project");
  expect_found("See [it](https://example).\n", "host \"example\"");
  expect_found("![picture](https:/example.org/a.png)\n", "host \"\"");
  expect_found("<img src=\"gone.svg\">\n", "link gone.svg: no such file");
}

TEST_F(LintOfDocs, NoLineIsAHeadingByAccident) {
  expect_found("Permanents are\n#P-complete.\n",
               "docs/"
               "page.md:2: begins with '#P'");
}

TEST_F(LintOfDocs, SentencesAreShort) {
  std::string words;
  for (int k = 0; k < 21; ++k) words += "word ";
  expect_found(words + "word.\n", "22.0 words per sentence");
  expect_found(words + words + "\n", "a sentence of 42 words");
  expect_found("It is short.\n\n| a |\n|---|\n| " + words + words + " |\n",
               "a sentence of 42 words in a table");
  // Code is one word, whatever it holds; blocks of code are none.
  const std::string code = words.substr(0, 100);
  EXPECT_EQ(found_in("It is `" + code + "`, `" + code.substr(0, 40) + "`.\n\n```console\n" + words + words +
                     "\n```\n"),
            "");
}

TEST_F(LintOfDocs, ALineIsASentence) {
  EXPECT_EQ(found_in("It is one.\nThis is two, by A. B. Kasteleyn, e.g. in J. Math. Phys. 4 (1963).\n- An "
                     "item is a line.\n"),
            "");
  expect_found("It is one. It is two.\n", "a second sentence on the line: \"It is two.\"");
  expect_found("Take the matching M. The rest is left.\n", "a second sentence");
  expect_found("It is\none.\n", "a line break inside a sentence");
  const std::string clause = "a clause of a sentence that goes on and on, so that one line cannot hold it,";
  EXPECT_EQ(found_in("It is short.\nIt is short.\nThis is " + clause + "\n" + clause + "\nand an end.\n"),
            "");
  expect_found(clause + " " + clause + " and so on.\n", " characters");
  EXPECT_EQ(found_in("| a |\n|---|\n| " + clause + " | " + clause + " | " + clause + " |\n"), "");
}

TEST_F(LintOfDocs, PhrasesHaveBetterOnes) {
  expect_found("These are walks through real work.\n", "\"walks through real work\": worked examples");
  EXPECT_EQ(found_in("They are told apart.\n"), "");
}

TEST_F(LintOfDocs, ExceptionsOnlyShrink) {
  const std::string two = "It is one. It is two. It is three.\n";
  write(
      "docs/"
      "page.md",
      two);
  EXPECT_EQ(lint().status, 1);
  // Figures are not raised by themselves, but where it is asked for.
  EXPECT_EQ(lint("--record").status, 1);
  EXPECT_EQ(lint().status, 1);
  EXPECT_EQ(lint("--record-all").status, 0);
  EXPECT_EQ(lint().status, 0);
  write(
      "docs/"
      "page.md",
      two + two);
  EXPECT_TRUE(has(lint(), "breaks: 4, and 2 allowed")) << lint().output;
  write(
      "docs/"
      "page.md",
      "It is one.\n");
  EXPECT_TRUE(has(lint(), "--record notes it")) << lint().output;
  EXPECT_EQ(lint("--record").status, 0);
  EXPECT_EQ(testing::file_text((top_ / "scripts/lint-docs.exceptions").string())
                .find("docs/"
                      "page.md"),
            std::string::npos);
  write(
      "docs/"
      "page.md",
      two);
  EXPECT_EQ(lint().status, 1);
}

}  // namespace
}  // namespace countpm::house::docs_lint_test
