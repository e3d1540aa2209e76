// Commands and options: what exists works, what does not is refused with exit 2.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

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

// A value that the option takes; options that change whether the square is counted are left out below.
std::string good_value(const OptionInfo& option) {
  switch (option.type) {
    case ValueType::flag:
      return "";
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
      return "a,x";  // of the square
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
    for (const std::string_view command : option.commands) {
      if (++number * 5 % pairs >= taken) continue;
      std::vector<std::string> arguments{std::string(command)};
      const app::CommandInfo* info = app::find_command(command);
      ASSERT_NE(info, nullptr) << command;
      const bool of_checkpoint =
          command == "resume" || command == "status" || command == "merge" || command == "verify";
      if (info->least_arguments >= 1)
        arguments.push_back(command == "lattice" ? "square:2x2" : of_checkpoint ? checkpoint : input);
      if (command == "verify") arguments.push_back(input);
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
      if (option.name == "as" && command == "chem") arguments.back() = "undirected";
      if (option.name == "rows" || option.name == "cols") {
        arguments.back() = "1,1";
        arguments.insert(arguments.end(), {"--as", "bipartite"});
      }
      if (option.name == "assume") arguments.back() = "threads=2";
      if (option.name == "checkpoint" || option.name == "output")
        arguments.back() = file_with("") + ".new";  // none is there yet
      if (option.name == "power") arguments.insert(arguments.end(), {"--monomers", "t"});
      if (option.name == "ring-weight") arguments.insert(arguments.end(), {"--rings", "6"});
      if (option.name == "rings" && command == "series")
        arguments.insert(arguments.end(), {"--ring-weight", "1"});
      if (option.name == "at") {
        arguments[1] = "lattice:square:2x2:weights=x,1";
        arguments.back() = "x=1/2";
      }
      if (option.name == "log-error" || option.name == "edge-error") arguments.back() = "0.1";
      constexpr std::array<std::string_view, 5> of_samples{"sampler", "samples", "seed", "edge-error",
                                                           "explain"};
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
      if (option.name == "heights") arguments[1] = "lattice:square:2x2";
      if (option.name == "pairs") arguments.back() = file_with("a x b y\n");
      const bool of_picture = option.name == "title" || option.name == "width" || option.name == "no-legend";
      if (of_picture) arguments.insert(arguments.end(), {"--svg", "/dev/null"});
      if (command == "compare" && (option.name == "svg" || of_picture)) arguments[1] = "lattice:square:6x6";
      const bool of_columns = option.name == "ends" || option.name == "weight-column";
      if (of_columns && command != "minors" && command != "probability")
        arguments[1] = file_with("a x 1\nx b 1\nb y 1\ny a 1\n");
      if (of_columns) arguments.back() = option.name == "ends" ? "1,2" : "3";
      if (command == "minors" || command == "probability") {
        arguments[1] = file_with("1 2\n3 4\n", "matrix.dense");
        if (option.name == "format") arguments.back() = "dense";
        if (option.name == "column") arguments.back() = "2";
        if (of_columns) {
          arguments[1] = file_with("1 1 5\n1 2 6\n2 1 7\n2 2 8\n");
          arguments.insert(arguments.end(), {"--as", "bipartite"});
        }
        if (option.name == "in" || option.name == "out") arguments.back() = "1,1";
        const std::vector<std::string> needed = command == "minors"
                                                    ? std::vector<std::string>{"--column", "1"}
                                                    : std::vector<std::string>{"--in", "1,1", "--out", "1,1"};
        arguments.insert(arguments.begin() + 2, needed.begin(), needed.end());
      }
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.code, 0) << command << " --" << option.name << "\n" << outcome.err;
      const bool elsewhere = option.name == "output" && command != "split" && command != "merge";
      EXPECT_EQ(outcome.out.empty(), elsewhere) << command << " --" << option.name;
    }
  }
}

TEST(Usage, EveryOptionIsRefusedByTheOtherCommands) {
  for (const OptionInfo& option : app::option_table()) {
    for (const app::CommandInfo& command : app::command_table()) {
      if (std::find(option.commands.begin(), option.commands.end(), command.name) != option.commands.end())
        continue;
      std::vector<std::string> arguments{std::string(command.name), "--" + std::string(option.name)};
      if (option.type != ValueType::flag) arguments.push_back(good_value(option));
      expect_refused(arguments, ", but of " + std::string(option.commands.front()));
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
      expect_refused({std::string(option.commands.front()), input, fmt::format("{}={}", name, value)}, name);
    }
    if (option.type == ValueType::integer && option.most < 18446744073709551615U) {
      expect_refused({std::string(option.commands.front()), input, name, std::to_string(option.most + 1)},
                     name);
    }
    if (option.least > 0) expect_refused({std::string(option.commands.front()), input, name, "0"}, name);
    if (option.bare_value.empty())
      expect_usage_error({std::string(option.commands.front()), input, name}, name);  // no value at all
  }
}

