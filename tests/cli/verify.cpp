// countpm verify: right results pass, whatever is wrong with others is refuted or refused.
#include <gtest/gtest.h>

#include <gmpxx.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "kernels/method.hpp"
#include "src/journal/journal.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

using Json = nlohmann::ordered_json;

// 8 x 8, nothing reduces away where twins are off.
const char* const matrix =
    "1 1 0 1 1 0 1 1\n1 1 1 0 1 1 0 1\n0 1 1 1 0 1 1 1\n1 0 1 1 1 0 1 1\n"
    "1 1 1 1 1 1 1 0\n1 1 0 1 1 1 0 1\n0 1 1 1 0 1 1 1\n1 1 1 0 1 1 1 1\n";

// Three entries a row.
const char* const circulant =
    "1 1 0 1 0 0 0 0\n0 1 1 0 1 0 0 0\n0 0 1 1 0 1 0 0\n0 0 0 1 1 0 1 0\n"
    "0 0 0 0 1 1 0 1\n1 0 0 0 0 1 1 0\n0 1 0 0 0 0 1 1\n1 0 1 0 0 0 0 1\n";

std::string matrix_file() {
  return file_with(matrix, "matrix.dense");
}

Json result_of(const std::vector<std::string>& count) {
  std::vector<std::string> arguments = count;
  arguments.emplace_back("--json");
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return Json::parse(outcome.out);
}

Outcome verify(const Json& result, const std::string& input, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"verify", file_with(result.dump(), "result.json"), input};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

std::string last_line_of(const Outcome& outcome) {
  const std::vector<std::string> lines = lines_of(outcome.out);
  return lines.empty() ? std::string() : lines.back();
}

void expect_passes(const std::vector<std::string>& count, const char* words) {
  const Json result = result_of(count);
  const Outcome outcome = verify(result, count.front());
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.out.find("refuted"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(words), std::string::npos) << outcome.out;
}

// Planning another method for its 260 rows is stopped, and that is no fault.
TEST(Verify, OtherMethodsMayTakeTooLongToPlan) {
  expect_passes({"lattice:triangular:2x33:remove=r0c8", "--degree", "2"}, "verified: ");
}

TEST(Verify, SaysWhyExactSumsOfComplexWeightsAreNot) {
  const std::string input = file_with("(1,2) 3 (0,1)\n2 (1,1) 5\n(1,-1) 1 2\n", "complex.dense");
  const Outcome outcome = verify(result_of({input, "--weights", "--exact"}), input);
  EXPECT_EQ(outcome.code, 3) << outcome.out;
  EXPECT_NE(outcome.err.find("an exact sum of complex weights cannot be verified"), std::string::npos)
      << outcome.err;
}

TEST(Verify, RightResultsOfEveryMethodPass) {
  for (const Method* method : exact_methods()) {
    const std::string name(method->name());
    if (name == "planar" || name == "condensation" || name == "hafnian") continue;
    const std::string input = name == "forbert-marx" ? file_with(circulant, "matrix.dense") : matrix_file();
    expect_passes({input, "--method", name}, "agrees       counted again");
  }
  for (const char* name : {"planar", "condensation", "nearly-planar"})
    expect_passes({"lattice:square:6x6", "--method", name}, "agrees       counted again");
  expect_passes({"lattice:triangular:6x6", "--method", "hafnian"}, "agrees       counted again");
  expect_passes({COUNTPM_SOURCE_DIR "/data/molecules/C20.edgelist"}, "counted again");
}

TEST(Verify, MaximumMatchingsPass) {
  const std::string rectangle = file_with(
      "1 1 0 1 1 0 1 1\n1 1 1 0 1 1 0 1\n0 1 1 1 0 1 1 1\n1 0 1 1 1 0 1 1\n1 1 1 1 1 1 1 0\n", "wide.dense");
  for (const char* method : {"frontier", "ryser", "grouped"})
    expect_passes({rectangle, "--maximum", "--method", method}, "agrees       counted again");
  expect_passes({"lattice:square:5x5", "--maximum"}, "counted again");
  Json result = result_of({"lattice:triangular:5x5", "--maximum"});
  EXPECT_EQ(verify(result, "lattice:triangular:5x5").code, 0);
  result["count"] = "1" + result["count"].get<std::string>();
  EXPECT_NE(verify(result, "lattice:triangular:5x5").code, 0);
}

