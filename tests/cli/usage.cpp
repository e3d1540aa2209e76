// Every option of every command: what exists works, what does not is refused with exit 2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "apps/commands.hpp"
#include "apps/options.hpp"
#include "tests/cli/run_binary.hpp"
#include "tests/repeats.hpp"

namespace countpm::test {
namespace {

using app::OptionInfo;
using app::ValueType;

std::string square() {
  return file_with("a x\na y\nb x\nb y\n");
}

void expect_usage_error(const std::vector<std::string>& arguments, const std::string& part) {
  const Outcome outcome = run(arguments);
  std::string shown;
  for (const std::string& argument : arguments) shown += argument + ' ';
  EXPECT_EQ(outcome.code, 2) << shown;
  // Where --json is the option that is refused, the error is an object too.
  const bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  EXPECT_EQ(outcome.out.empty(), !json) << shown;
  EXPECT_EQ(lines_of(outcome.err).size(), 1U) << shown << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("countpm: ")) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << shown << outcome.err << "\nexpected: " << part;
}

/// The same of errors that the parser finds, hundreds in a test: by the parser alone, and one in sixteen by
/// the program, which takes a hundred times as long. Sanitized, where that is a tenth of a second, none.
void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
  static int number = 0;
  if (!testing::sanitized && number++ % 16 == 0) return expect_usage_error(arguments, part);
  std::vector<const char*> argv{"countpm"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    app::parse_command_line(static_cast<int>(argv.size()), argv.data());
    ADD_FAILURE() << "not refused, " << part;
  } catch (const UsageError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(part), std::string::npos) << what << "\nexpected: " << part;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
  }
}

std::string first_command(const OptionInfo& option) {
  return std::string(app::commands_of(option.questions).front());
}

// A value that the option takes; options that change whether the square is counted are left out below.
std::string good_value(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
      return "";
    case ValueType::choice_or_integer:
      return std::to_string(option.least);
    case ValueType::choice:
      return std::string(option.choices.front());
    case ValueType::choices:
      return fmt::format("{},{}", option.choices.front(), option.choices.back());
    case ValueType::integer:
      return std::to_string(std::max<std::uint64_t>(option.least, std::min<std::uint64_t>(option.most, 2)));
    case ValueType::integers:
      return fmt::format("{},{}", option.least, option.least + 1);
    case ValueType::duration:
      return "10m";
    case ValueType::bytes:
      return "1G";
    case ValueType::range:
      return "1..2";
    case ValueType::file:
      return "/dev/null";
    case ValueType::share:
      return "90%";
    case ValueType::guarantee:
      return "50%,0.5";
    case ValueType::weight:
      return "2/3";
    case ValueType::text:
      if (option.name == "modulo") return "10007";
      return option.name == "set" ? "structure=off" : "a,x";  // of the square
  }
  return "";
}

