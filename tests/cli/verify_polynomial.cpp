// countpm verify of polynomials: letters in weights, --monomers t and --rings.
#include <gtest/gtest.h>

#include <gmpxx.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test::verify_polynomial_test {
namespace {

using Json = nlohmann::ordered_json;

Json result_of(std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

Outcome verify(const Json& result, const std::string& input) {
  return run({"verify", file_with(result.dump(), "result.json"), input});
}

std::string last_line_of(const Outcome& outcome) {
  const std::vector<std::string> lines = lines_of(outcome.out);
  return lines.empty() ? std::string() : lines.back();
}

/// So much more in one place and less in another that the sum stays, and none becomes 0.
Json with_other_coefficients(Json result) {
  const auto change = [](Json& text, long by) {
    mpq_class value(text.get<std::string>());
    value += by;
    text = value.get_str();
  };
  if (result["polynomial"].is_null()) {
    change(result["coefficients"].front(), 1000);
    change(result["coefficients"].back(), -1000);
  } else {
    Json& terms = result["polynomial"]["terms"];
    change(terms.front()[1], 1000);
    change(terms.back()[1], -1000);
  }
  return result;
}

TEST(VerifyPolynomial, IsCountedAtAPoint) {
  const std::string letters =
      file_with("a x 2*p\na y 1/3*q^-2\na z 1\nb x p*q\nb y -3\nb z q^3\nc x 1\nc y p^-1\nc z 5\n");
  const std::string wide = file_with("a x p\na y 1\na z 2\nb x 1\nb y p^2\nb z 3\n");
  const std::vector<std::vector<std::string>> questions{
      {"lattice:square:6x6:weights=x,1"},
      {"lattice:triangular:4x4:weights=x,y,1"},
      {letters, "--weights"},
      {wide, "--weights", "--maximum", "--as", "bipartite"},
      {"lattice:square:3x4:weights=x,1", "--monomers", "1/2"},
      {"lattice:square:4x5", "--monomers", "t"},
      {"lattice:square:3x3", "--monomers", "t", "--power", "2"},
      {file_with("1 1 0\n1 1 1\n0 1 1\n", "band.dense"), "--monomers", "t"},
      {COUNTPM_SOURCE_DIR "/data/molecules/C20.edgelist", "--rings", "5"},
  };
  for (const std::vector<std::string>& question : questions) {
    const std::string all = question.front() + " " + question.back();
    const Json result = result_of(question);
    const Outcome outcome = verify(result, question.front());
    EXPECT_EQ(outcome.code, 0) << all << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("agrees       counted again: at "), std::string::npos) << all << outcome.out;
    EXPECT_TRUE(last_line_of(outcome).starts_with("verified: " + result["count"].get<std::string>() +
                                                  ", the polynomial counted anew by "))
        << all << outcome.out;
    const Outcome wrong = verify(with_other_coefficients(result), question.front());
    EXPECT_EQ(wrong.code, 4) << all << wrong.out << wrong.err;
    EXPECT_NE(wrong.out.find("refuted      counted again: at "), std::string::npos) << all << wrong.out;
    Json other = result;
    other["count"] = "7";
    const Outcome sum = verify(other, question.front());
    EXPECT_EQ(sum.code, 4) << all << sum.out << sum.err;
    EXPECT_NE(sum.out.find(", but the count is given as 7"), std::string::npos) << all << sum.out;
  }
  const std::string none = file_with("a x p\nb x 1\nc y 1\n");
  Json zero = result_of({none, "--weights"});
  EXPECT_EQ(last_line_of(verify(zero, none)),
            "verified: 0, proved by structure: there is no perfect matching");
  zero["polynomial"]["terms"] = {{{1}, "1"}, {{2}, "-1"}};
  EXPECT_EQ(verify(zero, none).code, 4);
}

TEST(VerifyPolynomial, IsWhatTheOptionsAskFor) {
  const std::string board = "lattice:square:4x4:weights=x,1";
  const Json result = result_of({board});
  const auto refused = [&](const Json& edited, const std::string& why) {
    const Outcome outcome = verify(edited, board);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  Json edited = result;
  edited["recheck"] = nullptr;
  refused(edited, "count again, and verify the new JSON");
  edited = result;
  edited["polynomial"]["variables"] = {"y"};
  refused(edited, "expected a polynomial in x, found one in y");
  edited = result;
  edited["recheck"]["options"] = Json::array({Json::array({"at", "x=1"})});
  refused(edited, "expected a number, which is what the options in it ask for");
  edited = result;
  edited["polynomial"]["terms"].push_back(edited["polynomial"]["terms"][0]);
  refused(edited, "not in order");
  edited = result;
  edited["polynomial"]["terms"][0][0] = {0.5};
  refused(edited, "whole number");
  edited = result;
  edited["polynomial"] = nullptr;
  EXPECT_EQ(verify(edited, board).code, 2);
  edited = result_of({"lattice:square:4x4", "--monomers", "t"});
  edited["coefficients"] = nullptr;
  EXPECT_NE(verify(edited, "lattice:square:4x4").code, 0);

  // A checkpoint does not hold the coefficients; the result that it ends in does.
  const std::string journal = file_with("", "letters.journal");
  ASSERT_EQ(std::remove(journal.c_str()), 0);
  ASSERT_EQ(run({board, "--checkpoint", journal, "-q"}).code, 0);
  const Outcome kept = run({"verify", journal, board});
  EXPECT_EQ(kept.code, 3) << kept.out;
  EXPECT_NE(kept.err.find("'countpm resume CHECKPOINT --json' writes the result"), std::string::npos)
      << kept.err;
  EXPECT_EQ(verify(result_of({"resume", journal}), board).code, 0);
}

}  // namespace
}  // namespace countpm::test::verify_polynomial_test
