// The worked examples of README.md and of the guides are real: every command of their `console` blocks prints
// what stands below it, where "..." stands for anything.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"

namespace countpm::test::readme_test {
namespace {

struct Example {
  std::vector<std::string> arguments;
  std::string output;
};

const std::string prompt = "$ scripts/run ";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    if (word.starts_with("data/")) word.insert(0, COUNTPM_SOURCE_DIR "/");
    words.push_back(word);
  }
  return words;
}

std::vector<Example> read_examples(const std::string& document) {
  std::ifstream file(COUNTPM_SOURCE_DIR "/" + document);
  std::vector<Example> examples;
  bool in_console = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      in_console = line == "```console";
    } else if (in_console && line.starts_with(prompt)) {
      examples.push_back({words_of(line.substr(prompt.size())), ""});
    } else if (in_console && !examples.empty()) {
      examples.back().output += line + "\n";
    }
  }
  return examples;
}

// Whether the text is the pattern with something in place of every "...".
bool fits(std::string_view text, std::string_view pattern) {
  const std::string_view dots = "...";
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

void expect_examples(const std::string& document, std::size_t least, const Wiring& wiring = {}) {
  const std::vector<Example> examples = read_examples(document);
  ASSERT_GE(examples.size(), least) << document;
  for (const Example& example : examples) {
    const Outcome outcome = run(example.arguments, wiring);
    EXPECT_EQ(outcome.code, 0) << example.arguments.back() << ": " << outcome.err;
    const auto found = lines_of(outcome.out);
    const auto expected = lines_of(example.output);
    ASSERT_EQ(found.size(), expected.size()) << document << ": " << example.arguments.back() << "\n"
                                             << outcome.out;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const std::string line = found[k].ends_with('\r') ? found[k].substr(0, found[k].size() - 1) : found[k];
      EXPECT_TRUE(fits(line, expected[k])) << document << ":\n" << line << "\nis not\n" << expected[k];
    }
  }
}

TEST(Readme, EveryExamplePrintsWhatItSays) {
  expect_examples("README.md", 5);
}

TEST(Readme, SoDoesTheGuideToDimers) {
  expect_examples("docs/dimers.md", 4);
}

TEST(Readme, SoDoesTheGuideToPages) {
  Wiring elsewhere;
  elsewhere.folder = std::filesystem::path(file_with("", "beside-pages")).parent_path().string();
  expect_examples("docs/html.md", 1, elsewhere);
  EXPECT_TRUE(std::filesystem::exists(elsewhere.folder + "/board.html"));
}

std::string text_of(const std::string& document) {
  return testing::file_text(COUNTPM_SOURCE_DIR "/" + document);
}

/// The first word of every row of explain's table of methods, the chosen one's star aside.
std::vector<std::string> methods_in(const std::string& text) {
  std::vector<std::string> names;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> words = words_of(line);
    if (inside && words.empty()) break;
    if (inside) names.push_back(words.front() == "*" ? words.at(1) : words.front());
    inside = inside || (words.size() > 1 && words[0] == "method" && words[1] == "time");
  }
  return names;
}

TEST(Readme, ExplainHasTheMethodsThatThereAre) {
  const std::vector<std::string> shown = methods_in(text_of("README.md"));
  EXPECT_GT(shown.size(), 10U);
  EXPECT_EQ(shown, methods_in(run({"explain", COUNTPM_SOURCE_DIR "/data/boards/8x8.edgelist"}).out));
}

TEST(Readme, EveryMethodIsInTheTableAndHasASectionOfTheGuide) {
  const std::string readme = text_of("README.md");
  const std::string guide = text_of("docs/methods.md");
  for (const Method* method : exact_methods()) {
    const std::string name(method->name());
    EXPECT_NE(readme.find("`" + name + "`"), std::string::npos) << name;
    EXPECT_NE(guide.find("\n## " + name + "\n"), std::string::npos) << name;
  }
}

// Words that users look for lead to the page that says what they are called here.
TEST(Readme, WordsOfTheFieldAreInTheGlossary) {
  const std::string glossary = text_of("docs/glossary.md");
  for (const char* word :
       {"FKT", "transfer matrix", "Glynn", "importance sampling", "pathwidth", "FPRAS", "boson sampling"})
    EXPECT_NE(glossary.find(word), std::string::npos) << word;
  for (const char* page : {"README.md", "docs/README.md", "docs/architecture.md", "docs/methods.md"})
    EXPECT_NE(text_of(page).find("glossary.md"), std::string::npos) << page;
}

TEST(Readme, DotsStandForAnything) {
  EXPECT_TRUE(fits("a 0.02 b", "a ... b"));
  EXPECT_TRUE(fits("x/a,1,2", "...a,...,2"));
  EXPECT_FALSE(fits("a 0.02 c", "a ... b"));
  EXPECT_FALSE(fits("ab", "ab...b"));
  EXPECT_FALSE(fits("ab", "a"));
}

}  // namespace
}  // namespace countpm::test::readme_test
