// Every file *.console beside this one: its commands print what stands below them, on standard output and
// standard error, and end with the exit code there. COUNTPM_RECORD=1 writes what they print now into the
// files (README.md).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "test_paths.hpp"
#include "tests/cli/examples.hpp"
#include "tests/file_text.hpp"

namespace countpm::test::console_test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const std::string console_folder = COUNTPM_SOURCE_DIR "/tests/cli/console";

std::string file_of(const std::string& name) {
  return fmt::format("{}/{}.console", console_folder, name);
}

Lines names() {
  Lines found;
  for (const auto& entry : fs::directory_iterator(console_folder))
    if (entry.path().extension() == ".console") found.push_back(entry.path().stem().string());
  std::sort(found.begin(), found.end());
  return found;
}

bool recording() {
  const char* const value = std::getenv("COUNTPM_RECORD");
  return value != nullptr && *value != '\0';
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string as_text(const Example& example) {
  return write_console({{example}, ""});
}

/// Times, sizes and versions as dots, and which parts the time of a report has: those of half a millisecond
/// or more, in as many lines as they take. What stood in the file and still fits a line stays, with its dots.
Lines dotted(const Lines& lines, const Lines& before) {
  const auto dots_of = [&](const std::string& line) {
    const auto known = std::find_if(before.begin(), before.end(), [&](const std::string& one) {
      return one != "..." && one.find("...") != std::string::npos && fits(line, one);
    });
    return known != before.end() ? *known : with_dots(line);
  };
  Lines found;
  bool in_time = false;
  for (const std::string& line : lines) {
    if (in_time && line.starts_with("  ")) continue;
    in_time = line.starts_with("time  ") && line.find(';') == std::string::npos;
    found.push_back(in_time ? "time ..." : dots_of(line));
    if (in_time) found.emplace_back("...");
  }
  return found;
}

class Console : public ::testing::TestWithParam<std::string> {};

TEST_P(Console, PrintsWhatItSays) {
  ConsoleFile file = read_console(testing::file_text(file_of(GetParam())));
  EXPECT_FALSE(file.examples.empty());
  const std::string folder = folder_of_examples(GetParam());
  for (Example& example : file.examples) {
    const Example found = run_on_one_core(example, folder);
    if (recording()) {
      if (!fit(found.out, example.out)) example.out = dotted(found.out, example.out);
      if (!fit(found.err, example.err)) example.err = dotted(found.err, example.err);
      example.code = found.code;
      continue;
    }
    EXPECT_TRUE(found.code == example.code && fit(found.out, example.out) && fit(found.err, example.err))
        << file_of(GetParam()) << " says\n"
        << as_text(example) << "and it prints\n"
        << as_text(found);
  }
  if (!recording()) return;
  const std::string text = write_console(file);
  ASSERT_EQ(write_console(read_console(text)), text) << "a line of output reads as one of the file's own";
  std::ofstream(file_of(GetParam())) << text;
}

std::string name_of(const ::testing::TestParamInfo<std::string>& file) {
  std::string name = file.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Console, ::testing::ValuesIn(names()), name_of);

TEST(ConsoleText, IsReadAndWritten) {
  const std::string text =
      "# A file.\n\n# The first.\n$ a \\\n  b\n1\n\n# 2\n\n$ c\n2> x: y\n2>\n[exit 2]\n$ d\n\n1\n2> z\n";
  const ConsoleFile file = read_console(text);
  ASSERT_EQ(file.examples.size(), 3U);
  EXPECT_EQ(file.examples[0].head, "# A file.\n\n# The first.\n");
  EXPECT_EQ(file.examples[0].command, "a \\\n  b");
  EXPECT_EQ(file.examples[0].out, Lines{"1"});
  EXPECT_EQ(file.examples[1].head, "\n# 2\n\n");
  EXPECT_TRUE(file.examples[1].out.empty());
  EXPECT_EQ(file.examples[1].err, (Lines{"x: y", ""}));
  EXPECT_EQ(file.examples[1].code, 2);
  EXPECT_EQ(file.examples[2].out, (Lines{"", "1"}));
  EXPECT_EQ(file.examples[2].code, 0);
  EXPECT_EQ(write_console(file), text);
  EXPECT_THROW(read_console("1\n$ a\n"), std::runtime_error);
}

TEST(ConsoleText, AnotherCodeOrLineIsADifference) {
  const std::string folder = folder_of_examples("differences");
  Example example;
  example.command = "echo a; echo b >&2; exit 3";
  const Example found = run_example(example, folder);
  EXPECT_EQ(found.out, Lines{"a"});
  EXPECT_EQ(found.err, Lines{"b"});
  EXPECT_EQ(found.code, 3);
  example.command = "echo '{\"b\": [1, 2], \"a\": {\"c\": 1}}' # --json";
  EXPECT_EQ(joined(run_on_one_core(example, folder).out), "{\n  \"b\": [1,2]\n  \"a\": {\"c\":1}\n}\n");
}

TEST(ConsoleText, TimesAndSizesAreDots) {
  EXPECT_EQ(with_dots("ryser  under 0.01 ms  10.1 KiB    32  subsets"), "ryser ... 32  subsets");
  EXPECT_EQ(with_dots("  \"seconds\": {\"a\":1.5e-05},"), "  \"seconds\": ...,");
  EXPECT_EQ(with_dots("{\"predicted_seconds\":0.5,\"work\":2}"), "{\"predicted_seconds\":...,\"work\":2}");
  EXPECT_EQ(with_dots("  \"version\": \"0.1.0\""), "  \"version\": \"...\"");
  EXPECT_EQ(with_dots("12 vertices, 1.5 s"), "12 vertices, ...");
}

}  // namespace
}  // namespace countpm::test::console_test
