// --rings and files of sets: answers, reports and refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test::covers_test {
namespace {

const std::string coronene = std::string(COUNTPM_SOURCE_DIR) + "/data/molecules/coronene.edgelist";

void expect_refused(const std::vector<std::string>& arguments, const std::string& reason, int code = 2) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
}

TEST(CoversCommand, PolynomialsAndPoints) {
  EXPECT_EQ(run({coronene, "--rings", "6"}).out, "0 20\n1 32\n2 15\n3 2\n");
  EXPECT_EQ(run({coronene, "--rings", "6", "--power", "2"}).out, "15\n");
  EXPECT_EQ(run({coronene, "--rings", "6", "--power", "9"}).out, "0\n");
  EXPECT_EQ(run({coronene, "--rings", "6", "--ring-weight", "1/3"}).out, "875/27\n");
  EXPECT_EQ(run({"lattice:square:2x3", "--rings", "4", "--monomers", "1", "--ring-weight", "1"}).out, "26\n");
  // A graph without such rings, and one that nothing covers.
  EXPECT_EQ(run({"lattice:square:2x2", "--rings", "6"}).out, "0 2\n");
  EXPECT_EQ(run({"lattice:square:3x3", "--rings", "4"}).out, "0 0\n");
}

TEST(CoversCommand, JsonAndReport) {
  const Outcome outcome = run({coronene, "--rings", "6", "--json", "--checks"});
  const auto object = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(object["problem"], "exact covers");
  EXPECT_EQ(object["count"], "69");
  EXPECT_EQ(object["coefficients"], (std::vector<std::string>{"20", "32", "15", "2"}));
  EXPECT_EQ(object["input"]["vertices"], 24);
  EXPECT_EQ(object["input"]["edges"], 30);
  EXPECT_EQ(object["input"]["sets"], 7);
  EXPECT_NE(outcome.err.find("covers without rings"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("30 edges, 7 rings"), std::string::npos) << outcome.err;
}

TEST(CoversCommand, ALongCountGoesOnWhereItWas) {
  const std::string checkpoint = file_with("") + ".rings";
  const Outcome first = run({coronene, "--rings", "6", "--checkpoint", checkpoint});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(run({"resume", checkpoint}).out, first.out);
}

TEST(CoversCommand, Refusals) {
  expect_refused({coronene, "--rings", "2"}, "whole numbers from 3 to 64");
  expect_refused({coronene, "--rings", "6", "--ring-weight", "0"}, "no ring is used");
  expect_refused({coronene, "--rings", "6", "--ring-weight", "t"}, "or the letter x");
  expect_refused({coronene, "--ring-weight", "2"}, "give them, too");
  expect_refused({coronene, "--rings", "6", "--ring-weight", "2", "--power", "1"}, "--power");
  expect_refused({coronene, "--rings", "6", "--monomers", "t"}, "one letter at a time");
  expect_refused({coronene, "--rings", "6", "--as", "directed"}, "directed graph");
  expect_refused({coronene, "--rings", "6", "--maximum"}, "maximum matchings");
  expect_refused({coronene, "--rings", "6", "--method", "planar"}, "larger sets", 3);
  expect_refused({coronene, "--rings", "6", "--log-only"}, "exact covers", 3);
  expect_refused({"series", coronene, "--rings", "6"}, "--ring-weight");
}

// A hexagon whose two matchings cancel beside a square, which is a ring of four: 0 times 2 + x.
TEST(CoversCommand, CoefficientsThatCancelAreThere) {
  const std::string square = "a b 1\nb c 1\nc d 1\nd a 1\n";
  const std::string hexagon = "p q 1\nq r 1\nr s 1\ns t 1\nt u 1\nu p -1\n";
  const std::string file = file_with(square + hexagon, "cancel.edgelist");
  EXPECT_EQ(run({file, "--weights", "--rings", "4"}).out, "0 0\n1 0\n");
  const auto json = nlohmann::json::parse(run({file, "--weights", "--rings", "4", "--json"}).out);
  EXPECT_EQ(json["coefficients"], (nlohmann::json{"0", "0"}));
  // With the hexagon as a ring, too: x times 2 + x.
  EXPECT_EQ(run({file, "--weights", "--rings", "4,6"}).out, "0 0\n1 2\n2 1\n");
  // No cover has a ring: nothing is made up.
  const std::string none = file_with("a b 1\nb c -1\nc d 1\n", "path.edgelist");
  EXPECT_EQ(run({none, "--weights", "--rings", "4"}).out, "0 1\n");
}

TEST(CoversCommand, FilesOfSets) {
  const std::string file = file_with("# sets\na b ; 2\nc;5\na b c ; 1/3 # all\n", "three.hyper");
  EXPECT_EQ(run({file}).out, "2\n");
  EXPECT_EQ(run({file, "--weights"}).out, "31/3\n");
  EXPECT_EQ(run({file_with("a b c\nc b a\n", "twice.hyper"), "--multi", "sum"}).out, "2\n");
  EXPECT_EQ(run({file_with("#! empty\n", "empty.hyper")}).out, "1\n");
  EXPECT_EQ(run({file_with("#! vertex d\na b c\n", "open.hyper")}).out, "0\n");
}

TEST(CoversCommand, FilesOfSetsThatAreNone) {
  const auto expect_error = [](const std::string& text, const std::string& reason) {
    expect_refused({file_with(text, "bad.hyper")}, reason);
  };
  expect_error("", "an empty file");
  expect_error("# nothing\n", "only blank lines and comments");
  expect_error("a b\na b a\n", "bad.hyper:2: expected a set of different vertices");
  expect_error("a b c\nb a c\n", "bad.hyper:2: expected every set once");
  expect_error("a b\na b\n", "bad.hyper:2: ");
  expect_error("a b c ;\n", "bad.hyper:1: expected a weight after the ;");
  expect_error("; 2\n", "no label before the ;");
  expect_error("a b c ; two\n", "bad.hyper:1: ");
  expect_error("#! left a\n", "bad.hyper:1: expected a directive");
  const std::string sets = file_with("a b c\n", "sets.hyper");
  expect_refused({sets, "--remove", "a"}, "--remove is of graphs");
  expect_refused({sets, "--as", "directed"}, "--as is of graphs");
  expect_refused({sets, "--monomers"}, "of graphs");
  expect_refused({sets, "--rings", "6"}, "the sets are given");
  expect_refused({sets, "--as", "hyper", "--format", "csv"}, "--format csv is something else");
  expect_refused({"marginals", sets}, "exact covers", 3);
}

}  // namespace
}  // namespace countpm::test::covers_test
