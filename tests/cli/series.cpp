// countpm series: docs/growth.md.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/csv_lines.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/draw/svg_reader.hpp"

namespace countpm::test {
namespace {

std::size_t first_words(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (const std::string& line : lines_of(text)) found += line.starts_with(word + " ") ? 1 : 0;
  return found;
}

TEST(Series, Csv) {
  const Outcome outcome = run({"series", "lattice:square:2x2..8x8", "--csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto lines = csv_lines(outcome.out);
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines[0],
            "input,vertices,edges,count,digits,log10,ln_z,per_vertex,per_dimer,limit,method,seconds,graph,"
            "error,warnings");
  const std::vector<std::string> counts{"2", "0", "36", "0", "6728", "0", "12988816"};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto cells = cells_of(lines[k + 1]);
    ASSERT_EQ(cells.size(), 14U) << lines[k + 1];  // the last of the three at the end is lost
    EXPECT_EQ(cells[3], counts[k]);
    const bool zero = counts[k] == "0";
    for (std::size_t c = 5; c < 9; ++c) EXPECT_EQ(cells[c].empty(), zero) << lines[k + 1];
    if (!zero) {
      EXPECT_NEAR(std::stod(cells[6]), std::log(std::stod(counts[k])), 1e-12);
      EXPECT_NEAR(std::stod(cells[7]) * std::stod(cells[1]), std::stod(cells[6]), 1e-12);
    }
  }
  EXPECT_EQ(cells_of(lines[1])[0], "lattice:square:2x2");
  EXPECT_EQ(cells_of(lines[1])[9], "0.291560904030819");
}

TEST(Series, JsonIsALineEach) {
  const Outcome outcome = run({"series", "lattice:aztec:1..3", file_with("a b\nb c\nc d\nd a\n"), "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 4U);
  std::vector<std::string> keys;
  const auto third = nlohmann::ordered_json::parse(lines[2]);
  for (const auto& [key, value] : third.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"input", "vertices", "edges", "count", "digits", "log10", "exact",
                                      "error_bound", "ln_z", "per_vertex", "per_dimer", "limit", "ln_z_error",
                                      "ratio", "method", "seconds", "graph", "warnings", "error"}));
  EXPECT_EQ(third["count"], "64");
  EXPECT_EQ(third["digits"], 2);
  EXPECT_TRUE(third["ratio"].is_null());
  const auto file = nlohmann::json::parse(lines[3]);
  EXPECT_EQ(file["count"], "2");
  EXPECT_TRUE(file["limit"].is_null());
}

TEST(Series, TableForPeople) {
  const Outcome outcome = run({"series", "lattice:square:2x2..2x6:step=2", "lattice:square:30x30"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 7U) << outcome.out;
  EXPECT_TRUE(lines[0].starts_with("input "));
  EXPECT_TRUE(lines[0].ends_with("  count"));
  EXPECT_TRUE(lines[3].ends_with("  13")) << lines[3];
  // Long counts are rounded.
  const std::string whole = run({"lattice:square:30x30"}).out;
  EXPECT_TRUE(lines[4].ends_with("e+" + std::to_string(whole.size() - 2))) << lines[4];
  EXPECT_NE(lines[4].find("  " + whole.substr(0, 1) + "." + whole.substr(1, 7)), std::string::npos)
      << lines[4];
  EXPECT_NE(lines[5].find("strip of width 2"), std::string::npos) << lines[5];
  EXPECT_NE(lines[6].find("G / pi"), std::string::npos) << lines[6];
  const Outcome digits = run({"series", "lattice:square:30x30", "--no-counts"});
  EXPECT_TRUE(lines_of(digits.out)[1].ends_with("  " + std::to_string(whole.size() - 1))) << digits.out;
}

TEST(Series, WithoutCounts) {
  const auto lines = csv_lines(run({"series", "lattice:aztec:10", "--csv", "--no-counts"}).out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(cells_of(lines[1])[3], "");
  EXPECT_EQ(cells_of(lines[1])[4], "17");
  EXPECT_TRUE(nlohmann::json::parse(run({"series", "lattice:aztec:10", "--json", "--no-counts"}).out)["count"]
                  .is_null());
}

TEST(Series, RatiosToTheFirst) {
  const auto lines = csv_lines(
      run({"series", "lattice:square:4x4", "lattice:square:4x4:remove=r0c0+r3c0", "--csv", "--ratio"}).out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(cells_of(lines[0])[10], "ratio");
  EXPECT_EQ(cells_of(lines[1])[10], "1");
  EXPECT_EQ(cells_of(lines[2])[3] + "\n",
            run({"lattice:square:4x4:remove=r0c0+r3c0", "--method", "definition"}).out);
  EXPECT_EQ(cells_of(lines[2])[10], "0.333333333333");  // 12 / 36
  const auto none = csv_lines(run({"series", "lattice:square:3x3..4x4", "--csv", "--ratio"}).out);
  EXPECT_EQ(cells_of(none[2])[10], "");
}

TEST(Series, WeightsByDirection) {
  const auto lines =
      lines_of(run({"series", "lattice:square:1x2..2x4:weights=1/2,3", "--json", "--weights"}).out);
  ASSERT_EQ(lines.size(), 2U);
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first["count"], "1/2");
  EXPECT_TRUE(first["digits"].is_null());
  EXPECT_NEAR(first["ln_z"].get<double>(), -std::log(2), 1e-15);
  EXPECT_TRUE(first["limit"].is_null());
  // Four uprights; two of them and a square's two across, three ways; two such pairs.
  EXPECT_EQ(nlohmann::json::parse(lines[1])["count"], "1405/16");
  // A spec with commas is one field.
  const std::string csv = run({"series", "lattice:square:1x2..2x4:weights=1/2,3", "--csv", "--weights"}).out;
  EXPECT_TRUE(csv_lines(csv)[1].starts_with("\"lattice:square:1x2:weights=1/2,3\",2,1,1/2,,-0.301"));
}

TEST(Series, ARefusalEndsItsRangeAndLeavesWhatWasCounted) {
  const Outcome outcome = run({"series", "lattice:cubic:2x2x2..16x16x16:step=2", "lattice:aztec:2..3",
                               "--time-limit", "2", "--threads", "1"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(first_words(outcome.out, "lattice:cubic:2x2x2"), 1U);
  EXPECT_EQ(first_words(outcome.out, "lattice:cubic:4x4x4"), 1U);
  EXPECT_EQ(first_words(outcome.out, "lattice:cubic:16x16x16"), 0U);
  EXPECT_EQ(first_words(outcome.out, "lattice:aztec:3"), 1U);
  EXPECT_NE(outcome.err.find("its range stops there"), std::string::npos) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  const Outcome json =
      run({"series", "lattice:cubic:16x16x16", "lattice:aztec:2", "--time-limit", "2", "--json"});
  EXPECT_EQ(json.code, 3);
  const auto lines = lines_of(json.out);
  ASSERT_EQ(lines.size(), 2U) << json.out;
  EXPECT_EQ(nlohmann::json::parse(lines[0])["error"]["kind"], "unable");
  EXPECT_EQ(nlohmann::json::parse(lines[1])["count"], "8");
}

TEST(Series, DrawsItsGrowth) {
  const std::string file = file_with("", "growth.svg");
  const Outcome outcome = run({"series", "lattice:square:2x2..8x8:step=2", "lattice:aztec:1..4", "--csv",
                               "--svg", file, "--overwrite"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("lattice:aztec:1..4"), std::string::npos) << outcome.err;
  std::ifstream in(file);
  std::stringstream svg;
  svg << in.rdbuf();
  const auto root = parse_svg(svg.str());
  EXPECT_EQ(elements(root, "circle", "point").size(), 8U);
  EXPECT_EQ(elements(root, "line", "level").size(), 2U);
  const std::vector<std::string> many{"series",
                                      "lattice:square:2x2..4x4",
                                      "lattice:aztec:1..2",
                                      "lattice:cubic:1x1x1..2x2x2",
                                      "lattice:honeycomb:1x1..2x2",
                                      "lattice:triangular:2x2..4x4",
                                      "--svg",
                                      file};
  EXPECT_EQ(run(many).code, 2);
}

TEST(Series, Mistakes) {
  EXPECT_EQ(run({"series"}).code, 2);
  EXPECT_NE(run({"series"}).err.find("no input is named"), std::string::npos);
  EXPECT_EQ(run({"series", "lattice:square:8x8..2x2"}).code, 2);
  EXPECT_EQ(run({"series", "-", "-"}).code, 2);
  EXPECT_EQ(run({"series", "lattice:square:2x2", "--json", "--csv"}).code, 2);
  // A file that is none has a row, and the rest goes on.
  const Outcome missing =
      run({"series", "lattice:square:2x2", "/no/such/file", "lattice:square:2x3", "--csv"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(lines_of(missing.out).size(), 4U);
  // An error is one line, too, where all else is a line each.
  for (const char* command : {"series", "compare", "list", "sample"}) {
    const Outcome error = run({command, "/no/such/file", "--json"});
    EXPECT_EQ(error.code, 2);
    ASSERT_EQ(lines_of(error.out).size(), 1U) << error.out;
    EXPECT_EQ(nlohmann::json::parse(error.out)["error"]["kind"], "input");
  }
  const Outcome range = run({"lattice:square:2x2..8x8"});
  EXPECT_EQ(range.code, 2);
  EXPECT_NE(range.err.find("countpm series"), std::string::npos) << range.err;
}

// Through a pipe, too, the reader of tables tells what a text is.
TEST(Series, TablesThroughAPipeAreReadAsFilesAre) {
  for (const auto& [text, count] : std::vector<std::pair<std::string, std::string>>{
           {"4 6\n1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n", "3"},  // K4 behind its numbers of vertices and edges
           {"u v\n1 2\n2 3\n3 4\n4 1\n", "2"},            // a header
           {"1 : 2\n3 : 4\n", "1"},
           {"4 4\n2 4\n1 3\n2 4\n1 3\n", "2"}}) {  // METIS
    const Outcome file = run({"series", file_with(text, "table.txt"), "--csv"});
    const Outcome pipe = run({"series", "-", "--csv"}, feeding(text));
    EXPECT_EQ(file.code, 0) << file.err;
    EXPECT_EQ(pipe.code, 0) << pipe.err;
    for (const Outcome* one : {&file, &pipe}) {
      const std::string row = lines_of(one->out).at(1);
      EXPECT_NE(row.find("," + count + ",1,"), std::string::npos) << text << row;
    }
  }
}

TEST(Series, StopsOnCtrlCAndKeepsItsLines) {
  Wiring wiring;
  wiring.signals = {{0.2, 2}};
  wiring.after_lines = 2;
  const Outcome outcome = run({"series", "lattice:square:4x4", "lattice:square:400x400", "--csv"}, wiring);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U) << outcome.out;
}

TEST(Report, EntropyBesideTheLimit) {
  const Outcome outcome = run({"lattice:square:8x8", "--report"});
  EXPECT_NE(outcome.err.find("entropy     ln Z 16.37959924: 0.2559312381 per vertex"), std::string::npos)
      << outcome.err;
  const auto value = nlohmann::json::parse(run({"lattice:square:8x8", "--json"}).out);
  EXPECT_NEAR(value["entropy"]["per_dimer"].get<double>(), std::log(12988816.0) / 32, 1e-13);
  EXPECT_NEAR(value["entropy"]["limit"]["per_vertex"].get<double>(), 0.29156090403, 1e-11);
  EXPECT_TRUE(nlohmann::json::parse(run({"lattice:square:3x3", "--json"}).out)["entropy"].is_null());
}

}  // namespace
}  // namespace countpm::test
