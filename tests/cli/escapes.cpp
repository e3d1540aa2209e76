// Labels, file names and journals that would drive a terminal or forge lines: no command lets them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graph/text.hpp"
#include "src/journal/journal.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {
namespace {

using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

// ESC, BEL, DEL, line ends, C1 (CSI), right-to-left override, isolate, mark, line separator, no UTF-8.
const std::string nasty = "\x1b[31m\a\x7f\n\t\r\u009b2J\u202e\u2066\u200f\u2028";

// The first byte that must not reach a terminal, with what follows; empty where there is none. Lines end in
// \n or \r\n; tabs part fields.
std::string leak(const std::string& text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned b = byte(i);
    const bool control =
        (b < 0x20 && b != '\n' && b != '\t' && !(b == '\r' && byte(i + 1) == '\n')) || b == 0x7f;
    const bool c1 = b == 0xc2 && byte(i + 1) < 0xa0;
    const bool arabic = b == 0xd8 && byte(i + 1) == 0x9c;
    const bool marks =
        b == 0xe2 && byte(i + 1) == 0x80 &&
        (byte(i + 2) == 0x8e || byte(i + 2) == 0x8f || (byte(i + 2) >= 0xa8 && byte(i + 2) <= 0xae));
    const bool isolates = b == 0xe2 && byte(i + 1) == 0x81 && byte(i + 2) >= 0xa6 && byte(i + 2) <= 0xa9;
    if (control || c1 || arabic || marks || isolates || utf8_length(std::string_view(text).substr(i)) == 0)
      return escaped(text.substr(i, 80));
    i += utf8_length(std::string_view(text).substr(i)) - 1;
  }
  return "";
}

void expect_clean(const Arguments& arguments, const Outcome& outcome) {
  std::string command;
  for (const std::string& argument : arguments) command += " " + escaped(argument);
  EXPECT_EQ(leak(outcome.out), "") << command;
  EXPECT_EQ(leak(outcome.err), "") << command;
  for (const int code : {0, 2, 3, 4}) {
    if (outcome.code == code) return;
  }
  ADD_FAILURE() << command << ": exit code " << outcome.code << outcome.err;
}

// In a folder of its own, which goes away: files are named after nasty inputs.
Outcome run_clean(const Arguments& arguments) {
  Wiring wiring;
  wiring.folder = std::filesystem::path(file_with("")).parent_path().string();
  Outcome outcome = run(arguments, wiring);
  expect_clean(arguments, outcome);
  return outcome;
}

std::string dot(const std::vector<std::pair<std::string, std::string>>& edges,
                const std::string& kind = "graph") {
  std::string text = kind + " {\n";
  const char* const joint = kind == "graph" ? "--" : "->";
  for (const auto& [from, to] : edges) text += fmt::format("\"{}\" {} \"{}\";\n", from, joint, to);
  return text + "}\n";
}

// A cycle of four and one of three with a tail to it, all labels nasty: two perfect matchings.
std::string nasty_graph() {
  const auto label = [](const char* name) { return name + nasty + " " + name; };
  return file_with(dot({{label("a"), label("b")},
                        {label("b"), label("c")},
                        {label("c"), label("d")},
                        {label("d"), label("a")},
                        {label("e"), label("f")},
                        {label("f"), label("g")},
                        {label("g"), label("e")},
                        {label("g"), label("h")}}),
                   "labels" + nasty + "\xff.dot");
}

TEST(Escapes, LabelsAndFileNamesInEveryCommand) {
  const std::string graph = nasty_graph();
  const std::string none =
      file_with(dot({{"a" + nasty, "b" + nasty}, {"b" + nasty, "c" + nasty}}), nasty + ".dot");
  const std::string arcs = file_with(
      dot({{"a" + nasty, "b" + nasty}, {"b" + nasty, "a" + nasty}, {"c" + nasty, "c" + nasty}}, "digraph"),
      nasty + ".dot");
  const std::string broken = file_with("a" + nasty + "\n", nasty + ".mtx");
  const std::vector<Arguments> commands{
      {"--report"},
      {"--report=checks"},
      {"--json"},
      {"--progress=lines"},
      {"--progress=json", "--report"},
      {"--ln-z", "--report"},
      {"--remove", nasty},
      {"--method", nasty},
      {"--" + nasty},
      {"explain"},
      {"explain", "--json"},
      {"estimate", "--report"},
      {"estimate", "--json"},
      {"list"},
      {"list", "--report"},
      {"list", "--json"},
      {"marginals", "--report"},
      {"marginals", "--csv"},
      {"marginals", "--json"},
      {"sample", "--report", "--number", "3"},
      {"sample", "--json"},
      {"many"},
      {"many", "--csv"},
      {"many", "--json"},
      {"many", "--progress=json"},
      {"compare", "--sizes", "10"},
      {"compare", "--sizes", "10", "--csv"},
      {"compare", "--sizes", "10", "--json"},
      {"lattice"},
      {"help"},
      {"status"},
      {"status", "--json"},
      {"resume"},
      {"merge"},
      {"split", "--parts", "1"},
  };
  int number = 0;
  for (const std::string& input : {graph, none, arcs, broken, "/nowhere/" + nasty, "lattice:" + nasty}) {
    for (Arguments arguments : commands) {
      if (testing::sanitized && ++number % 3 != 0) continue;  // in another command for each input
      arguments.push_back(input);
      run_clean(arguments);
    }
  }
  EXPECT_EQ(run_clean({graph}).out, "2\n");
  EXPECT_EQ(lines_of(run_clean({"list", graph}).out).size(), 2U);
  run_clean({nasty});
  run_clean({"count", graph, nasty});
  run_clean({"verify", graph, graph});
}

