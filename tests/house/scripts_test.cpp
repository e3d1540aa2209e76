// The scripts' options, that scripts/bench-check finds what is slower, prints something else or fails, and
// that what the build needs has the same names everywhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "test_paths.hpp"
#include "tests/house/project.hpp"
#include "tests/house/shell.hpp"

namespace countpm::house {
namespace {
namespace fs = std::filesystem;

TEST(Scripts, AreNamedWithOptionsThatTheyHave) {
  EXPECT_TRUE(has(run("scripts/test --help"), "scripts/test --all"));
  EXPECT_TRUE(has(run("scripts/lint --help"), "scripts/lint --all"));
  EXPECT_TRUE(has(run("scripts/test --help"), "scripts/test --all --by-turn"));
  EXPECT_NE(contents(".ci/run").find("scripts/test\" --all --by-turn"), std::string::npos);
  EXPECT_TRUE(has(run("scripts/test --by-turn"), "--by-turn goes with --all"));
}

TEST(Scripts, CompileWithCompilersThatTheyKnow) {
  EXPECT_TRUE(has(run("scripts/other-compilers --help"), "g++-14|clang++-19"));
  const Outcome outcome = run("scripts/other-compilers g++-99");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome, "unknown argument 'g++-99'; there are g++-14, clang++-19")) << outcome.output;
  EXPECT_NE(contents(".ci/run").find("scripts/other-compilers\""), std::string::npos);
}

// What a release refuses at the end is said in every run of the tests: one version everywhere, and a section
// of the changelog.
TEST(Scripts, ReleaseWhatHasOneVersion) {
  const Outcome outcome = run("scripts/release tarball");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(has(outcome, "unknown argument 'tarball'; there are --rehearse")) << outcome.output;
  const std::string cmake = contents("CMakeLists.txt");
  const std::string before = "project(countpm VERSION ";
  const std::size_t begin = cmake.find(before);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t from = begin + before.size();
  const std::string version = cmake.substr(from, cmake.find(' ', from) - from);
  EXPECT_NE(contents("CITATION.cff").find("\nversion: " + version + "\n"), std::string::npos);
  EXPECT_NE(contents("packaging/conda/recipe.yaml").find("\n  version: " + version + "\n"),
            std::string::npos);
  EXPECT_NE(contents("packaging/spack/package.py").find("version('" + version + "')"), std::string::npos);
  const std::string changes = contents("CHANGELOG.md");
  EXPECT_EQ(changes.find("\n## "), changes.find("\n## [" + version + "] - "));
}

