// The examples of README.md and of all pages of docs/ are real: every command of their `console` blocks is
// run, and prints what stands below it (examples.hpp). A page's commands run one after another in a folder
// with data/ and examples/ in it. `<!-- long -->` above a block leaves it to the long set.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands.hpp"
#include "apps/options.hpp"
#include "kernels/method.hpp"
#include "test_paths.hpp"
#include "tests/cli/examples.hpp"
#include "tests/cli/run_script.hpp"
#include "tests/file_text.hpp"
#include "tests/repeats.hpp"

namespace countpm::test::readme_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& document) {
  return testing::file_text(COUNTPM_SOURCE_DIR "/" + document);
}

/// With a blank in place of every line's end.
std::string flowing(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

using Lines = std::vector<std::string>;

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

void expect_examples(const std::string& document, const std::vector<Example>& examples) {
  const std::string folder = folder_of_examples(fs::path(document).stem().string());
  for (const Example& example : examples) {
    const Example found = run_example(example, folder);
    EXPECT_EQ(found.code, 0) << document << ": " << example.command << "\n" << joined(found.err);
    EXPECT_TRUE(fit(found.out, example.out)) << document << ": " << example.command << "\nprints\n"
                                             << joined(found.out) << "and not\n"
                                             << joined(example.out);
  }
}

/// README.md and every page of docs/, as far as there are commands in them.
std::vector<std::string> pages_with_examples() {
  std::vector<std::string> pages{"README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(COUNTPM_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md")
      pages.push_back(fs::relative(entry.path(), COUNTPM_SOURCE_DIR).string());
  std::sort(pages.begin(), pages.end());
  std::erase_if(pages, [](const std::string& page) { return examples_of_page(text_of(page)).empty(); });
  return pages;
}

void expect_pages(const std::function<bool(const Example&)>& wanted) {
  std::size_t number = 0;
  // Every second page under the sanitizers, which have these commands from other tests, too.
  bool left_out = true;
  for (const std::string& page : pages_with_examples()) {
    left_out = testing::sanitized && !left_out;
    if (left_out) continue;
    std::vector<Example> examples = examples_of_page(text_of(page));
    std::erase_if(examples, [&](const Example& example) { return !wanted(example); });
    expect_examples(page, examples);
    number += examples.size();
  }
  EXPECT_GT(number, 0U);
}

TEST(Readme, EveryExamplePrintsWhatItSays) {
  const std::vector<std::string> pages = pages_with_examples();
  for (const char* page : {"README.md", "docs/guides/chemistry.md", "docs/guides/combinatorics.md",
                           "docs/guides/dimers.md", "docs/guides/hpc.md", "docs/html.md", "docs/growth.md"})
    EXPECT_TRUE(std::binary_search(pages.begin(), pages.end(), page)) << page << " has no example";
  expect_pages([](const Example& example) { return !example.is_long; });
}

TEST(LongReadme, SoDoTheLongOnes) {
  expect_pages([](const Example& example) { return example.is_long; });
}

TEST(Readme, PicturesAreWhatTheirCommandsDraw) {
  const std::string folder = folder_of_examples("pictures");
  const Outcome outcome =
      run_script({"bash"}, "bash '" COUNTPM_SOURCE_DIR "/docs/pictures/draw.sh' \"$1\"\n", folder);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::size_t number = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".svg") continue;
    ++number;
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(testing::file_text(entry.path().string()) == text_of("docs/pictures/" + name))
        << "docs/pictures/" << name << " is another picture: docs/pictures/draw.sh draws it";
  }
  EXPECT_GE(number, 11U);
}

TEST(Readme, ChartsAndPlotsAreWhatTheirScriptDraws) {
  if (!has_program("python3")) GTEST_SKIP() << "no python3";
  const std::string folder = folder_of_examples("charts");
  const Outcome outcome =
      run_script({"bash"}, "python3 -B '" COUNTPM_SOURCE_DIR "/tools/draw_docs.py' --check\n", folder);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

TEST(Readme, EveryMethodIsInTheTableAndHasASectionOfTheGuide) {
  const std::string guide = text_of("docs/methods.md");
  for (const Method* method : exact_methods()) {
    const std::string name(method->name());
    EXPECT_NE(guide.find("\n| `" + name + "` |"), std::string::npos) << name;
    EXPECT_NE(guide.find("\n## " + name + "\n"), std::string::npos) << name;
  }
}

// Words that users look for are on the front page, and lead to the page that says what they are called here.
TEST(Readme, WordsOfTheFieldAreThere) {
  const std::string glossary = flowing(text_of("docs/glossary.md"));
  const std::string readme = flowing(text_of("README.md"));
  for (const char* word : {"FKT", "transfer matrix", "Glynn", "importance sampling", "pathwidth", "FPRAS",
                           "boson sampling", "Ryser", "Kasteleyn", "Dulmage-Mendelsohn", "hafnian"}) {
    EXPECT_NE(glossary.find(word), std::string::npos) << word;
    EXPECT_NE(readme.find(word), std::string::npos) << word;
  }
  for (const char* page :
       {"README.md", "docs/README.md", "docs/internals/architecture.md", "docs/methods.md"})
    EXPECT_NE(text_of(page).find("glossary.md"), std::string::npos) << page;
}

/// Commands that are named in a text and not run: spans of code, and lines that are so far indented.
std::vector<std::string> named_commands(const std::string& text, std::size_t indent = 4) {
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(text)) {
    const std::size_t first = line.find_first_not_of(" $");
    if (first != std::string::npos && first >= indent && line.substr(first).starts_with("countpm "))
      commands.push_back(line.substr(first));
  }
  const std::string flow = flowing(text);
  const std::string begin = "`countpm ";
  for (std::size_t at = flow.find(begin); at != std::string::npos; at = flow.find(begin, at + 1))
    commands.push_back(flow.substr(at + 1, flow.find('`', at + 1) - at - 1));
  return commands;
}

