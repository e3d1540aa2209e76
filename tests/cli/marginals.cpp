// countpm marginals and countpm sample: docs/marginals.md.
#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

// One matching forces c z; a square is left, and b z is in none.
std::string square_with_tail() {
  return file_with("c z\nb y\na x\nb x\na y\nb z\n");
}

std::string triangle() {
  return file_with("a b\nb c\nc a\n", "triangle.edgelist");
}

TEST(Marginals, EdgesInTheOrderOfTheInput) {
  const Outcome outcome = run({"marginals", square_with_tail()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "c z 1\nb y 0.5\na x 0.5\nb x 0.5\na y 0.5\nb z 0\n");
  EXPECT_EQ(outcome.err, "");
}

TEST(Marginals, MaximumMatchingsOfARectangularMatrix) {
  // Vertices are added on one side only.
  const std::string wide = file_with("a x\na y\na z\n");
  EXPECT_EQ(run({"marginals", wide, "--as", "bipartite", "--maximum", "--exact"}).out,
            "a x 1/3\na y 1/3\na z 1/3\n");
  const std::string tall = file_with("a x\nb x\n");
  EXPECT_EQ(run({"marginals", tall, "--as", "bipartite", "--maximum", "--exact"}).out, "a x 1/2\nb x 1/2\n");
  const std::string empty = file_with("#! right x\n#! right y\n");
  EXPECT_EQ(run({"marginals", empty, "--as", "bipartite", "--maximum"}).code, 0);
}

TEST(Marginals, FractionsAndDigits) {
  const std::string input = file_with("a x 1\na y 2\nb x 1/3\nb y 7\n");
  // a x, b y: 7; a y, b x: 2/3.
  EXPECT_EQ(run({"marginals", input, "--weights", "--exact"}).out,
            "a x 21/23\na y 2/23\nb x 2/23\nb y 21/23\n");
  EXPECT_EQ(run({"marginals", input, "--weights", "--digits", "3"}).out,
            "a x 0.913\na y 0.087\nb x 0.087\nb y 0.913\n");
  EXPECT_EQ(run({"marginals", input, "--exact"}).out, "a x 1/2\na y 1/2\nb x 1/2\nb y 1/2\n");
  // Decimals are the fractions that they spell.
  EXPECT_EQ(run({"marginals", file_with("a x 0.1\na y 0.2\nb x 1\nb y 1\n"), "--weights", "--exact"}).out,
            "a x 1/3\na y 2/3\nb x 2/3\nb y 1/3\n");
  // Shares of a sum with signs: 3 - 2 = 1.
  EXPECT_EQ(run({"marginals", file_with("a x 3\na y -2\nb x 1\nb y 1\n"), "--weights"}).out,
            "a x 3\na y -2\nb x -2\nb y 3\n");
}

TEST(Marginals, CsvQuotesLabels) {
  const std::string input = file_with("graph { \"a,1\" -- x; \"\\\"b\" -- y }\n", "quoted.dot");
  EXPECT_EQ(run({"marginals", input, "--csv"}).out,
            "from,to,probability\r\n\"a,1\",x,1\r\n\"\"\"b\",y,1\r\n");
}

TEST(Marginals, Json) {
  const Outcome outcome = run({"marginals", square_with_tail(), "--json", "--exact"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto object = nlohmann::ordered_json::parse(outcome.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"version", "input", "problem", "ground_state", "weighted",
                                            "exact", "edges", "violator", "notes", "warnings"}));
  EXPECT_EQ(object["edges"].size(), 6U);
  EXPECT_EQ(object["edges"][1], nlohmann::ordered_json({"b", "y", "1/2"}));
  EXPECT_EQ(object["exact"], true);
  EXPECT_TRUE(object["violator"].is_null());
}

// A cycle of six: two matchings.
std::string hexagon() {
  return file_with("a b\nb c\nc d\nd e\ne f\nf a\n", "hexagon.edgelist");
}

TEST(Marginals, TheCheaperOfFrontierAndPlanarIsTaken) {
  // By the frontier the first of these took 80 times as long.
  for (const char* const wide :
       {"lattice:square:20x20", "lattice:square:21x21:remove=r10c10", "lattice:torus:16x16"}) {
    const Outcome outcome = run({"marginals", wide, "--report"});
    EXPECT_NE(outcome.err.find("method      planar\n"), std::string::npos) << wide << "\n" << outcome.err;
  }
  const Outcome narrow = run({"marginals", "lattice:square:2x8", "--report"});
  EXPECT_NE(narrow.err.find("method      frontier\n"), std::string::npos) << narrow.err;
}

TEST(MarginalPairs, WithAGivenEdge) {
  EXPECT_EQ(run({"marginals", hexagon(), "--given", "b,a", "--exact"}).out,
            "a b 1/2 1/2 1/4\nb c 1/2 0 -1/4\nc d 1/2 1/2 1/4\nd e 1/2 0 -1/4\ne f 1/2 1/2 1/4\n"
            "f a 1/2 0 -1/4\n");
  const auto lines = lines_of(run({"marginals", hexagon(), "--given", "a,b", "--csv"}).out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "from,to,probability,joint,covariance\r");
  EXPECT_EQ(lines[2], "b,c,0.5,0,-0.25\r");
  const auto object = nlohmann::json::parse(run({"marginals", hexagon(), "--given", "a,b", "--json"}).out);
  EXPECT_EQ(object["given"], nlohmann::json({"a", "b", "0.5"}));
  EXPECT_EQ(object["pairs"][2], nlohmann::json({"c", "d", "0.5", "0.5", "0.25"}));
  EXPECT_FALSE(object.contains("edges"));
}

// All matchings of a path of two edges: none, a b, b c.
TEST(MarginalPairs, WithMonomers) {
  const std::string path = file_with("a b\nb c\n", "path.edgelist");
  EXPECT_EQ(run({"marginals", path, "--monomers", "--given", "a,b", "--exact"}).out,
            "a b 1/3 1/3 2/9\nb c 1/3 0 -1/9\na a 2/3 0 -2/9\nb b 1/3 0 -1/9\nc c 2/3 1/3 1/9\n");
  EXPECT_EQ(run({"marginals", path, "--monomers", "--given", "a,a", "--exact"}).out,
            "a b 1/3 0 -2/9\nb c 1/3 1/3 1/9\na a 2/3 2/3 2/9\nb b 1/3 1/3 1/9\nc c 2/3 1/3 -1/9\n");
  const std::string one = file_with("1 1\n", "one.dense");  // its row and its column are called 1
  EXPECT_EQ(run({"marginals", one, "--monomers", "--given", "left:1,left:1", "--exact"}).out,
            "1 1 1/3 0 -1/9\n1 2 1/3 0 -1/9\nleft:1 left:1 1/3 1/3 2/9\nright:1 right:1 2/3 1/3 1/9\n"
            "2 2 2/3 1/3 1/9\n");
}

TEST(MarginalPairs, FromAFile) {
  const std::string pairs = file_with("# two edges per line\n\na b c d\r\na b\td e\n", "pairs.txt");
  EXPECT_EQ(run({"marginals", hexagon(), "--pairs", pairs}).out, "a b c d 0.5 0.25\na b d e 0 -0.25\n");
  EXPECT_EQ(run({"marginals", hexagon(), "--pairs", "/dev/stdin", "--csv"}, feeding("a b c d\n")).out,
            "from,to,from2,to2,probability,probability2,joint,covariance\r\na,b,c,d,0.5,0.5,0.5,0.25\r\n");
  const auto object = nlohmann::json::parse(run({"marginals", hexagon(), "--pairs", pairs, "--json"}).out);
  EXPECT_EQ(object["pairs"][1], nlohmann::json({"a", "b", "d", "e", "0.5", "0.5", "0", "-0.25"}));
}

TEST(MarginalPairs, Mistakes) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& why) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"marginals", hexagon(), "--given", "a,d"}, "no edge from \"a\" to \"d\"");
  refused({"marginals", hexagon(), "--given", "a"}, "comma");
  refused({"marginals", hexagon(), "--pairs", file_with("a b c\n", "short.txt")}, "short.txt:1");
  refused({"marginals", hexagon(), "--given", "a,z"}, "no vertex is called \"z\"");
  refused({"marginals", hexagon(), "--pairs", file_with("# two\na b c f\n", "absent.txt")},
          "absent.txt:2: expected edges of the input, found none from \"c\" to \"f\"");
  refused({"marginals", hexagon(), "--pairs", file_with("# none\n", "empty.txt")},
          "empty.txt: expected four labels");
  refused({"marginals", hexagon(), "--pairs", "x", "--given", "a,b"}, "--given");
  refused({"marginals", hexagon(), "--given", "a,b", "--svg", "x.svg"}, "no picture");
}

