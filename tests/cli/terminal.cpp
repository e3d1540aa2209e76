// On a terminal: the report, and a progress bar that is gone at the end. A pseudo-terminal stands for
// standard error.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

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
    std::vector<char*> argv{const_cast<char*>(COUNTPM_BINARY)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(COUNTPM_BINARY, argv.data());
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
    arguments = {
        file_with(complete_bipartite(n)), "--no-rule", "twins", "--method", "ryser", "--threads", "1"};
    terminal = run_on_terminal(arguments, 70);
    if (terminal.shown.find("\r[") != std::string::npos) break;
  }
  EXPECT_EQ(terminal.code, 0);
  const std::size_t bar = terminal.shown.find("\r[");
  ASSERT_NE(bar, std::string::npos) << terminal.shown;
  EXPECT_NE(terminal.shown.find('%', bar), std::string::npos);
  EXPECT_NE(terminal.shown.find("ryser", bar), std::string::npos);
  const std::size_t cleared = terminal.shown.rfind("\r\033[K");
  ASSERT_NE(cleared, std::string::npos);
  EXPECT_EQ(terminal.shown.find("\r[", cleared), std::string::npos) << "the bar is still there";
  std::vector<std::string> without = arguments;
  without.emplace_back("--no-progress");
  EXPECT_EQ(run_on_terminal(without).shown.find("\033[K"), std::string::npos);
}

}  // namespace
}  // namespace countpm::test
