// countpm explain: readable at 80 columns, and says everything.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <thread>

#include "apps/text.hpp"
#include "kernels/method.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

void expect_narrow(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string& line : lines_of(outcome.out)) EXPECT_LE(app::display_width(line), 80U) << line;
}

TEST(Explain, ShowsStructureReductionsAndEveryMethod) {
  const Outcome outcome = run({"explain", file_with(complete_bipartite(20)), "--no-rule", "twins"});
  expect_narrow(outcome);
  for (const char* part : {"input ", "structure ", "reductions ", "factor ", "block 1 ",
                           "20 rows, 400 entries", "count below 2^", "total ", "the time limit of"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
  }
  for (const Method* method : exact_methods())
    EXPECT_NE(outcome.out.find(method->name()), std::string::npos) << method->name();
  for (const RuleInfo& rule : rules()) EXPECT_NE(outcome.out.find(rule.name), std::string::npos) << rule.name;
}

// A reason is a sentence, and whole: broken into lines, never cut.
TEST(Explain, SaysWhyMethodsCannotInWholeSentences) {
  const Outcome outcome = run({"explain", "lattice:cubic:4x4x4"});
  expect_narrow(outcome);
  std::string text = outcome.out.substr(outcome.out.find("cannot count it"));
  text.erase(std::unique(text.begin(), text.end(),
                         [](char a, char b) { return std::isspace(a) != 0 && std::isspace(b) != 0; }),
             text.end());
  std::replace(text.begin(), text.end(), '\n', ' ');
  EXPECT_EQ(text.find("..."), std::string::npos) << text;
  for (const char* part :
       {" rook: no row has one nonzero value in more than half of its columns",
        " condensation, planar: the graph is not planar: 64 vertices, and with 144 edges more than a "
        "planar bipartite graph has "})
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
}

double number_after(const std::string& text, const std::string& start) {
  const std::size_t at = text.find(start);
  EXPECT_NE(at, std::string::npos) << start << "\n" << text;
  return at == std::string::npos ? 0 : std::stod(text.substr(at + start.size()));
}

TEST(Explain, ShowsCertifiedBoundsAboutTheCount) {
  const Outcome board = run({"explain", "lattice:square:8x8", "--no-rule", "double"});
  expect_narrow(board);
  const double log10_count = std::log10(12988816.0);
  EXPECT_LE(number_after(board.out, "bounds      from 10^"), log10_count) << board.out;
  EXPECT_GE(number_after(board.out, "bounds      from 10^"), log10_count - 5);
  EXPECT_GE(number_after(board.out, ") to 10^"), log10_count);
  EXPECT_LE(number_after(board.out, ") to 10^"), log10_count + 5);
  const Outcome ones = run({"explain", file_with(complete_bipartite(20)), "--no-rule", "twins"});
  const double log10_factorial = std::lgamma(21.0) / std::log(10.0);
  EXPECT_LE(number_after(ones.out, "bounds      from 10^"), log10_factorial) << ones.out;
  EXPECT_GE(number_after(ones.out, ") to 10^"), log10_factorial) << ones.out;
}

TEST(Explain, ShowsNoBoundsForNegativeWeights) {
  std::string text = complete_bipartite(9);
  const std::string first = text.substr(0, text.find('\n'));
  text.replace(0, first.size(), first + " -3");
  const Outcome outcome = run({"explain", file_with(text), "--weights", "--no-rule", "twins"});
  expect_narrow(outcome);
  EXPECT_EQ(outcome.out.find("bounds "), std::string::npos) << outcome.out;
}

TEST(Explain, TellsThePlanOfTheChosenMethod) {
  const std::string file = file_with(complete_bipartite(20));
  for (const auto& [method, plan] : {std::pair{"pruned", "plan        2^"},
                                     {"grouped", "plan        the last 3 columns in closed form"}}) {
    const Outcome outcome = run({"explain", file, "--no-rule", "twins", "--method", method});
    expect_narrow(outcome);
    EXPECT_NE(outcome.out.find(plan), std::string::npos) << outcome.out;
  }
}

TEST(Explain, SaysWhatIsBeyondTheLimits) {
  const Outcome outcome = run({"explain", file_with(complete_bipartite(80)), "--no-rule", "twins", "--method",
                               "ryser", "--time-limit", "1m"});
  expect_narrow(outcome);
  EXPECT_NE(outcome.out.find("beyond the time limit"), std::string::npos) << outcome.out;
  EXPECT_LT(outcome.cpu_seconds, 10 + std::thread::hardware_concurrency());  // rates are measured on all
}

// Reasons go on in the next line of their column.
TEST(Explain, NothingIsCut) {
  const Outcome outcome = run({"explain", file_with(complete_bipartite(20)), "--no-rule", "twins"});
  EXPECT_EQ(outcome.out.find("..."), std::string::npos) << outcome.out;
}

TEST(Explain, ForAnotherMachine) {
  const std::vector<std::string> ask{
      "explain", file_with(complete_bipartite(44)), "--no-rule", "twins", "--method", "ryser"};
  std::vector<std::string> there = ask;
  there.insert(there.end(), {"--assume", "gpu=h200,gpus=2,machines=4"});
  const Outcome outcome = run(there);
  expect_narrow(outcome);
  EXPECT_NE(outcome.out.find("assumed     4 machines, each with 2 NVIDIA H200 and this machine's cores"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("(nominal, gpu"), std::string::npos) << outcome.out;
  there.back() = "gpu=a100";
  const Outcome unknown = run(there);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("on these they were: h100, h200"), std::string::npos) << unknown.err;
  EXPECT_EQ(run({"lattice:square:2x2", "--assume", "machines=2"}).code, 2);
}

// A unit of the polynomial would take a core longer than a GPU takes for everything; ryser's are short, and
// 4 threads would do less than a twentieth of them.
TEST(Explain, GpusCountAloneBesideLongUnits) {
  const auto device_of = [](std::vector<std::string> ask, const std::string& threads = "16") {
    ask.insert(ask.end(), {"--assume", "gpu=h200,threads=" + threads, "--json"});
    const Outcome outcome = run(ask);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const nlohmann::json result = nlohmann::json::parse(outcome.out);
    for (const nlohmann::json& method : result["blocks"][0]["methods"]) {
      if (method["chosen"]) return method["device"].get<std::string>();
    }
    return std::string("none is chosen");
  };
  EXPECT_EQ(device_of({"explain", "lattice:square:100x100:weights=x,1", "--method", "planar"}), "gpu");
  const std::vector<std::string> ryser{
      "explain", file_with(complete_bipartite(44)), "--no-rule", "twins", "--method", "ryser"};
  EXPECT_EQ(device_of(ryser, "4"), "gpu");
  EXPECT_EQ(device_of(ryser, "1024"), "gpu+cpu");  // on slow and busy machines, too
}

TEST(Explain, SaysThatMoreThreadsThanCoresAreNoFaster) {
  const Outcome outcome =
      run({"explain", file_with(complete_bipartite(20)), "--no-rule", "twins", "--threads", "256"});
  expect_narrow(outcome);
  EXPECT_NE(outcome.out.find("more threads than cores count no faster"), std::string::npos) << outcome.out;
}

TEST(Explain, NothingLeftAndNothingAtAll) {
  const Outcome reduced = run({"explain", file_with("a x\na y\nb x\nb y\n")});
  expect_narrow(reduced);
  EXPECT_NE(reduced.out.find("nothing: the factor is the count"), std::string::npos) << reduced.out;
  const Outcome zero = run({"explain", file_with("a x\nb x\nc x\nc y\nc z\n")});
  expect_narrow(zero);
  EXPECT_NE(zero.out.find("none is perfect, and the count is"), std::string::npos) << zero.out;
  EXPECT_NE(zero.out.find("why zero    the "), std::string::npos) << zero.out;
}

}  // namespace
}  // namespace countpm::test