// The steps that need no other root, as they are; what a rehearsal makes is not for upload.
TEST(Scripts, ReleaseRehearsesWithoutUpload) {
  if (run("git rev-parse HEAD").status != 0) GTEST_SKIP() << "no repository of git";
  const fs::path dist = fs::path(::testing::TempDir()) / "countpm-rehearsed";
  fs::remove_all(dist);
  const Outcome outcome =
      run("COUNTPM_DIST='" + dist.string() + "' scripts/release --rehearse check notes sums");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(
      has(outcome, "upload nothing yet: these steps have not been made from this commit: check source"))
      << outcome.output;
  EXPECT_FALSE(has(outcome, "twine")) << outcome.output;
  const auto text_of = [&](const char* name) {
    std::ifstream file(dist / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_TRUE(text_of("NOTES.md").starts_with("The first release.")) << text_of("NOTES.md");
  EXPECT_EQ(text_of("NOTES.md").find("]("), std::string::npos) << "links lead nowhere in the notes";
  EXPECT_NE(text_of("SHA256SUMS").find("  NOTES.md\n"), std::string::npos) << text_of("SHA256SUMS");
  fs::remove_all(dist);
}

// The words between `before` and `after`, which the text has.
std::vector<std::string> words_between(const std::string& text, const std::string& before,
                                       const std::string& after) {
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) return {};
  const std::size_t from = begin + before.size();
  std::istringstream rest(text.substr(from, text.find(after, from) - from));
  return {std::istream_iterator<std::string>(rest), std::istream_iterator<std::string>()};
}

TEST(Building, PackagesHaveTheSameNamesEverywhere) {
  const std::vector<std::string> packages = words_between(contents("scripts/bootstrap"), "packages=(", ")");
  ASSERT_GE(packages.size(), 10U);
  std::string needs = contents("docs/building.md");
  for (const std::string& package : packages)
    EXPECT_NE(needs.find(package), std::string::npos) << package << " is not in docs/building.md";
  needs.clear();
  for (const char* part : {"dependencies", "bignum", "metis", "nettle"})
    needs += contents("cmake/" + std::string(part) + ".cmake");
  for (const std::string& package : packages) {
    if (package.find("-dev") == std::string::npos) continue;
    EXPECT_NE(needs.find(' ' + package + ' '), std::string::npos) << "CMake does not name " << package;
  }
}

TEST(Building, AllThatIsLackingIsNamedAtOnce) {
  if (run("command -v cmake").status != 0) GTEST_SKIP() << "no cmake";
  std::string name = (fs::temp_directory_path() / "countpm-lacking-XXXXXX").string();
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  std::ofstream(name + "/needs.cmake")
      << "include(" COUNTPM_SOURCE_DIR "/cmake/lacking.cmake)\n"
      << "set(a_FOUND TRUE)\nset(b_FOUND FALSE)\nset(d_header /d.h)\n"
      << "countpm_need(A liba-dev a_FOUND)\ncountpm_end_if_lacking()\nmessage(\"not yet\")\n"
      << "countpm_need(B libb-dev b_FOUND)\ncountpm_need(C libc-dev c_FOUND)\n"
      << "countpm_need(D libd-dev d_header AND d_library)\ncountpm_end_if_lacking()\nmessage(\"too late\")\n";
  const Outcome outcome = run("cmake -P " + name + "/needs.cmake");
  fs::remove_all(name);
  EXPECT_NE(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(has(outcome, "not yet")) << outcome.output;
  for (const char* lacking : {"B (Debian's package: libb-dev)", "C (Debian's package: libc-dev)",
                              "D (Debian's package: libd-dev)", "docs/building.md"})
    EXPECT_TRUE(has(outcome, lacking)) << outcome.output;
  EXPECT_FALSE(has(outcome, "liba-dev")) << outcome.output;
  EXPECT_FALSE(has(outcome, "too late")) << outcome.output;
}

// Programs that take the calls of scripts/bench-check: `number` is what they count, `loops` how much they do.
class BenchCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    if (run("command -v python3").status != 0) GTEST_SKIP() << "no python3";
    std::string name = (fs::temp_directory_path() / "countpm-bench-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::string program(const std::string& name, int loops, const std::string& last = "echo 20",
                      const std::string& method = "pruned") const {
    const fs::path path = folder_ / name;
    std::ofstream(path) << "#!/bin/sh\nif [ \"$1\" = methods ]; then echo '  planar  a method'; echo '  "
                        << method << "  another'; exit; fi\n"
                        << "case \"$* \" in *--method\\ planar\\ * | *--method\\ " << method
                        << "\\ *) ;; *) echo 'no such method' >&2; exit 2 ;; esac\n"
                        << "i=0; while [ $i -lt " << loops << " ]; do i=$((i + 1)); done\n"
                        << last << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  static Outcome compare(const std::string& old_program, const std::string& new_program,
                         const std::string& options) {
    return run("scripts/bench-check --programs " + old_program + " " + new_program + " --turns 1 " + options);
  }

  fs::path folder_;
};

TEST_F(BenchCheck, FailsWhereSomethingIsSlowerTwice) {
  const Outcome outcome =
      compare(program("old", 5000), program("new", 200000), "--limit 2 --only 'planar, square .1.'");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_TRUE(has(outcome, "once more, with 3 turns")) << outcome.output;
  EXPECT_TRUE(has(outcome, "FAILED: planar, square (1): ")) << outcome.output;
  EXPECT_TRUE(has(outcome, "SLOWER |")) << outcome.output;
}

// A limit that no noise reaches: what is the same, and what has become faster.
TEST_F(BenchCheck, PassesWhatIsNoSlower) {
  const Outcome outcome =
      compare(program("old", 200000), program("new", 20000), "--limit 20 --only 'planar, square'");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(has(outcome, "2 measured; ")) << outcome.output;
  EXPECT_FALSE(has(outcome, "FAILED")) << outcome.output;
}

TEST_F(BenchCheck, FailsWhereCountsDifferOrTheNewProgramFails) {
  const std::string old_program = program("old", 10);
  const Outcome other =
      compare(old_program, program("other", 10, "echo 21"), "--limit 100 --only 'planar, torus .1.'");
  EXPECT_EQ(other.status, 1) << other.output;
  EXPECT_TRUE(has(other, "FAILED: planar, torus (1): the two print different things")) << other.output;
  const Outcome broken = compare(old_program, program("broken", 10, "echo it broke >&2; exit 4"),
                                 "--limit 100 --only 'planar, torus .1.'");
  EXPECT_EQ(broken.status, 1) << broken.output;
  EXPECT_TRUE(has(broken, "the new program ends with 4: it broke")) << broken.output;
}

TEST_F(BenchCheck, CallsAMethodByTheNameThatEachProgramKnows) {
  const Outcome outcome =
      compare(program("old", 10, "echo 20", "pruned"), program("new", 10, "echo 20", "pruned"),
              "--limit 100 --only 'pruned|rook .1.'");
  EXPECT_TRUE(has(outcome, "pruned (1)")) << outcome.output;
  EXPECT_TRUE(has(outcome, "2 measured; ")) << outcome.output;
  EXPECT_TRUE(has(outcome, "rook (1): left out: ")) << outcome.output;
}

TEST_F(BenchCheck, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run("scripts/bench-check --only nothing-is-called-so").status, 2);
  EXPECT_EQ(run("scripts/bench-check --turns 0").status, 2);
  EXPECT_EQ(run("scripts/bench-check --programs /dev/null /dev/null").status, 2);
  const Outcome unknown = run("scripts/bench-check no-such-revision");
  EXPECT_EQ(unknown.status, 2) << unknown.output;
  const bool git = run("git --version").status == 0;
  EXPECT_TRUE(has(unknown, git ? "no commit 'no-such-revision' here" : "needs git")) << unknown.output;
  EXPECT_TRUE(has(run("scripts/bench-check --list"), "condensation (2): countpm lattice:"));
}

}  // namespace
}  // namespace countpm::house