// The hexagon's two matchings are drawn with the same weight.
TEST(SampledMarginalPairs, WithAGivenEdgeAndFromAFile) {
  const std::vector<std::string> few{"--sampled", "--samples", "400", "--seed", "3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"marginals", hexagon()});
    more.insert(more.end(), few.begin(), few.end());
    return run(more);
  };
  const Outcome given = with({"--given", "b,a"});
  ASSERT_EQ(given.code, 0) << given.err;
  const auto lines = lines_of(given.out);
  ASSERT_EQ(lines.size(), 6U);
  const auto words = [](const std::string& line) {
    std::istringstream in(line);
    return std::vector<std::string>(std::istream_iterator<std::string>(in), {});
  };
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto row = words(lines[k]);
    ASSERT_EQ(row.size(), 8U) << lines[k];
    EXPECT_NEAR(std::stod(row[2]), 0.5, 5 * std::stod(row[3])) << lines[k];
    EXPECT_NEAR(std::stod(row[4]), k % 2 == 0 ? 0.5 : 0, 5 * std::stod(row[5]) + 1e-9) << lines[k];
    EXPECT_NEAR(std::stod(row[6]), k % 2 == 0 ? 0.25 : -0.25, 5 * std::stod(row[7])) << lines[k];
  }
  EXPECT_EQ(words(lines[1])[4], "0");  // a common end
  EXPECT_EQ(words(lines[1])[5], "0");
  EXPECT_EQ(lines_of(with({"--given", "b,a", "--csv"}).out).front(),
            "from,to,probability,error,joint,joint_error,covariance,covariance_error\r");
  const std::string pairs = file_with("a b c d\n", "pair.txt");
  const auto line = words(with({"--pairs", pairs}).out);
  ASSERT_EQ(line.size(), 8U);
  EXPECT_EQ(line[3], "d");
  EXPECT_EQ(lines_of(with({"--pairs", pairs, "--csv"}).out).front(),
            "from,to,from2,to2,probability,error,probability2,error2,joint,joint_error,covariance,covariance_"
            "error\r");
  const auto object = nlohmann::json::parse(with({"--pairs", pairs, "--json"}).out);
  ASSERT_EQ(object["pairs"][0].size(), 12U);
  EXPECT_EQ(object["pairs"][0][8], line[4]);
  EXPECT_EQ(object["pairs"][0][11], line[7]);
  EXPECT_EQ(object["sampled"]["samples"], 400);
  EXPECT_FALSE(object.contains("edges"));
  const auto of_given = nlohmann::json::parse(with({"--given", "a,b", "--json"}).out);
  EXPECT_EQ(of_given["given"].size(), 4U);
  EXPECT_EQ(of_given["pairs"][2].size(), 8U);
  EXPECT_NE(with({"--pairs", pairs, "--report"}).err.find("samples"), std::string::npos);
  // Their errors are in the goal.
  const auto goal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"marginals", hexagon(), "--sampled", "--explain", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome explained = run(arguments);
    EXPECT_EQ(explained.code, 0) << explained.err;
    return nlohmann::json::parse(explained.out)["goal"];
  };
  EXPECT_EQ(goal({}), "a standard error of 0.01 of every edge");
  EXPECT_EQ(goal({"--pairs", pairs}), "a standard error of 0.01 of every edge and pair");
  EXPECT_EQ(goal({"--given", "a,b"}), "a standard error of 0.01 of every edge and pair");
}