TEST(Usage, EveryChoiceIsListedWhereNoneFits) {
  for (const OptionInfo& option : app::option_table()) {
    for (const std::string_view choice : option.choices) {
      expect_refused(
          {std::string(option.commands.front()), square(), "--" + std::string(option.name) + "=nosuch"},
          std::string(choice));
    }
  }
}

TEST(Usage, WrongNumbersOfArguments) {
  expect_usage_error({"status"}, "expected one argument, found none; see 'countpm help status'");
  expect_usage_error({square(), "second"}, "one too many");
  expect_usage_error({"verify", square()}, "expected two arguments, found 1; see 'countpm help verify'");
  expect_usage_error({"verify", "a", "b", "c"}, "expected two arguments, found 3 ('c' is one too many)");
  expect_usage_error({"resume"}, "expected one or two arguments, found none");
  expect_usage_error({"resume", "a", "b", "c"}, "one too many");
  expect_usage_error({"resume", square(), "--method", "ryser"}, "--method is not an option of resume");
  expect_usage_error({square(), "--checkpoint", ""}, "a file's name");
  expect_usage_error({"methods", "x"}, "expected no arguments");
  expect_usage_error({"help", "list", "count"}, "one too many");
}

TEST(Usage, Contradictions) {
  expect_usage_error({square(), "--progress", "--no-progress"}, "contradict");
  expect_usage_error({square(), "-q", "--report"}, "contradict");
  expect_usage_error({"marginals", square(), "--json", "--csv"}, "contradict");
  expect_usage_error({"marginals", square(), "--exact", "--digits", "3"}, "contradict");
  expect_usage_error({square(), "--precision", "100", "--arithmetic", "kahan"}, "contradict");
  expect_usage_error({"estimate", square(), "--samples", "9", "--rel-error", "1%"}, "contradict");
  expect_usage_error({"estimate", square(), "--all-sampled", "--exact-below", "1s"}, "contradict");
  EXPECT_EQ(run({square(), "--no-rule", "single", "--no-rule", "double"}).out, "2\n");
}

TEST(Usage, AFileNamedLikeACommandIsGivenWithItsFolder) {
  const std::string path = file_with("a x\na y\nb x\nb y\n", "explain");
  EXPECT_EQ(run({path}).out, "2\n");
  const std::string folder = std::filesystem::path(path).parent_path();
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  EXPECT_EQ(run({"./explain"}).out, "2\n");
  EXPECT_EQ(run({"explain"}).code, 2);
  std::filesystem::current_path(before);
}

TEST(Usage, NamesWithCommasDashesAndBlanks) {
  EXPECT_EQ(run({file_with("a x\n", "a,b c.txt")}).out, "1\n");
  const std::string path = file_with("a x\n", "-dash");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(path).parent_path());
  EXPECT_EQ(run({"--json", "--", "-dash"}).code, 0);
  EXPECT_EQ(run({"--", "-dash"}).out, "1\n");
  std::filesystem::current_path(before);
}

TEST(Usage, OptionsMayStandAnywhere) {
  const std::string input = square();
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--method", "ryser", input},
                                                                     {input, "--method=ryser"},
                                                                     {"count", "--method", "ryser", input},
                                                                     {"--method", "ryser", "count", input},
                                                                     {"-q", input}}) {
    EXPECT_EQ(run(arguments).out, "2\n");
  }
}

// Where there is a GPU it is hidden.
TEST(Usage, GpusThatAreNotThereAreRefusedAsUnable) {
  Wiring no_gpu;
  no_gpu.environment["CUDA_VISIBLE_DEVICES"] = "-1";
  for (const std::string command : {"count", "explain"}) {
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"--device", "gpu"}, {"--gpus", "2"}}) {
      std::vector<std::string> all{command, square()};
      all.insert(all.end(), arguments.begin(), arguments.end());
      const Outcome outcome = run(all, no_gpu);
      EXPECT_EQ(outcome.code, 3) << outcome.err;
      EXPECT_TRUE(outcome.err.starts_with("countpm: no GPU to count on: ")) << outcome.err;
      EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
  }
  EXPECT_EQ(run({square(), "--device", "cpu"}).out, "2\n");
  EXPECT_EQ(run({square(), "--device", "auto", "--gpus", "0"}).out, "2\n");
  const Outcome both = run({square(), "--device", "cpu", "--gpus", "1"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("exclude each other"), std::string::npos) << both.err;
}