TEST(Verify, GroundStatesAndFactorsPass) {
  expect_passes({"lattice:square:4x4", "--degree", "2"}, "counted again");
  const std::string torus = "lattice:torus:4x6:weights=1,1";
  expect_passes({torus, "--ground-state", "min"}, "the minimum is 12, by potentials");
  Json result = result_of({torus, "--ground-state", "min"});
  result["ground_state"]["weight"] = "11";
  const Outcome outcome = verify(result, torus);
  EXPECT_NE(outcome.code, 0);
  EXPECT_NE(outcome.out.find("the minimum is 12, but is given as 11"), std::string::npos) << outcome.out;
}

TEST(Verify, WeightsPass) {
  const std::string input = file_with(
      "a x 2\na y -1\na z 3\nb x 4\nb y 1\nb z 2\nc x 1\nc y 5\nc z 1\nd w 3\nd x 1\nc w 2\na w 1\nb w 1\nd "
      "y 1\nd z 1\n");
  expect_passes({input, "--weights", "--no-rule", "double"}, "counted again");
  const std::string fractions =
      file_with("a x 1/2\na y 1/3\nb x 3\nb y 2/7\nc z 1\nc x 1\na z 1/5\nb z 2\nc y 1\n");
  expect_passes({fractions, "--weights"}, "product");
  const std::string real =
      file_with("a x 0.5e0\na y 1.25\na z 2.5\nb x 3.5\nb y 2\nb z 1.5\nc x 1\nc y 1\nc z 2e0\n");
  expect_passes({real, "--weights"}, "counted again");
}

TEST(Verify, StructureAndReductionsAlonePass) {
  const std::string none = file_with("a x\na y\nb x\nc x\n");
  expect_passes({none}, "there is no perfect matching");
  expect_passes({file_with("a x\nb y\n")}, "the reductions leave nothing to count");
}

/// Adds to the count, and to its one block's, so that all else fits.
Json tampered(Json result, const mpz_class& by) {
  const std::string count = mpz_class(mpz_class(result["count"].get<std::string>()) + by).get_str();
  result["count"] = count;
  EXPECT_EQ(result["blocks"].size(), 1U);
  result["blocks"][0]["count"] = count;
  return result;
}

// With the options that it was counted with, which structure alone could not do without.
TEST(Verify, ZerosOfStructureKeepTheirOptions) {
  struct Case {
    const char* text;
    const char* name;
    std::vector<std::string> options;
    bool lost;  // without them another graph
  };
  const std::vector<Case> cases{
      {"a b\nc d\n", "arcs.edgelist", {"--as", "directed"}, false},
      {"a b\na c\n#! left z\n", "b.edgelist", {"--as", "bipartite"}, false},
      {"%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 1\n2 2\n3 3\n",
       "id.mtx",
       {"--remove", "left:1,right:2"},
       true},
      {"a b\nb c\na a\n", "loop.edgelist", {"--loops", "drop"}, true},
      {"a b\nb c\nc b\n", "double.edgelist", {"--multi", "sum"}, true},
      {"a b\nb c\n", "list.txt", {"--format", "edgelist", "--as", "symmetric"}, true},
  };
  for (const Case& one : cases) {
    const std::string input = file_with(one.text, one.name);
    std::vector<std::string> arguments{input};
    arguments.insert(arguments.end(), one.options.begin(), one.options.end());
    Json result = result_of(arguments);
    ASSERT_EQ(result["count"], "0") << one.name;
    const Outcome outcome = verify(result, input);
    EXPECT_EQ(outcome.code, 0) << one.name << outcome.out << outcome.err;
    EXPECT_EQ(last_line_of(outcome), "verified: 0, proved by structure: there is no perfect matching")
        << one.name;
    // Earlier versions lost them.
    result["recheck"] = nullptr;
    const Outcome old = verify(result, input);
    EXPECT_EQ(old.code, one.lost ? 2 : 5) << one.name << old.out << old.err;
    if (one.lost) {
      EXPECT_NE(old.err.find("count again, with the options of that time"), std::string::npos) << old.err;
    } else {
      EXPECT_NE(last_line_of(old).find("if no option but"), std::string::npos) << old.out;
    }
    // A zero that is none is refuted with its options.
    Json wrong = result_of({file_with(identity(3), "identity.el"), "--remove", "l0"});
    ASSERT_EQ(wrong["count"], "0");
    wrong["recheck"]["options"] = Json::array();
    EXPECT_EQ(verify(wrong, file_with(identity(3), "identity.el")).code, 4);
  }
}

