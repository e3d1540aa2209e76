// The worked examples of README.md are real: every command of its `console` blocks prints what stands below
// it.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
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

std::vector<Example> read_examples() {
  std::ifstream file(COUNTPM_SOURCE_DIR "/README.md");
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

TEST(Readme, EveryExamplePrintsWhatItSays) {
  const std::vector<Example> examples = read_examples();
  ASSERT_GE(examples.size(), 5U);
  for (const Example& example : examples) {
    const Outcome outcome = run(example.arguments);
    EXPECT_EQ(outcome.code, 0) << example.arguments.back() << ": " << outcome.err;
    EXPECT_EQ(outcome.out, example.output) << example.arguments.back();
  }
}

}  // namespace
}  // namespace countpm::test
