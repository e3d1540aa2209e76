// countpm help --man: groff's macros for man pages, man(7).
#include "apps/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/help.hpp"
#include "apps/help_topics.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/weight_forms.hpp"
#include "kernels/method.hpp"

namespace countpm::app {
namespace {

/// The text as it is: hyphens can be copied as the shell wants them, and no line becomes a request.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '.':
        result += result.empty() || result.back() == '\n' ? "\\&." : ".";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + roff(text) + "\\fR";
}

/// Capitals are what the user puts in; what stands between brackets may be left out.
std::string typeset_synopsis(std::string_view synopsis) {
  std::string text;
  while (!synopsis.empty()) {
    const std::size_t end = std::min(synopsis.find(' '), synopsis.size());
    std::string_view word = synopsis.substr(0, end);
    synopsis.remove_prefix(std::min(end + 1, synopsis.size()));
    const std::string_view before = word.starts_with('[') ? "[" : "";
    word.remove_prefix(before.size());
    const std::size_t core = word.find_last_not_of("].") + 1;
    const std::string_view after = word.substr(core);
    word = word.substr(0, core);
    const bool placeholder = word.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
    text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", before,
                        placeholder || word == "options" ? italic(word) : bold(word), roff(after));
  }
  return text;
}

/// A term and what it means.
std::string entry(const std::string& term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, roff(text));
}

std::string heading(std::string_view name) {
  return fmt::format(".SH {}\n", name);
}

std::string commands_section() {
  std::string text = heading("COMMANDS");
  for (const CommandInfo& command : command_table())
    text += entry(bold("countpm") + " " + typeset_synopsis(command.synopsis), command.help);
  for (const HelpTopic& topic : help_topics())
    text += entry(bold(fmt::format("countpm help {}", topic.name)), topic.about);
  return text;
}

std::string input_section() {
  std::string text = heading("INPUT") + roff(input_help) + "\n";
  for (const FormatInfo& format : formats()) {
    const std::string endings =
        format.endings.empty() ? "" : fmt::format(" ({})", fmt::join(format.endings, ", "));
    text += entry(bold(format.name) + roff(endings), format.help);
  }
  text += heading("WEIGHTS");
  for (const WeightForm& form : weight_forms()) text += entry(bold(form.examples), form.meaning);
  text += heading("LATTICES") + "A lattice is written " + bold("lattice:") + italic("SHAPE") + bold(":") +
          italic("SIZES") + "[" + bold(":weights=") + italic("W1") + bold(",") + italic("W2") + bold(",") +
          roff("...") + "][" + bold(":remove=") + italic("LABEL") + bold("+") + italic("LABEL") + bold("+") +
          roff("...") + "].\nWeights are by direction, in the order given.\n";
  for (const LatticeShape& shape : lattice_shapes()) {
    text += entry(
        bold(fmt::format("{}:", shape.name)) + italic(shape.sizes),
        fmt::format("{}{}{}", shape.help, shape.directions.empty() ? "" : "; directions ", shape.directions));
  }
  return text;
}

std::string options_section() {
  std::string text = heading("OPTIONS");
  for (const OptionInfo& option : option_table()) {
    std::string term;
    if (option.letter != 0) term = bold(fmt::format("-{}", option.letter)) + ", ";
    term += bold(fmt::format("--{}", option.name));
    if (!option.value_name.empty()) term += " " + italic(option.value_name);
    std::string about = help_of_all(option);
    if (option.type != ValueType::flag) about += fmt::format(" [{}]", value_help(option));
    if (!option.default_value.empty()) about += fmt::format(" (default {})", option.default_value);
    text += entry(term, about) + ".br\n" +
            "Commands: " + roff(fmt::format("{}", fmt::join(commands_of(option.questions), ", "))) + "\n";
  }
  return text;
}

std::string methods_section() {
  std::string text = heading("METHODS");
  for (const Method* method : exact_methods())
    text += entry(bold(method->name()), fmt::format("{}; {}", method->summary(), method->complexity()));
  return text;
}

std::string environment_section() {
  return heading("ENVIRONMENT") +
         entry(bold("OMP_NUM_THREADS"), "how many threads, if --threads does not say") +
         entry(bold("SLURM_CPUS_PER_TASK") + ", " + bold("SLURM_MEM_PER_NODE") + ", " +
                   bold("SLURM_MEM_PER_CPU"),
               "limits of a job of Slurm, which are kept") +
         entry(bold("COUNTPM_NVRTC"),
               "the file of NVIDIA's run-time compiler, if it is not found by itself") +
         entry(bold("COUNTPM_KERNEL_CACHE"),
               "the folder of compiled kernels, or off; without it: $XDG_CACHE_HOME/countpm, else "
               "~/.cache/countpm");
}

std::string examples_section() {
  std::string text = heading("EXAMPLES");
  for (const ManualExample& example : manual_examples()) {
    text += fmt::format("{}\n.PP\n.EX\n$ {}\n{}\n.EE\n.PP\n", roff(example.about), bold(example.command),
                        roff(example.output));
  }
  return text;
}

}  // namespace

const std::vector<ManualExample>& manual_examples() {
  static const std::vector<ManualExample> examples{
      {"The domino tilings of a chessboard:", "countpm lattice:square:8x8", "12988816"},
      {"The same by weights, horizontal dominoes 1 and vertical ones 1/2, on a smaller board:",
       "countpm --weights lattice:square:4x4:weights=1,1/2", "1125/256"},
      {"The matchings of a graph from standard input, one edge per line:",
       R"(printf 'a b\nb c\nc d\nd a\n' | countpm list -)", "a b\tc d\na d\tc b"},
      {"Cycle covers: the derangements of five objects are the cycle covers of the complete digraph on five "
       "vertices without loops.",
       R"(for i in 1 2 3 4 5; do for j in 1 2 3 4 5; do [ $i = $j ] || echo $i $j; done; done | )"
       "countpm --kind directed -",
       "44"},
      {"How a large board would be counted, and how long that would take; nothing is counted:",
       "countpm explain lattice:square:200x200", "..."}};
  return examples;
}

std::string manual_page() {
  std::string text = fmt::format(
      ".\\\" Made by 'countpm help --man'.\n"
      ".TH COUNTPM 1 \"\" \"countpm {}\" \"User Commands\"\n"
      ".SH NAME\ncountpm \\- count perfect matchings of graphs and cycle covers of directed graphs\n"
      ".SH SYNOPSIS\n{} {} [{}]\n.br\n{} {} {}\n",
      roff(version()), bold("countpm"), italic("INPUT"), italic("options"), bold("countpm"),
      italic("COMMAND"), roff("..."));
  text +=
      heading("DESCRIPTION") + bold("countpm") +
      roff(
          " counts the perfect matchings of a graph, bipartite or not, or the cycle covers of a directed "
          "graph, exactly: permanents and hafnians of 0-1 matrices, and with weights the sum over all "
          "matchings of the products of their edges' weights.\n") +
      "Only the number goes to standard output; how it was found goes to standard error, on a terminal or "
      "with " +
      bold("--report") + roff(".\n");
  text += commands_section() + input_section() + options_section() + methods_section();
  text += heading("EXIT STATUS");
  for (const ExitMeaning& exit : exit_meanings())
    text += entry(bold(std::to_string(exit.code)), exit.meaning);
  return text + environment_section() + examples_section() + heading("SEE ALSO") +
         "The guides, in Markdown, are installed under share/doc/countpm; README.md there comes first.\n" +
         bold("mpirun") + "(1) starts one count or estimate on many machines.\n";
}

}  // namespace countpm::app
