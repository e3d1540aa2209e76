// Completions: every command, every option of each command, every value of a choice, lattices and files, as
// `countpm complete` offers them; and what bash, zsh and fish make of that.
#include "apps/complete.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "apps/commands.hpp"
#include "graph/lattices/lattice.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_script.hpp"

namespace countpm::test {
namespace {

using Offers = std::set<std::string>;

/// The words offered for the last one, without what is said about them.
Offers offered(const std::vector<std::string>& words) {
  const std::vector<std::string> lines = lines_of(app::completed(words));
  Offers offers;
  for (std::size_t k = 1; k < lines.size(); ++k) offers.insert(lines[k].substr(0, lines[k].find('\t')));
  return offers;
}

TEST(Completions, EveryOptionOfEveryCommand) {
  for (const app::CommandInfo& command : app::command_table()) {
    Offers expected;
    for (const app::OptionInfo& option : app::option_table()) {
      if (option.questions.has(command.question)) expected.insert("--" + std::string(option.name));
    }
    EXPECT_EQ(offered({std::string(command.name), "--"}), expected) << command.name;
  }
  EXPECT_EQ(offered({"--"}), offered({"count", "--"}));
  EXPECT_EQ(offered({"x", "-q"}), Offers{"-q"});
}

TEST(Completions, EveryValueOfEveryChoice) {
  for (const app::OptionInfo& option : app::option_table()) {
    if (option.choices.empty()) continue;
    const std::string command(app::commands_of(option.questions).front());
    const std::string name = "--" + std::string(option.name);
    const app::OptionInfo there =
        app::for_command(option, command);  // with the choices that belong to the command
    Offers expected, joined;
    for (const std::string_view choice : there.choices) {
      expected.insert(std::string(choice));
      joined.insert(name + "=" + std::string(choice));
    }
    EXPECT_EQ(offered({command, name + "="}), joined);
    if (option.bare_value.empty()) {
      EXPECT_EQ(offered({command, name, ""}), expected);
    }
  }
}

TEST(Completions, EveryCommandTopicAndLattice) {
  Offers commands, shapes;
  for (const app::CommandInfo& command : app::command_table()) {
    if (command.group != app::CommandGroup::hidden) commands.insert(std::string(command.name));
  }
  for (const LatticeShape& shape : lattice_shapes())
    shapes.insert("lattice:" + std::string(shape.name) + ":");
  EXPECT_EQ(offered({"lattice:"}), shapes);
  EXPECT_EQ(offered({"lattice", ""}), shapes);
  commands.insert("lattice:");
  EXPECT_EQ(offered({""}), commands);
  commands.erase("lattice:");
  commands.insert({"formats", "weights", "kinds", "exit-codes"});
  EXPECT_EQ(offered({"help", ""}), commands);
}

/// The script, with the program where the shell finds it.
std::string completion_file(const std::string& shell) {
  const Outcome outcome = run({"help", "--completions", shell});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return file_with(outcome.out, shell == "zsh" ? "_countpm" : "countpm." + shell);
}

/// A folder with a graph, another file and a folder.
std::string folder_with_files() {
  std::string folder = std::filesystem::path(file_with("a b\n", "graph one.mtx")).parent_path().string();
  std::filesystem::create_directory(folder + "/graphs");
  return folder;
}

/// What a shell offers for lines of the command line, in folder_with_files(): a set for each line.
class Shell : public ::testing::Test {
 protected:
  /// The script prints, for the line in $line, what is offered, one a line.
  void ask(const std::vector<std::string>& shell, const std::string& before, const std::string& for_line,
           const std::vector<std::string>& lines) {
    std::string script = before;
    for (const std::string& line : lines) script += fmt::format(fmt::runtime(for_line), line) + "\necho =\n";
    const Outcome outcome = run_script(shell, script, folder_with_files());
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    ASSERT_EQ(outcome.err, "");
    std::vector<Offers> found(1);
    for (const std::string& line : lines_of(outcome.out)) {
      if (line == "=") {
        found.emplace_back();
      } else if (!line.empty()) {
        found.back().insert(line.substr(0, line.find('\t')));
      }
    }
    ASSERT_EQ(found.size(), lines.size() + 1) << outcome.out;
    for (std::size_t k = 0; k < lines.size(); ++k) offers_[lines[k]] = found[k];
  }