/// "many --draw": the options that a command line has and its command does not take.
std::vector<std::string> unknown_options(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  std::string command = "count";
  std::vector<std::string> unknown;
  for (int number = 0; words >> word && word != "--" && word != "|" && word != "\\|" && word != "#";
       ++number) {
    if (number == 1 && app::find_command(word) != nullptr) command = word;
    if (word.starts_with('[')) word.erase(0, 1);
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(2, word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", 2) - 2);
    if (!app::takes_option(command, name) && name != "version")
      unknown.push_back(fmt::format("{} --{}", command, name));
  }
  return unknown;
}

// Commands with placeholders cannot be run; their options are those that there are.
TEST(Readme, NamedCommandsHaveTheirOptions) {
  std::vector<std::string> pages{"README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(COUNTPM_SOURCE_DIR "/docs"))
    if (entry.path().extension() == ".md")
      pages.push_back(fs::relative(entry.path(), COUNTPM_SOURCE_DIR).string());
  std::size_t number = 0;
  for (const std::string& page : pages) {
    for (const std::string& command : named_commands(text_of(page))) {
      ++number;
      for (const std::string& option : unknown_options(command)) ADD_FAILURE() << page << ": " << option;
    }
  }
  for (const app::CommandInfo& command : app::command_table()) {
    const std::vector<std::string> lines = named_commands(run({"help", std::string(command.name)}).out, 2);
    for (const std::string& line : lines)
      for (const std::string& option : unknown_options(line)) ADD_FAILURE() << "countpm help: " << option;
  }
  EXPECT_GT(number, 50U);
  EXPECT_EQ(named_commands("a `countpm list\n--csv` b\n\n    $ countpm x.mtx\n  countpm no\n").size(), 2U);
  EXPECT_EQ(unknown_options("countpm many INPUT [--draw KIND] --csv | head --lines=3"),
            std::vector<std::string>{"many --draw"});
  EXPECT_TRUE(unknown_options("countpm x.mtx --threads=4 --html FILE").empty());
}

TEST(Readme, DotsStandForAnything) {
  EXPECT_TRUE(fits("a 0.02 b", "a ... b"));
  EXPECT_TRUE(fits("x/a,1,2", "...a,...,2"));
  EXPECT_FALSE(fits("a 0.02 c", "a ... b"));
  EXPECT_FALSE(fits("ab", "ab...b"));
  EXPECT_FALSE(fits("ab", "a"));
  EXPECT_TRUE(fit({"a", "b", "c", "d"}, {"a", "...", "d"}));
  EXPECT_TRUE(fit({"a"}, {"...", "a", "..."}));
  EXPECT_FALSE(fit({"a", "b"}, {"a"}));
  EXPECT_FALSE(fit({"a"}, {"a", "b"}));
}

TEST(Readme, FindsCommands) {
  const std::vector<Example> examples = examples_of_page(
      "$ no\n```console\n$ a \\\n  b\n1\n2\n$ c\n```\n<!-- long -->\n\n```console\n$ d\n```\n```text\n$ "
      "e\n```\n"
      "```console\n$ f\n```\n");
  ASSERT_EQ(examples.size(), 4U);
  EXPECT_EQ(examples[0].command, "a \\\n  b");
  EXPECT_EQ(examples[0].out, (Lines{"1", "2"}));
  EXPECT_TRUE(examples[1].out.empty());
  EXPECT_TRUE(examples[2].is_long);
  EXPECT_FALSE(examples[3].is_long);
  EXPECT_EQ(examples[3].command, "f");
}

}  // namespace
}  // namespace countpm::test::readme_test
