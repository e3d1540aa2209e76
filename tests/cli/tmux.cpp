// What a terminal of 80 columns shows, by one that others wrote: help, report, forecast and the progress bar
// in tmux.
#include <gtest/gtest.h>

#include "apps/text.hpp"
#include "tests/cli/run_script.hpp"

namespace countpm::test::tmux_test {
namespace {

/// A server of its own; `screen WORDS` waits until the pane shows the words, and has all lines, each with
/// what wrapped.
constexpr const char* functions = R"(
folder=$(mktemp -d)
server() { tmux -S "$folder/socket" -f /dev/null "$@"; }
start() { server -u new-session -d -x 80 -y 24 sh "$folder/commands"; }
screen() {
  for attempt in $(seq 600); do
    server capture-pane -p -J -S - >"$folder/screen" || break
    grep -q "$1" "$folder/screen" && return
    sleep 0.05
  done
  echo "there is no $1"
}
finish() {
  cat "$folder/screen"
  server kill-server
  rm -r "$folder"
}
)";

void expect_no_line_wraps(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (std::string line : lines_of(outcome.out)) {
    line.erase(line.find_last_not_of(' ') + 1);
    // Errors are one line, however long.
    if (line.starts_with("countpm: ")) continue;
    EXPECT_LE(app::display_width(line), 80U) << line;
  }
}

class Tmux : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_program("tmux")) GTEST_SKIP() << "there is no tmux";
  }
};

TEST_F(Tmux, HelpReportAndForecastFit80Columns) {
  const Outcome outcome = run_sh(std::string(functions) + R"(
cat >"$folder/commands" <<END
$countpm
$countpm help count
$countpm lattice:square:8x8
$countpm explain lattice:square:6x6
echo all is shown
exec sleep 1000
END
start
screen 'all is shown'
finish)");
  expect_no_line_wraps(outcome);
  for (const char* const part : {"Usage: countpm INPUT", "--time-limit TIME", "12988816",
                                 "counted     perfect matchings", "total       ", "all is shown"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
}

TEST_F(Tmux, TheBarIsOneLineAndCtrlCEndsIt) {
  const Outcome outcome = run_sh(std::string(functions) + R"(
cat >"$folder/commands" <<END
trap : INT
$countpm lattice:complete-bipartite:56x56 --no-rule twins --method ryser --time-limit none
echo exit code \$?
exec sleep 1000
END
start
screen '%  ryser'
cat "$folder/screen"
echo then Ctrl-C
server send-keys C-c
screen 'exit code'
finish)");
  expect_no_line_wraps(outcome);
  EXPECT_NE(outcome.out.find("%  ryser"), std::string::npos) << outcome.out;
  // With what --checkpoint would have done, unless the machine is so busy that the program is ended from
  // outside.
  EXPECT_NE(outcome.out.find("countpm: interrupted"), std::string::npos) << outcome.out;
  const std::size_t end = outcome.out.find("then Ctrl-C");
  ASSERT_NE(end, std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find('%', end), std::string::npos) << "the bar is still there: " << outcome.out;
  EXPECT_NE(outcome.out.find("exit code 130"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace countpm::test::tmux_test