TEST(Escapes, JsonLosesNothing) {
  const std::string label = "a\\" + nasty;
  const std::string input = file_with("graph { \"" + label + "\" -- \"b\" }", "g.dot");
  const Outcome outcome = run_clean({"list", input, "--json"});
  EXPECT_EQ(Json::parse(outcome.out)[0][0].get<std::string>(), label) << outcome.out;
  const Outcome named = run_clean({file_with("a b\n", nasty + ".el"), "--json"});
  EXPECT_TRUE(Json::parse(named.out)["input"]["path"].get<std::string>().ends_with(nasty + ".el"))
      << named.out;
}

// The journal with what was said of it changed, and right checksums.
std::string forged(const std::string& file, const std::function<void(Journal&)>& change) {
  Journal journal = read_journal(file);
  change(journal);
  std::string text = header_lines(journal.header);
  for (const JournalRecord& record : journal.records) text += record_line(journal.header, record);
  text += progress_line(journal.header, journal.progress);
  return file_with(text, "journal" + nasty);
}

TEST(Escapes, Journals) {
  const std::string input = file_with(complete_bipartite(8), "k8.el");
  const std::string journal = file_with("") + ".journal";
  ASSERT_EQ(run({input, "--method", "ryser", "--no-rule", "twins", "--checkpoint", journal}).code, 0);
  const std::string prefix = file_with("") + nasty;
  ASSERT_EQ(
      run_clean({"split", input, "--method", "ryser", "--no-rule", "twins", "--parts", "2", "-o", prefix})
          .code,
      0);
  run_clean({"resume", prefix + "-1.part", input});
  run_clean({"status", prefix + "-1.part"});
  run_clean({"merge", prefix + "-1.part", prefix + "-2.part"});
  const std::vector<std::function<void(Journal&)>> changes{
      [](Journal&) {},
      [](Journal& j) { j.header.input = nasty; },
      [](Journal& j) { j.header.version = nasty; },
      [](Journal& j) { j.header.options.emplace_back(nasty, nasty); },
      [](Journal& j) { j.header.options.emplace_back("method", nasty); },
      [](Journal& j) { j.header.rules.push_back(nasty); },
      [](Journal& j) { j.progress.count = nasty; },
      [](Journal& j) { j.header.blocks.at(0).tasks.at(0).method = nasty; },
      [](Journal& j) { j.header.blocks.at(0).tasks.at(0).plan = nasty; },
      [](Journal& j) { j.header.blocks.at(0).tasks.at(0).fingerprint = nasty; },
      [](Journal& j) { j.header.sha256 = nasty; },
      [](Journal& j) {
        j.header.estimate = JournalEstimate{1, nasty};
      },
  };
  for (std::size_t k = 0; k < changes.size(); k += testing::sanitized ? 3 : 1) {
    const std::string file = forged(journal, changes[k]);
    run_clean({"status", file});
    run_clean({"status", file, "--json"});
    run_clean({"verify", file, input});
    run_clean({"verify", file, input, "--json"});
    run_clean({"merge", file, "-o", file + ".merged"});
    run_clean({"resume", file, input, "--json"});
    run_clean({"resume", file});
  }
}

TEST(Escapes, Results) {
  const std::string input = file_with("a b\n");
  const Json result = Json::parse(run({input, "--json"}).out);
  for (const char* key : {"version", "count", "error_bound"}) {
    Json edited = result;
    edited[key] = nasty;
    edited["exact"] = std::string(key) != "error_bound";
    run_clean({"verify", file_with(edited.dump(), nasty), input});
    run_clean({"verify", file_with(edited.dump(), nasty), input, "--json"});
  }
  Json edited = result;
  edited["recheck"]["options"] = Json::array({Json::array({nasty, nasty})});
  run_clean({"verify", file_with(edited.dump(), nasty), input});
}

}  // namespace
}  // namespace countpm::test
