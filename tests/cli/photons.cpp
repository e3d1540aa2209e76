// countpm minors, countpm probability and hafnians with repeated lines: docs/guides/boson-sampling.md.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test::photons_test {
namespace {

std::string nine() {
  return file_with("1 2 3\n4 5 6\n7 8 9\n", "nine.dense");
}
std::string splitter() {
  return file_with("0.6 0.8i\n0.8i 0.6\n", "splitter.dense");
}
/// Decimals; so many rows that no permanent of it ends in time.
std::string large() {
  std::string text;
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 40; ++column)
      text += std::to_string((31 * row * row * column + 17 * column * column + row) % 101 + 0.25) + " ";
    text += "\n";
  }
  return file_with(text, "large.dense");
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& part, int code = 2) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

/// K_24: eight vertices, three times each, with weights by their numbers.
std::string repeated_lines(bool complex) {
  std::string text;
  for (int i = 0; i < 24; ++i) {
    for (int j = i + 1; j < 24; ++j) {
      const int a = i / 3;
      const int b = j / 3;
      text += std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(1 + (a + b + a * b) % 7) +
              (complex ? "+" + std::to_string(1 + (a * a + b * b) % 5) + "i\n" : "\n");
    }
  }
  return file_with(text, complex ? "complex.txt" : "integers.txt");
}

// The emulated GPU computes what a GPU computes.
TEST(RepeatedLines, OfHafniansOnAGpu) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "1";
  const auto ask = [&](bool complex, const char* device, const char* method) {
    const Outcome outcome = run({repeated_lines(complex), "--as", "undirected", "--weights", "--method",
                                 method, "--device", device, "--json"},
                                emulated);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const nlohmann::json gpu = ask(false, "gpu", "hafnian");
  EXPECT_EQ(gpu["device"], "gpu");
  EXPECT_EQ(gpu["blocks"][0]["plan"], "12 pairs of vertices, some of them alike");
  EXPECT_EQ(gpu["count"], ask(false, "cpu", "frontier")["count"]);
  const nlohmann::json complex = ask(true, "gpu", "hafnian");
  EXPECT_EQ(complex["device"], "gpu");
  EXPECT_NE(complex["error_bound"], nullptr);
}