TEST(SampledMarginalPairs, Refusals) {
  const auto refused = [](const std::vector<std::string>& more, const std::string& why) {
    std::vector<std::string> arguments{"marginals", hexagon(), "--sampled", "--given", "a,b"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"--exact"}, "samples have an error");
  refused({"--digits", "3"}, "samples have an error");
  refused({"--explain", "--csv"}, "--csv and --explain exclude each other");
  refused({"--maximum"}, "not of maximum ones");
  refused({"--given", "a,d"}, "no edge from \"a\" to \"d\"");
}

TEST(Marginals, MeanNumberOfDimersByDirection) {
  const auto object = nlohmann::json::parse(
      run({"marginals", "lattice:square:2x3", "--exact", "--json", "--remove", "r0c0,r1c0"}).out);
  // Left is a square of four: two matchings.
  EXPECT_EQ(object["directions"], nlohmann::json({{{"direction", "right"}, {"edges", 2}, {"mean", "1"}},
                                                  {{"direction", "down"}, {"edges", 2}, {"mean", "1"}}}));
  const Outcome report = run({"marginals", "lattice:hexagon:2x3x4", "--report"});
  for (const char* const line : {"across: 6 dimers", "left: 8 dimers", "up: 12 dimers"})
    EXPECT_NE(report.err.find(line), std::string::npos) << report.err;
}

