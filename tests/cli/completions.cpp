// Completions complete: every command, every option of each command, every value of a choice, lattices and
// files. Each shell is asked what it would offer; scripts that it cannot read fail.
#include "apps/completions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "graph/lattice.hpp"
#include "tests/cli/run_script.hpp"

namespace countpm::test {
namespace {

using Offers = std::set<std::string>;

std::string completion_file(const std::string& shell) {
  const Outcome outcome = run({"help", "--completions", shell});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return file_with(outcome.out, shell == "zsh" ? "_countpm" : "countpm." + shell);
}

Offers with(const std::string& before, const std::vector<std::string_view>& words,
            const std::string& after = "") {
  Offers offers;
  for (const std::string_view word : words) offers.insert(std::string(before).append(word).append(after));
  return offers;
}

Offers command_offers() {
  Offers offers;
  for (const app::CommandInfo& command : app::command_table()) offers.insert(std::string(command.name));
  return offers;
}

/// Long and short, by the table itself.
Offers all_option_words(std::string_view command) {
  Offers words;
  for (const app::OptionInfo& option : app::option_table()) {
    if (std::find(option.commands.begin(), option.commands.end(), command) == option.commands.end()) continue;
    words.insert("--" + std::string(option.name));
    if (option.letter != 0) words.insert(std::string("-") + option.letter);
  }
  return words;
}

Offers option_offers(std::string_view command) {
  Offers words = all_option_words(command);
  std::erase_if(words, [](const std::string& word) { return !word.starts_with("--"); });
  return words;
}

Offers shape_offers(const std::string& before) {
  Offers offers;
  for (const LatticeShape& shape : lattice_shapes()) offers.insert(before + std::string(shape.name) + ":");
  return offers;
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
        "source '{}'\nCOMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
        "ask() {{ COMP_LINE=\"countpm $1\" COMP_POINT=$((8 + ${{#1}})); _countpm; printf '%s\\n' "
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
    ask({"fish", "--no-config", "--private"}, fmt::format("source '{}'\n", completion_file("fish")),
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

std::vector<std::pair<std::string, Offers>> lines_of_all_options() {
  std::vector<std::pair<std::string, Offers>> lines{{"--", option_offers("count")}};
  for (const app::CommandInfo& command : app::command_table())
    lines.emplace_back(std::string(command.name) + " --", option_offers(command.name));
  return lines;
}

TEST_F(CompletionsOfBash, EveryOptionOfEveryCommand) {
  expect(lines_of_all_options());
}
// An option that may stand alone is offered with = as well.
TEST_F(CompletionsOfFish, EveryOptionOfEveryCommand) {
  auto lines = lines_of_all_options();
  for (auto& [line, offers] : lines) {
    for (const app::OptionInfo& option : app::option_table()) {
      const std::string word = "--" + std::string(option.name);
      if (!option.bare_value.empty() && offers.contains(word)) offers.insert(word + "=");
    }
  }
  expect(lines);
}
TEST_F(CompletionsOfZsh, EveryOptionOfEveryCommand) {
  expect(lines_of_all_options());
}

/// `after`: what of "--option=" the shell leaves in front of the value.
std::vector<std::pair<std::string, Offers>> lines_of_all_values(bool whole_words) {
  std::vector<std::pair<std::string, Offers>> lines;
  for (const app::OptionInfo& option : app::option_table()) {
    if (option.choices.empty()) continue;
    const std::string line = fmt::format("{} --{}", option.commands.front(), option.name);
    lines.emplace_back(line + "=",
                       with(whole_words ? fmt::format("--{}=", option.name) : "", option.choices));
    if (option.bare_value.empty()) lines.emplace_back(line + " ", with("", option.choices));
  }
  return lines;
}

TEST_F(CompletionsOfBash, EveryValueOfEveryChoice) {
  expect(lines_of_all_values(false));
}
TEST_F(CompletionsOfFish, EveryValueOfEveryChoice) {
  expect(lines_of_all_values(true));
}
TEST_F(CompletionsOfZsh, EveryValueOfEveryChoice) {
  expect(lines_of_all_values(false));
}

TEST_F(CompletionsOfBash, CommandsLatticesAndFiles) {
  Offers all = command_offers();
  all.insert({"graph one.mtx", "graphs", "lattice:"});
  expect({{"", all},
          {"mar", {"marginals"}},
          {"help mar", {"marginals"}},
          {"help count ", {}},
          {"lattice:", shape_offers("")},
          {"lattice:honeycomb-", {"honeycomb-torus:"}},
          {"lattice:square:8", {}},
          {"explain lat", {"lattice:"}},
          {"lattice lattice:s", {"square:", "square-octagon:", "square-octagon-torus:"}},
          {"explain gr", {"graph one.mtx", "graphs"}},
          {"explain graph\\ o", {"graph one.mtx"}},
          {"explain graph\\ one.mtx ", {}},
          {"--format mtx gr", {"graph one.mtx", "graphs"}},
          {"--format=mtx --json explain gr", {"graph one.mtx", "graphs"}},
          {"compare a b gr", {"graph one.mtx", "graphs"}},
          {"status lat", {}},
          {"status gr", {"graph one.mtx", "graphs"}},
          {"verify r.json lat", {"lattice:"}},
          {"marginals x --svg gr", {"graph one.mtx", "graphs"}},
          {"marginals x --svg=graph", {"graph one.mtx", "graphs"}},
          {"version gr", {}},
          {"x --threads ", {}},
          {"compare x --samplers bethe,pop", {"bethe,population"}},
          {"compare x --samplers=bethe,pop", {"bethe,population"}},
          {"merge -o gr", {"graph one.mtx", "graphs"}},
          {"merge --input=lattice:hex", {"hexagon:"}},
          {"x --progress j", {"json"}},
          {"x --progress json --prog", {"--progress"}}});
}

TEST_F(CompletionsOfFish, CommandsLatticesAndFiles) {
  Offers all = command_offers();
  all.merge(shape_offers("lattice:"));
  all.insert({"graph one.mtx", "graphs/"});
  expect(
      {{"", all},
       {"mar", {"marginals"}},
       {"help mar", {"marginals"}},
       {"help count ", {}},
       {"lattice:", shape_offers("lattice:")},
       {"lattice:honeycomb-", {"lattice:honeycomb-torus:"}},
       {"explain lattice:honeycomb-", {"lattice:honeycomb-torus:"}},
       {"lattice lattice:s", {"lattice:square:", "lattice:square-octagon:", "lattice:square-octagon-torus:"}},
       {"explain gr", {"graph one.mtx", "graphs/"}},
       {"explain x ", {}},
       {"--format mtx gr", {"graph one.mtx", "graphs/"}},
       {"--format=mtx --json explain gr", {"graph one.mtx", "graphs/"}},
       {"compare a b gr", {"graph one.mtx", "graphs/"}},
       {"status lattice:s", {}},
       {"status gr", {"graph one.mtx", "graphs/"}},
       {"verify r.json lattice:hex", {"lattice:hexagon:"}},
       {"marginals x --svg gr", {"graph one.mtx", "graphs/"}},
       {"version gr", {}},
       {"x --threads ", {}},
       {"compare x --samplers bethe,pop", {"bethe,population"}},
       {"merge -o gr", {"graph one.mtx", "graphs/"}},
       {"merge --input lattice:hex", {"lattice:hexagon:"}}});
}

// Where an argument too many would stand zsh offers options.
TEST_F(CompletionsOfZsh, CommandsLatticesAndFiles) {
  const Offers files{"graph\\ one.mtx", "graphs"};
  Offers all = command_offers();
  all.merge(shape_offers("lattice:"));
  all.insert(files.begin(), files.end());
  expect(
      {{"", all},
       {"mar", {"marginals"}},
       {"help mar", {"marginals"}},
       {"help count ", all_option_words("help")},
       {"lattice:", shape_offers("lattice:")},
       {"lattice:honeycomb-", {"lattice:honeycomb-torus:"}},
       {"explain lattice:honeycomb-", {"lattice:honeycomb-torus:"}},
       {"lattice lattice:s", {"lattice:square:", "lattice:square-octagon:", "lattice:square-octagon-torus:"}},
       {"explain gr", files},
       {"explain x ", all_option_words("explain")},
       {"--format mtx gr", files},
       {"--format=mtx --json explain gr", files},
       {"compare a b gr", files},
       {"status lattice:s", {}},
       {"status gr", files},
       {"verify r.json lattice:hex", {"lattice:hexagon:"}},
       {"marginals x --svg gr", files},
       {"version gr", {}},
       {"x --threads ", {}},
       {"compare x --samplers=bethe,pop", {"population"}},
       {"merge -o gr", files},
       {"merge --input lattice:hex", {"lattice:hexagon:"}}});
}

}  // namespace
}  // namespace countpm::test
