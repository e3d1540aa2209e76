// A count in parts: split, counted one by one, merged; the number is the one of a single count, or there is
// none.
#include <algorithm>
#include <csignal>

#include "kernels/method.hpp"
#include "tests/file_text.hpp"
#include "tests/kill-resume/resuming.hpp"

namespace countpm::test {
namespace {

namespace fs = std::filesystem;

using countpm::testing::file_text;

/// An input, and parts of it in a folder that goes away.
class Parts {
 public:
  explicit Parts(std::vector<std::string> count)
      : folder_(fs::temp_directory_path() / ("countpm-parts-" + std::to_string(std::random_device()()))),
        count_(std::move(count)) {
    fs::create_directories(folder_);
  }
  ~Parts() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::string whole() const {
    const Outcome outcome = run(count_);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }
  /// The parts' files.
  std::vector<std::string> split(int parts, const std::string& name = "p") const {
    std::vector<std::string> arguments{"split"};
    arguments.insert(arguments.end(), count_.begin(), count_.end());
    arguments.insert(arguments.end(), {"--parts", std::to_string(parts), "-o", path(name)});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> files = lines_of(outcome.out);
    EXPECT_EQ(files.size(), static_cast<std::size_t>(parts));
    return files;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
  std::vector<std::string> count_;
};

Outcome merge(const std::vector<std::string>& files, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"merge"};
  arguments.insert(arguments.end(), files.begin(), files.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

void count_parts(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const Outcome outcome = run({"resume", file});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("is done"), std::string::npos) << outcome.err;
  }
}

std::string matrix(unsigned rows, unsigned percent, std::uint64_t seed) {
  return file_with(random_matrix(rows, percent, seed), "matrix.dense");
}

TEST(SplitMerge, EveryMethodGivesTheSameNumber) {
  for (const Method* method : exact_methods()) {
    const std::string name(method->name());
    const bool planar = name == "planar" || name == "condensation";
    const std::string input = name == "hafnian" ? "lattice:triangular:4x4"
                              : planar          ? "lattice:square:8x8"
                                                : matrix(9, 60, 3);
    std::vector<std::string> count{input, "--method", name, "--threads", "1"};
    if (name == "f-factors") {
      count[0] = "lattice:complete:8";
      count.insert(count.end(), {"--degree", "2"});
    }
    const Parts parts(count);
    const std::string whole = parts.whole();
    const std::vector<std::string> files = parts.split(2);
    count_parts(files);
    const Outcome merged = merge(files, {"--json"});
    EXPECT_EQ(merged.code, 0) << name << merged.err;
    EXPECT_NE(merged.out.find("\"count\": \"" + whole.substr(0, whole.size() - 1) + "\""), std::string::npos)
        << name << merged.out;
  }
}

TEST(SplitMerge, GivesTheSamePolynomial) {
  const std::vector<std::vector<std::string>> counts{
      {"lattice:square:16x12:weights=x,2*y^-1", "--threads", "1"},
      {"lattice:square:8x6", "--monomers", "t"},
      {file_with("a b x\nb c 2*x*y^-1\nc d x\nd a 1/3\na c y\nb d -1\n", "square.edges"), "--weights"}};
  for (const std::vector<std::string>& count : counts) {
    const Parts parts(count);
    const std::string whole = parts.whole();
    const std::vector<std::string> files = parts.split(3);
    count_parts({files[0], files[1]});
    const std::string journal = parts.path("some.journal");
    const Outcome some = merge({files[0], files[1]}, {"-o", journal});
    count_parts({files[2]});
    EXPECT_EQ(merge(files).out, whole) << count[0];
    if (some.code == 0) continue;  // there was nothing for the last part to do
    const Outcome status = run({"status", journal});
    EXPECT_NE(status.out.find("points each"), std::string::npos) << status.out;
    EXPECT_EQ(run({"resume", journal}).out, whole) << count[0];
  }
}

TEST(LongSplitMerge, EveryMethodWithManyUnits) {
  struct Case {
    std::vector<std::string> count;
    std::uint64_t least_units;
  };
  const std::vector<Case> cases{
      {{matrix(27, 70, 31), "--method", "ryser"}, 2},
      {{matrix(26, 40, 32), "--method", "sparyser"}, 2},
      {{matrix(26, 30, 33), "--method", "skipper"}, 2},
      {{matrix(31, 40, 34), "--method", "pruned"}, 2},
      {{matrix(30, 70, 35), "--method", "grouped"}, 2},
      {{matrix(28, 25, 36), "--method", "frontier", "--memory-limit", "16M"}, 2},
      {{matrix(12, 60, 37), "--method", "enumerate"}, 2},
      {{matrix(12, 60, 38), "--method", "definition"}, 2},
      {{"lattice:square:40x40", "--method", "planar"}, 2},
      {{matrix(22, 16, 39), "--method", "forbert-marx"}, 1},
      {{matrix(30, 88, 40), "--method", "rook"}, 1},
  };
  for (const Case& one : cases) {
    const Parts parts(one.count);
    const std::string whole = parts.whole();
    const std::vector<std::string> files = parts.split(7);
    std::uint64_t units = 0;
    for (const std::string& file : files) units += read_journal(file).units();
    EXPECT_GE(units, one.least_units) << one.count[2];
    count_parts(files);
    EXPECT_EQ(merge(files).out, whole) << one.count[2];
  }
}

TEST(SplitMerge, AnyNumberOfPartsInAnyOrderAndTwice) {
  const Parts parts({matrix(12, 60, 5), "--method", "definition", "--threads", "2"});
  const std::string whole = parts.whole();
  for (const int k : {1, 7}) {
    std::vector<std::string> files = parts.split(k, "k" + std::to_string(k));
    count_parts(files);
    std::reverse(files.begin(), files.end());
    files.push_back(files.front());
    EXPECT_EQ(merge(files).out, whole) << k;
  }
}

TEST(SplitMerge, MorePartsThanUnitsAndNothingToCount) {
  const Parts one_unit({matrix(12, 40, 6), "--method", "frontier"});
  const std::vector<std::string> files = one_unit.split(5);
  count_parts(files);
  EXPECT_EQ(merge(files).out, one_unit.whole());

  for (const char* input : {"a x\na y\nb x\nc x\n", "a x\nb y\n"}) {  // no matching; reductions alone
    const Parts nothing({file_with(input)});
    const std::vector<std::string> empty = nothing.split(2);
    count_parts(empty);
    const Outcome merged = merge(empty, {"-o", nothing.path("journal")});
    EXPECT_EQ(merged.code, 0) << merged.err;
    EXPECT_EQ(merged.out, nothing.whole());
  }
}

TEST(SplitMerge, WeightsAndDoubleChecksTakePart) {
  const std::string weighted =
      file_with("a x 2.5\na y 1\na z 3\nb x 4.25\nb y 1\nb z 2\nc x 1\nc y 0.5\nc z 1\n");
  const Parts parts({weighted, "--weights", "--arithmetic", "128", "--no-rule", "double"});
  const std::vector<std::string> files = parts.split(2);
  count_parts(files);
  EXPECT_EQ(merge(files).out, parts.whole());

  const Parts checked({matrix(12, 60, 9), "--method", "definition", "--double-check"});
  const std::vector<std::string> both = checked.split(3);
  count_parts(both);
  const Outcome merged = merge(both, {"--report=checks"});
  EXPECT_EQ(merged.out, checked.whole());
  EXPECT_NE(merged.err.find("double-check"), std::string::npos) << merged.err;
}

TEST(SplitMerge, MissingUnitsAreNamedAndTheJournalGoesOn) {
  const Parts parts({matrix(12, 60, 7), "--method", "definition"});
  const std::vector<std::string> files = parts.split(4);
  count_parts({files[0], files[2]});
  const Outcome outcome = merge({files[0], files[1], files[2]}, {"-o", parts.path("journal")});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_EQ(outcome.out, "");
  for (const char* words : {"units are missing", "not given: part 4 of 4", "not done: ", "goes on"})
    EXPECT_NE(outcome.err.find(words), std::string::npos) << words << "\n" << outcome.err;
  EXPECT_EQ(outcome.err.find("of block"), std::string::npos) << outcome.err;  // the parts say it all
  const Outcome status = run({"status", files[1]});
  EXPECT_NE(status.out.find("part       2 of 4"), std::string::npos) << status.out;
  // Without a journal, too; and what there is of it goes on by itself.
  EXPECT_EQ(merge({files[0]}).code, 6);
  EXPECT_EQ(merge({files[0], files[2]}, {"-o", parts.path("journal")}).code, 2);  // it is there
  const Outcome resumed = run({"resume", parts.path("journal")});
  EXPECT_EQ(resumed.out, parts.whole()) << resumed.err;
  // A part and the whole that went on overlap.
  count_parts({files[1]});
  EXPECT_EQ(merge({files[1], parts.path("journal")}).out, resumed.out);
}

TEST(SplitMerge, ForeignPartsAreRefused) {
  const std::string input = matrix(12, 60, 11);
  const Parts parts({input, "--method", "definition"});
  const std::vector<std::string> files = parts.split(2);
  const Parts other_input({matrix(12, 60, 12), "--method", "definition"});
  const Parts other_method({input, "--method", "ryser"});
  const Parts other_rules({input, "--method", "definition", "--no-rule", "twins"});
  for (const Parts* other : {&other_input, &other_method, &other_rules}) {
    const Outcome outcome = merge({files[0], other->split(2)[1]});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("expected a checkpoint"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(merge({files[0], input}).code, 2);
  EXPECT_EQ(merge({files[0], "/nonexistent"}).code, 2);
  EXPECT_EQ(run({"split", input, "--parts", "2", "-o", parts.path("p")}).code, 2);  // they are there
  EXPECT_NE(parts.split(2, "a/new folder/")[1].find("/a/new folder/"), std::string::npos);
  EXPECT_EQ(run({"split", input, "--parts", "0"}).code, 2);
  EXPECT_EQ(run({"split", input, "--parts", "2", "-o", "/nonexistent/p"}).code, 2);
  EXPECT_EQ(run({"split", input, "--parts", "2", "-o", parts.path("p-1.part/")}).code, 3);  // that is a file
  // The input has changed since.
  count_parts(files);
  const Outcome moved = merge(files, {"--input", matrix(12, 60, 12)});
  EXPECT_EQ(moved.code, 2) << moved.err;
  EXPECT_EQ(moved.out, "");
}

/// The line again with another residue and a checksum that fits: what a machine that miscounts would write.
void miscount(const std::string& file) {
  Journal journal = read_journal(file);
  std::string text = header_lines(journal.header);
  auto& residues = std::get<Residues>(journal.records.back().finished.value).residue;
  residues[0] = residues[0] == 0 ? 1 : residues[0] - 1;
  for (const JournalRecord& record : journal.records) text += record_line(journal.header, record);
  std::ofstream(file, std::ios::binary) << text;
}

TEST(SplitMerge, ContradictionsAreRefused) {
  const Parts parts({matrix(12, 60, 13), "--method", "definition"});
  const std::vector<std::string> files = parts.split(2);
  count_parts(files);
  fs::copy_file(files[1], parts.path("copy"));
  miscount(parts.path("copy"));
  const Outcome outcome = merge({files[0], files[1], parts.path("copy")});
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("contradicts"), std::string::npos) << outcome.err;
  // By itself it may still be found out: by a unit run again, the parity or a bound. Never must it be silent
  // that it is not: all ranges of so small a count are run again.
  const Outcome alone = merge({files[0], parts.path("copy")});
  EXPECT_EQ(alone.code, 4) << alone.err;
  EXPECT_EQ(alone.out, "");
}

TEST(SplitMerge, DamagedPartsAreRepairedOrRefused) {
  const Parts parts({matrix(11, 60, 14), "--method", "definition", "--threads", "1"});
  const std::string whole = parts.whole();
  const std::vector<std::string> files = parts.split(2);
  count_parts(files);
  const std::string sound = file_text(files[1]);
  Random random(15);
  int completed = 0;
  for (int round = 0; round < 9; ++round) {
    std::string broken = sound;
    if (round % 3 == 0) {
      broken.resize(random() % broken.size());
    } else if (round % 3 == 1) {
      broken[random() % broken.size()] ^= static_cast<char>(1 << random() % 8);
    } else {  // lines of the other part among them
      broken.insert(broken.find('\n', broken.find('\n') + 1) + 1, file_text(files[0]));
    }
    std::ofstream(files[1], std::ios::binary) << broken;
    const Outcome outcome = merge(files);
    if (outcome.code == 0) {
      EXPECT_EQ(outcome.out, whole);
      ++completed;
    } else {
      EXPECT_TRUE(outcome.code == 2 || outcome.code == 6) << outcome.code << outcome.err;
      EXPECT_EQ(outcome.out, "");
    }
    if (outcome.code == 6) {
      const Outcome again = run({"resume", files[1]});
      EXPECT_EQ(again.code, 0) << again.err;
      EXPECT_EQ(merge(files).out, whole);
    }
  }
  EXPECT_GE(completed, 3);
}

TEST(SplitMerge, PartsAreInterruptedAndGoOn) {
  const Parts parts({matrix(24, 40, 16), "--method", "sparyser", "--threads", "1"});
  const std::vector<std::string> files = parts.split(2);
  Wiring wiring;
  wiring.signals = {{0.3, SIGTERM}};
  const Outcome stopped = run({"resume", files[0]}, wiring);
  if (stopped.code != 0) {
    EXPECT_EQ(stopped.code, 128 + SIGTERM);
    EXPECT_NE(stopped.err.find("goes on"), std::string::npos) << stopped.err;
  }
  wiring.signals = {{0.3, SIGKILL}};
  run({"resume", files[1], "--threads", "2"}, wiring);
  // One journal goes on at two places.
  fs::copy_file(files[1], parts.path("twin"));
  wiring.signals = {{0.5, SIGKILL}};
  run({"resume", parts.path("twin")}, wiring);
  run({"resume", files[1]}, wiring);
  const Outcome some = merge({files[0], files[1], parts.path("twin")});
  EXPECT_TRUE(some.code == 6 || some.code == 0) << some.err;
  count_parts(files);
  EXPECT_EQ(merge({files[0], parts.path("twin"), files[1]}).out, parts.whole());
}

}  // namespace
}  // namespace countpm::test