  virtual void ask_lines(const std::vector<std::string>& lines) = 0;

  /// Lines and what they are completed by.
  void expect(const std::vector<std::pair<std::string, Offers>>& expected) {
    std::vector<std::string> lines;
    lines.reserve(expected.size());
    for (const auto& [line, offers] : expected) lines.push_back(line);
    ask_lines(lines);
    for (const auto& [line, offers] : expected) EXPECT_EQ(offers_[line], offers) << "countpm " << line;
  }

  std::map<std::string, Offers> offers_;
};

// bash replaces what follows the last : or =.
class CompletionsOfBash : public Shell {
 protected:
  void ask_lines(const std::vector<std::string>& lines) override {
    const std::string before = fmt::format(
        "PATH=${{1%/*}}:$PATH\nsource '{}'\nCOMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
        "ask() {{ COMP_LINE=\"countpm $1\" COMP_POINT=$((8 + ${{#1}})); _countpm countpm; printf '%s\\n' "
        "\"${{COMPREPLY[@]}}\"; }}\n",
        completion_file("bash"));
    ask({"bash", "--norc"}, before, "ask '{}'", lines);
  }
};

class CompletionsOfFish : public Shell {
 protected:
  void SetUp() override {
    if (!has_program("fish")) GTEST_SKIP() << "no fish";
  }
  void ask_lines(const std::vector<std::string>& lines) override {
    ask({"fish", "--no-config", "--private"},
        fmt::format("set PATH (dirname $argv[1]) $PATH\nsource '{}'\n", completion_file("fish")),
        "complete -C 'countpm {}'", lines);
  }
};

// zsh completes in its line editor alone, so one runs in a terminal of its own: its compadd writes down what
// it is given.
class CompletionsOfZsh : public Shell {
 protected:
  void SetUp() override {
    if (!has_program("zsh")) GTEST_SKIP() << "no zsh";
  }
  void ask_lines(const std::vector<std::string>& lines) override {
    const std::string folder = std::filesystem::path(completion_file("zsh")).parent_path().string();
    const std::string before = "folder=" + folder + R"zsh(
PATH=${1%/*}:$PATH
zmodload zsh/zpty
out=$(mktemp)
trap 'zpty -d asked; rm -f $out' EXIT
zpty asked zsh -f -i
zpty -w asked "PS1= out=$out; fpath=($folder \$fpath); autoload -Uz compinit; compinit -u -D
compadd() {
  local -a found
  if (( ! \${@[(I)-(O|A|D)*]} )); then builtin compadd -O found \"\$@\"; print -rl -- \$found >>\$out; fi
  builtin compadd \"\$@\"
}
completed() { _main_complete; print = >>\$out }
zle -C completed complete-word completed; bindkey '^I' completed; setopt no_beep; print = >>\$out"
wait_for_it() {
  local i seen
  for ((i = 0; i < 1200; ++i)); do
    while zpty -r -t asked seen 2>/dev/null; do :; done  # one line each: what is not read stops it
    grep -q '^=$' $out && return
    sleep 0.05
  done
  print -u2 "zsh does not answer"
  exit 1
}
wait_for_it
ask() {
  : >$out
  zpty -w -n asked "countpm $1"$'\t'
  wait_for_it
  zpty -w -n asked $'\C-u'
  grep -v '^=$' $out
}
)zsh";
    ask({"zsh", "-f"}, before, "ask '{}'", lines);
  }
};

TEST(Completions, AreReadByTheirShells) {
  for (const std::string_view shell : app::shell_names()) {
    const std::string name(shell);
    if (!has_program(name)) continue;
    const Outcome outcome = run_sh(name + " -n '" + completion_file(name) + "'");
    EXPECT_EQ(outcome.code, 0) << name << outcome.err;
    EXPECT_EQ(outcome.err, "") << name;
  }
}

TEST(Completions, ShellsThatAreNotThereAreRefused) {
  const Outcome outcome = run({"help", "--completions", "tcsh"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("valid: bash, zsh, fish"), std::string::npos) << outcome.err;
}

TEST(Completions, ShellcheckFindsNoFaultWithBash) {
  if (!has_program("shellcheck")) GTEST_SKIP() << "no shellcheck";
  const Outcome outcome = run_sh("shellcheck -s bash '" + completion_file("bash") + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.out;
}

/// What all shells offer alike.
using CompletedLines = std::vector<std::pair<std::string, Offers>>;
CompletedLines lines_of_words() {
  return {{"mar", {"marginals"}},  {"help mar", {"marginals"}}, {"version gr", {}},
          {"x --threads ", {}},    {"status lattice:s", {}},    {"x --progress j", {"json"}},
          {"x --qui", {"--quiet"}}};
}

TEST_F(CompletionsOfBash, WordsLatticesAndFiles) {
  CompletedLines lines = lines_of_words();
  const CompletedLines more{{"lattice:honeycomb-", {"honeycomb-torus:"}},
                            {"lattice:square:8", {}},
                            {"explain lat", {"lattice:"}},
                            {"lattice lattice:s", {"square:", "square-octagon:", "square-octagon-torus:"}},
                            {"explain gr", {"graph one.mtx", "graphs"}},
                            {"explain graph\\ o", {"graph one.mtx"}},
                            {"explain graph\\ one.mtx ", {}},
                            {"--format=mtx --json explain gr", {"graph one.mtx", "graphs"}},
                            {"marginals x --svg gr", {"graph one.mtx", "graphs"}},
                            {"marginals x --svg=graph", {"graph one.mtx", "graphs"}},
                            {"x --format=gra", {"graph6", "graphml"}},
                            {"compare x --samplers=bethe,pop", {"bethe,population"}},
                            {"merge --input=lattice:hex", {"hexagon:"}}};
  lines.insert(lines.end(), more.begin(), more.end());
  expect(lines);
}

TEST_F(CompletionsOfFish, WordsLatticesAndFiles) {
  CompletedLines lines = lines_of_words();
  const CompletedLines more{{"lattice:honeycomb-", {"lattice:honeycomb-torus:"}},
                            {"explain lat", {"lattice:"}},
                            {"explain gr", {"graph one.mtx", "graphs/"}},
                            {"marginals x --svg gr", {"graph one.mtx", "graphs/"}},
                            {"marginals x --svg=graph", {"--svg=graph one.mtx", "--svg=graphs/"}},
                            {"x --format=gra", {"--format=graph6", "--format=graphml"}},
                            {"compare x --samplers bethe,pop", {"bethe,population"}},
                            {"merge --input lattice:hex", {"lattice:hexagon:"}}};
  lines.insert(lines.end(), more.begin(), more.end());
  expect(lines);
}

TEST_F(CompletionsOfZsh, WordsLatticesAndFiles) {
  CompletedLines lines = lines_of_words();
  const Offers files{"graph\\ one.mtx", "graphs"};
  const CompletedLines more{{"lattice:honeycomb-", {"lattice:honeycomb-torus:"}},
                            {"explain lat", {"lattice:"}},
                            {"explain gr", files},
                            {"marginals x --svg gr", files},
                            {"marginals x --svg=graph", files},
                            {"x --format=gra", {"--format=graph6", "--format=graphml"}},
                            {"compare x --samplers bethe,pop", {"bethe,population"}},
                            {"merge --input lattice:hex", {"lattice:hexagon:"}}};
  lines.insert(lines.end(), more.begin(), more.end());
  expect(lines);
}

}  // namespace
}  // namespace countpm::test
