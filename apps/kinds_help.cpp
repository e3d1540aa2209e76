// Made from the table of src/input/asked_kinds.cpp, and from that of options: the library answers some pairs
// that no command takes the options for.
#include "apps/kinds_help.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "apps/commands.hpp"
#include "apps/help.hpp"
#include "apps/options.hpp"
#include "apps/text.hpp"
#include "src/input/asked_kinds.hpp"

namespace countpm::app {
namespace {

constexpr std::string_view library_mark = "C++";

GraphQuestion graph_question(std::size_t number) {
  return static_cast<GraphQuestion>(number);
}
CountKind kind_at(std::size_t number) {
  return static_cast<CountKind>(number);
}

/// The question of the command line, by QuestionWords::how; nothing of functions.
std::optional<Question> question_asked(std::string_view how) {
  if (how.ends_with("()")) return std::nullopt;
  const std::size_t dashes = how.find("--");
  if (dashes != std::string_view::npos) {
    const OptionInfo& option = *find_option(how.substr(dashes + 2));
    if (option.asks && !how.starts_with("list")) return option.asks;
  }
  return question_of(how.substr(0, how.find(' ')));
}

/// Of weights every command that reads them knows letters and complex numbers.
std::string_view option_of(CountKind kind) {
  constexpr std::array<std::string_view, count_kinds> names{
      "maximum", "monomers", "monomers", "degree", "ground-state", "ground-state", "rings", "", ""};
  return names.at(static_cast<std::size_t>(kind));
}

std::string mark_of(GraphQuestion question, CountKind kind, std::string_view yes, std::string_view no) {
  if (!is_answered(question, kind)) return std::string(no);
  const std::optional<Question> asked = question_asked(words_of(question).how);
  const std::string_view option = option_of(kind);
  const bool taken = !asked || option.empty() || find_option(option)->questions.has(*asked);
  return std::string(taken ? yes : library_mark);
}

std::string how_of(GraphQuestion question) {
  return std::string(words_of(question).how);
}

}  // namespace

std::string kinds_page(std::size_t width) {
  constexpr std::size_t first = 25;
  constexpr std::size_t column = 5;
  std::string text = fmt::format("{:<{}}", "Kinds of counts:", first);
  for (std::size_t k = 0; k < count_kinds; ++k)
    text += fmt::format("{:<{}}", fmt::format("({})", k + 1), column);
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
  for (std::size_t q = 0; q < graph_questions; ++q) {
    std::string line = fmt::format("{:<{}}", "  " + how_of(graph_question(q)), first);
    for (std::size_t k = 0; k < count_kinds; ++k)
      line += fmt::format("{:<{}}", mark_of(graph_question(q), kind_at(k), "yes", "-"), column);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += '\n';
  constexpr std::size_t legend = 8;
  for (std::size_t k = 0; k < count_kinds; ++k) {
    const KindWords& words = words_of(kind_at(k));
    text += help_entry(fmt::format("  ({})", k + 1), fmt::format("{}: {}", words.title, words.how), legend,
                       width);
  }
  return text + "\n" +
         wrap(fmt::format(
                  "{}: the library answers, and no command has the option. Names with () are functions "
                  "of Python and C++. docs/kinds.md says more.",
                  library_mark),
              width, "", "");
}

std::string kinds_markdown() {
  std::string text =
      "# Which question goes with which kind of count\n\n"
      "Made by `countpm help kinds --markdown` from the table in src/input/asked_kinds.cpp.\n"
      "Tests compare the two, and ask every pair.\n\n"
      "Perfect matchings (cycle covers) weighted by numbers go with every question.\n"
      "Other kinds of counts do not, and what does not go is refused before any work.\n"
      "The refusal says why, and what works in its place.\n\n"
      "| question | how |";
  for (std::size_t k = 0; k < count_kinds; ++k)
    text += fmt::format(" [{}]({}) |", words_of(kind_at(k)).title, words_of(kind_at(k)).page);
  text += "\n|---|---|";
  for (std::size_t k = 0; k < count_kinds; ++k) text += "---|";
  text += '\n';
  for (std::size_t q = 0; q < graph_questions; ++q) {
    const GraphQuestion question = graph_question(q);
    text += fmt::format("| {} | `{}` |", words_of(question).title, how_of(question));
    for (std::size_t k = 0; k < count_kinds; ++k)
      text += fmt::format(" {} |", mark_of(question, kind_at(k), "yes", "-"));
    text += '\n';
  }
  text += fmt::format(
      "\n`{}` stands where the library answers, and no command has the option.\n"
      "Names with `()` are functions of Python and C++.\n\n"
      "- Estimates of complex weights are of what is counted exactly: no sampler draws from them.\n"
      "- Ground states of a bipartite or directed graph have no odd sets "
      "([ground-states.md](ground-states.md)).\n"
      "- Maximum matchings are neither of monomers nor of factors, ground states or exact covers.\n\n"
      "## What asks for a kind\n\n| kind | asked for by |\n|---|---|\n",
      library_mark);
  for (std::size_t k = 0; k < count_kinds; ++k)
    text += fmt::format("| {} | `{}` |\n", words_of(kind_at(k)).title, words_of(kind_at(k)).how);
  return text;
}

}  // namespace countpm::app