TEST(Minors, ALineEach) {
  const Outcome outcome = run({"minors", nine(), "--column", "1", "--report"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "1 93\n2 42\n3 27\n");
  EXPECT_NE(outcome.err.find("permanents without column 1 and each of the 3 rows; exact"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(run({"minors", nine(), "--column=1", "--rows", "2,1,0", "--cols", "1,1,1"}).out,
            "1 27\n2 12\n3 0\n");
  EXPECT_EQ(run({"minors", "-", "--format", "dense"}, feeding("1 2 3\n4 5 6\n")).out, "1 27\n2 18\n3 13\n");
  EXPECT_EQ(run({"minors", splitter(), "--column", "2", "--exact", "--csv"}).out,
            "row,minor,error\r\n1,\"(0,4/5)\",\r\n2,3/5,\r\n");
}

TEST(Minors, Json) {
  const auto object =
      nlohmann::ordered_json::parse(run({"minors", splitter(), "--column", "2", "--json"}).out);
  EXPECT_EQ(keys_of(object), (std::vector<std::string>{"version", "input", "lines", "column", "exact",
                                                       "minors", "seconds", "notes", "warnings"}));
  EXPECT_EQ(object["exact"], false);
  EXPECT_EQ(object["lines"], "rows");
  EXPECT_EQ(object["column"], "2");
  ASSERT_EQ(object["minors"].size(), 2U);
  EXPECT_EQ(keys_of(object["minors"][0]), (std::vector<std::string>{"label", "permanent", "error_bound"}));
  const double error = std::stod(object["minors"][1]["error_bound"].get<std::string>());
  EXPECT_LT(error, 1e-14);
  EXPECT_NEAR(std::stod(object["minors"][1]["permanent"].get<std::string>()), 0.6, error + 1e-16);
}

TEST(Minors, Explained) {
  const Outcome exact = run({"minors", nine(), "--column", "1", "--explain"});
  EXPECT_EQ(exact.code, 0) << exact.err;
  EXPECT_NE(exact.out.find("permanents without column 1 and each of the 3 rows\n"), std::string::npos)
      << exact.out;
  EXPECT_NE(exact.out.find("exactly, modulo primes, all in one pass, on one thread\n"), std::string::npos)
      << exact.out;
  EXPECT_NE(exact.out.find("2 states, at each a product of 3 factors\n"), std::string::npos) << exact.out;
  EXPECT_NE(exact.out.find("within the time limit of 1 h\n"), std::string::npos) << exact.out;
  const Outcome beyond = run({"minors", large(), "--column", "1", "--time-limit", "1s", "--explain"});
  EXPECT_EQ(beyond.code, 0) << beyond.err;
  EXPECT_NE(beyond.out.find("in doubles, with a bound on the error of each"), std::string::npos)
      << beyond.out;
  EXPECT_NE(beyond.out.find("beyond the time limit of 1 s\n"), std::string::npos) << beyond.out;
  EXPECT_NE(run({"minors", nine(), "--column", "1", "--rows", "3,3,0", "--cols", "2,2,2", "--explain"})
                .out.find("9 states, at each a product of 2 factors\n"),
            std::string::npos);

  const auto object =
      nlohmann::ordered_json::parse(run({"minors", splitter(), "--column", "2", "--explain", "--json"}).out);
  EXPECT_EQ(keys_of(object), (std::vector<std::string>{"version", "input", "lines", "column", "minors",
                                                       "exact", "arithmetic", "log10_states", "factors",
                                                       "log10_seconds", "feasible", "notes", "warnings"}));
  EXPECT_EQ(object["minors"], 2);
  EXPECT_EQ(object["arithmetic"], "doubles");
  EXPECT_EQ(object["exact"], false);
  EXPECT_EQ(object["feasible"], true);
  EXPECT_EQ(object["column"], "2");

  expect_refused({"minors", nine(), "--explain"}, "none is named (--column LABEL)");
  expect_refused({"minors", nine(), "--column", "1", "--explain", "--csv"}, "a forecast is text, or JSON");
}

TEST(Minors, Refused) {
  expect_refused({"minors", nine()}, "none is named (--column LABEL)");
  expect_refused({"minors", nine(), "--column", "4"}, "has no column \"4\" (columns are \"1\" to \"3\")");
  expect_refused({"minors", nine(), "--column", "1", "--cols", "0,2,1"}, "stands 0 times");
  expect_refused({"minors", nine(), "--column", "1", "--rows", "2,1,1"}, "this one is 4 x 3");
  expect_refused({"minors", nine(), "--column", "1", "--rows", "2,1"}, "rows has 2 numbers");
  expect_refused({"minors", "lattice:square:2x2", "--column", "1"}, "minors are of a matrix");
  expect_refused({"minors", large(), "--column", "1", "--time-limit", "1s"}, "predicted to take", 3);
}

TEST(Minors, Interrupted) {
  Wiring wiring;
  wiring.signals = {{0.3, SIGINT}};
  const Outcome outcome = run({"minors", large(), "--column", "1", "--time-limit", "none"}, wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST(Probability, OfAnOutcome) {
  const Outcome outcome =
      run({"probability", splitter(), "--in", "2,1", "--out", "1,2", "--exact", "--report"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "64/15625\n");
  EXPECT_NE(outcome.err.find("3 photons through 2 modes: in 2,1, out 1,2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("(0,16/125), by "), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"probability", splitter(), "--in", "0,0", "--out", "0,0", "--exact"}).out, "1\n");
}

TEST(Probability, Json) {
  const auto object = nlohmann::ordered_json::parse(
      run({"probability", splitter(), "--in", "2,1", "--out", "1,2", "--json"}).out);
  EXPECT_EQ(keys_of(object),
            (std::vector<std::string>{"version", "input", "in", "out", "photons", "probability", "exact",
                                      "error_bound", "permanent", "permanent_error_bound", "factorials",
                                      "method", "seconds", "notes", "warnings"}));
  EXPECT_EQ(object["in"], (nlohmann::ordered_json{2, 1}));
  EXPECT_EQ(object["out"], (nlohmann::ordered_json{1, 2}));
  EXPECT_EQ(object["photons"], 3);
  EXPECT_EQ(object["factorials"], "4");
  EXPECT_EQ(object["exact"], false);
  const double error = std::stod(object["error_bound"].get<std::string>());
  EXPECT_LT(error, 1e-14);
  EXPECT_NEAR(std::stod(object["probability"].get<std::string>()), 64 / 15625.0, error + 1e-18);
}

TEST(Probability, Refused) {
  expect_refused({"probability", splitter(), "--in", "2,1"}, "expected --in and --out");
  expect_refused({"probability", splitter(), "--in", "2,1", "--out", "1,1"}, "in adds up to 3 and out to 2");
  expect_refused({"probability", splitter(), "--in", "2,1,0", "--out", "2,1"}, "in has 3 numbers");
  expect_refused({"probability", splitter(), "--in", "2,1", "--out", "3"}, "out has 1 number,");
  expect_refused({"probability", splitter(), "--in", "2,-1", "--out", "1,0"}, "expected whole numbers");
  expect_refused({"probability", "lattice:square:2x2", "--in", "1,1", "--out", "1,1"},
                 "amplitudes are a matrix");
  std::string each = "1";
  for (int k = 1; k < 40; ++k) each += ",1";
  expect_refused({"probability", large(), "--in", each, "--out", each, "--time-limit", "1s"}, "time limit",
                 3);
}

}  // namespace
}  // namespace countpm::test::photons_test
