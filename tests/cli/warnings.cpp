// What may make the number another one is said on standard error whatever standard error is, in JSON, and is
// an error with --strict; files that may be two things are asked about.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"
#include "tests/graph/temporary_folder.hpp"

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

// Its count is 0 whatever is in it: an exact cover may be meant, or a permanent.
TEST(Warnings, MatricesThatAreNotSquare) {
  const std::string rows = "1 0 0 0\n0 1 1 0\n1 0 0 1\n0 0 1 1\n0 1 0 0\n0 0 1 0\n";
  const Outcome outcome = run({"-", "--json"}, holding(rows));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("a matrix of 6 rows and 4 columns has no perfect matching"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("--kind hyper counts the exact covers"), std::string::npos) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["warnings"].size(), 1U);
  EXPECT_EQ(run({"-", "--strict"}, holding(rows)).code, 2);
  EXPECT_NE(run({"many", "-"}, holding(rows)).err.find("--kind hyper"), std::string::npos);
  EXPECT_EQ(run({"-", "--kind", "hyper"}, holding(rows)).out, "3\n");  // {1,4,5}, {2,3}, {3,5,6} by hand
  EXPECT_EQ(run({"-", "--maximum"}, holding(rows)).err, "");
  EXPECT_EQ(run({"-", "--monomers", "1"}, holding(rows)).err, "");
  EXPECT_EQ(run({"-", "--format", "dense"}, holding("1 1 0\n0 1 1\n1 0 1\n")).err, "");
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

TEST(Warnings, NothingIsSaidOfWhatWasAskedFor) {
  struct Answered {
    std::string input;
    std::vector<std::string> options;
  };
  const std::string counts = "4 5\n1 2\n1 3\n2 3\n2 4\n3 4\n";
  const std::string numbered = "4\n1 2\n2 3\n3 4\n4 1\n";
  const std::string matrix = "2\n1 1\n1 1\n";
  const std::string named = "a,b,colour\n1,2,red\n3,4,blue\n";
  const std::string stamped = "1 2 5 100\n3 4 2 101\n1 3 1 102\n2 4 1 103\n1 4 1 104\n";
  const std::string twice = "1 2\n2 1\n2 3\n3 2\n3 4\n4 3\n4 1\n1 4\n";
  const std::vector<Answered> answered = {
      {counts, {"--first-line", "header"}},
      {numbered, {"--first-line", "header"}},
      {four_cycle, {"--first-line", "header"}},
      {"2 2 3\n1 1\n1 2\n2 2\n", {"--first-line", "header", "--kind", "bipartite"}},
      {matrix, {"--first-line", "header", "--format", "dense"}},
      {named, {"--format", "csv", "--ends", "a,b"}},
      {stamped, {"--weight-column", "3", "--ends", "1,2"}},
      {twice, {"--multi", "first"}},
      {twice, {"--multi", "sum"}}};
  for (const Answered& one : answered) {
    std::vector<std::string> arguments{"-"};
    arguments.insert(arguments.end(), one.options.begin(), one.options.end());
    const Outcome outcome = run(arguments, holding(one.input));
    EXPECT_EQ(outcome.code, 0) << one.input << outcome.err;
    EXPECT_EQ(outcome.err, "") << one.input;
    arguments.emplace_back("--strict");
    const Outcome strict = run(arguments, holding(one.input));
    EXPECT_EQ(strict.code, 0) << one.input << strict.err;
    EXPECT_EQ(strict.out, outcome.out);
  }
  // What was not asked for is still said: weights that are not used, sides that the numbers tell.
  EXPECT_NE(run({"-", "--ends", "1,2"}, holding(stamped)).err.find("columns passed over"), std::string::npos);
  EXPECT_NE(run({"-", "--weight-column", "3"}, holding(stamped)).err.find("columns passed over"),
            std::string::npos);
  const Outcome sides = run({"-", "--first-line", "header"}, holding("2 3 4\n1 1\n1 2\n2 2\n2 3\n"));
  EXPECT_NE(sides.err.find("from left to right"), std::string::npos) << sides.err;
}

TEST(Warnings, StandOnPagesAndInRowsOfSeries) {
  const std::string file = test::file_with(four_cycle, "four.edgelist");
  const std::string plain = test::file_with("1 2\n2 3\n3 4\n4 1\n", "plain.edgelist");
  const Outcome rows = run({"many", file, plain, "--json"});
  const std::vector<std::string> lines = test::lines_of(rows.out);
  ASSERT_EQ(lines.size(), 2U) << rows.out << rows.err;
  const auto first = nlohmann::json::parse(lines[0]);
  ASSERT_EQ(first["warnings"].size(), 1U) << lines[0];
  EXPECT_NE(first["warnings"][0].get<std::string>().find("taken for a header"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(lines[1])["warnings"].empty()) << lines[1];
  const Outcome table = run({"many", file, "--csv"});
  EXPECT_NE(table.out.find(",error,warnings\r\n"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("taken for a header"), std::string::npos) << table.out;
  const Outcome logarithms = run({"many", file, "--csv", "--ln-z"});
  EXPECT_NE(logarithms.out.find("taken for a header"), std::string::npos) << logarithms.out;
  const std::vector<std::vector<std::string>> commands = {
      {"count", file},          {"explain", file}, {"estimate", file},
      {"marginals", file},      {"many", file},    {"compare", file, "--seeds", "1"},
      {"count", file, "--ln-z"}};
  for (std::vector<std::string> command : commands) {
    if (command.front() == "count") command.erase(command.begin());
    const testing::TemporaryFolder folder;
    command.insert(command.end(), {"--html", folder.path("page.html")});
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 0) << command.front() << outcome.err;
    const std::string page = testing::file_text(folder.path("page.html"));
    EXPECT_NE(page.find("Warnings"), std::string::npos) << command.front();
    EXPECT_NE(page.find("was taken for a header"), std::string::npos) << command.front();
  }
  const testing::TemporaryFolder folder;
  run({plain, "--html", folder.path("page.html")});
  EXPECT_EQ(testing::file_text(folder.path("page.html")).find(">Warnings<"), std::string::npos);
}

}  // namespace
}  // namespace countpm::warnings_test