TEST(Usage, FrontierCountsOnGpus) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  const std::vector<std::string> on_gpus{"--device", "gpu", "--method", "frontier"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), on_gpus.begin(), on_gpus.end());
    return run(arguments, emulated);
  };
  const Outcome board = with({"lattice:square:8x8"});
  EXPECT_EQ(board.out, "12988816\n") << board.err;
  const Outcome explained = with({"explain", "lattice:square:12x12"});
  EXPECT_NE(explained.out.find("(measured, gpu)"), std::string::npos) << explained.out << explained.err;
  const std::string refused = "frontier cannot: it does not run on a GPU: no form for GPUs where ";
  const Outcome tree = with({"lattice:square:8x8", "--order", "tree"});
  EXPECT_EQ(tree.out, "12988816\n") << tree.err;
  const Outcome trees = with({"lattice:triangular:8x8", "--order", "tree"});
  EXPECT_EQ(trees.code, 3);
  EXPECT_NE(trees.err.find(refused + "tables are joined"), std::string::npos) << trees.err;
  const Outcome real = with(
      {file_with("a x 0.5\na y 1.5\nb x 2.5\nb y 1\nb z 1.5\na z 1\nc x 1\nc y 2\nc z 0.25\n"), "--weights"});
  EXPECT_EQ(real.code, 3);
  EXPECT_NE(real.err.find(refused + "numbers are floating"), std::string::npos) << real.err;
}

TEST(Usage, PhotonsCountOnGpus) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "1";
  const auto expect_same = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", "cpu"});
    const Outcome here = run(arguments);
    EXPECT_EQ(here.code, 0) << here.err;
    arguments.back() = "gpu";
    const Outcome there = run(arguments, emulated);
    EXPECT_EQ(there.out, here.out) << there.err;
    arguments.insert(arguments.begin(), "explain");
    const Outcome explained = run(arguments, emulated);
    EXPECT_NE(explained.out.find(", gpu)"), std::string::npos) << explained.out << explained.err;
  };
  const std::string entries = "3 1 1 2\n2 5 1 1\n1 1 2 7\n";
  const std::vector<std::string> repeated{"--rows", "2,1,1,2", "--cols", "1,2,2,1", "--method", "ryser"};
  for (const std::string first : {"1 2 3 1\n", "2i 1 1 1\n"}) {
    std::vector<std::string> arguments{file_with(first + entries), "--format", "dense", "--weights"};
    arguments.insert(arguments.end(), repeated.begin(), repeated.end());
    expect_same(arguments);
  }
  std::string edges;
  for (int a = 0; a < 10; ++a) {
    for (int b = a; b < 10; ++b) {
      edges += std::to_string(a) + " " + std::to_string(b) + " (" + std::to_string(7 * a + b) + "," +
               std::to_string(a * b - 11) + ")\n";
    }
  }
  expect_same(
      {file_with(edges), "--as", "undirected", "--weights", "--loops", "monomer", "--method", "hafnian"});
  expect_same(
      {file_with(edges), "--as", "undirected", "--weights", "--loops", "drop", "--method", "hafnian"});
}

