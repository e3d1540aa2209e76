// Files that are written: a whole one, or none; what was there by Ctrl-C; never over what somebody puts there
// meanwhile. What they may write to is in console/output-files.console.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "apps/output_file.hpp"
#include "graph/errors.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

using countpm::testing::file_text;

/// A folder with an input in it.
class Outputs : public ::testing::Test {
 protected:
  Outputs()
      : input_(file_with("a x\na y\nb x\nb y\n", "graph.el")), folder_(fs::path(input_).parent_path()) {}
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const std::string input_;
  const fs::path folder_;
};

// Killed: no half file, and none under another name.
TEST_F(Outputs, AreWholeOrNotThere) {
  Wiring killed;
  killed.signals = {{0.4, SIGKILL}};
  killed.output_file = "/dev/null";
  run({"sample", "lattice:square:12x12", "--number", "100000000", "--heights", at("heights.csv"), "--quiet"},
      killed);
  EXPECT_EQ(files(), 1U);
}

// What somebody puts there while the work is done stays.
TEST_F(Outputs, ComeTooLateForANameThatIsTaken) {
  {
    app::OutputFile file(at("late"), false);
    file.write("mine");
    EXPECT_EQ(files(), 1U);  // it has no name yet
    std::ofstream(at("late")) << "theirs";
    EXPECT_THROW(file.close(), UsageError);
  }
  EXPECT_EQ(file_text(at("late")), "theirs");
  {
    app::OutputFile file(at("late"), true);
    file.write("mine");
    fs::remove(at("late"));
    fs::create_symlink(input_, at("late"));
    EXPECT_THROW(file.close(), UsageError);
  }
  EXPECT_TRUE(fs::is_symlink(at("late")));
  EXPECT_EQ(file_text(input_).substr(0, 3), "a x");
  EXPECT_EQ(files(), 2U);
  fs::remove(at("late"));
  app::OutputFile file(at("late"), false);
  file.write("mine, ");
  file.write("at last");
  file.close();
  EXPECT_EQ(file_text(at("late")), "mine, at last");
  EXPECT_EQ(files(), 2U);
}

// As on standard output; and timeout(1) sends its signal twice, to the process and to its group.
TEST_F(Outputs, RowsUntilCtrlCAreKept) {
  const std::vector<std::string> arguments{
      "many", "lattice:square:2x2", "lattice:cubic:6x6x8", "--time-limit", "none", "--method", "frontier"};
  std::vector<std::string> into = arguments;
  into.insert(into.end(), {"-o", at("rows")});
  std::string rows;
  // How long the first row takes depends on the machine.
  for (double seconds = 0.5; seconds < 60 && rows.find("lattice:square:2x2") == std::string::npos;
       seconds *= 3) {
    fs::remove(at("rows"));
    Wiring wiring;
    wiring.signals = {{seconds, SIGINT}, {seconds + 0.005, SIGINT}};
    const Outcome outcome = run(into, wiring);
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    rows = fs::exists(at("rows")) ? file_text(at("rows")) : outcome.err;
  }
  EXPECT_NE(rows.find("lattice:square:2x2"), std::string::npos) << rows;
}

}  // namespace
}  // namespace countpm::test