TEST(Verify, SaysAtTheEndWhatWasVerified) {
  const auto last_line = [](const std::vector<std::string>& count,
                            const std::vector<std::string>& more = {}) {
    const Outcome outcome = verify(result_of(count), count.front(), more);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    return last_line_of(outcome);
  };
  const std::string alone = last_line({matrix_file(), "--method", "ryser", "--no-rule", "twins"});
  EXPECT_TRUE(alone.starts_with("verified: ")) << alone;
  EXPECT_NE(alone.find(", counted anew by "), std::string::npos) << alone;
  EXPECT_NE(alone.find(" modulo the prime "), std::string::npos) << alone;
  EXPECT_EQ(last_line({file_with("a x\nb y\n")}),
            "verified: 1, proved by structure and reductions, done again: they leave nothing to count");
  const std::string real =
      last_line({file_with("a x 0.5e0\na y 1.25\na z 2.5\nb x 3.5\nb y 2\nb z 1.5\nc x 1\nc y 1\nc z 2e0\n"),
                 "--weights"});
  EXPECT_NE(real.find("within the errors of both"), std::string::npos) << real;
  const std::string many = last_line({"lattice:square:24x24"});
  EXPECT_NE(many.find(" characters), counted anew"), std::string::npos) << many;
  const Outcome json = verify(result_of({matrix_file()}), matrix_file(), {"--json"});
  EXPECT_EQ(Json::parse(json.out)["verified"], "whole") << json.out;
  const Outcome refuted =
      verify(tampered(result_of({matrix_file(), "--no-rule", "twins"}), 1), matrix_file(), {"--json"});
  EXPECT_EQ(refuted.code, 4);
  // One object, and no error's after it.
  EXPECT_EQ(Json::parse(refuted.out)["verified"], "nothing") << refuted.out;
  EXPECT_NE(refuted.err.find("the count is refuted: "), std::string::npos) << refuted.err;
}

// The sum over predicted seconds used to miss 1 by a rounding.
TEST(Status, OfAFinishedCountIsAllOfIt) {
  for (const char* rows : {"9", "10", "11"}) {
    const std::string journal = file_with("") + ".journal";
    ASSERT_EQ(run({file_with(complete_bipartite(std::stoi(rows))), "--method", "ryser", "--no-rule", "twins",
                   "--checkpoint", journal})
                  .code,
              0);
    // Thirds and the like of a second, over which the sum is not exact.
    Journal finished = read_journal(journal);
    finished.header.blocks.at(0).tasks.at(0).predicted_seconds = 1.0 / 3;
    std::string text = header_lines(finished.header);
    const JournalRecord all = finished.records.at(0);
    for (std::uint64_t unit = 0; unit < finished.header.blocks[0].tasks[0].units; ++unit) {
      JournalRecord record = all;
      record.finished.range = {unit, unit + 1};
      text += record_line(finished.header, record);
    }
    text += progress_line(finished.header, finished.progress);
    const Outcome outcome = run({"status", file_with(text)});
    EXPECT_NE(outcome.out.find("work       100 % done"), std::string::npos) << outcome.out;
    EXPECT_EQ(Json::parse(run({"status", file_with(text), "--json"}).out)["done"], 1);
  }
  const std::string reduced = file_with("") + ".journal";
  ASSERT_EQ(run({file_with("a x\nb y\n"), "--checkpoint", reduced}).code, 0);
  EXPECT_NE(run({"status", reduced}).out.find("work       100 % done"), std::string::npos);
}

