// What may make the number another one is said on standard error whatever standard error is, in JSON, and is
// an error with --strict; files that may be two things are asked about.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"

namespace countpm::warnings_test {
namespace {

using test::Outcome;
using test::run;
using test::Wiring;

constexpr const char* four_cycle = "u v\n1 2\n2 3\n3 4\n4 1\n";

Wiring holding(const std::string& text) {
  Wiring wiring;
  wiring.input = text;
  return wiring;
}

TEST(Warnings, EveryCommandThatReadsAGraphSaysThem) {
  const std::vector<std::vector<std::string>> commands = {
      {"-"},         {"explain", "-"},   {"estimate", "-", "--samples", "100"},
      {"list", "-"}, {"marginals", "-"}, {"sample", "-"},
      {"chem", "-"}};
  for (const std::vector<std::string>& command : commands) {
    const Outcome outcome = run(command, holding(four_cycle));
    EXPECT_EQ(outcome.code, 0) << command.front() << "\n" << outcome.err;
    EXPECT_NE(outcome.err.find("countpm: warning: <stdin>: line 1 was taken for a header"), std::string::npos)
        << command.front() << "\n"
        << outcome.err;
    std::vector<std::string> strict = command;
    strict.emplace_back("--strict");
    const Outcome refused = run(strict, holding(four_cycle));
    EXPECT_EQ(refused.code, 2) << command.front();
    EXPECT_TRUE(refused.out.empty()) << refused.out;
  }
}

TEST(Warnings, OnceAndNotWhereQuietIsAskedFor) {
  const Outcome outcome = run({"-"}, holding(four_cycle));
  EXPECT_EQ(outcome.out, "2\n");
  EXPECT_EQ(outcome.err, "countpm: warning: <stdin>: line 1 was taken for a header: edges from 'u' to 'v'\n");
  EXPECT_EQ(run({"-", "--quiet"}, holding(four_cycle)).err, "");
  EXPECT_EQ(run({"-", "--strict"}, holding("1 2\n3 4\n5 6\n")).code, 0);
}

TEST(Warnings, StandInJson) {
  const Outcome outcome = run({"-", "--json"}, holding(four_cycle));
  const auto json = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(json["warnings"].size(), 1U);
  EXPECT_NE(json["warnings"][0].get<std::string>().find("header"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(run({"lattice:square:2x2", "--json"}).out)["warnings"].empty());
}

TEST(Warnings, ValuesThatAreNotUsed) {
  const Outcome outcome = run({"-"}, holding("a b 2\nc d 3\n"));
  EXPECT_EQ(outcome.out, "1\n");
  EXPECT_NE(outcome.err.find("2 values other than 1, which are not used"), std::string::npos);
  EXPECT_EQ(run({"-", "--weights"}, holding("a b 2\nc d 3\n")).err, "");
}

TEST(Warnings, OptionsChooseBetweenTwoReadings) {
  const std::string counts = "4 5\n1 2\n1 3\n2 3\n2 4\n3 4\n";
  EXPECT_EQ(run({"-"}, holding(counts)).code, 2);
  EXPECT_EQ(run({"-", "--first-line", "header"}, holding(counts)).out, "2\n");
  EXPECT_EQ(run({"-", "--first-line", "edge"}, holding(counts)).out, "0\n");
  const std::string stamped = "1 2 5 100\n3 4 2 101\n1 3 1 102\n2 4 1 103\n1 4 1 104\n";
  EXPECT_EQ(run({"-"}, holding(stamped)).code, 2);
  EXPECT_EQ(run({"-", "--ends", "1,2"}, holding(stamped)).out, "2\n");
  EXPECT_EQ(run({"-", "--weight-column", "3"}, holding(stamped)).out, "11\n");
  const std::string twice = "1 2\n2 1\n2 3\n3 4\n4 1\n";
  EXPECT_EQ(run({"-"}, holding(twice)).code, 2);
  EXPECT_EQ(run({"-", "--multi", "first"}, holding(twice)).out, "2\n");
  EXPECT_EQ(run({"-", "--multi", "sum"}, holding(twice)).out, "3\n");
}

}  // namespace
}  // namespace countpm::warnings_test
