// Made from the tables of formats, weights, exit codes and options.
#include "apps/help_topics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/help.hpp"
#include "apps/kinds_help.hpp"
#include "apps/options.hpp"
#include "apps/text.hpp"
#include "graph/formats/formats.hpp"
#include "graph/weight_forms.hpp"

namespace countpm::app {
namespace {

/// The first ones: the others stand in the help.
std::string endings_text(const FormatInfo& format) {
  constexpr std::size_t most = 22;
  std::string text;
  for (const std::string_view ending : format.endings) {
    if (text.size() + ending.size() + 1 > most) break;
    text += (text.empty() ? "" : " ") + std::string(ending);
  }
  return text.empty() ? "-" : text;
}

std::string weights_page(std::size_t width) {
  std::string text = "Weights:\n";
  constexpr std::size_t column = 24;
  for (const WeightForm& form : weight_forms())
    text += help_entry(fmt::format("  {}", form.examples), form.meaning, column, width);
  return text + "\nOptions:\n" +
         option_entries(
             {"weights", "weight-column", "multi", "at", "exact", "arithmetic", "monomers", "ground-state"},
             "count", width) +
         "\ndocs/formats.md says where each format has its weights.\n";
}

std::string exit_codes_page(std::size_t width) {
  std::string text = "Exit codes:\n";
  constexpr std::size_t column = 7;
  for (const ExitMeaning& exit : exit_meanings())
    text += help_entry(fmt::format("  {}", exit.code), exit.meaning, column, width);
  return text + "\ndocs/exit-codes.md says more.\n";
}

}  // namespace

const std::vector<HelpTopic>& help_topics() {
  static const std::vector<HelpTopic> topics{
      {"weights", "how they are written, and what takes them", weights_page},
      {"kinds", "which question goes with which kind of count", kinds_page, kinds_markdown},
      {"exit-codes", "what each means", exit_codes_page}};
  return topics;
}

const HelpTopic* find_topic(std::string_view name) {
  const auto found = std::find_if(help_topics().begin(), help_topics().end(),
                                  [&](const HelpTopic& topic) { return topic.name == name; });
  return found == help_topics().end() ? nullptr : &*found;
}

std::string topic_names(std::string_view separator) {
  std::string names;
  for (const HelpTopic& topic : help_topics())
    names += fmt::format("{}{}", names.empty() ? "" : separator, topic.name);
  return names;
}

std::string formats_page(std::size_t width) {
  return "Formats:\n" + format_lines(width) + "\n" + wrap(input_help, width, "", "") + "\nOptions:\n" +
         option_entries({"format", "kind", "first-line", "ends", "weight-column", "multi", "loops", "strict"},
                        "count", width) +
         "\ndocs/formats.md shows each format. 'countpm help weights' is about weights.\n";
}

std::string format_lines(std::size_t width) {
  std::size_t names = 0;
  std::size_t endings = 0;
  for (const FormatInfo& format : formats()) {
    names = std::max(names, std::string_view(format.name).size());
    endings = std::max(endings, endings_text(format).size());
  }
  std::string text;
  for (const FormatInfo& format : formats()) {
    const std::string head =
        fmt::format("  {:<{}}  {:<{}}  ", format.name, names, endings_text(format), endings);
    text += wrap(format.help, width, head, std::string(head.size(), ' '));
  }
  return text;
}

}  // namespace countpm::app