TEST(Marginals, DirectedGraphsAndOddCycles) {
  EXPECT_EQ(
      run({"marginals", file_with("a b\nb c\nc a\na a\nb b\nc c\n"), "--as", "directed", "--exact"}).out,
      "a b 1/2\nb c 1/2\nc a 1/2\na a 1/2\nb b 1/2\nc c 1/2\n");
  EXPECT_EQ(run({"marginals", triangle(), "--as", "symmetric", "--exact"}).out.substr(0, 8), "a b 1/2\n");
  EXPECT_EQ(run({"marginals", file_with("a b\nb c\nc a\nc d\nd a\n"), "--exact"}).out,
            "a b 1/2\nb c 1/2\nc a 0\nc d 1/2\nd a 1/2\n");
}

TEST(Marginals, WithoutAPerfectMatching) {
  for (const std::string command : {"marginals", "sample"}) {
    const Outcome outcome = run({command, file_with("a x\nb x\nc x\nc y\nc z\n"), "--report"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("have only 1 neighbour, {x}"), std::string::npos) << outcome.err;
    const Outcome odd = run({command, triangle(), "--report"});
    EXPECT_EQ(odd.code, 0);
    EXPECT_EQ(odd.out, "");
    EXPECT_NE(odd.err.find("why none"), std::string::npos) << odd.err;
  }
  const auto object = nlohmann::json::parse(run({"marginals", triangle(), "--json"}).out);
  EXPECT_TRUE(object["edges"].empty());
  EXPECT_FALSE(object["violator"].is_null());
}

TEST(Marginals, RefusesWithExit3) {
  const std::string cancelling = file_with("a x 1\na y 1\nb x -1\nb y 1\n");
  const Outcome sum = run({"marginals", cancelling, "--weights"});
  EXPECT_EQ(sum.code, 3);
  EXPECT_NE(sum.err.find("add up to 0"), std::string::npos) << sum.err;
  const Outcome negative = run({"sample", cancelling, "--weights"});
  EXPECT_EQ(negative.code, 3);
  EXPECT_NE(negative.err.find("negative weights"), std::string::npos) << negative.err;
  EXPECT_EQ(run({"sample", cancelling}).code, 0);
  EXPECT_EQ(run({"marginals", file_with("a x 1+2i\n"), "--weights"}).code, 3);
  const Outcome memory = run({"marginals", "lattice:square:40x40", "--memory-limit", "1M", "--threads", "1"});
  EXPECT_EQ(memory.code, 3);
  EXPECT_NE(memory.err.find("memory"), std::string::npos) << memory.err;
}

TEST(Samples, AreMatchingsInTheFormatOfList) {
  const Outcome outcome = run({"sample", square_with_tail(), "--count", "40", "--seed", "5"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 40U);
  const auto listed = lines_of(run({"list", square_with_tail()}).out);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_GT(std::count(lines.begin(), lines.end(), listed[0]), 5);
  EXPECT_GT(std::count(lines.begin(), lines.end(), listed[1]), 5);
  EXPECT_EQ(
      std::count(lines.begin(), lines.end(), listed[0]) + std::count(lines.begin(), lines.end(), listed[1]),
      40);
  EXPECT_EQ(run({"sample", square_with_tail(), "--count", "40", "--seed", "5", "--threads", "7"}).out,
            outcome.out);
  EXPECT_NE(run({"sample", square_with_tail(), "--count", "40", "--seed", "6"}).out, outcome.out);
  EXPECT_EQ(run({"sample", square_with_tail(), "--count", "3", "--seed", "5"}).out,
            lines[0] + "\n" + lines[1] + "\n" + lines[2] + "\n");
}

TEST(Samples, CyclesJsonAndNone) {
  const std::string arcs = file_with("a b\nb a\nc c\n");
  EXPECT_EQ(run({"sample", arcs, "--as", "directed"}).out, "(a b)\t(c)\n");
  EXPECT_EQ(run({"sample", arcs, "--as", "directed", "--json"}).out, "[[\"a\",\"b\"],[\"c\"]]\n");
  EXPECT_EQ(run({"sample", file_with("b a\n"), "--json"}).out, "[[\"b\",\"a\"]]\n");
  EXPECT_EQ(run({"sample", arcs, "--count", "0"}).out, "");
  EXPECT_EQ(run({"sample", file_with("a b\nb c\nc a\nc d\n")}).out, "a b\tc d\n");
}

TEST(Samples, ThatAreApproximateSaySo) {
  const std::vector<std::string> ask{
      "sample", "lattice:triangular:4x4", "--count", "6", "--seed", "3", "--sampler", "annealed"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), ask.begin(), ask.end());
    return run(more);
  };
  const Outcome outcome = with({});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("countpm: drawn approximately, by annealed: ")) << outcome.err;
  EXPECT_NE(outcome.err.find("chances are off by about "), std::string::npos) << outcome.err;
  const auto drawn = lines_of(outcome.out);
  ASSERT_EQ(drawn.size(), 6U);
  const auto listed = lines_of(run({"list", "lattice:triangular:4x4"}).out);
  for (const std::string& line : drawn) EXPECT_EQ(std::count(listed.begin(), listed.end(), line), 1) << line;
  EXPECT_EQ(with({"--threads", "1"}).out, outcome.out);
  EXPECT_EQ(with({"--quiet"}).err, "");
  const auto json = lines_of(with({"--json"}).out);
  ASSERT_EQ(json.size(), 7U);
  const auto said = nlohmann::json::parse(json.back())["approximately"];
  EXPECT_EQ(said["sampler"], "annealed");
  EXPECT_EQ(said["draws"], 6);
  EXPECT_GE(said["samples"], 70);
  EXPECT_GT(said["effective_samples"], 0);
  EXPECT_GT(said["total_variation"], 0);
  EXPECT_TRUE(said["doubt"].is_null());
  const Outcome report = with({"--report"});
  EXPECT_NE(report.err.find("sampled     drawn approximately"), std::string::npos) << report.err;
  EXPECT_NE(report.err.find("method      annealed"), std::string::npos) << report.err;
  // What exact draws are unless a sampler is asked for.
  EXPECT_EQ(run({"sample", square_with_tail(), "--sampler", "auto"}).out,
            run({"sample", square_with_tail()}).out);
  EXPECT_EQ(run({"sample", square_with_tail(), "--sampler", "scaling"}).code, 3);
  EXPECT_EQ(run({"sample", file_with("b a\n"), "--json", "--sampler", "bethe"}).out,
            "[[\"b\",\"a\"]]\n{\"approximately\":{\"sampler\":null,\"draws\":1,\"samples\":0,\"effective_"
            "samples\":0.0,"
            "\"total_variation\":0.0,\"pareto_k\":null,\"doubt\":null,\"seed\":1}}\n");
  Wiring wiring;
  wiring.signals = {{0.3, 2}};
  EXPECT_EQ(
      run({"sample", "lattice:cubic:6x6x6", "--sampler", "annealed", "--count", "100000000"}, wiring).code,
      130);
}

