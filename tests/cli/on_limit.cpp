// --on-limit bounds: what is certain of a count that is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"

namespace countpm::test::on_limit_test {
namespace {

using Json = nlohmann::json;

/// The hypercube of four dimensions, 272 matchings, by a method of planar graphs, which refuses it at once.
Outcome run_hard(const std::vector<std::string>& more) {
  std::vector<std::string> all{"lattice:hypercube:4", "--method", "planar", "--on-limit", "bounds"};
  all.insert(all.end(), more.begin(), more.end());
  return run(all);
}

/// The two numbers of "LOWER .. UPPER".
std::pair<double, double> ends_of(const std::string& line) {
  const std::size_t dots = line.find(" .. ");
  if (dots == std::string::npos) return {0, 0};
  return {std::stod(line), std::stod(line.substr(dots + 4))};
}

TEST(OnLimitBounds, WhatIsPredictedBeyondTheLimit) {
  const Outcome outcome = run({"lattice:square:12x12", "--method", "ryser", "--no-rule", "double",
                               "--time-limit", "20", "--on-limit", "bounds"});
  EXPECT_EQ(outcome.code, 3);
  const auto [lower, upper] = ends_of(outcome.out);
  EXPECT_GT(lower, 1e12);
  EXPECT_LT(lower, 53060477521960000.0);
  EXPECT_GT(upper, 53060477521960000.0);
  EXPECT_NE(outcome.err.find("predicted to take"), std::string::npos) << outcome.err;
}

// An integer to the power -1 is none: bounds were rounded to integers.
TEST(OnLimitBounds, OfFractionsThatIntegersMake) {
  const Outcome outcome =
      run({"lattice:square:12x12:weights=x^-1,x^-1", "--weights", "--at", "x=10", "--method", "ryser",
           "--no-rule", "double", "--time-limit", "20", "--on-limit", "bounds"});
  EXPECT_EQ(outcome.code, 3);
  const auto [lower, upper] = ends_of(outcome.out);
  constexpr double value = 53060477521960000e-72;
  EXPECT_GT(lower, 0);
  EXPECT_LE(lower, value);
  EXPECT_GE(upper, value);
  EXPECT_LT(upper, 1e-40);
}

TEST(OnLimitBounds, TheBoundsAloneAndWhy) {
  const Outcome outcome = run_hard({});
  EXPECT_EQ(outcome.code, 3);
  const auto [lower, upper] = ends_of(outcome.out);
  EXPECT_GT(lower, 1);
  EXPECT_LE(lower, 272);
  EXPECT_GE(upper, 272);
  EXPECT_NE(outcome.err.find("not planar"), std::string::npos) << outcome.err;
  const Outcome quiet = run_hard({"--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, outcome.out);
  EXPECT_NE(run_hard({"--report"}).err.find("counted     0 of 1 block"), std::string::npos);
}

TEST(OnLimitBounds, Json) {
  const Outcome outcome = run_hard({"--json"});
  EXPECT_EQ(outcome.code, 3);
  const Json value = Json::parse(outcome.out);
  EXPECT_TRUE(value["count"].is_null());
  EXPECT_EQ(value["error"]["exit_code"], 3);
  EXPECT_EQ(value["error"]["message"], value["reason"]);
  EXPECT_EQ(value["blocks_counted"], 0);
  EXPECT_LT(value["bounds"]["log10_lower"], 2.4346);
  EXPECT_GT(value["bounds"]["log10_upper"], 2.4345);
  EXPECT_TRUE(value["blocks"][0]["method"].is_null());
}

TEST(OnLimitBounds, WithinTheLimitsItIsACount) {
  const Outcome outcome = run({"lattice:square:8x8", "--on-limit", "bounds"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "12988816\n");
}

TEST(OnLimitBounds, PagesSayIt) {
  const std::string page = file_with("", "bounds") + ".html";
  EXPECT_EQ(run_hard({"--html", page}).code, 3);
  EXPECT_NE(testing::file_text(page).find("What is certain of the count"), std::string::npos);
}

TEST(OnLimitBounds, WhatHasNoBoundsIsRefused) {
  EXPECT_EQ(run({"lattice:square:4x4", "--monomers", "--on-limit", "bounds"}).code, 3);
  EXPECT_EQ(run({"lattice:square:4x4", "--degree", "2", "--on-limit", "bounds"}).code, 3);
  EXPECT_EQ(run({"lattice:square:4x4", "--log-only", "--on-limit", "bounds"}).code, 2);
  const Outcome unknown = run({"lattice:square:4x4", "--on-limit", "bound"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("refuse, estimate, bounds"), std::string::npos) << unknown.err;
}

}  // namespace
}  // namespace countpm::test::on_limit_test
