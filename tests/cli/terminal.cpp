// On a terminal: the report, and a progress bar that is gone at the end. A pseudo-terminal stands for
// standard error.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "apps/text.hpp"
#include "tests/cli/programs.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"
#include "tests/graph/temporary_folder.hpp"

namespace countpm::test {
namespace {

struct Terminal {
  std::string shown;
  int code = -1;
};

// Runs with all three streams on a pseudo-terminal of that many columns.
Terminal run_on_terminal(const std::vector<std::string>& arguments, unsigned short columns = 80) {
  int master = -1;
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 24;
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child == 0) {
    std::vector<char*> argv{const_cast<char*>(tested_program())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  Terminal terminal;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = read(master, buffer.data(), buffer.size())) > 0;) {
    terminal.shown.append(buffer.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(master);
  terminal.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return terminal;
}

/// What a terminal shows as lines: bars that were written over one another, each by itself.
std::vector<std::string> shown_lines(std::string text) {
  for (const char* mark : {"\033[K", "\r"}) {
    for (std::size_t at = 0; (at = text.find(mark)) != std::string::npos;)
      text.replace(at, std::string(mark).size(), "\n");
  }
  return lines_of(text);
}

void expect_within(const Terminal& terminal, std::size_t columns) {
  for (const std::string& line : shown_lines(terminal.shown))
    EXPECT_LE(app::display_width(line), columns) << line;
}

TEST(OnTerminal, ShowsTheReport) {
  const Terminal terminal = run_on_terminal({file_with(complete_bipartite(5))});
  EXPECT_EQ(terminal.code, 0);
  EXPECT_NE(terminal.shown.find("120\r\n"), std::string::npos) << terminal.shown;
  EXPECT_NE(terminal.shown.find("counted "), std::string::npos) << terminal.shown;
  EXPECT_EQ(terminal.shown.find("\033[K"), std::string::npos) << "a short count shows no bar";
  EXPECT_EQ(run_on_terminal({file_with(complete_bipartite(5)), "-q"}).shown, "120\r\n");
}

TEST(OnTerminal, ShowsAndClearsABar) {
  // The first count that takes long enough here: one of these does, by a factor of 2 after the other.
  std::vector<std::string> arguments;
  Terminal terminal;
  for (int n = 28; n <= 36; ++n) {
    arguments = {file_with(complete_bipartite(n)),
                 "--no-rule",
                 "twins",
                 "--method",
                 "ryser",
                 "--device",
                 "cpu",
                 "--threads",
                 "1"};
    terminal = run_on_terminal(arguments, 70);
    if (terminal.shown.find("\r[") != std::string::npos) break;
  }
  EXPECT_EQ(terminal.code, 0);
  const std::size_t bar = terminal.shown.find("\r[");
  ASSERT_NE(bar, std::string::npos) << terminal.shown;
  EXPECT_NE(terminal.shown.find('%', bar), std::string::npos);
  EXPECT_NE(terminal.shown.find("ryser", bar), std::string::npos);
  expect_within(terminal, 70);
  const std::size_t cleared = terminal.shown.rfind("\r\033[K");
  ASSERT_NE(cleared, std::string::npos);
  EXPECT_EQ(terminal.shown.find("\r[", cleared), std::string::npos) << "the bar is still there";
  std::vector<std::string> without = arguments;
  without.emplace_back("--progress=none");
  EXPECT_EQ(run_on_terminal(without).shown.find("\033[K"), std::string::npos);
}

TEST(OnTerminal, ALongListIsLeftOutWhereAPictureShowsIt) {
  const testing::TemporaryFolder folder;
  const std::string picture = folder.path("a.svg");
  const auto shown_by = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--svg", picture, "--overwrite"});
    const Terminal terminal = run_on_terminal(arguments);
    EXPECT_EQ(terminal.code, 0) << terminal.shown;
    EXPECT_NE(terminal.shown.find("picture     "), std::string::npos) << terminal.shown;
    return terminal.shown;
  };
  const std::string mark = "is long and left out";
  for (const char* command : {"sample", "marginals"}) {
    const std::string large = shown_by({command, "lattice:square:20x20"});
    EXPECT_NE(large.find(mark), std::string::npos) << large;
    EXPECT_EQ(large.find("r19c"), std::string::npos) << large;
    EXPECT_LT(lines_of(large).size(), 30U) << large;
    const std::string small = shown_by({command, "lattice:square:2x2"});
    EXPECT_EQ(small.find(mark), std::string::npos) << small;
    EXPECT_NE(small.find("r0c0 "), std::string::npos) << small;
    // Whoever asks for the list has it.
    for (const char* option : {"--csv", "--json"}) {
      if (std::string(command) == "marginals" && std::string(option) == "--json") continue;  // no lines
      EXPECT_NE(shown_by({command, "lattice:square:20x20", option}).find("r19c"), std::string::npos)
          << option;
    }
    EXPECT_NE(run_on_terminal({command, "lattice:square:20x20"}).shown.find("r19c"), std::string::npos);
    // No terminal.
    const Outcome piped = run({command, "lattice:square:20x20", "--svg", picture, "--overwrite"});
    EXPECT_NE(piped.out.find("r19c"), std::string::npos);
    EXPECT_EQ(piped.err.find(mark), std::string::npos) << piped.err;
    // The list goes into a file.
    const std::string list = folder.path("list");
    const std::string kept = shown_by({command, "lattice:square:20x20", "--output", list});
    EXPECT_EQ(kept.find(mark), std::string::npos) << kept;
    EXPECT_NE(testing::file_text(list).find("r19c"), std::string::npos);
    std::filesystem::remove(list);
  }
}

TEST(OnTerminal, NothingIsWiderThanTheTerminal) {
  const auto expect_all_within = [](const std::vector<std::vector<std::string>>& commands,
                                    unsigned short columns) {
    for (const std::vector<std::string>& arguments : commands) {
      const Terminal terminal = run_on_terminal(arguments, columns);
      EXPECT_EQ(terminal.code, 0) << terminal.shown;
      expect_within(terminal, columns);
    }
  };
  const std::vector<std::vector<std::string>> sentences{
      {"help", "list"}, {"methods"}, {"version"}, {"lattice:square:8x8"}, {"list", "lattice:square:3x3"}};
  const std::vector<std::vector<std::string>> tables{{"explain", "lattice:cubic:4x4x4"},
                                                     {"many", "lattice:square:2x2..6x6:step=2"}};
  expect_all_within(sentences, 60);
  expect_all_within(sentences, 80);
  expect_all_within(tables, 80);
  expect_all_within(tables, 100);
  // A terminal that is wide enough has all columns of a series, and help in longer lines.
  const std::vector<std::string> series{"many", "lattice:square:2x2..6x6:step=2"};
  EXPECT_EQ(run_on_terminal(series, 80).shown.find("seconds  "), std::string::npos);
  EXPECT_NE(run_on_terminal(series, 140).shown.find("seconds  "), std::string::npos);
  EXPECT_GT(run_on_terminal({"help", "count"}, 80).shown.size(),
            run_on_terminal({"help", "count"}, 110).shown.size());
}

TEST(OnTerminal, TheHelpFitsAScreen) {
  const Terminal bare = run_on_terminal({});
  EXPECT_EQ(bare.code, 2);
  expect_within(bare, 80);
  EXPECT_LE(std::count(bare.shown.begin(), bare.shown.end(), '\n'), 23) << bare.shown;
  EXPECT_NE(bare.shown.find("Usage: countpm INPUT"), std::string::npos) << bare.shown;
}

}  // namespace
}  // namespace countpm::test