TEST(Usage, EveryOptionIsTakenByEachOfItsCommands) {
  const std::string input = square();
  const std::string checkpoint = file_with("") + ".checkpoint";
  ASSERT_EQ(run({input, "--checkpoint", checkpoint}).code, 0);
  // A few of each option's commands in the quick set, others for every option, all where all is tested.
  const int pairs = 12;
  const int taken = testing::repeats(pairs);
  int number = 0;
  for (const OptionInfo& option : app::option_table()) {
    for (const std::string_view command : app::commands_of(option.questions)) {
      if (++number * 5 % pairs >= taken) continue;
      std::vector<std::string> arguments{std::string(command)};
      const app::CommandInfo* info = app::find_command(command);
      ASSERT_NE(info, nullptr) << command;
      const bool of_checkpoint = command == "resume" || command == "status" || command == "merge" ||
                                 command == "verify" || command == "prove";
      if (info->least_arguments >= 1)
        arguments.push_back(command == "lattice" ? "square:2x2" : of_checkpoint ? checkpoint : input);
      if (command == "verify" || command == "prove") arguments.push_back(input);
      if (command == "split" && option.name != "output") {
        arguments.emplace_back("-o");
        arguments.push_back(file_with("") + ".parts");
      }
      arguments.push_back("--" + std::string(option.name));
      if (option.name == "gpus") {
        arguments.emplace_back("0");
      } else if (option.name == "format") {
        arguments.emplace_back("edgelist");
      } else if (option.type != ValueType::flag) {
        arguments.push_back(good_value(option));
      }
      if (option.name == "input") arguments.back() = input;
      if (option.name == "kind" && command == "chem") arguments.back() = "undirected";
      if (option.name == "rows" || option.name == "cols") {
        arguments.back() = "1,1";
        arguments.insert(arguments.end(), {"--kind", "bipartite"});
      }
      if (option.name == "copies") arguments.back() = "1,1,1,1";
      if (option.name == "assume") arguments.back() = "threads=2";
      if (option.name == "checkpoint" || option.name == "output")
        arguments.back() = file_with("") + ".new";  // none is there yet
      if (option.name == "power") arguments.insert(arguments.end(), {"--monomers", "t"});
      if (option.name == "ring-weight") arguments.insert(arguments.end(), {"--rings", "6"});
      if (option.name == "rings" && command == "many")
        arguments.insert(arguments.end(), {"--ring-weight", "1"});
      if (option.name == "at") {
        arguments[1] = "lattice:square:2x2:weights=x,1";
        arguments.back() = "x=1/2";
      }
      if (option.name == "ln-error" || option.name == "error") arguments.back() = "0.1";
      constexpr std::array<std::string_view, 5> of_samples{"sampler", "samples", "seed", "error", "explain"};
      if (command == "marginals" &&
          std::find(of_samples.begin(), of_samples.end(), option.name) != of_samples.end())
        arguments.emplace_back("--sampled");
      if (option.name == "ratio-to") {
        arguments.back() = input;
        if (command == "resume") {
          arguments[1] = file_with("") + ".ratio";
          ASSERT_EQ(run({"estimate", input, "--ratio-to", input, "--checkpoint", arguments[1]}).code, 0);
        }
      }
      if (option.name == "integrate") {
        arguments[1] = "lattice:square:2x2:weights=x,1";
        arguments.back() = "x=1:2";
      }
      if (option.name == "exact-below" && command == "split") arguments.back() = "0.000001";
      if (command == "split" && (option.name == "estimate" || (app::takes_option("estimate", option.name) &&
                                                               !app::takes_option("count", option.name)))) {
        arguments[1] = "lattice:square:8x8";
        if (option.name != "estimate") arguments.emplace_back("--estimate");
        if (option.name != "samples" && option.name != "guarantee")
          arguments.insert(arguments.end(), {"--samples", "20"});
        if (option.name != "all-sampled" && option.name != "exact-below")
          arguments.emplace_back("--all-sampled");
      }
      if (option.name == "proof" && command == "explain") arguments.pop_back();  // there it has no value
      if (option.name == "set") arguments.insert(arguments.end(), {"--method", "ryser"});
      if (option.name == "recurrence") arguments[1] = "lattice:square:2xN";
      if (option.name == "heights") arguments[1] = "lattice:square:2x2";
      if (option.name == "embedding") arguments.back() = file_with("a x y\nb x y\nx a b\ny a b\n");
      if (option.name == "pairs") arguments.back() = file_with("a x b y\n");
      const bool of_picture = option.name == "title" || option.name == "width" ||
                              option.name == "no-legend" || option.name == "draw" || option.name == "scale";
      if (of_picture) arguments.insert(arguments.end(), {"--svg", "/dev/null"});
      if (command == "compare" && (option.name == "svg" || of_picture)) arguments[1] = "lattice:square:6x6";
      const bool of_columns = option.name == "ends" || option.name == "weight-column";
      const bool determinants = command == "determinant" || command == "pfaffian";
      if (of_columns && command != "minors" && command != "probability" && !determinants)
        arguments[1] = file_with("a x 1\nx b 1\nb y 1\ny a 1\n");
      if (of_columns) arguments.back() = option.name == "ends" ? "1,2" : "3";
      if (command == "minors" || command == "probability") {
        arguments[1] = file_with("1 2\n3 4\n", "matrix.dense");
        if (option.name == "format") arguments.back() = "dense";
        if (option.name == "column") arguments.back() = "2";
        if (of_columns) {
          arguments[1] = file_with("1 1 5\n1 2 6\n2 1 7\n2 2 8\n");
          arguments.insert(arguments.end(), {"--kind", "bipartite"});
        }
        if (option.name == "in" || option.name == "out") arguments.back() = "1,1";
        const std::vector<std::string> needed = command == "minors"
                                                    ? std::vector<std::string>{"--column", "1"}
                                                    : std::vector<std::string>{"--in", "1,1", "--out", "1,1"};
        arguments.insert(arguments.begin() + 2, needed.begin(), needed.end());
      }
      if (determinants) {
        arguments[1] = file_with("0 2\n-2 0\n", "skew.dense");
        if (option.name == "format") arguments.back() = "dense";
        if (option.name == "remove") arguments.back() = "left:1,right:1";
        if (option.name == "at") arguments[1] = file_with("0 x\n-1*x 0\n", "skew.dense");
        if (of_columns) {
          arguments[1] = file_with("1 2 5\n2 1 -5\n");
          arguments.insert(arguments.end(), {"--kind", "directed"});
        }
      }
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.code, 0) << command << " --" << option.name << "\n" << outcome.err;
      const bool elsewhere = option.name == "output" && command != "split" && command != "merge";
      EXPECT_EQ(outcome.out.empty(), elsewhere) << command << " --" << option.name;
    }
  }
}