TEST(Samples, OfTheEmptyGraphAreEmpty) {
  const std::string empty =
      file_with("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "empty.mtx");
  EXPECT_EQ(run({"sample", empty, "--count", "2"}).out, "\n\n");
  EXPECT_EQ(run({"sample", empty, "--json"}).out, "[]\n");
  const Outcome none = run({"marginals", empty});
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.out, "");
}

// Too wide for the frontier's passes: the inverse of Kasteleyn's matrix.
TEST(Marginals, OfAWidePlanarGraph) {
  const auto lines = lines_of(run({"marginals", "lattice:square:44x44"}).out);
  ASSERT_EQ(lines.size(), 2U * 44 * 43);
  EXPECT_EQ(lines[0], "r0c0 r0c1 0.5");
  double sum = 0;
  for (const std::string& line : lines) sum += std::stod(line.substr(line.rfind(' ')));
  EXPECT_NEAR(sum, 44 * 22, 1e-8);
  const Outcome memory = run({"marginals", "lattice:square:44x44", "--memory-limit", "1M"});
  EXPECT_EQ(memory.code, 3);
  EXPECT_NE(memory.err.find("memory"), std::string::npos) << memory.err;
  const Outcome wide = run({"marginals", "lattice:moebius:44x44"});
  EXPECT_EQ(wide.code, 3);
  EXPECT_NE(wide.err.find("not planar"), std::string::npos) << wide.err;
  // A torus is no wider than the plane.
  const auto closed = lines_of(run({"marginals", "lattice:torus:44x44"}).out);
  ASSERT_EQ(closed.size(), 2U * 44 * 44);
  for (const std::string& line : closed) ASSERT_TRUE(line.ends_with(" 0.25")) << line;
}

