// Every file of data/ gives the count in its .expect file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

// "key the rest of the line"
std::map<std::string, std::string> facts_of(const fs::path& path) {
  std::ifstream file(path);
  std::map<std::string, std::string> facts;
  for (std::string line; std::getline(file, line);) {
    const std::size_t blank = line.find(' ');
    if (blank != std::string::npos) facts[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return facts;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

// Counts, or says honestly that this release cannot within 20 seconds: the large boards and fullerenes.
bool counts_or_refuses(const fs::path& input, std::vector<std::string> options, const std::string& expected) {
  options.insert(options.begin(), input.string());
  options.insert(options.end(), {"--time-limit", "20s"});
  const Outcome outcome = run(options);
  if (outcome.code == 3) return false;
  EXPECT_EQ(outcome.code, 0) << input << "\n" << outcome.err;
  EXPECT_EQ(outcome.out, expected + "\n") << input;
  return true;
}

TEST(Data, EveryExpectedCount) {
  const fs::path folder = COUNTPM_SOURCE_DIR "/data";
  int counted = 0;
  std::set<std::string> refused;
  if (fs::exists(folder)) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".expect") continue;
      const auto facts = facts_of(entry.path());
      fs::path input = entry.path();
      input.replace_extension(".edgelist");
      const auto options =
          facts.count("options") > 0 ? words_of(facts.at("options")) : std::vector<std::string>{};
      if (counts_or_refuses(input, options, facts.at("count"))) {
        ++counted;
      } else {
        refused.insert(input.stem().string());
      }
      // Every edge as two arcs.
      if (facts.count("cycle-covers") > 0 &&
          !counts_or_refuses(input, {"--kind", "symmetric"}, facts.at("cycle-covers"))) {
        refused.insert(input.stem().string() + " as symmetric");
      }
    }
  }
  if (counted == 0) GTEST_SKIP() << "no data yet";
  EXPECT_GE(counted, 25);
  // What may be refused: what CPU methods cannot do quickly. The fullerenes' perfect matchings they can.
  for (const std::string& name : refused) {
    EXPECT_TRUE(name.ends_with(" as symmetric") || name.find("8x8") != std::string::npos ||
                name.find("7x7") != std::string::npos)
        << name << " was refused";
  }
}

}  // namespace
}  // namespace countpm::test
