// Help and docs come from the same tables as the parser.
#include <gtest/gtest.h>

#include "apps/commands.hpp"
#include "apps/help.hpp"
#include "apps/text.hpp"
#include "kernels/method.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"

namespace countpm::test {
namespace {

TEST(Help, DocsAreUpToDate) {
  const Outcome outcome = run({"help", "--markdown"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, testing::file_text(COUNTPM_SOURCE_DIR "/docs/options.md"))
      << "run: countpm help --markdown > docs/options.md";
}

TEST(Help, NamesEveryCommandAndEveryOptionOfCount) {
  const Outcome outcome = run({"help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, run({"--help"}).out);
  EXPECT_EQ(outcome.out, run({"-h"}).out);
  for (const app::CommandInfo& command : app::command_table()) {
    EXPECT_NE(outcome.out.find("countpm " + std::string(command.synopsis)), std::string::npos)
        << command.name;
    const Outcome of_command = run({"help", std::string(command.name)});
    EXPECT_EQ(of_command.code, 0);
    EXPECT_EQ(of_command.out, run({std::string(command.name), "--help"}).out) << command.name;
    for (const app::OptionInfo& option : app::option_table()) {
      const bool has =
          std::find(option.commands.begin(), option.commands.end(), command.name) != option.commands.end();
      const bool shown = of_command.out.find("  " + app::spelling(option) + " ") != std::string::npos;
      EXPECT_EQ(has, shown) << command.name << " " << option.name;
    }
  }
}

TEST(Help, FitsAHundredColumns) {
  std::string all = app::general_help();
  for (const app::CommandInfo& command : app::command_table()) all += app::command_help(command);
  for (const std::string& line : lines_of(all)) EXPECT_LE(app::display_width(line), 100U) << line;
  for (const std::string& line : lines_of(run({"methods"}).out))
    EXPECT_LE(app::display_width(line), 120U) << line;
}

TEST(Help, Version) {
  const std::string expected = std::string("countpm ") + version() + "\n";
  const std::string out = run({"version"}).out;
  EXPECT_TRUE(out.starts_with(expected)) << out;
  EXPECT_NE(out.find("MPI"), std::string::npos) << out;  // what is in it, and what is not
  EXPECT_EQ(run({"--version"}).out, out);
}

TEST(Help, MethodsListsMethodsRulesAndFormats) {
  const Outcome outcome = run({"methods"});
  EXPECT_EQ(outcome.code, 0);
  for (const Method* method : exact_methods()) EXPECT_NE(outcome.out.find(method->name()), std::string::npos);
  EXPECT_NE(outcome.out.find("FKT"), std::string::npos) << "what planar counting is searched for by";
  for (const RuleInfo& rule : rules()) EXPECT_NE(outcome.out.find(rule.name), std::string::npos);
  for (const FormatInfo& format : formats()) EXPECT_NE(outcome.out.find(format.name), std::string::npos);
}

}  // namespace
}  // namespace countpm::test
