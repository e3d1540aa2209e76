// countpm many of a pipe that stays open; the rest of it is in console/batches.console.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/cli/programs.hpp"

namespace countpm::test::batches_test {
namespace {

// A row is there as soon as its graph has come in.
TEST(Batches, RowsStream) {
  int to[2];
  int from[2];
  ASSERT_EQ(pipe(to), 0);
  ASSERT_EQ(pipe(from), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);  // a background job of a shell has it ignored
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
    execl(tested_program(), tested_program(), "many", "-", "--json", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  FILE* const rows = fdopen(from[0], "r");
  char line[4096];
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(write(to[1], "C~\n", 3), 3);
    ASSERT_NE(std::fgets(line, sizeof line, rows), nullptr);
    EXPECT_EQ(nlohmann::json::parse(line)["count"], "3");
  }
  // It waits for more, and Ctrl-C ends that.
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  std::fclose(rows);
  close(to[1]);
}

}  // namespace
}  // namespace countpm::test::batches_test
