// countpm series over many graphs: files of several, folders, lists, pipes, errors in their rows
// (docs/series.md).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "test_paths.hpp"
#include "tests/cli/csv_lines.hpp"
#include "tests/cli/programs.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/file_text.hpp"

namespace countpm::test::batches_test {
namespace {

namespace fs = std::filesystem;

const std::string cubic = COUNTPM_SOURCE_DIR "/data/graphs/cubic-10.g6";

std::vector<nlohmann::json> objects(const std::string& text) {
  std::vector<nlohmann::json> all;
  for (const std::string& line : lines_of(text)) all.push_back(nlohmann::json::parse(line));
  return all;
}

/// A folder of its own, with these files.
std::string folder_with(const std::vector<std::pair<std::string, std::string>>& files,
                        const std::string& name) {
  const fs::path folder = fs::path(file_with("", "beside")).parent_path() / name;
  fs::create_directories(folder);
  for (const auto& [file, text] : files) std::ofstream(folder / file) << text;
  return folder.string();
}

TEST(Batches, EveryGraphOfAFileIsARow) {
  const auto rows = objects(run({"series", cubic, "--json"}).out);
  ASSERT_EQ(rows.size(), 19U);
  std::ifstream in(cubic);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(rows[k]["input"], cubic + ":" + std::to_string(k + 1));
    EXPECT_EQ(rows[k]["graph"], line);
    EXPECT_EQ(rows[k]["vertices"], 10);
    EXPECT_EQ(rows[k]["edges"], 15);
    EXPECT_TRUE(rows[k]["error"].is_null());
    // Each as a graph by itself, by another way.
    EXPECT_EQ(rows[k]["count"].get<std::string>() + "\n",
              run({"-", "--method", "definition", "--format", "graph6"}, feeding(line)).out);
  }
  // Two of the cubic graphs with 10 vertices have a bridge.
  const Outcome table = run({"series", "-"}, feeding(testing::file_text(cubic)));
  EXPECT_EQ(lines_of(table.out).size(), 20U);
  EXPECT_TRUE(lines_of(table.out)[19].starts_with("<stdin>:19 ")) << table.out;
  EXPECT_NE(table.out.find("  I?BeeOwM?  "), std::string::npos) << table.out;
}

// The second graph ends in the middle of its lists.
TEST(Batches, AGraphWithoutALineNamesItsFormat) {
  const std::string file = file_with(std::string("\x02\x02\0\x01\0\x02\x02\0", 8), "two.plc");
  const Outcome outcome = run({"series", file, "--csv"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("two.plc, graph 2: expected 2 lists"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("as the ending .plc says"), std::string::npos) << outcome.err;
}

TEST(Batches, TheSameWhateverTheJobs) {
  const std::string one = run({"series", cubic, "lattice:square:2x2..8x8", "--csv", "--jobs", "1"}).out;
  const auto without_seconds = [](const std::string& text) {
    std::string result;
    for (const std::string& line : csv_lines(text)) {
      const auto cells = cells_of(line);
      for (std::size_t c = 0; c < 11; ++c) result += cells[c] + ",";
      result += '\n';
    }
    return result;
  };
  EXPECT_EQ(lines_of(one).size(), 27U);
  for (const char* jobs : {"0", "3"}) {
    const std::string other = run({"series", cubic, "lattice:square:2x2..8x8", "--csv", "--jobs", jobs}).out;
    EXPECT_EQ(without_seconds(other), without_seconds(one));
  }
  EXPECT_EQ(run({"series", cubic, "--jobs", "x"}).code, 2);
}

TEST(Batches, OneBadGraphIsOneRow) {
  const std::string file = file_with("C~\nC~~\nCr\n", "some.g6");
  const Outcome json = run({"series", file, "lattice:square:2x3", "/no/such/file", "--json"});
  EXPECT_EQ(json.code, 2);
  const auto rows = objects(json.out);
  ASSERT_EQ(rows.size(), 5U) << json.out;
  EXPECT_EQ(rows[0]["count"], "3");
  EXPECT_TRUE(rows[1]["count"].is_null());
  EXPECT_TRUE(rows[1]["exact"].is_null());
  EXPECT_EQ(rows[1]["graph"], "C~~");
  EXPECT_EQ(rows[1]["error"]["kind"], "input");
  EXPECT_EQ(rows[1]["error"]["line"], 2);
  EXPECT_EQ(rows[1]["error"]["exit_code"], 2);
  EXPECT_TRUE(rows[1]["error"]["message"].get<std::string>().starts_with(file + ":2: expected "));
  EXPECT_EQ(rows[2]["count"], "2");
  EXPECT_EQ(rows[3]["count"], "3");
  EXPECT_EQ(rows[4]["input"], "/no/such/file");
  EXPECT_EQ(rows[4]["error"]["kind"], "input");
  EXPECT_EQ(lines_of(json.err).size(), 2U) << json.err;

  const auto csv = csv_lines(run({"series", file, "--csv"}).out);
  ASSERT_EQ(csv.size(), 4U);
  EXPECT_TRUE(csv[2].starts_with(file + ":2,,,,,,,,,,,0.")) << csv[2];
  EXPECT_NE(csv[2].find(",C~~,\"" + file + ":2: expected"), std::string::npos) << csv[2];
  const auto table = lines_of(run({"series", file}).out);
  ASSERT_EQ(table.size(), 4U);
  EXPECT_TRUE(table[2].ends_with("  bad input")) << table[2];
}

TEST(Batches, TheLargestCodeIsTheExitCode) {
  const std::string bad = file_with("a b c d\n", "bad.edgelist");
  const std::vector<std::string> limit{"--time-limit", "1", "--method", "enumerate"};
  const auto code = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "series");
    arguments.insert(arguments.end(), limit.begin(), limit.end());
    return run(arguments).code;
  };
  EXPECT_EQ(code({"lattice:square:2x3"}), 0);
  EXPECT_EQ(code({"lattice:square:2x3", bad}), 2);
  EXPECT_EQ(code({"lattice:cubic:6x6x6", bad, "lattice:square:2x3"}), 3);
  // A refused one has a row like others.
  const Outcome refused = run({"series", "lattice:cubic:6x6x6", "lattice:square:2x3", "--json",
                               "--time-limit", "1", "--method", "enumerate"});
  const auto rows = objects(refused.out);
  ASSERT_EQ(rows.size(), 2U) << refused.out;
  EXPECT_EQ(rows[0]["input"], "lattice:cubic:6x6x6");
  EXPECT_EQ(rows[0]["vertices"], 216);
  EXPECT_EQ(rows[0]["error"]["kind"], "unable");
  EXPECT_EQ(rows[0].size(), rows[1].size()) << "all rows have all keys";
}

TEST(Batches, Folders) {
  const std::string folder = folder_with({{"b.edgelist", "a b\n"},
                                          {"a.g6", "C~\n"},
                                          {"c.g6", "C~\nCr\n"},
                                          {"notes.xyz1", "?"},
                                          {".hidden.g6", "?"}},
                                         "mixed");
  fs::create_directories(folder + "/inside");
  const Outcome outcome = run({"series", folder, "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = objects(outcome.out);
  ASSERT_EQ(rows.size(), 4U) << outcome.out;
  EXPECT_EQ(rows[0]["input"], folder + "/a.g6");
  EXPECT_EQ(rows[1]["input"], folder + "/b.edgelist");
  EXPECT_EQ(rows[2]["input"], folder + "/c.g6:1");
  EXPECT_EQ(rows[3]["input"], folder + "/c.g6:2");
  EXPECT_NE(outcome.err.find("left out 2 without a known ending: inside/, notes.xyz1"), std::string::npos)
      << outcome.err;
  const std::string empty = folder_with({}, "empty");
  const Outcome none = run({"series", empty, "--json"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(objects(none.out)[0]["input"], empty);
}

TEST(Batches, Lists) {
  const std::string one = file_with("a b\n", "one.edgelist");
  const std::string list = file_with(
      "# inputs\n\n" + one + "\r\nlattice:square:2x2..2x3\nlattice:nothing:1\n@" + one + "\n", "list.txt");
  const Outcome outcome = run({"series", "@" + list, "lattice:aztec:1", "--json"});
  EXPECT_EQ(outcome.code, 2);
  const auto rows = objects(outcome.out);
  ASSERT_EQ(rows.size(), 6U) << outcome.out;
  EXPECT_EQ(rows[0]["count"], "1");
  EXPECT_EQ(rows[2]["count"], "3");
  EXPECT_EQ(rows[3]["error"]["kind"], "usage");
  EXPECT_NE(rows[3]["error"]["message"].get<std::string>().find("list.txt:5: "), std::string::npos);
  EXPECT_NE(rows[4]["error"]["message"].get<std::string>().find("another list"), std::string::npos);
  EXPECT_EQ(rows[5]["count"], "2");
  EXPECT_EQ(lines_of(run({"series", "@-", "--csv"}, feeding(one + "\n" + one + "\n")).out).size(), 3U);
  EXPECT_EQ(run({"series", "@/no/such/list"}).code, 2);
  EXPECT_EQ(run({"series", "@-"}, feeding("# nothing\n")).code, 2);
}

// A row is there as soon as its graph has come in.
TEST(Batches, RowsStream) {
  int to[2];
  int from[2];
  ASSERT_EQ(pipe(to), 0);
  ASSERT_EQ(pipe(from), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
    execl(tested_program(), tested_program(), "series", "-", "--json", static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  FILE* const rows = fdopen(from[0], "r");
  char line[4096];
  for (int k = 0; k < 3; ++k) {
    ASSERT_EQ(write(to[1], "C~\n", 3), 3);
    ASSERT_NE(std::fgets(line, sizeof line, rows), nullptr);
    EXPECT_EQ(nlohmann::json::parse(line)["count"], "3");
  }
  // It waits for more, and Ctrl-C ends that.
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  std::fclose(rows);
  close(to[1]);
}

TEST(Batches, ASingleGraphIsAskedForByName) {
  const Outcome outcome = run({cubic});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("'countpm series' counts each of several"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("19 graphs, one per line"), std::string::npos) << outcome.err;
}

TEST(Batches, LogarithmsAlone) {
  const Outcome outcome = run({"series", "lattice:square:4x4", "lattice:square:40x40", "lattice:square:60x60",
                               cubic, "--log-only", "--ratio", "--json"});
  const auto rows = objects(outcome.out);
  ASSERT_EQ(rows.size(), 22U) << outcome.err;
  EXPECT_NEAR(rows[0]["ln_z"].get<double>(), std::log(36.0), 1e-12);
  EXPECT_TRUE(rows[0]["count"].is_null());
  EXPECT_LT(rows[0]["ln_z_error"].get<double>(), 1e-9);
  EXPECT_FALSE(rows[1]["exact"].get<bool>());
  EXPECT_EQ(rows[0]["ratio"], "1");
  const double quotient = std::exp(rows[1]["ln_z"].get<double>() - std::log(36.0));
  EXPECT_NEAR(std::stod(rows[1]["ratio"].get<std::string>()) / quotient, 1, 1e-8);
  EXPECT_NE(rows[2]["ratio"].get<std::string>().find("e+4"), std::string::npos) << "beyond doubles";
  EXPECT_NEAR(rows[1]["limit"].get<double>(), 0.29156090403, 1e-11);
  EXPECT_EQ(run({"series", cubic, "--log-only", "--method", "ryser"}).code, 2);
}

TEST(Batches, ARangeOfMonomers) {
  const auto rows = objects(
      run({"series", "lattice:square:4x4", "lattice:square:4x4:remove=r0c0+r0c{1..3}", "--ratio", "--json"})
          .out);
  ASSERT_EQ(rows.size(), 4U);
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    const std::string spec = "lattice:square:4x4:remove=r0c0+r0c" + std::to_string(k);
    EXPECT_EQ(rows[k]["input"], spec);
    EXPECT_EQ(rows[k]["count"].get<std::string>() + "\n", run({spec, "--method", "definition"}).out);
  }
  EXPECT_NE(run({"lattice:square:4x4:remove=r0c{1..3}"}).err.find("for 'countpm series'"), std::string::npos);
}

TEST(Batches, AnInputIsNeverReplaced) {
  const std::string folder = folder_with({{"a.edgelist", "a b\n"}}, "kept");
  const Outcome outcome = run({"series", folder, "--html", folder + "/a.edgelist", "--overwrite"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(testing::file_text(folder + "/a.edgelist"), "a b\n");
}

TEST(MatchingsAsCsv, AnEdgeALine) {
  const std::string square = file_with("a x\na y\nb x\nb y\n");
  EXPECT_EQ(run({"list", square, "--csv"}).out, "matching,from,to\r\n1,a,x\r\n1,b,y\r\n2,a,y\r\n2,b,x\r\n");
  EXPECT_EQ(run({"list", square, "--csv", "--range", "2..2"}).out, "matching,from,to\r\n2,a,y\r\n2,b,x\r\n");
  EXPECT_EQ(run({"sample", "lattice:square:1x2", "--count", "2", "--csv"}).out,
            "matching,from,to\r\n1,r0c0,r0c1\r\n2,r0c0,r0c1\r\n");
  EXPECT_EQ(run({"list", file_with("a b\nb c\n"), "--csv"}).out, "matching,from,to\r\n");
  EXPECT_EQ(run({"list", file_with("graph { \"a,b\" -- c }\n", "quoted.dot"), "--csv"}).out,
            "matching,from,to\r\n1,\"a,b\",c\r\n");
  EXPECT_EQ(run({"list", square, "--csv", "--json"}).code, 2);
}

}  // namespace
}  // namespace countpm::test::batches_test