// The Pfaffian's inverse. C60 has two kinds of bonds, and each atom one of the one and two of the other.
TEST(Marginals, OfPlanarGraphsWithOddCycles) {
  const auto bonds =
      lines_of(run({"marginals", COUNTPM_SOURCE_DIR "/data/molecules/C60.edgelist", "--exact"}).out);
  ASSERT_EQ(bonds.size(), 90U);
  const auto with = [&](const std::string& share) {
    return std::count_if(bonds.begin(), bonds.end(), [&](const auto& line) { return line.ends_with(share); });
  };
  EXPECT_EQ(with(" 11/25"), 30);
  EXPECT_EQ(with(" 7/25"), 60);
  const Outcome wide = run({"marginals", "lattice:triangular:44x44", "--report"});
  ASSERT_EQ(wide.code, 0) << wide.err;
  double sum = 0;
  for (const std::string& line : lines_of(wide.out)) sum += std::stod(line.substr(line.rfind(' ')));
  EXPECT_NEAR(sum, 44 * 22, 1e-8);
  const Outcome memory = run({"marginals", "lattice:triangular:44x44", "--memory-limit", "1M"});
  EXPECT_EQ(memory.code, 3);
  EXPECT_NE(memory.err.find("memory"), std::string::npos) << memory.err;
}

