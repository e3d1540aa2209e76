// Standard streams: the number alone, pipes that close, disks that are full, locales.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

TEST(Streams, TheNumberAloneOnStandardOutput) {
  const Outcome outcome = run({file_with(complete_bipartite(5))});
  EXPECT_EQ(outcome.out, "120\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
}

TEST(Streams, StandardInput) {
  Wiring wiring;
  wiring.input = complete_bipartite(4);
  EXPECT_EQ(run({"-"}, wiring).out, "24\n");
  EXPECT_EQ(lines_of(run({"list", "-"}, wiring).out).size(), 24U);
  const Outcome outcome = run({"-"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("<stdin>"), std::string::npos) << outcome.err;
}

TEST(Streams, AClosedPipeEndsQuietly) {
  Wiring wiring;
  wiring.read_only = 1;
  const std::string input = file_with(complete_bipartite(9));
  const Outcome listing = run({"list", input}, wiring);  // 9! lines, some 13 MB
  EXPECT_EQ(listing.code, 0);
  EXPECT_EQ(listing.err, "");
  EXPECT_LT(listing.seconds, patience);
  wiring.read_only = 0;
  const Outcome counting = run({input}, wiring);
  EXPECT_EQ(counting.code, 0);
  EXPECT_EQ(counting.err, "");
}

TEST(Streams, AFullDiskIsAnError) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full";
  Wiring wiring;
  wiring.output_file = "/dev/full";
  const std::string input = file_with(complete_bipartite(4));
  for (const auto& arguments : std::vector<std::vector<std::string>>{{input},
                                                                     {input, "--json"},
                                                                     {"explain", input},
                                                                     {"list", input},
                                                                     {"methods"},
                                                                     {"version"},
                                                                     {"help"}}) {
    const Outcome outcome = run(arguments, wiring);
    EXPECT_EQ(outcome.code, 1) << arguments[0];
    EXPECT_NE(outcome.err.find("cannot write to standard output: No space left on device"), std::string::npos)
        << outcome.err;
  }
}

TEST(Streams, AClosedStandardOutputIsAnError) {
  Wiring wiring;
  wiring.close_output = true;
  const Outcome outcome = run({file_with(complete_bipartite(4))}, wiring);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("cannot write to standard output"), std::string::npos) << outcome.err;
}

TEST(Streams, EveryLocalePrintsTheSameDigits) {
  const std::string input = file_with("a x 1.5\na y 2\nb x 3\nb y 1000.25\n");
  const std::vector<std::vector<std::string>> commands{{input, "--weights"},
                                                       {input},
                                                       {"explain", input, "--no-rule", "double"},
                                                       {input, "--weights", "--json"}};
  for (const auto& arguments : commands) {
    const std::string expected = run(arguments, in_locale("C")).out;
    if (arguments.back() == "--json" || arguments[0] == "explain") {
      ASSERT_NE(expected, "");
      continue;  // has times in it; the digits of the count are compared below
    }
    for (const char* locale : {"de_DE.UTF-8", "tr_TR.UTF-8", "C.UTF-8", "fa_IR.UTF-8"}) {
      EXPECT_EQ(run(arguments, in_locale(locale)).out, expected) << locale;
    }
  }
}

TEST(Streams, ReportGoesToStandardErrorOnRequest) {
  const std::string input = file_with(complete_bipartite(4));
  const Outcome outcome = run({input, "--report"});
  EXPECT_EQ(outcome.out, "24\n");
  for (const char* part : {"input ", "counted ", "exact, proved", "checks ", "passed", "time "}) {
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
  }
  const Outcome checks = run({input, "--checks"});
  EXPECT_NE(checks.err.find("check ok"), std::string::npos) << checks.err;
}

TEST(Streams, TheReportShowsTheHallViolatorByLabel) {
  const Outcome outcome = run({file_with("\u00e4 x\nb x\nc x\nc y\nc z\n"), "--as", "bipartite", "--report"});
  EXPECT_EQ(outcome.out, "0\n");
  EXPECT_NE(outcome.err.find("the 2 left vertices {\u00e4, b} have only 1 neighbour, {x}"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace countpm::test
