// What --svg and --heights may write to: never an input, nor each other, nor what somebody else has there; a
// whole file, or none.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "apps/output.hpp"
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
  void expect_refused(const std::vector<std::string>& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << words << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << "known before anything is done";
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << ": " << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  }

  const std::string input_;
  const fs::path folder_;
};

TEST_F(Outputs, AreNeverTheInput) {
  const std::string before = file_text(input_);
  fs::create_symlink(input_, at("link"));
  fs::create_hard_link(input_, at("hard"));
  for (const std::string command : {"explain", "marginals", "sample", "series", "compare"}) {
    for (const std::string& name : {input_, at("./graph.el"), at("link"), at("hard")}) {
      expect_refused({command, input_, "--svg", name, "--overwrite"}, "that is the input");
      EXPECT_EQ(file_text(input_), before) << command;
    }
  }
  expect_refused({"explain", at("link"), "--svg", input_, "--overwrite"}, "that is the input");
  // What standard input is, and standard output.
  Wiring in;
  in.launcher = {"/bin/sh", "-c", "exec \"$0\" \"$@\" < " + input_};
  EXPECT_EQ(run({"explain", "-", "--svg", input_, "--overwrite"}, in).code, 2);
  in.launcher[2] = "exec \"$0\" \"$@\" > " + at("out");
  EXPECT_EQ(run({"explain", input_, "--svg", at("out"), "--overwrite"}, in).code, 2);
  EXPECT_EQ(file_text(input_), before);
}

TEST_F(Outputs, AreNeverOneAnother) {
  const std::vector<std::string> start{"sample", "lattice:square:2x2", "--svg", at("s")};
  for (const std::string& other :
       {at("s"), at("./s"), (folder_ / ".." / folder_.filename() / "s").string()}) {
    std::vector<std::string> arguments = start;
    arguments.insert(arguments.end(), {"--heights", other});
    expect_refused(arguments, "that is the file of --svg");
    arguments.emplace_back("--overwrite");
    expect_refused(arguments, "that is the file of --svg");
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(Outputs, ReplaceNothingUnlessToldTo) {
  for (const char* option : {"--svg", "--heights"}) {
    std::ofstream(at("precious")) << "precious";
    const std::vector<std::string> arguments{"sample", "lattice:square:2x2", option, at("precious")};
    expect_refused(arguments, "exists already, and is left alone: give another name, or --overwrite");
    EXPECT_EQ(file_text(at("precious")), "precious");
    ASSERT_EQ(chmod(at("precious").c_str(), 0600), 0);
    std::vector<std::string> told = arguments;
    told.emplace_back("--overwrite");
    const Outcome outcome = run(told);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_GT(file_text(at("precious")).size(), 40U);
    struct stat status {};
    ASSERT_EQ(stat(at("precious").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);  // as it was
    EXPECT_EQ(run(arguments).code, 2);        // its own work, too: it may have been edited
  }
  EXPECT_EQ(files(), 2U);
}

TEST_F(Outputs, GoIntoNoLinkFolderOrFifo) {
  std::ofstream(at("victim")) << "precious";
  fs::create_symlink(at("victim"), at("link"));
  fs::create_symlink(at("nothing"), at("dangling"));
  fs::create_directory(at("folder"));
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  for (const char* option : {"--svg", "--heights"}) {
    for (const auto& [name, kind] : {std::pair{"link", "a symbolic link"},
                                     {"dangling", "a symbolic link"},
                                     {"folder", "a folder"},
                                     {"fifo", "a FIFO"}}) {
      std::vector<std::string> arguments{"sample", "lattice:square:2x2", option, at(name)};
      expect_refused(arguments, std::string("it is ") + kind);
      arguments.emplace_back("--overwrite");
      expect_refused(arguments, std::string("it is ") + kind);
    }
  }
  EXPECT_EQ(file_text(at("victim")), "precious");
  EXPECT_FALSE(fs::exists(at("nothing")));
}

// A device has nothing to lose, and a descriptor is open already.
TEST_F(Outputs, GoToDevicesAndDescriptorsAsTheyAre) {
  EXPECT_EQ(run({"sample", "lattice:square:2x2", "--svg", "/dev/null", "--heights", "/dev/null"}).code, 0);
  for (const char* name : {"/dev/stdout", "/dev/fd/1"}) {
    const Outcome drawn = run({"explain", input_, "--svg", name});
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_NE(drawn.out.find("</svg>"), std::string::npos) << drawn.out;
  }
  EXPECT_EQ(run({"sample", "lattice:square:2x2", "--svg", "/dev/fd/999"}).code, 2);
}

// Killed, or without room on the disk: no half file, and none under another name.
TEST_F(Outputs, AreWholeOrNotThere) {
  Wiring killed;
  killed.signals = {{0.4, SIGKILL}};
  const std::vector<std::string> endless{"sample",    "lattice:square:12x12", "--count", "100000000",
                                         "--heights", at("heights.csv"),      "--quiet"};
  Wiring quiet = killed;
  quiet.output_file = "/dev/null";
  run(endless, quiet);
  EXPECT_FALSE(fs::exists(at("heights.csv")));
  Wiring limited;
  limited.launcher = {"/bin/sh", "-c", "ulimit -f 8; exec \"$0\" \"$@\""};
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"sample", "lattice:aztec:30", "--svg", at("big.svg")},
           {"sample", "lattice:square:12x12", "--count", "100", "--heights", at("big.csv")}}) {
    const Outcome outcome = run(arguments, limited);
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
  }
  std::ofstream(at("old.svg")) << "precious";
  EXPECT_EQ(run({"sample", "lattice:aztec:30", "--svg", at("old.svg"), "--overwrite"}, limited).code, 1);
  EXPECT_EQ(file_text(at("old.svg")), "precious");
  EXPECT_EQ(files(), 2U);
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

// A name that no file can have is bad usage, whatever is to be written there, and nothing is counted first.
TEST_F(Outputs, AreRefusedAtOnceWhereNoFileCanBeMade) {
  const std::string nowhere = "/nonexistent/x";
  for (const char* option : {"--output", "--svg", "--html", "--checkpoint"}) {
    const std::string command = option == std::string("--svg") ? "explain" : "count";
    expect_refused({command, input_, "--no-rule", "double", option, nowhere},
                   "cannot write to /nonexistent/x: No such file or directory");
  }
  expect_refused({"count", input_, "--checkpoint", "/dev/full"}, "a device");
}

TEST_F(Outputs, AnswersGoIntoTheFileOfOutput) {
  const std::vector<std::vector<std::string>> commands{{"count", input_},
                                                       {"explain", "--json", "lattice:square:2x2"},
                                                       {"list", input_},
                                                       {"marginals", input_, "--csv"},
                                                       {"sample", input_, "--json"},
                                                       {"lattice", "square:3x3"},
                                                       {"estimate", input_}};
  int number = 0;
  for (std::vector<std::string> arguments : commands) {
    const std::string written = run(arguments).out;
    const std::string file = at("answer" + std::to_string(number++));
    arguments.insert(arguments.end(), {"-o", file});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "") << arguments[0];
    if (arguments[0] == "explain") {
      EXPECT_EQ(file_text(file).substr(0, 12), written.substr(0, 12));  // times differ
    } else {
      EXPECT_EQ(file_text(file), written) << arguments[0];
    }
    const Outcome again = run(arguments);
    EXPECT_EQ(again.code, 2) << arguments[0];
    EXPECT_NE(again.err.find("exists already, and is left alone: give another name, or --overwrite"),
              std::string::npos)
        << again.err;
    arguments.emplace_back("--overwrite");
    EXPECT_EQ(run(arguments).code, 0) << arguments[0];
  }
  const std::string before = file_text(input_);
  expect_refused({input_, "-o", input_, "--overwrite"}, "that is the input");
  expect_refused({"explain", input_, "-o", at("x"), "--svg", at("x")}, "that is the file of --output");
  EXPECT_EQ(file_text(input_), before);
  const std::string folder = at("rows");
  EXPECT_EQ(run({"series", input_, "lattice:square:2x2", "--csv", "-o", folder}).code, 0);
  EXPECT_EQ(lines_of(file_text(folder)).size(), 3U);
}