TEST(Samples, OfPlanarGraphsWithOddCycles) {
  const auto lines = lines_of(run({"sample", "lattice:triangular:44x44", "--count", "2", "--seed", "9"}).out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0], lines[1]);
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 44 * 22 - 1);
  EXPECT_EQ(run({"sample", "lattice:triangular:44x44", "--seed", "9", "--threads", "1"}).out,
            lines[0] + "\n");
}

TEST(Samples, OfAWidePlanarGraph) {
  const auto lines = lines_of(run({"sample", "lattice:square:44x44", "--count", "2", "--seed", "9"}).out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0], lines[1]);
  for (const std::string& line : lines) EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 44 * 22 - 1);
  EXPECT_EQ(run({"sample", "lattice:square:44x44", "--seed", "9", "--threads", "1"}).out, lines[0] + "\n");
  const Outcome memory = run({"sample", "lattice:square:44x44", "--memory-limit", "1M"});
  EXPECT_EQ(memory.code, 3);
  EXPECT_NE(memory.err.find("memory"), std::string::npos) << memory.err;
}

// Domino shuffling draws the same tilings as the other ways, one of them the list.
TEST(Samples, OfAztecDiamonds) {
  const auto listed = lines_of(run({"list", "lattice:aztec:2"}).out);
  ASSERT_EQ(listed.size(), 8U);
  const auto drawn = lines_of(run({"sample", "lattice:aztec:2", "--count", "800", "--seed", "3"}).out);
  ASSERT_EQ(drawn.size(), 800U);
  for (const std::string& line : listed) {
    // 100 +- 9.4
    EXPECT_GT(std::count(drawn.begin(), drawn.end(), line), 50) << line;
  }
  std::size_t known = 0;
  for (const std::string& line : drawn) known += std::count(listed.begin(), listed.end(), line);
  EXPECT_EQ(known, 800U);
  // 4 : 1/4 for a horizontal pair.
  const auto weighted =
      lines_of(run({"sample", "lattice:aztec:1:weights=2,1/2", "--weights", "--count", "1700"}).out);
  EXPECT_NEAR(static_cast<double>(std::count(weighted.begin(), weighted.end(), "r0c0 r0c1\tr1c1 r1c0")), 1600,
              60);
  EXPECT_EQ(run({"sample", "lattice:aztec:1:weights=0,1"}).out, "r0c0 r1c0\tr0c1 r1c1\n");
  EXPECT_EQ(run({"sample", "lattice:aztec:1:remove=r0c0+r0c1"}).out, "r1c0 r1c1\n");
  EXPECT_EQ(run({"sample", "lattice:aztec:3:weights=-1,1", "--weights"}).code, 3);
  const Outcome report = run({"sample", "lattice:aztec:40", "--report"});
  EXPECT_NE(report.err.find("3280 vertices, 6400 edges"), std::string::npos) << report.err;
}

TEST(Samples, StopOnCtrlC) {
  Wiring wiring;
  wiring.signals = {{0.3, 2}};
  const Outcome outcome =
      run({"sample", "lattice:square:30x30", "--count", "100000000", "--time-limit", "none"}, wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
}

TEST(Samples, StopAtTheTimeLimit) {
  const Outcome outcome = run({"marginals", "lattice:cubic:6x6x6", "--time-limit", "0.3"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("time limit"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace countpm::test