// help is text for people, schema is JSON in any case, and complete speaks with shells.
TEST(Usage, EveryOtherCommandWritesJson) {
  for (const app::CommandInfo& command : app::command_table()) {
    const bool has_none = command.name == "help" || command.name == "schema" || command.name == "complete";
    EXPECT_EQ(app::takes_option(std::string(command.name), "json"), !has_none) << command.name;
  }
}

TEST(Usage, EveryOptionIsRefusedByTheOtherCommands) {
  for (const OptionInfo& option : app::option_table()) {
    for (const app::CommandInfo& command : app::command_table()) {
      if (option.questions.has(command.question)) continue;
      std::vector<std::string> arguments{std::string(command.name), "--" + std::string(option.name)};
      if (option.type != ValueType::flag) arguments.push_back(good_value(option));
      expect_refused(arguments, ", but of " + first_command(option));
    }
  }
}

TEST(Usage, EveryValueIsParsedStrictly) {
  const std::string input = square();
  for (const OptionInfo& option : app::option_table()) {
    if (option.type == ValueType::flag || option.type == ValueType::text) continue;
    const std::string name = "--" + std::string(option.name);
    for (const std::string value : {"", "-1", "1x", "99999999999999999999", "nosuch", " 1", "1 ", "\xff"}) {
      if (option.type == ValueType::file && !value.empty()) continue;  // any name will do
      if (option.type == ValueType::weight && (value == "-1" || value[0] == '9')) continue;  // weights
      expect_refused({first_command(option), input, fmt::format("{}={}", name, value)}, name);
    }
    if (option.type == ValueType::integer && option.most < 18446744073709551615U) {
      expect_refused({first_command(option), input, name, std::to_string(option.most + 1)}, name);
    }
    if (option.least > 0) expect_refused({first_command(option), input, name, "0"}, name);
    if (option.bare_value.empty())
      expect_usage_error({first_command(option), input, name}, name);  // no value at all
  }
}

TEST(Usage, EveryChoiceIsListedWhereNoneFits) {
  for (const OptionInfo& option : app::option_table()) {
    const OptionInfo there = app::for_command(option, first_command(option));
    for (const std::string_view choice : there.choices) {
      expect_refused({first_command(option), square(), "--" + std::string(option.name) + "=nosuch"},
                     std::string(choice));
    }
  }
}

// An option of the command that does not belong to what is asked is not ignored.
TEST(Usage, OptionsOfOtherQuestionsAreRefused) {
  using Q = app::Question;
  struct Asked {
    Q question;
    std::vector<std::string> words;
  };
  const std::string input = square();
  for (const Asked& asked :
       {Asked{Q::logarithm, {"count", "--ln-z"}}, Asked{Q::orbits, {"count", "--up-to-symmetry"}},
        Asked{Q::ratio, {"estimate", "--ratio-to", input}},
        Asked{Q::integral, {"estimate", "--integrate", "x=1:2"}},
        Asked{Q::signed_sum, {"estimate", "--signed"}}, Asked{Q::sampled, {"marginals", "--sampled"}},
        Asked{Q::forecast, {"estimate", "--explain"}}, Asked{Q::forecast, {"minors", "--explain"}}}) {
    int refused = 0;
    for (const OptionInfo& option : app::option_table()) {
      if (!option.questions.has(app::question_of(asked.words[0])) || option.questions.has(asked.question))
        continue;
      if (asked.words[0] == "count" && option.name == "explain") continue;  // with it the command is explain
      std::vector<std::string> arguments = asked.words;
      arguments.push_back(input);
      arguments.push_back("--" + std::string(option.name));
      if (option.type != ValueType::flag) arguments.push_back(good_value(option));
      expect_refused(arguments, fmt::format("--{} exclude each other", asked.words[1].substr(2)));
      ++refused;
    }
    EXPECT_GT(refused, 0) << asked.words[1];
  }
  // What ratios have no use for, by hand.
  for (const char* option : {"guarantee=50%,0.5", "replicates=2", "ln-weights=f", "html=f", "prune=on",
                             "scale-steps=2", "scale-interval=2", "exact-tail=1", "strata=2", "population=2",
                             "monomers=2", "maximum", "degree=2", "gpus=0"}) {
    expect_refused({"estimate", input, "--ratio-to", input, "--" + std::string(option)},
                   "exclude each other");
    expect_refused({"estimate", input, "--signed", "--" + std::string(option)}, "exclude each other");
  }
}

}  // namespace
}  // namespace countpm::test
