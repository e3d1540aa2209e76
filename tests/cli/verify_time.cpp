// countpm verify within a time: what is cheap is done, a wrong number is refuted whatever else takes too
// long, and what was not verified has an exit code of its own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/run_binary.hpp"

namespace countpm::test::verify_time_test {
namespace {

using Json = nlohmann::ordered_json;

std::string result_of(std::vector<std::string> count) {
  count.emplace_back("--json");
  const Outcome outcome = run(count);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return outcome.out;
}

Outcome verify(const std::string& result, const std::string& input,
               const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"verify", file_with(result, "result.json"), input};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

/// Its perfect matchings are counted in milliseconds by frontier; by hafnian, on 64 vertices, in minutes.
std::string circulant() {
  std::set<std::pair<int, int>> edges;
  for (int v = 0; v < 64; ++v) {
    for (const int step : {1, 2, 4}) edges.insert(std::minmax(v, (v + step) % 64));
  }
  std::string text;
  int k = 0;
  for (const auto& [a, b] : edges) {
    text +=
        fmt::format("v{} v{} {}/{}\n", a, b, std::vector{1, -3, 5, -2, 7}[static_cast<std::size_t>(k % 5)],
                    std::vector{2, 3, 7, 11}[static_cast<std::size_t>(k % 4)]);
    ++k;
  }
  return file_with(text, "circulant.edgelist");
}

/// A tree and 16 edges more, of weights with 50 digits: all matchings are counted in milliseconds by
/// frontier, and by others in much more than they are predicted to take.
std::string sparse_graph() {
  std::uint64_t state = 12345;
  const auto next = [&state] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33U;
  };
  constexpr std::uint64_t vertices = 40;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
  std::set<std::pair<std::uint64_t, std::uint64_t>> known;
  const auto add = [&](std::uint64_t a, std::uint64_t b) {
    if (a != b && known.insert(std::minmax(a, b)).second) edges.emplace_back(std::minmax(a, b));
  };
  for (std::uint64_t v = 1; v < vertices; ++v) add(next() % v, v);
  while (edges.size() < 55) {
    const std::uint64_t a = next() % vertices;
    add(a, next() % vertices);
  }
  std::string text;
  for (const auto& [a, b] : edges) {
    std::string weight;
    for (int digit = 0; digit < 50; ++digit) weight += static_cast<char>('1' + next() % 9);
    text += fmt::format("v{} v{} {}{}\n", a, b, next() % 2 == 1 ? "-" : "", weight);
  }
  return file_with(text, "sparse.edgelist");
}

/// The same with the sign of the count and of its block changed.
std::string with_other_sign(const std::string& result) {
  Json json = Json::parse(result);
  const auto turn = [](Json& number) {
    const std::string text = number.get<std::string>();
    number = text.starts_with("-") ? text.substr(1) : "-" + text;
  };
  EXPECT_EQ(json["blocks"].size(), 1U);
  turn(json["count"]);
  turn(json["blocks"][0]["count"]);
  return json.dump();
}

TEST(VerifyTime, IsNotThatOfAMethodThatIsFarSlower) {
  const std::string input = circulant();
  const std::string result = result_of({input, "--weights"});
  const Outcome outcome = verify(result, input);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  // "others take over 100 times as long", or where planning them takes too long "no time for others".
  EXPECT_NE(outcome.out.find("by frontier ("), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("), by frontier before"), std::string::npos) << outcome.out;
  EXPECT_LT(outcome.cpu_seconds, patience);
  EXPECT_EQ(verify(with_other_sign(result), input).code, 4);
}

TEST(VerifyTime, WrongNumbersAreRefutedWhateverItIs) {
  const std::string input = sparse_graph();
  const std::string right = result_of({input, "--weights", "--monomers", "1"});
  const std::string wrong = with_other_sign(right);
  for (const char* limit : {"1s", "2s", "4s", "1m", "none"}) {
    const Outcome refuted = verify(wrong, input, {"--time-limit", limit});
    EXPECT_EQ(refuted.code, 4) << limit << refuted.out << refuted.err;
    const Outcome verified = verify(right, input, {"--time-limit", limit});
    EXPECT_EQ(verified.code, 0) << limit << verified.out << verified.err;
    EXPECT_NE(verified.out.find("\nverified: "), std::string::npos) << verified.out;
  }
}

TEST(VerifyTime, WhatIsNotVerifiedHasAnExitCodeOfItsOwn) {
  // A journal does not hold the error bound of a real number.
  const std::string input = file_with("a x 0.5e0\na y 1.25\nb x 3.5\nb y 2\n", "real.edgelist");
  const std::string journal = file_with("") + ".journal";
  ASSERT_EQ(run({input, "--weights", "--method", "ryser", "--checkpoint", journal}).code, 0);
  const Outcome outcome = run({"verify", journal, input});
  EXPECT_EQ(outcome.code, 5) << outcome.out;
  EXPECT_EQ(lines_of(outcome.out).back().substr(0, 14), "not verified: ");
  EXPECT_TRUE(outcome.err.starts_with("countpm: not verified: ")) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  const Outcome json = run({"verify", journal, input, "--json"});
  EXPECT_EQ(json.code, 5);
  EXPECT_EQ(Json::parse(json.out)["verified"], "nothing");
  EXPECT_EQ(Json::parse(json.out)["refuted"], false);
  EXPECT_EQ(run({"verify", journal, input, "--quiet"}).err, "");
  for (const char* command : {"count", "verify"})
    EXPECT_NE(run({"help", command}).out.find("5 not verified"), std::string::npos) << command;
}

}  // namespace
}  // namespace countpm::test::verify_time_test
