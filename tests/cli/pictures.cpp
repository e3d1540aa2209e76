// --svg, --draw and --heights: docs/pictures.md.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/draw/svg_reader.hpp"
#include "tests/file_text.hpp"
#include "tests/repeats.hpp"

namespace countpm::test::pictures_test {
namespace {

namespace fs = std::filesystem;

// A name in a folder that goes away with the test program; no file has it yet.
std::string fresh(const std::string& name) {
  const fs::path path = fs::path(file_with("", "beside-" + name)).parent_path() / name;
  fs::remove(path);
  return path.string();
}

using countpm::testing::file_text;

boost::property_tree::ptree picture_at(const std::string& path) {
  return parse_svg(file_text(path));
}

const std::string coronene = COUNTPM_SOURCE_DIR "/data/molecules/coronene.edgelist";

TEST(Pictures, OfASampleBesideItsLine) {
  const std::string file = fresh("sample.svg");
  const Outcome outcome = run({"sample", "lattice:aztec:5", "--seed", "7", "--number", "2", "--svg", file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, run({"sample", "lattice:aztec:5", "--seed", "7", "--number", "2"}).out);
  const auto root = picture_at(file);
  EXPECT_EQ(root.get<std::string>("title"), "lattice:aztec:5");
  std::size_t tiles = 0;
  for (const Element& path : elements(root, "path", "tile"))
    tiles += subpaths(attribute(path.tree, "d")).size();
  EXPECT_EQ(tiles, 30U);
  // The command says what the legend does.
  EXPECT_NE(outcome.err.find("picture     " + file), std::string::npos) << outcome.err;
  for (const char* colour :
       {"yellow      north", "blue        south", "teal        west", "red         east"})
    EXPECT_NE(outcome.err.find(colour), std::string::npos) << outcome.err;
  EXPECT_EQ(run({"sample", "lattice:aztec:5", "--svg", file, "--overwrite", "--quiet"}).err, "");
}

TEST(Pictures, WithATitleAWidthAndNoLegend) {
  const std::string file = fresh("styled.svg");
  const auto drawn = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--svg", file, "--overwrite"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return picture_at(file);
  };
  for (const std::vector<std::string>& command : {std::vector<std::string>{"sample", "lattice:aztec:3"},
                                                  {"sample", "lattice:hexagon:2x2x2"},
                                                  {"sample", "lattice:aztec:3", "--draw", "height"},
                                                  {"sample", "lattice:aztec:3", "--draw", "matrix"},
                                                  {"marginals", "lattice:aztec:3"},
                                                  {"marginals", "lattice:aztec:3", "--draw", "matrix"},
                                                  {"explain", "lattice:aztec:3"},
                                                  {"many", "lattice:aztec:1..3"}}) {
    const auto plain = drawn(command);
    std::vector<std::string> with = command;
    with.insert(with.end(), {"--title", "Mine & yours", "--width", "300", "--no-legend"});
    const auto styled = drawn(with);
    EXPECT_EQ(styled.get<std::string>("title"), "Mine & yours");
    EXPECT_EQ(styled.get<std::string>("<xmlattr>.width"), "300");
    EXPECT_EQ(elements(styled, "g", "legend").size(), 0U);
    EXPECT_EQ(elements(plain, "g", "legend").size(), 1U);
    // Everything in proportion: what is drawn has the coordinates that it had.
    EXPECT_EQ(elements(styled, "g", "drawing").size(), 1U);
    EXPECT_LT(styled.get<double>("<xmlattr>.height"),
              300 * plain.get<double>("<xmlattr>.height") / plain.get<double>("<xmlattr>.width"));
  }
  EXPECT_EQ(run({"sample", "lattice:aztec:3", "--title", "x"}).code, 2);
  EXPECT_EQ(run({"marginals", "lattice:aztec:3", "--scale", "log"}).code, 2);
  EXPECT_EQ(run({"sample", "lattice:aztec:3", "--svg", file, "--overwrite", "--width", "20"}).code, 2);
}

TEST(Pictures, ScalesOfProbabilities) {
  const std::string file = fresh("scaled.svg");
  const auto legend = [&](const std::string& scale) {
    const Outcome outcome =
        run({"marginals", "lattice:square:16x16", "--scale", scale, "--svg", file, "--overwrite"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(legend("linear").find("to 0.5 dark"), std::string::npos) << legend("linear");
  EXPECT_NE(legend("clip").find(" or more dark"), std::string::npos) << legend("clip");
  EXPECT_NE(legend("log").find("logarithm"), std::string::npos) << legend("log");
}

TEST(Pictures, OfLatticesThatAreNew) {
  const std::string file = fresh("new.svg");
  for (const char* const spec :
       {"lattice:moebius:4x6", "lattice:klein:4x4", "lattice:kagome:3x4", "lattice:kagome-torus:2x2",
        "lattice:square-octagon:2x3", "lattice:pyrochlore:1x2x2", "lattice:circulant:10:1,2",
        "lattice:hypercube:4", "lattice:complete:6", "lattice:complete-bipartite:3x3",
        "lattice:brickwork:3x4", "lattice:brickwork-torus:4x4", "lattice:prism:5",
        "lattice:cubic-torus:3x3x4", "lattice:diamond-torus:2x2x2", "lattice:hypercubic:2x2x3",
        "lattice:hypercubic-torus:3x4", "lattice:kneser:5:2"}) {
    const Outcome outcome = run({"sample", spec, "--svg", file, "--overwrite", "--quiet"});
    EXPECT_EQ(outcome.code, 0) << spec << outcome.err;
    EXPECT_EQ(elements(picture_at(file), "g", "chosen").size(), 1U) << spec;
  }
}

TEST(Pictures, OfEveryKind) {
  const std::string file = fresh("kind.svg");
  const auto drawn = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--svg", file, "--overwrite", "--quiet"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return picture_at(file);
  };
  EXPECT_EQ(elements(drawn({"sample", "lattice:square:4x4", "--draw", "height"}), "g", "heights").size(), 1U);
  EXPECT_EQ(elements(drawn({"sample", "lattice:square:4x4", "--draw", "edges"}), "g", "chosen").size(), 1U);
  EXPECT_EQ(elements(drawn({"sample", "lattice:square:4x4", "--draw", "matrix"}), "rect", "matrix").size(),
            1U);
  EXPECT_EQ(elements(drawn({"sample", "lattice:cubic:2x2x2"}), "g", "chosen").size(), 1U);
  EXPECT_EQ(elements(drawn({"sample", "lattice:square:4x4", "--kind", "symmetric"}), "rect", "matrix").size(),
            1U);
  EXPECT_EQ(elements(drawn({"sample", coronene}), "g", "chosen").size(), 1U);
  EXPECT_EQ(elements(drawn({"sample", file_with(complete_bipartite(4))}), "rect", "matrix").size(), 1U);
  EXPECT_EQ(elements(drawn({"sample", "lattice:aztec:2", "--draw", "edges"}), "g", "chosen").size(), 1U);
  EXPECT_EQ(elements(drawn({"marginals", coronene}), "path", "edge").size(), 30U);
  EXPECT_EQ(elements(drawn({"marginals", file_with(complete_bipartite(4))}), "rect", "matrix").size(), 1U);
  EXPECT_EQ(elements(drawn({"marginals", coronene, "--draw", "matrix"}), "rect", "matrix").size(), 1U);
}

TEST(Pictures, OfBondOrdersHaveThemAsLabels) {
  const std::string file = fresh("bonds.svg");
  const std::string benzene = COUNTPM_SOURCE_DIR "/data/molecules/naphthalene.edgelist";
  ASSERT_EQ(run({"marginals", benzene, "--exact", "--svg", file}).code, 0);
  std::multiset<std::string> labels;
  for (const Element& text : elements(only(picture_at(file), "g", "labels"), "text"))
    labels.insert(text.tree.data());
  EXPECT_EQ(labels.size(), 11U);
  EXPECT_EQ(labels.count("2/3"), 4U);
  EXPECT_EQ(labels.count("1/3"), 7U);
}

TEST(Pictures, OfAMatrixAndItsBlocks) {
  const std::string file = fresh("blocks.svg");
  const Outcome outcome = run({"explain", coronene, "--svg", file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // Without what is said of other programs' load.
  const auto forecast_lines = [](const std::string& out) {
    return lines_of(out.substr(0, std::min(out.find("\nrates "), out.find("\ntotal ")))).size();
  };
  EXPECT_EQ(forecast_lines(outcome.out), forecast_lines(run({"explain", coronene}).out));
  EXPECT_NE(outcome.err.find("to be counted, block by block (30)"), std::string::npos) << outcome.err;
  EXPECT_EQ(elements(picture_at(file), "g", "panel").size(), 3U);
  const std::string board = COUNTPM_SOURCE_DIR "/data/boards/mutilated-8x8.edgelist";
  ASSERT_EQ(run({"explain", board, "--svg", file, "--overwrite"}).code, 0);
  EXPECT_EQ(elements(picture_at(file), "g", "panel").size(), 2U);
}

TEST(Pictures, AsPngNeedLibrsvg) {
  const std::string file = fresh("none.png");
  Wiring wiring;
  wiring.environment["PATH"] = "/nonexistent";
  const Outcome outcome = run({"sample", "lattice:square:4x4", "--svg", file}, wiring);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("librsvg2-bin"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");  // known before anything is drawn
  EXPECT_FALSE(fs::exists(file));
}

// A program of that name stands in for librsvg's: what it makes of the SVG is the file.
TEST(Pictures, AsPngGoThroughTheConverter) {
  const std::string program = file_with("#!/bin/sh\necho PNG\ncat\n", "rsvg-convert");
  ASSERT_EQ(chmod(program.c_str(), 0755), 0);
  Wiring wiring;
  wiring.environment["PATH"] = fs::path(program).parent_path().string() + ":/usr/bin:/bin";
  const std::string file = fresh("fake.png");
  // Larger than any pipe.
  const Outcome outcome = run({"sample", "lattice:aztec:150", "--svg", file}, wiring);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string made = file_text(file);
  EXPECT_EQ(made.substr(0, 4), "PNG\n");
  EXPECT_GT(made.size(), 70'000U);
  EXPECT_NO_THROW(parse_svg(made.substr(4)));

  std::ofstream(program) << "#!/bin/sh\necho it broke >&2\nexit 5\n";
  const std::string broken = fresh("broken.png");
  const Outcome failed = run({"sample", "lattice:aztec:150", "--svg", broken}, wiring);
  EXPECT_EQ(failed.code, 3);
  EXPECT_NE(failed.err.find("it broke"), std::string::npos) << failed.err;
  EXPECT_FALSE(fs::exists(broken));
}

// What drawing takes is within the time limit, and Ctrl-C ends it; what the command says is there already.
TEST(Pictures, ThatTakeTooLongLeaveNoFile) {
  const std::string program = file_with("#!/bin/sh\n: >\"$0.begun\"\nexec sleep 90\n", "rsvg-convert");
  ASSERT_EQ(chmod(program.c_str(), 0755), 0);
  for (const std::string command : {"sample", "marginals", "explain"}) {
    for (const bool signal : {false, true}) {
      const std::string file = fresh("slow-" + command + (signal ? "-signal" : "-limit") + ".png");
      Wiring wiring;
      wiring.environment["PATH"] = fs::path(program).parent_path().string() + ":/usr/bin:/bin";
      if (signal) wiring.signals = {{0, SIGINT}};
      wiring.after_file = program + ".begun";
      Outcome outcome;
      fs::remove(wiring.after_file);
      // Long enough for what comes before the picture.
      for (double limit = signal ? 100 : 3; !fs::exists(wiring.after_file) && limit <= 100; limit *= 3)
        outcome = run({command, coronene, "--svg", file, "--time-limit", fmt::format("{}", limit)}, wiring);
      EXPECT_EQ(outcome.code, signal ? 130 : 3) << command << outcome.err;
      EXPECT_NE(outcome.err.find("slow-" + command + (signal ? "-signal" : "-limit") + ".png is not written"),
                std::string::npos)
          << outcome.err;
      EXPECT_LT(outcome.seconds, 80) << command;  // the sleep is longer
      EXPECT_NE(outcome.out, "") << command;
      EXPECT_FALSE(fs::exists(file));
      const fs::directory_iterator folder(fs::path(file).parent_path());
      EXPECT_EQ(std::distance(begin(folder), end(folder)), 1) << command << ": the file that fresh() left";
    }
  }
}

TEST(Pictures, AsPngByLibrsvg) {
  if (access("/usr/bin/rsvg-convert", X_OK) != 0) GTEST_SKIP() << "no rsvg-convert here";
  const std::string file = fresh("real.png");
  Wiring wiring;
  wiring.environment["PATH"] = "/usr/bin";
  ASSERT_EQ(run({"marginals", coronene, "--svg", file}, wiring).code, 0);
  EXPECT_EQ(file_text(file).substr(0, 8), "\x89PNG\r\n\x1a\n");
}

TEST(Pictures, FilesThatCannotBeWritten) {
  for (const std::string command : {"sample", "marginals", "explain"}) {
    const Outcome outcome = run({command, coronene, "--svg", "/nonexistent/folder/a.svg"});
    EXPECT_EQ(outcome.code, 2) << command;
    EXPECT_NE(outcome.err.find("cannot write to /nonexistent/folder/a.svg"), std::string::npos)
        << outcome.err;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(run({command, coronene, "--svg", "/dev/full"}).code, 1) << command;
  }
  EXPECT_EQ(run({"sample", "lattice:square:2x2", "--heights", "/dev/full"}).code, 1);
}

TEST(Pictures, OfNothingAreRefused) {
  const std::string file = fresh("nothing.svg");
  const std::string triangle = file_with("a b\nb c\nc a\n", "triangle.edgelist");
  for (const std::string command : {"sample", "marginals"}) {
    const Outcome outcome = run({command, triangle, "--svg", file});
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_NE(outcome.err.find("no perfect matching"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(file)) << command;
  }
  const std::string empty =
      file_with("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n", "empty.mtx");
  for (const std::string command : {"sample", "marginals", "explain"})
    EXPECT_EQ(run({command, empty, "--svg", file}).code, 3) << command;
  EXPECT_EQ(run({"sample", coronene, "--draw", "tiles", "--svg", file}).code, 3);
  EXPECT_EQ(run({"sample", file_with(complete_bipartite(4)), "--draw", "edges", "--svg", file}).code, 3);
  EXPECT_EQ(run({"sample", "lattice:torus:4x4", "--draw", "height", "--svg", file}).code, 3);
  EXPECT_EQ(run({"sample", coronene, "--heights", file}).code, 3);
  // Their labels are no places: that was an internal fault.
  for (const std::string named : {"lattice:hypercube:3", "lattice:complete:4", "lattice:benzenoid:0,0"})
    EXPECT_EQ(run({"sample", named, "--heights", file}).code, 3) << named;
  EXPECT_FALSE(fs::exists(file));
}

TEST(Pictures, BadUsage) {
  const std::string file = fresh("usage.svg");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"sample", "lattice:square:2x2", "--number", "0", "--svg", file},
           {"sample", "lattice:square:2x2", "--draw", "height"},
           {"marginals", "lattice:square:2x2", "--draw", "tiles", "--svg", file},
           {"sample", "lattice:square:2x2", "--svg", "-"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_FALSE(fs::exists(file));
  }
}

// A file that was there keeps its contents where the command fails.
TEST(Pictures, FailuresLeaveOldFilesAlone) {
  const std::string file = file_with("precious", "old.svg");
  EXPECT_EQ(run({"sample", "lattice:torus:4x4", "--draw", "height", "--svg", file, "--overwrite"}).code, 3);
  EXPECT_EQ(file_text(file), "precious");
  EXPECT_EQ(run({"sample", "lattice:square:2x2", "--svg", file, "--overwrite"}).code, 0);
  EXPECT_EQ(file_text(file).substr(0, 5), "<?xml");
}

TEST(Heights, OfEverySampleAsCsv) {
  const std::string file = fresh("heights.csv");
  ASSERT_EQ(run({"sample", "lattice:square:2x2", "--number", "3", "--heights", file}).code, 0);
  std::istringstream lines(file_text(file));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "sample,row,column,height\r");
  int count = 0;
  while (std::getline(lines, line)) {
    if (line.find(",1,1,") != std::string::npos) {
      EXPECT_TRUE(line.ends_with(",1,1,2\r") || line.ends_with(",1,1,-2\r")) << line;
    }
    ++count;
  }
  EXPECT_EQ(count, 3 * 9);
}

TEST(Pictures, ComparisonsOfSeveralInputs) {
  const std::string file = fresh("compare.svg");
  const Outcome outcome =
      run({"compare", "lattice:square:6x6", "lattice:square:8x8", "--sizes", "100,1000", "--samplers",
           "scaling,scaling+", "--exact-tail", "0", "--csv", "--svg", file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto root = picture_at(file);
  // Of 2 x 2 x 2 estimates; each that claims an error shows it, too.
  const std::size_t bars = elements(root, "path", "bar").size();
  EXPECT_GT(bars, 0U);
  EXPECT_EQ(bars + elements(root, "path", "ring").size(), 8U);
  EXPECT_EQ(elements(root, "path", "point").size(), 2 * bars);
  EXPECT_EQ(elements(root, "line", "level").size(), 2U);
  EXPECT_NE(outcome.err.find("scaling+"), std::string::npos) << outcome.err;
  const std::string none = fresh("none.svg");
  const Outcome nothing = run({"compare", "lattice:square:2x10", "--svg", none});
  EXPECT_EQ(nothing.code, 3);
  EXPECT_NE(nothing.err.find("nothing to draw"), std::string::npos) << nothing.err;
  EXPECT_FALSE(fs::exists(none));
}

}  // namespace
}  // namespace countpm::test::pictures_test
