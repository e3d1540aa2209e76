// --log-only: ln Z alone, never a count.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/run_binary.hpp"

namespace countpm::test::log_only_test {
namespace {

using Json = nlohmann::json;

TEST(LogOnly, TheNumberAlone) {
  const Outcome outcome = run({"lattice:square:8x8", "--log-only"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(std::stod(outcome.out), std::log(12988816.0), 1e-10);
  EXPECT_EQ(outcome.out.find("12988816"), std::string::npos);
  EXPECT_EQ(outcome.err, "");
}

TEST(LogOnly, OddCyclesWeightsAndSeveralPieces) {
  const auto ln = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--log-only");
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::stod(outcome.out);
  };
  EXPECT_NEAR(ln({"lattice:triangular:2x2"}), std::log(2.0), 1e-12);
  EXPECT_NEAR(ln({"lattice:aztec:4:weights=1.5,2.5", "--weights"}), 10 * std::log(8.5), 1e-10);
  // Two boards: removing a row of a 2 x 5 board leaves two of 2 x 2.
  EXPECT_NEAR(ln({"lattice:square:2x5:remove=r0c2+r1c2"}), std::log(4.0), 1e-12);
  EXPECT_NEAR(ln({"lattice:square:1x2:weights=0.25,1", "--weights"}), std::log(0.25), 1e-12);
}

TEST(LogOnly, Json) {
  const Outcome outcome = run({"lattice:square:20x20", "--log-only", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json value = Json::parse(outcome.out);
  const char* const keys[] = {"version",    "input",       "problem",        "weighted",
                              "ln_z",       "of_absolute", "error_estimate", "relative_error_estimate",
                              "per_vertex", "blocks",      "device",         "threads",
                              "violator",   "seconds",     "notes",          "ground_state",
                              "warnings"};
  for (const char* const key : keys) EXPECT_TRUE(value.contains(key)) << key;
  EXPECT_EQ(value.size(), std::size(keys));
  EXPECT_LT(value["relative_error_estimate"].get<double>(), 1e-11);
  EXPECT_NEAR(value["per_vertex"].get<double>() * 400, value["ln_z"].get<double>(), 1e-9);
}

TEST(LogOnly, ZeroShowsWhy) {
  const Outcome outcome = run({"lattice:square:8x8:remove=r0c0+r7c7", "--log-only", "--report"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "-inf\n");
  EXPECT_NE(outcome.err.find("vertices {"), std::string::npos) << outcome.err;
  const Outcome json = run({"lattice:square:8x8:remove=r0c0+r7c7", "--log-only", "--json"});
  EXPECT_TRUE(Json::parse(json.out)["ln_z"].is_null());
  EXPECT_TRUE(Json::parse(json.out)["violator"].is_object());
}

TEST(LogOnly, RefusesWhatIsNotPlanar) {
  for (const char* const spec : {"lattice:cubic:3x3x4", "lattice:torus:4x4"}) {
    const Outcome outcome = run({spec, "--log-only"});
    EXPECT_EQ(outcome.code, 3) << spec;
    EXPECT_EQ(outcome.out, "") << spec;
    EXPECT_NE(outcome.err.find("planar"), std::string::npos) << outcome.err;
  }
}

// Half the sum of four, of which one is 0 where both sides are even; 90176 is Kasteleyn's, OEIS A212800.
TEST(LogOnly, LatticesOnATorus) {
  for (const char* const method : {"planar", "condensation"}) {
    const Outcome outcome = run({"lattice:torus:6x6", "--log-only", "--json", "--method", method});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json value = Json::parse(outcome.out);
    EXPECT_LE(std::abs(value["ln_z"].get<double>() - std::log(90176.0)),
              value["error_estimate"].get<double>());
    EXPECT_LT(value["error_estimate"].get<double>(), 1e-9);
    EXPECT_EQ(value["blocks"], 1);
  }
  const Outcome negative = run({"lattice:triangular-torus:5x6:weights=1,2,-3", "--log-only", "--report"});
  EXPECT_EQ(negative.code, 0) << negative.err;
  EXPECT_NE(negative.err.find("ln |Z|"), std::string::npos) << negative.err;
}

// Weights of both signs that cancel: the sum is 0, and no logarithm of rounding errors is told.
TEST(LogOnly, RefusesASumThatRoundingHides) {
  const std::string file = file_with("a x 1\nb y 1\nb x 1\na y -1\n");
  const Outcome outcome = run({file, "--log-only", "--weights"});
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("rounding"), std::string::npos) << outcome.err;
}

// Of one row's weights and one column's many decades apart.
TEST(LogOnly, WeightsFarApart) {
  const std::string file = file_with("a x 1e100\nb y 1e-90\na y 1e5\nb x 3\n");
  const double truth = std::log(1e10 + 3e5);
  for (const char* const method : {"planar", "condensation"}) {
    const Outcome outcome = run({file, "--log-only", "--weights", "--json", "--method", method});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json value = Json::parse(outcome.out);
    EXPECT_LE(std::abs(value["ln_z"].get<double>() - truth), value["error_estimate"].get<double>() + 1e-14);
    EXPECT_LT(value["error_estimate"].get<double>(), 1e-8);
  }
}

// Its corners are frozen, which takes more digits than doubles have: 2^(n (n + 1) / 2).
TEST(LogOnly, AnAztecDiamondThatDoublesCannotDo) {
  const Outcome outcome = run({"lattice:aztec:30", "--log-only"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NEAR(std::stod(outcome.out), 465 * std::log(2.0), 1e-9);
}

TEST(LogOnly, ExcludesWhatCounts) {
  for (const char* const other : {"--double-check", "--method=ryser", "--device=gpu", "--checks",
                                  "--audit=10%", "--checkpoint=/nowhere/journal"}) {
    const Outcome outcome = run({"lattice:square:4x4", "--log-only", other});
    EXPECT_EQ(outcome.code, 2) << other;
    EXPECT_EQ(outcome.out, "") << other;
    EXPECT_NE(outcome.err.find("exclude each other"), std::string::npos) << outcome.err;
  }
}

// Dense, on a GPU that the CPU emulates: the very same digits.
TEST(LogOnly, CondensationOnAGpu) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "1";
  for (const char* const spec :
       {"lattice:square:8x9", "lattice:triangular:5x6", "lattice:hexagon:3x3x3", "lattice:torus:6x6"}) {
    std::vector<std::string> arguments{spec, "--log-only", "--method", "condensation", "--json"};
    Json expected = Json::parse(run(arguments).out);
    EXPECT_EQ(expected["device"], "cpu");
    arguments.insert(arguments.end(), {"--device", "gpu"});
    const Outcome outcome = run(arguments, emulated);
    const Json found = Json::parse(outcome.out);
    EXPECT_EQ(found["device"], "gpu") << outcome.err;
    EXPECT_EQ(found["ln_z"], expected["ln_z"]) << spec;
    EXPECT_EQ(found["error_estimate"], expected["error_estimate"]) << spec;
  }
  const Outcome report =
      run({"lattice:square:8x8", "--log-only", "--method=condensation", "--gpus=1", "--report"}, emulated);
  EXPECT_NE(report.err.find("device"), std::string::npos) << report.err;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  const Outcome two =
      run({"lattice:square:8x8", "--log-only", "--method=condensation", "--gpus=2"}, emulated);
  EXPECT_EQ(two.code, 2) << two.err;
}

}  // namespace
}  // namespace countpm::test::log_only_test
