// Help and docs come from the same tables as the parser.
#include "apps/help.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/commands.hpp"
#include "apps/help_topics.hpp"
#include "apps/text.hpp"
#include "graph/formats/formats.hpp"
#include "graph/weight_forms.hpp"
#include "test_paths.hpp"
#include "tests/cli/run_script.hpp"
#include "tests/file_text.hpp"
#include "tests/graph/molecule_text.hpp"

namespace countpm::test {
namespace {

void expect_within(const std::string& text, std::size_t width) {
  for (const std::string& line : lines_of(text)) EXPECT_LE(app::display_width(line), width) << line;
}

TEST(Help, DocsAreUpToDate) {
  const Outcome outcome = run({"help", "--markdown"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, testing::file_text(COUNTPM_SOURCE_DIR "/docs/options.md"))
      << "run: countpm help --markdown > docs/options.md";
}

TEST(Help, TheTableOfKindsIsUpToDate) {
  EXPECT_EQ(run({"help", "kinds", "--markdown"}).out, testing::file_text(COUNTPM_SOURCE_DIR "/docs/kinds.md"))
      << "run: countpm help kinds --markdown > docs/kinds.md";
}

TEST(Help, FitsAScreenAndNamesEveryCommandOnce) {
  const Outcome outcome = run({"help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out, run({"--help"}).out);
  EXPECT_EQ(outcome.out, run({"-h"}).out);
  expect_within(outcome.out, 80);
  EXPECT_LE(lines_of(outcome.out).size(), 23U) << "and a prompt\n" << outcome.out;
  const std::string commands = outcome.out.substr(outcome.out.find("Commands:"));
  for (const app::CommandInfo& command : app::command_table()) {
    if (command.group == app::CommandGroup::hidden) continue;
    std::size_t found = 0;
    for (const char* before : {" ", "  "}) {
      for (const char* after : {",", " (", "\n"})
        found += commands.find(before + std::string(command.name) + after) != std::string::npos ? 1U : 0U;
    }
    EXPECT_GE(found, 1U) << command.name;
  }
}

TEST(Help, OfACommandHasItsOptionsAndNoOthers) {
  for (const app::CommandInfo& command : app::command_table()) {
    const std::string name(command.name);
    const Outcome outcome = run({"help", name});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out, run({name, "--help"}).out) << name;
    EXPECT_EQ(outcome.out, run({"--help", name}).out) << name;
    expect_within(outcome.out, 80);
    EXPECT_TRUE(outcome.out.starts_with("Usage: countpm " + std::string(command.synopsis) + "\n")) << name;
    for (const app::OptionInfo& option : app::option_table()) {
      const bool has = option.questions.has(command.question);
      const std::string shown = "\n  " + app::spelling(option);
      std::size_t at = outcome.out.find(shown);
      // "--scale-interval" begins like no other; "--number" could.
      while (at != std::string::npos && outcome.out[at + shown.size()] != ' ' &&
             outcome.out[at + shown.size()] != '\n')
        at = outcome.out.find(shown, at + 1);
      EXPECT_EQ(has, at != std::string::npos) << name << " " << option.name;
    }
  }
}

TEST(Help, TopicsAreMadeOfTheTables) {
  const auto page = [](const std::string& topic) {
    const Outcome outcome = run({"help", topic});
    EXPECT_EQ(outcome.code, 0) << topic << outcome.err;
    expect_within(outcome.out, 80);
    return outcome.out;
  };
  const std::string of_formats = run({"formats"}).out;
  for (const FormatInfo& format : formats()) {
    EXPECT_NE(of_formats.find("\n  " + std::string(format.name) + " "), std::string::npos) << format.name;
    for (const auto& ending : format.endings) EXPECT_NE(of_formats.find(ending), std::string::npos) << ending;
  }
  EXPECT_NE(of_formats.find("\n  --format NAME"), std::string::npos);
  const std::string of_weights = page("weights");
  for (const WeightForm& form : weight_forms())
    EXPECT_NE(of_weights.find("\n  " + std::string(form.examples)), std::string::npos) << form.examples;
  EXPECT_NE(of_weights.find("\n  --weight-column NAME"), std::string::npos);
  const std::string of_codes = page("exit-codes");
  for (const app::ExitMeaning& exit : app::exit_meanings())
    EXPECT_NE(of_codes.find(fmt::format("\n  {:<5}{}", exit.code, exit.meaning.substr(0, 20))),
              std::string::npos)
        << exit.code << of_codes;
  const std::string manual = run({"help", "--man"}).out;
  for (const app::HelpTopic& topic : app::help_topics()) {
    EXPECT_NE(run({"help"}).out.find(topic.name), std::string::npos) << topic.name;
    EXPECT_NE(run({"help", "no-such"}).err.find(topic.name), std::string::npos) << topic.name;
    EXPECT_NE(manual.find(topic.about), std::string::npos) << topic.name;
  }
  EXPECT_NE(run({"help", "format"}).err.find("did you mean 'formats'?"), std::string::npos);
}

// Every example is a weight, and read as one; those of the last line have letters.
TEST(Help, ExamplesOfWeightsAreRead) {
  for (const WeightForm& form : weight_forms()) {
    std::istringstream words{std::string(form.examples)};
    for (std::string word; words >> word;) {
      test::Wiring wiring;
      wiring.input = "1 2 1\n3 4 " + word + "\n";
      EXPECT_EQ(test::run({"-", "--weights"}, wiring).code, 0) << word;
    }
  }
}

TEST(Help, OwnOptionsComeFirst) {
  for (const auto& [command, option] : {std::pair{"estimate", "--sampler"},
                                        {"sample", "-n, --number"},
                                        {"many", "--ratio-to-first"},
                                        {"list", "--range"},
                                        {"marginals", "--exact"}}) {
    const std::string text = app::command_help(*app::find_command(command), 80);
    const std::size_t at = text.find(std::string("\n  ") + option + " ");
    EXPECT_LT(text.find(std::string("\nOptions of ") + command), at) << command;
    EXPECT_LT(at, text.find("\nInput:")) << command;
    EXPECT_LT(text.find("\nInput:"), text.find("\nOutput:")) << command;
  }
}

TEST(Help, FollowsTheWidth) {
  const app::CommandInfo& estimate = *app::find_command("estimate");
  const std::string narrow = app::command_help(estimate, 60);
  const std::string wide = app::command_help(estimate, 120);
  EXPECT_GT(lines_of(narrow).size(), lines_of(app::command_help(estimate, 80)).size());
  EXPECT_LT(lines_of(wide).size(), lines_of(app::command_help(estimate, 80)).size());
  expect_within(wide, 120);
  expect_within(run({"methods"}).out, 80);
}

// In a folder with the files that they name; each by itself, as a reader may try it.
TEST(Help, ExamplesRun) {
  const std::string graph = "a x\na y\nb x\nb y\n";
  const std::filesystem::path folder =
      std::filesystem::path(file_with(graph, "graph.edgelist")).parent_path();
  std::ofstream(folder / "matrix.mtx") << "%%MatrixMarket matrix coordinate integer general\n"
                                          "3 3 7\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n2 3 1\n3 2 1\n3 3 1\n";
  for (const char* const name : {"hot.mtx", "cold.mtx"})
    std::filesystem::copy_file(folder / "matrix.mtx", folder / name);
  std::ofstream(folder / "skew.mtx")
      << "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n";
  std::ofstream(folder / "arcs.edgelist") << "a b 7\nb c 2\nc d 3\n";
  const std::string benzene = testing::v2000(testing::carbons(6), testing::ring(6));
  std::ofstream(folder / "molecule.mol") << benzene;
  std::ofstream(folder / "molecules.sdf") << benzene << "$$$$\n" << benzene << "$$$$\n";
  std::string script =
      "countpm=$1\ncountpm() { \"$countpm\" \"$@\"; }\n"
      "countpm graph.edgelist --json >result.json\n"
      "countpm split matrix.mtx --parts 2 -o parts/\n"
      "for part in parts/*; do countpm resume \"$part\"; done\n"
      "countpm lattice:square:6x6 --no-rule twins --checkpoint run.journal\n"
      "rm -f parts.txt\nset -e\n";
  int examples = 0;
  for (const app::CommandInfo& command : app::command_table()) {
    if (command.synopsis.find("INPUT") != std::string_view::npos) {
      EXPECT_GE(command.examples.size(), 2U) << command.name;
    }
    for (const app::CommandExample& example : command.examples) {
      std::string line(example.command);
      // The sampled probabilities of that lattice take a minute of CPU.
      const std::size_t large = line.find("marginals lattice:cubic:8x8x8");
      if (large != std::string::npos) line.replace(line.find("8x8x8"), 5, "4x4x4");
      // tests/cli/manual.cpp has the man page; not everybody has nauty.
      if (line.find("man -l") != std::string::npos || line.starts_with("geng")) continue;
      const std::size_t matching = line.find("matrix.mtx-1.part");
      if (matching == std::string::npos && line.find("--checkpoint run.journal") != std::string::npos)
        script += "rm run.journal\n";
      if (line.find("parts/ ") != std::string::npos || line.ends_with("parts/")) script += "rm -r parts\n";
      script.append("echo '").append(line).append("' >&2\n{ ").append(line).append("; } >>out.txt\n");
      if (line.find("-o parts/") != std::string::npos)
        script += "for part in parts/*; do countpm resume \"$part\"; done\n";
      ++examples;
    }
  }
  EXPECT_GE(examples, 30);
  const Outcome outcome = run_script({"sh"}, script, folder.string());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Help, Version) {
  const std::string expected = std::string("countpm ") + version() + "\n";
  const std::string out = run({"version"}).out;
  EXPECT_TRUE(out.starts_with(expected)) << out;
  for (const char* part : {"CUDA", "MPI", "GMP ", "libraries ", "processor "})
    EXPECT_NE(out.find(part), std::string::npos) << part << out;
  expect_within(out, 80);
  EXPECT_EQ(run({"--version"}).out, out);
  EXPECT_EQ(run({"-V"}).out, out);
  const auto json = nlohmann::json::parse(run({"version", "--json"}).out);
  EXPECT_EQ(json, nlohmann::json::parse(run({"--version", "--json"}).out));
  EXPECT_EQ(json["version"], version());
  EXPECT_TRUE(json["cuda"].is_boolean() && json["mpi"].is_boolean());
  for (const char* library : {"GMP", "MPFR", "METIS", "Nettle", "zlib", "Boost", "fmt"})
    EXPECT_TRUE(json["libraries"][library].is_string()) << library;
  EXPECT_NE(json["processor"]["architecture"], "");
  EXPECT_TRUE(json.contains("commit") && json.contains("date") && json.contains("compiler"));
}

}  // namespace
}  // namespace countpm::test
