// Monomers and maximum matchings on the command line: what is said of them, in every form.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>

#include "tests/cli/run_binary.hpp"
#include "tests/cli/run_json.hpp"
#include "tests/file_text.hpp"

namespace countpm::test {
namespace {

constexpr const char* board = "lattice:square:4x4";

TEST(MonomersOnTheCommandLine, OneCoefficientIsTheCount) {
  const std::vector<std::string> asked{board, "--monomers", "t", "--power", "2"};
  EXPECT_EQ(run(asked).out, "224\n");
  std::vector<std::string> as_json = asked;
  as_json.emplace_back("--json");
  const auto json = nlohmann::json::parse(run(as_json).out);
  EXPECT_EQ(json["count"], "224");
  EXPECT_EQ(json["power"], 2);
  EXPECT_EQ(json["coefficients"].size(), 9U);
  EXPECT_NEAR(json["log10"].get<double>(), 2.35024801833, 1e-9);
  as_json[4] = "9";
  EXPECT_EQ(nlohmann::json::parse(run(as_json).out)["count"], "0");
  const std::string page = file_with("", "coefficient.html");
  std::vector<std::string> as_page = asked;
  as_page.insert(as_page.end(), {"--html", page, "--overwrite"});
  ASSERT_EQ(run(as_page).code, 0);
  EXPECT_NE(countpm::testing::file_text(page).find("224: matchings with 2 edges of"), std::string::npos);
}

TEST(MonomersOnTheCommandLine, WeightsThatAreNone) {
  for (const char* wrong : {"nan", "-inf", "1/0", "1e400", "(1,2"}) {
    const Outcome outcome = run({board, "--monomers", wrong});
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_NE(
        outcome.err.find(std::string("--monomers: expected a weight such as 1, 2/3, 0.25 or 1+2i, or the "
                                     "letter t, found '") +
                         wrong),
        std::string::npos)
        << outcome.err;
  }
  // Another word is an input.
  EXPECT_EQ(run({"--monomers", board}).out, "10012\n");
  EXPECT_NE(run({board, "--monomers", "other"}).err.find("'other' is one too many"), std::string::npos);
}

TEST(MonomersOnTheCommandLine, ALoopOfWeightZeroIsNone) {
  const std::string with = file_with("a a 0\nb b 3\na b 7\nb c 11\n", "with.edgelist");
  const std::string without = file_with("b b 3\na b 7\nb c 11\n", "without.edgelist");
  for (const std::string& file : {with, without})
    EXPECT_EQ(run({file, "--weights", "--loops", "monomer", "--monomers", "3"}).out, "81\n") << file;
}

TEST(MonomersOnTheCommandLine, PolynomialsOfDecimalsTakenExactly) {
  const std::string path = file_with("a b 1.5\nb c 0.5\nc d 2\nd a 1\n", "decimals.edgelist");
  const std::vector<std::string> exactly{path, "--weights", "--exact"};
  std::vector<std::string> asked = exactly;
  asked.insert(asked.end(), {"--monomers", "t"});
  EXPECT_EQ(run(asked).out, "0 1\n1 5\n2 7/2\n");
  asked = exactly;
  asked.insert(asked.end(), {"--rings", "4"});
  EXPECT_EQ(run(asked).out, "0 7/2\n1 1\n");
  EXPECT_EQ(run({path, "--weights", "--monomers", "t"}).code, 2);
}

TEST(MonomersOnTheCommandLine, SidesThatShareLabels) {
  const std::string matrix = file_with("1 1\n0 1\n", "matrix.dense");
  EXPECT_EQ(run({"marginals", matrix, "--monomers"}).out,
            "1 1 0.4\n1 2 0.2\n2 2 0.4\nleft:1 left:1 0.4\nleft:2 left:2 0.6\nright:1 right:1 0.6\n"
            "right:2 right:2 0.4\n");
  EXPECT_EQ(run({"list", matrix, "--monomers"}).out, "1 1\t2 2\n1 1\n1 2\n2 2\n\n");
}

TEST(MonomersOnTheCommandLine, HeightsAreOfPerfectMatchings) {
  for (const char* which : {"--monomers", "--maximum"}) {
    const Outcome outcome = run(
        {"sample", "lattice:square:3x3", which, "--heights", file_with("", "heights.csv"), "--overwrite"});
    EXPECT_EQ(outcome.code, 3) << which;
    EXPECT_NE(outcome.err.find("height functions are of perfect matchings"), std::string::npos)
        << outcome.err;
  }
}

/// A square lattice with a loop at every vertex of its rim.
std::string rim_file(int size) {
  std::string text;
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c < size; ++c) {
      const auto name = [](int row, int column) {
        return "r" + std::to_string(row) + "c" + std::to_string(column);
      };
      const bool inside = r > 0 && r + 1 < size && c > 0 && c + 1 < size;
      if (!inside) text += name(r, c) + " " + name(r, c) + "\n";
      if (r + 1 < size) text += name(r, c) + " " + name(r + 1, c) + "\n";
      if (c + 1 < size) text += name(r, c) + " " + name(r, c + 1) + "\n";
    }
  }
  return file_with(text, "rim" + std::to_string(size) + ".edgelist");
}

