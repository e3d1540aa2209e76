// Words that mean nothing: one line each, with what was meant and where to look.
#include "apps/option_errors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "graph/nearest_word.hpp"
#include "tests/cli/run_binary.hpp"

namespace countpm::test {
namespace {

/// What is said, without "countpm: " and the end of the line.
std::string said(const std::vector<std::string>& arguments, const Wiring& wiring = {}) {
  const Outcome outcome = run(arguments, wiring);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
  EXPECT_LE(outcome.err.size(), 320U) << "no wall: " << outcome.err;
  const std::string start = "countpm: ";
  EXPECT_TRUE(outcome.err.starts_with(start)) << outcome.err;
  return outcome.err.substr(start.size(), outcome.err.size() - start.size() - 1);
}

TEST(OptionErrors, DistanceCountsSwappedLettersOnce) {
  EXPECT_EQ(typing_distance("help", "help"), 0U);
  EXPECT_EQ(typing_distance("hlep", "help"), 1U);
  EXPECT_EQ(typing_distance("conut", "count"), 1U);
  EXPECT_EQ(typing_distance("HELP", "help"), 0U);
  EXPECT_EQ(typing_distance("", "abc"), 3U);
  EXPECT_EQ(typing_distance("ca", "abc"), 3U) << "no letter is changed twice";
  EXPECT_EQ(typing_distance("kitten", "sitting"), 3U);
}

TEST(OptionErrors, UnknownOptions) {
  const std::string input = file_with("a x\n");
  const std::string see = "; see 'countpm help count'";
  const std::string also = " See 'countpm help count'";
  EXPECT_EQ(said({input, "--hlep"}), "there is no option '--hlep'; did you mean '--help'?" + also);
  EXPECT_EQ(said({input, "--metod=ryser"}), "there is no option '--metod'; did you mean '--method'?" + also);
  EXPECT_EQ(said({input, "-method", "ryser"}),
            "there is no option '-method'; did you mean '--method'?" + also);
  EXPECT_EQ(said({input, "--JSON"}), "there is no option '--JSON'; did you mean '--json'?" + also);
  EXPECT_EQ(said({input, "--time", "5m"}),
            "there is no option '--time'; did you mean '--time-limit'?" + also);
  EXPECT_EQ(said({input, "--k", "3"}), "there is no option '--k'" + see);
  EXPECT_EQ(said({input, "--j", "3"}), "there is no option '--j'; did you mean '-j'?" + also);
  EXPECT_EQ(said({input, "-z"}), "there is no option '-z'" + see);
  EXPECT_EQ(said({input, "-5"}), "there is no option '-5'" + see);
  EXPECT_EQ(said({input, "--zzz"}), "there is no option '--zzz'" + see);
  EXPECT_EQ(said({input, "--positional=x"}), "there is no option '--positional'" + see);
  EXPECT_EQ(said({input, "--verbose"}), "there is no option '--verbose'; did you mean '--report'?" + also);
  EXPECT_EQ(said({"list", input, "--limt", "3"}),
            "there is no option '--limt'; did you mean '--limit'? See 'countpm help list'");
  EXPECT_EQ(said({"estimate", input, "--samplr", "x"}),
            "there is no option '--samplr'; did you mean '--sampler'? See 'countpm help estimate'");
}

TEST(OptionErrors, OptionsOfOtherCommands) {
  EXPECT_EQ(said({"lattice", "square:2x2", "--json"}).substr(0, 59),
            "--json is not an option of lattice, but of count, explain, ");
  EXPECT_EQ(said({file_with("a x\n"), "--sampler", "bethe"}),
            "--sampler is not an option of count, but of estimate, marginals, sample, split; see 'countpm "
            "help count'");
}

TEST(OptionErrors, UnknownCommandsAndMissingFiles) {
  EXPECT_EQ(said({"conut"}), "there is no file and no command 'conut'; did you mean 'count'?");
  EXPECT_EQ(said({"explian", "x"}), "there is no file and no command 'explian'; did you mean 'explain'?");
  EXPECT_EQ(said({"help", "conut"}), "there is no command 'conut'; did you mean 'count'?");
  EXPECT_NE(said({"help", "nosuch"}).find("the commands are: count, "), std::string::npos);
  EXPECT_EQ(said({"zzz", "x"}), "there is no command 'zzz'; see 'countpm help'");
  EXPECT_EQ(said({"zzz"}),
            "zzz: No such file or directory, and no command has that name; see 'countpm help'");
  EXPECT_EQ(said({""}), "there is no command ''; see 'countpm help'");
  for (const std::string command : {"count", "explain", "estimate", "list", "marginals", "sample"}) {
    EXPECT_EQ(said({command, "nosuch.mtx"}), "nosuch.mtx: No such file or directory") << command;
    EXPECT_EQ(said({command, "/"}), "/: Is a directory") << command;
  }
  EXPECT_EQ(said({"nosuch.mtx"}), "nosuch.mtx: No such file or directory");
  EXPECT_EQ(said({"dir/none"}), "dir/none: No such file or directory");
  const std::string secret = file_with("a x\n", "secret.edgelist");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  if (geteuid() != 0) {
    EXPECT_EQ(said({secret}), secret + ": Permission denied");
  }
  const auto json = nlohmann::json::parse(run({"nosuch.mtx", "--json"}).out);
  EXPECT_EQ(json["error"]["kind"], "input");
  EXPECT_EQ(json["error"]["file"], "nosuch.mtx");
  EXPECT_EQ(json["error"]["found"], "No such file or directory");
}

TEST(OptionErrors, LatticesWithoutTheirPrefix) {
  EXPECT_EQ(said({"square:8x8"}), "there is no file 'square:8x8'; did you mean 'lattice:square:8x8'?");
  EXPECT_EQ(said({"explain", "square:8x8"}),
            "there is no file 'square:8x8'; did you mean 'lattice:square:8x8'?");
  EXPECT_EQ(said({"latice:square:8x8"}),
            "there is no file 'latice:square:8x8'; did you mean 'lattice:square:8x8'?");
  EXPECT_EQ(said({"square", "8x8"}), "there is no file 'square'; did you mean 'lattice:square:8x8'?");
  EXPECT_EQ(said({"lattice", "square", "4x4"}),
            "one argument too many, '4x4'; did you mean 'countpm lattice square:4x4'?");
  EXPECT_EQ(run({file_with("a x\na y\nb x\nb y\n", "square:8x8")}).out, "2\n") << "a file of that name";
}

TEST(OptionErrors, ValuesThatAreMeantOtherwise) {
  const std::string input = file_with("a x\n");
  EXPECT_EQ(said({input, "--checkpoint"}), "--checkpoint needs a value: --checkpoint FILE");
  EXPECT_EQ(said({input, "-o"}), "--output needs a value: --output FILE");
  EXPECT_TRUE(said({input, "--format", "html"})
                  .starts_with("--format: there is no 'html' of input; for output there is --html; valid: "));
  EXPECT_TRUE(said({input, "--method", "rysre"})
                  .starts_with("--method: there is no 'rysre'; did you mean 'ryser'? Valid: auto, "));
}

TEST(OptionErrors, StandardInputThatNobodyNames) {
  EXPECT_EQ(said({}, feeding("a b\n")),
            "no input is named: - stands for standard input, as in 'countpm -'; see 'countpm help count'");
  EXPECT_EQ(said({"explain"}, feeding("a b\n")),
            "no input is named: - stands for standard input, as in 'countpm explain -'; see 'countpm help "
            "explain'");
  // Nothing is there to be read: the help, on standard error, for nobody must take it for a number.
  Wiring nothing;
  nothing.launcher = {"/bin/sh", "-c", "exec \"$0\" \"$@\" </dev/null"};
  const Outcome bare = run({}, nothing);
  EXPECT_EQ(bare.code, 2);
  EXPECT_EQ(bare.out, "");
  EXPECT_EQ(bare.err, run({"help"}).out);
  EXPECT_EQ(
      said({"count"}, nothing),
      "usage: countpm [count] INPUT [options]; expected one argument, found none; see 'countpm help count'");
  EXPECT_EQ(said({"-v"}, nothing),
            "no input is named (-v is --report; 'countpm -V' shows the version); see 'countpm help'");
}

TEST(OptionErrors, TheLastOfARepeatedOptionCounts) {
  const std::string input = file_with("a x\na y\nb x\nb y\n");
  const Outcome outcome = run({input, "--no-rule", "double", "--method", "planar", "--threads", "2", "-j",
                               "1", "--method=ryser", "--json", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["blocks"][0]["method"], "ryser");
  EXPECT_EQ(json["threads"], 1);
  EXPECT_EQ(run({input, "--threads", "x", "--threads", "2"}).code, 2) << "the first is looked at, too";
  // A checkpoint keeps what counted.
  const std::string journal = file_with("") + ".journal";
  EXPECT_EQ(
      run({input, "--no-rule", "double", "--method", "planar", "--method", "ryser", "--checkpoint", journal})
          .code,
      0);
  EXPECT_EQ(nlohmann::json::parse(run({"status", journal, "--json"}).out)["options"]["method"], "ryser");
}

}  // namespace
}  // namespace countpm::test