TEST(Verify, WrongNumbersAreRefuted) {
  const std::string input = matrix_file();
  const Json result = result_of({input, "--method", "ryser", "--no-rule", "twins"});
  for (const char* by : {"1", "-1", "2", "-2", "64", "1000000", "18446744073709551616"}) {
    const Outcome outcome = verify(tampered(result, mpz_class(by)), input);
    EXPECT_EQ(outcome.code, 4) << by << outcome.out;
    EXPECT_NE(outcome.out.find("refuted"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("refuted"), std::string::npos) << outcome.err;
  }
  Json only_total = result;
  only_total["count"] = "2";
  EXPECT_NE(verify(only_total, input).out.find("refuted      product"), std::string::npos);
  Json zero = result;
  zero["count"] = "0";
  EXPECT_EQ(verify(zero, input).code, 4);
  // Where counting again takes too long, it is said, and the parity still speaks.
  const Outcome quick = verify(tampered(result, 1), input, {"--time-limit", "0.001"});
  EXPECT_TRUE(quick.code == 4 || quick.code == 3) << quick.out << quick.err;
}

TEST(Verify, WrongSumsOfWeightsAreRefuted) {
  const std::string real =
      file_with("a x 0.5e0\na y 1.25\na z 2.5\nb x 3.5\nb y 2\nb z 1.5\nc x 1\nc y 1\nc z 2e0\n");
  for (const bool exact : {false, true}) {
    // In floating point, and as the fractions that the decimals spell.
    Json result = result_of({real, "--weights", "--method", exact ? "auto" : "ryser"});
    ASSERT_EQ(result["exact"].get<bool>(), exact);
    EXPECT_EQ(verify(result, real).code, 0);
    result["count"] = "2.4e+01";
    const Outcome outcome = verify(result, real);
    EXPECT_EQ(outcome.code, 4) << outcome.out << outcome.err;
  }
}

TEST(Verify, OtherInputsAreRefused) {
  const Json result = result_of({matrix_file()});
  std::string other = matrix;
  other[2] = '0';
  const Outcome outcome = verify(result, file_with(other, "matrix.dense"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("SHA-256"), std::string::npos) << outcome.err;
  // Whoever edits that, too, is refuted.
  Json edited = result;
  const std::string input = file_with(other, "matrix.dense");
  const std::string hash = result_of({input})["input"]["sha256"];
  edited["input"]["sha256"] = hash;
  edited["recheck"]["input"]["sha256"] = hash;
  EXPECT_EQ(verify(edited, input).code, 4);
  EXPECT_EQ(verify(result_of({"lattice:square:4x4"}), "lattice:square:4x6").code, 2);
}

TEST(Verify, WhatIsNoResultIsRefused) {
  const std::string input = matrix_file();
  const Json result = result_of({input});
  for (const char* key : {"version", "count", "exact", "input", "recheck", "blocks"}) {
    Json cut = result;
    cut.erase(key);
    const Outcome outcome = verify(cut, input);
    EXPECT_EQ(outcome.code, 2) << key << outcome.err;
    EXPECT_NE(outcome.err.find("expected the result of"), std::string::npos) << outcome.err;
    Json other_type = result;
    other_type[key] = 7;
    EXPECT_EQ(verify(other_type, input).code, 2) << key;
  }
  for (const char* count : {"", "x", "1.5", "07", "2/4", "1/0", "- 1"}) {
    Json edited = result;
    edited["count"] = count;
    EXPECT_EQ(verify(edited, input).code, 2) << count;
  }
  Json composite = result;
  composite["recheck"]["blocks"][0]["tasks"][0]["arithmetic"] = {{"moduli", {"2305843009213693949"}}};
  EXPECT_EQ(verify(composite, input).code, 4);
  Json fingerprint = result;
  fingerprint["recheck"]["blocks"][0]["tasks"][0]["fingerprint"] = "0";
  EXPECT_EQ(verify(fingerprint, input).code, 4);
  for (const char* text : {"", "{", "[]", "12", "countpm journal 1\n"})
    EXPECT_EQ(run({"verify", file_with(text), input}).code, 2) << text;
  EXPECT_EQ(run({"verify", "/nonexistent", input}).code, 2);
  EXPECT_EQ(run({"verify", input, input}).code, 2);
}

// A device may have no end; a pipe has one, or a part of it tells that it is no result.
TEST(Verify, WhatHasNoEndIsRefused) {
  const std::string input = matrix_file();
  const auto refused = [&input](const std::string& file, const Wiring& wiring = {}) {
    const Outcome outcome = run({"verify", file, input, "--memory-limit", "200M"}, wiring);
    EXPECT_EQ(outcome.code, 2) << file << outcome.err;
    return outcome.err;
  };
  for (const char* device : {"/dev/zero", "/dev/null"})
    EXPECT_NE(refused(device).find("found a device"), std::string::npos) << device;
  EXPECT_NE(refused("/").find("found a folder"), std::string::npos);
  const std::string fifo = file_with("") + ".fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  refused(fifo);  // nobody writes to it, and nobody waits
  refused("/dev/stdin", feeding(std::string(std::size_t{300'000'000}, ' ')));
  const Outcome piped = run({"verify", "/dev/stdin", input}, feeding(result_of({input}).dump()));
  EXPECT_EQ(piped.code, 0) << piped.err;
}

// As counts that reductions alone settle have them, so do those of graphs without a perfect matching.
TEST(Verify, JournalsOfCountsThatStructureSettlesAreDone) {
  struct Case {
    const char* text;
    std::vector<std::string> options;
    std::string count;
    const char* conclusion;
  };
  const std::vector<Case> cases{
      {"a b\nb c\n", {}, "0\n", "verified: 0, proved by structure"},
      {"a b\nb c\n", {"--double-check"}, "0\n", "verified: 0, proved by structure"},
      {"a b 0.5e0\nb c 2\n", {"--weights"}, "0\n", "verified: 0, proved by structure"},
      {"a b\nb c\nc d\n", {}, "1\n", "verified: 1, proved by structure and reductions"},
      {"a b 0.5e0\n", {"--weights"}, "0.5\n", "not verified: 0.5"},
  };
  for (const Case& one : cases) {
    const std::string input = file_with(one.text, "g.edgelist");
    const std::string journal = file_with("") + ".journal";
    std::vector<std::string> arguments{input, "--checkpoint", journal};
    arguments.insert(arguments.end(), one.options.begin(), one.options.end());
    EXPECT_TRUE(run(arguments).out.starts_with(one.count)) << one.text;
    const Outcome status = run({"status", journal});
    EXPECT_NE(status.out.find("work       100 % done"), std::string::npos) << status.out << status.err;
    EXPECT_NE(status.out.find("count      " + one.count), std::string::npos) << status.out;
    EXPECT_TRUE(run({"resume", journal}).out.starts_with(one.count)) << one.text;
    const Outcome outcome = run({"verify", journal, input});
    const bool verified = std::string_view(one.conclusion).starts_with("verified");
    EXPECT_EQ(outcome.code, verified ? 0 : 5) << outcome.err;
    EXPECT_TRUE(last_line_of(outcome).starts_with(one.conclusion)) << outcome.out;
  }
}

TEST(Status, OfAnEstimateThatStructureSettles) {
  const std::string journal = file_with("") + ".journal";
  EXPECT_EQ(run({"estimate", file_with("a b\nb c\n"), "--checkpoint", journal}).out, "0 exactly\n");
  const Json status = Json::parse(run({"status", journal, "--json"}).out);
  EXPECT_EQ(status["count"], "0");
  EXPECT_EQ(status["done"], 1);
  EXPECT_EQ(run({"resume", journal}).out, "0 exactly\n");
}

// Populations and strata, too, of which a sample is many walks.
TEST(Status, HasTheStandardErrorsOfTheAnswer) {
  const std::string input = file_with(complete_bipartite(12));
  for (const char* sampler : {"population", "rasmussen+", "bethe"}) {
    const std::string journal = file_with("") + ".journal";
    const Outcome answer =
        run({"estimate", input, "--as", "bipartite", "--no-rule", "twins", "--remove", "l0,r0",
             "--all-sampled", "--sampler", sampler, "--samples", "60", "--checkpoint", journal, "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json blocks = Json::parse(answer.out)["blocks"];
    const Json sampled = Json::parse(run({"status", journal, "--json"}).out)["sampled"];
    ASSERT_EQ(blocks.size(), 1U);
    ASSERT_EQ(sampled.size(), 1U);
    EXPECT_EQ(sampled[0]["samples"], blocks[0]["samples"]) << sampler;
    EXPECT_EQ(sampled[0]["log10"].dump().substr(0, 12), blocks[0]["log10"].dump().substr(0, 12)) << sampler;
    EXPECT_EQ(sampled[0]["relative_error"], blocks[0]["relative_error"]) << sampler;
  }
}

TEST(Verify, JournalsPassOnceTheyAreDone) {
  const std::string input = matrix_file();
  const std::string journal = file_with("") + ".journal";
  ASSERT_EQ(run({input, "--method", "sparyser", "--checkpoint", journal}).code, 0);
  const Outcome outcome = run({"verify", journal, input, "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json report = Json::parse(outcome.out);
  EXPECT_FALSE(report["refuted"].get<bool>());
  EXPECT_EQ(report["findings"].back()["name"], "journaled units");
  EXPECT_EQ(report["findings"].back()["verdict"], "agrees");
  ASSERT_EQ(run({"split", input, "--parts", "1", "-o", journal}).code, 0);
  EXPECT_EQ(run({"verify", journal + "-1.part", input}).code, 2);
}

TEST(Audit, IsReportedAndOfTheShareAskedFor) {
  const std::string input = matrix_file();
  const Outcome outcome =
      run({input, "--method", "pruned", "--audit", "100%", "--seed", "3", "--json", "--no-rule", "twins"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json audit = Json::parse(outcome.out)["audit"];
  EXPECT_EQ(audit["units"], audit["of"]);
  EXPECT_EQ(audit["seed"], 3);
  EXPECT_EQ(audit["how"][0], "pruned by the next narrower instruction set");
  EXPECT_NE(run({input, "--audit", "0.01", "--report"}).err.find("audit "), std::string::npos);
  for (const char* share : {"0", "1.5", "101%", "-1", "x"})
    EXPECT_EQ(run({input, "--audit", share}).code, 2) << share;
}

TEST(Audit, GoesWithCheckpointsAndParts) {
  const std::string input = matrix_file();
  const std::string journal = file_with("") + ".journal";
  const Outcome counted =
      run({input, "--method", "sparyser", "--checkpoint", journal, "--audit", "0.2", "--checks"});
  EXPECT_EQ(counted.code, 0);
  EXPECT_NE(counted.err.find("audit       1 of 1 unit run again"), std::string::npos) << counted.err;
  EXPECT_EQ(run({"resume", journal, "--audit", "1"}).out, counted.out);
  ASSERT_EQ(run({"split", input, "--method", "sparyser", "--parts", "2", "-o", journal}).code, 0);
  for (const char* part : {"-1.part", "-2.part"}) ASSERT_EQ(run({"resume", journal + part}).code, 0);
  const Outcome merged = run({"merge", journal + "-1.part", journal + "-2.part", "--audit", "1", "--report"});
  EXPECT_EQ(merged.out, counted.out);
  EXPECT_NE(merged.err.find("audit "), std::string::npos) << merged.err;
}

}  // namespace
}  // namespace countpm::test