TEST(MonomersOnTheCommandLine, OnTheRimOfALargeBoard) {
  const std::string small = rim_file(8);
  EXPECT_EQ(run({small, "--loops", "monomer", "--method", "frontier"}).out, "209282179192\n");
  EXPECT_EQ(run({small, "--loops", "monomer", "--method", "planar", "--double-check"}).out, "209282179192\n");
  const std::string large = rim_file(21);
  const auto json = nlohmann::json::parse(run({large, "--loops", "monomer", "--json"}).out);
  EXPECT_EQ(json["method"], "planar");
  EXPECT_TRUE(json["proved"]);
  const Outcome plan = run({"explain", large, "--loops", "monomer"});
  EXPECT_NE(plan.out.find("vertices that may stay alone: 80, on one face"), std::string::npos) << plan.out;
  // The edges of a matching have no vertex twice, and all vertices but those of the rim.
  const std::string drawn = run({"sample", large, "--loops", "monomer", "--seed", "3"}).out;
  EXPECT_GT(std::count(drawn.begin(), drawn.end(), ' '), (21 * 21 - 80) / 2);
  const std::string shares = run({"marginals", large, "--loops", "monomer"}).out;
  EXPECT_TRUE(shares.starts_with("r0c0 r0c0 0.502634135262\n")) << shares.substr(0, 100);
}

TEST(MonomersOnTheCommandLine, BesideLetters) {
  const std::string path = file_with("a a t\na b 1\nb c x\nc c t\n", "letters.edgelist");
  EXPECT_EQ(run({path, "--weights", "--loops", "monomer"}).out, "t^1*x^0 1\nt^1*x^1 1\n");
  EXPECT_EQ(run({path, "--weights", "--loops", "monomer", "--monomers", "2"}).out,
            "t^1*x^0 1\nt^1*x^1 1\nt^2*x^0 2\n");
  EXPECT_EQ(run({path, "--weights", "--loops", "monomer", "--at", "t=3,x=1/2"}).out, "9/2\n");
  EXPECT_EQ(run({path, "--weights", "--loops", "monomer", "--monomers", "t"}).code, 2);
}

TEST(MonomersOnTheCommandLine, OfNoWeightBesideLoops) {
  const std::string path = file_with("a a 3\na b 1\nb b 2\nb c 1\nc d 1\nd d 5\n", "loops.edgelist");
  const std::string loops = run({path, "--weights", "--loops", "monomer"}).out;
  EXPECT_EQ(loops, "22\n");  // c to d: 1 + 3 * 2; c to b: 3 * 5
  for (const char* zero : {"0", "0/5", "0.0"})
    EXPECT_EQ(run({path, "--weights", "--loops", "monomer", "--monomers", zero}).out, loops) << zero;
  const std::string letters = file_with("a a t\na b 1\nb c x\nc c t\n", "letters.edgelist");
  EXPECT_EQ(run({letters, "--weights", "--loops", "monomer", "--monomers", "0"}).out,
            "t^1*x^0 1\nt^1*x^1 1\n");
  // Without loops perfect matchings are what is left, and how to count them is said.
  const Outcome none = run({"lattice:square:4x4", "--monomers", "0"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("counted without this option"), std::string::npos) << none.err;
}

TEST(MonomersOnTheCommandLine, VerifyNamesMaximumMatchings) {
  const char* odd_board = "lattice:square:3x3";
  const std::string result = file_with(run({odd_board, "--maximum", "--json"}).out, "maximum.json");
  const Outcome outcome = run({"verify", result, odd_board});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("a maximum matching was found: 4 edges, 1 vertex left free"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.out.find("a perfect matching was found"), std::string::npos) << outcome.out;
}

TEST(MonomersOnTheCommandLine, Estimates) {
  const std::vector<std::string> asked{
      "estimate", "lattice:triangular:6x6", "--monomers", "1/2", "--all-sampled", "--samples", "400"};
  const auto with = [&asked](std::vector<std::string> more) {
    more.insert(more.begin(), asked.begin(), asked.end());
    return more;
  };
  // countpm lattice:triangular:6x6 --monomers 1/2, as a decimal.
  constexpr double truth = 7.850750440;
  const nlohmann::json json = run_json(with({"--seed", "2"}));
  const nlohmann::json& estimate = json["estimate"];
  EXPECT_TRUE(estimate["doubt"].is_null()) << estimate;
  EXPECT_LE(estimate["interval_log10"][0].get<double>(), truth);
  EXPECT_GE(estimate["interval_log10"][1].get<double>(), truth);
  EXPECT_EQ(json["problem"], "matchings");
  EXPECT_EQ(json["sampler"], "boundary");
  EXPECT_EQ(json["blocks"][0]["second"]["sampler"], "bethe");
  // The same digits on any number of threads.
  EXPECT_EQ(run(with({"--threads", "1"})).out, run(with({"--threads", "3"})).out);
  EXPECT_NE(run(with({"--report"})).err.find("36 vertices, 85 edges by boundary"), std::string::npos);
  // Vertices without a loop that no matching covers.
  const std::string star = file_with("a a\na b\na c\na d\nb c 0\n", "star.edgelist");
  EXPECT_EQ(run({"estimate", star, "--weights", "--loops", "monomer", "--all-sampled"}).out, "0 exactly\n");
  const Outcome letter = run({"estimate", board, "--monomers", "t"});
  EXPECT_EQ(letter.code, 2);
  EXPECT_NE(letter.err.find("estimates need a number for the weight of a vertex that stays alone"),
            std::string::npos)
      << letter.err;
}

}  // namespace
}  // namespace countpm::test
