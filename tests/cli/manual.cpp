// The man page has what the tables have, man finds no fault with it, and its examples do what it says.
#include "apps/manual.hpp"

#include <gtest/gtest.h>

#include "apps/commands.hpp"
#include "apps/help.hpp"
#include "graph/lattices/lattice.hpp"
#include "kernels/method.hpp"
#include "tests/cli/run_script.hpp"

namespace countpm::test {
namespace {

/// As a reader sees it, blanks of any number as one.
Outcome rendered(const std::string& page) {
  return run_sh("man --warnings -E UTF-8 -l '" + file_with(page, "countpm.1") + "' | tr -s ' \\n' ' '");
}

/// Images of containers may have a man that says that there are no pages, and one for root may not read what
/// others may not.
bool man_renders() {
  return rendered(".TH SPECIMEN 1\n.SH NAME\nspecimen \\- all the words\n").out.find("all the words") !=
         std::string::npos;
}

TEST(Manual, IsPrinted) {
  const Outcome outcome = run({"help", "--man"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, app::manual_page());
}

TEST(Manual, HasWhatTheTablesHave) {
  if (!man_renders()) GTEST_SKIP() << "there is no man here that shows a page";
  const Outcome outcome = rendered(run({"help", "--man"}).out);
  EXPECT_EQ(outcome.err, "");
  const std::string& page = outcome.out;
  ASSERT_TRUE(page.starts_with("COUNTPM(1)")) << page.substr(0, 200);
  const auto expect = [&](const std::string& text) { EXPECT_NE(page.find(text), std::string::npos) << text; };
  for (const app::CommandInfo& command : app::command_table())
    expect("countpm " + std::string(command.synopsis) + " ");
  for (const app::OptionInfo& option : app::option_table()) expect(" " + app::spelling(option) + " ");
  for (const FormatInfo& format : formats()) expect(" " + std::string(format.name) + " ");
  for (const LatticeShape& shape : lattice_shapes())
    expect(" " + std::string(shape.name) + ":" + std::string(shape.sizes) + " ");
  for (const Method* method : exact_methods()) expect(" " + std::string(method->name()) + " ");
  for (const app::ExitMeaning& exit : app::exit_meanings())
    expect(" " + std::to_string(exit.code) + " " + std::string(exit.meaning) + " ");
  for (const app::ManualExample& example : app::manual_examples()) expect(std::string(example.command) + " ");
}

TEST(Manual, ExamplesPrintWhatItSays) {
  EXPECT_GE(app::manual_examples().size(), 5U);
  for (const app::ManualExample& example : app::manual_examples()) {
    const Outcome outcome = run_sh(std::string(example.command));
    EXPECT_EQ(outcome.code, 0) << example.command << outcome.err;
    if (example.output == "...") {
      EXPECT_NE(outcome.out, "") << example.command;
    } else {
      EXPECT_EQ(outcome.out, std::string(example.output) + "\n") << example.command;
    }
  }
}

}  // namespace
}  // namespace countpm::test