// No answer, no file: the error's object goes where it always does.
TEST_F(Outputs, NoAnswerLeavesNoFile) {
  const Outcome refused = run({"lattice:cubic:8x8x8", "--time-limit", "1s", "--json", "-o", at("none")});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.out.find("\"unable\""), std::string::npos) << refused.out;
  EXPECT_FALSE(fs::exists(at("none")));
  std::ofstream(at("old")) << "precious";
  EXPECT_EQ(run({"lattice:cubic:8x8x8", "--time-limit", "1s", "-o", at("old"), "--overwrite"}).code, 3);
  EXPECT_EQ(file_text(at("old")), "precious");
}

TEST_F(Outputs, PicturesThatAreNoSvgAreRefusedBeforeCounting) {
  for (const char* name : {"x.pdf", "x.jpg", "x.JPEG", "x.eps"}) {
    expect_refused({"sample", "lattice:square:40x40", "--svg", at(name)},
                   "pictures are SVG, or PNG if the name ends in .png");
    EXPECT_FALSE(fs::exists(at(name)));
  }
  EXPECT_EQ(run({"sample", "lattice:square:4x4", "--svg", at("x.svg")}).code, 0);
  expect_refused({"lattice:square:4x4", "--html", at("page.svg")}, "a page is HTML");
  expect_refused({"chem", "lattice:benzenoid:55", "--structures", at("y.svg")}, "writes an SDF");
  expect_refused({"chem", "lattice:benzenoid:55", "--sheet", at("y.sdf")}, "y.sdf: pictures are SVG");
}

// As on standard output; and timeout(1) sends its signal twice, to the process and to its group.
TEST_F(Outputs, RowsUntilCtrlCAreKept) {
  const std::vector<std::string> arguments{
      "series", "lattice:square:2x2", "lattice:cubic:6x6x8", "--time-limit", "none", "--method", "frontier"};
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