// Two GPUs that the CPU emulates.
TEST(Usage, MethodsWithoutAGpuFormAreRefusedWhereOnlyGpusCount) {
  Wiring emulated;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "2";
  const Outcome outcome = run(
      {file_with(complete_bipartite(6)), "--device", "gpu", "--method", "definition", "--no-rule", "twins"},
      emulated);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.err.find("definition cannot: it does not run on a GPU"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("--device auto counts on the CPU"), std::string::npos) << outcome.err;
  // What the CPU cannot do either: no hint at it.
  const auto reals = file_with("a x 0.5\na y 1.5\na z 1\nb x 2.5\nb y 1\nb z 1.5\nc x 1\nc y 2\nc z 0.25\n");
  const Outcome precise =
      run({reals, "--weights", "--device", "gpu", "--method", "codegen", "--precision", "200"}, emulated);
  EXPECT_EQ(precise.code, 3);
  EXPECT_NE(precise.err.find("codegen cannot: it counts in doubles and double-doubles"), std::string::npos)
      << precise.err;
  EXPECT_EQ(precise.err.find("--device auto"), std::string::npos) << precise.err;
  // This arithmetic, or this block, alone.
  const auto why_not = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--weights", "--device", "gpu"});
    const Outcome refused = run(arguments, emulated);
    EXPECT_EQ(refused.code, 3) << refused.out;
    return refused.err;
  };
  const std::string bits = why_not({reals, "--method", "ryser", "--precision", "160"});
  EXPECT_NE(bits.find("it does not run on a GPU: numbers there have at most 150 bits, and 160 are asked for"),
            std::string::npos)
      << bits;
  const std::string floating = why_not({reals, "--method", "skipper"});
  EXPECT_NE(floating.find("it does not run on a GPU: no form for GPUs where numbers are floating"),
            std::string::npos)
      << floating;
  const auto full = file_with(complete_bipartite(6));
  for (const char* const method : {"sparyser", "skipper", "codegen"}) {
    const std::string twins = why_not({full, "--multi", "sum", "--method", method});
    EXPECT_NE(
        twins.find("it does not run on a GPU: no form for GPUs where equal columns are counted together"),
        std::string::npos)
        << method << ": " << twins;
  }
  const auto alike =
      file_with("a x 0.5\na y 0.5\na z 0.5\nb x 2.5\nb y 2.5\nb z 1.5\nc x 1\nc y 1\nc z 0.25\n");
  const std::string pairs = why_not({alike, "--method", "ryser", "--arithmetic", "double-double"});
  EXPECT_NE(pairs.find("where equal columns are counted together, but in doubles"), std::string::npos)
      << pairs;
  const auto huge =
      file_with("a x 99999999999999999999999\na y 1\na z 1\nb x 2\nb y 1\nb z 1\nc x 1\nc y 2\nc z 3\n");
  for (const char* const method : {"sparyser", "pruned"}) {
    const std::string wide = why_not({huge, "--method", method});
    EXPECT_NE(wide.find("weights go beyond 64 bits"), std::string::npos) << method << ": " << wide;
  }
  for (const char* const device : {"gpu", "cpu"}) {
    for (const char* const arithmetic : {"plain", "kahan", "double-double"}) {
      const Outcome real =
          run({reals, "--weights", "--device", device, "--method", "codegen", "--arithmetic", arithmetic},
              emulated);
      EXPECT_EQ(real.code, 0) << real.err;
      EXPECT_EQ(real.out.substr(0, 9), "1.08125e+") << device << ' ' << arithmetic << ": " << real.out;
    }
  }
  const std::pair<const char*, const char*> kernels[] = {{"ryser", "built in, for 16 rows"},
                                                         {"codegen", "interpreted"}};
  for (const auto& [method, kernel] : kernels) {
    const Outcome counted =
        run({reals, "--weights", "--device", "gpu", "--method", method, "--json"}, emulated);
    EXPECT_EQ(nlohmann::json::parse(counted.out)["blocks"][0]["kernel"], kernel) << counted.err;
    const Outcome report =
        run({reals, "--weights", "--device", "gpu", "--method", method, "--report"}, emulated);
    EXPECT_NE(report.err.find(std::string("\nkernel      ") + kernel), std::string::npos) << report.err;
    const Outcome cpu = run({reals, "--weights", "--device", "cpu", "--method", method, "--json"}, emulated);
    EXPECT_TRUE(nlohmann::json::parse(cpu.out)["blocks"][0]["kernel"].is_null()) << cpu.out;
  }
  const Outcome three = run({square(), "--gpus", "3"}, emulated);
  EXPECT_EQ(three.code, 3);
  EXPECT_NE(three.err.find("3 GPUs asked for, and there are 2"), std::string::npos) << three.err;
  emulated.environment["COUNTPM_EMULATED_GPUS"] = "two";
  EXPECT_EQ(run({square()}, emulated).code, 2);
}

TEST(Usage, TheProgramThatIsShippedHasNoEmulatedGpu) {
  Wiring shipped;  // without a word in Wiring::environment, which would take the other program
  shipped.launcher = {"env", "COUNTPM_EMULATED_GPUS=2"};
  for (const std::string device : {"auto", "cpu", "gpu"}) {
    const Outcome refused = run({square(), "--device", device}, shipped);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_EQ(refused.out, "");
    EXPECT_NE(refused.err.find("COUNTPM_EMULATED_GPUS=2: this program has no emulated GPU"),
              std::string::npos)
        << refused.err;
  }
  shipped.launcher.back() = "COUNTPM_EMULATED_GPUS=0";
  EXPECT_EQ(run({square()}, shipped).out, "2\n");
}

}  // namespace
}  // namespace countpm::test
