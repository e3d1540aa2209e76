#include "src/words/result_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/text/format_number.hpp"

namespace countpm::words {
namespace {

constexpr std::size_t shown_labels = 12;
constexpr std::size_t shown_components = 8;

// "{a, b, c, ... 5 more}"
std::string set_text(const std::vector<std::string>& labels) {
  if (labels.empty()) return "{}";
  std::string text = "{";
  const std::size_t shown = std::min(labels.size(), shown_labels);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += quoted(labels[i]);
  }
  if (shown < labels.size()) text += fmt::format(", ... {} more", labels.size() - shown);
  text += '}';
  return text;
}

// Tutte and Berge's reason: odd components that only the few neighbours could match.
std::string odd_components_text(const ViolatorReport& violator) {
  std::string components;
  const std::size_t shown = std::min(violator.odd_components.size(), shown_components);
  for (std::size_t i = 0; i < shown; ++i)
    components += (i == 0 ? "" : ", ") + set_text(violator.odd_components[i]);
  if (shown < violator.odd_components.size())
    components += fmt::format(", ... {} more", violator.odd_components.size() - shown);
  if (violator.neighbours.empty()) {
    return fmt::format("the component {} has an odd number of vertices ({})", components,
                       violator.vertices.size());
  }
  return fmt::format(
      "without {} there are the {} odd components {}; each needs one of {} to match a vertex of its own",
      set_text(violator.neighbours), violator.odd_components.size(), components,
      violator.neighbours.size() == 1 ? "it" : fmt::format("these {}", violator.neighbours.size()));
}

}  // namespace

std::string graph_text(const InputSummary& summary) {
  const InputInfo& input = summary.input;
  return fmt::format("{} graph, {}, {} ({}{})", name_of(summary.kind),
                     counted(summary.vertices, "vertex", "vertices"),
                     counted(summary.edges, summary.kind == GraphKind::directed ? "arc" : "edge"),
                     input.lattice ? "lattice" : name_of(input.format), input.gzip ? ", gzip" : "");
}

std::string input_text(const InputSummary& summary) {
  return fmt::format("{}: {}", quoted(summary.input.path, 200), graph_text(summary));
}

std::string violator_text(const ViolatorReport& violator) {
  if (!violator.odd_components.empty()) return odd_components_text(violator);
  const std::string count =
      violator.vertices.size() > shown_labels
          ? fmt::format(" ({} against {})", violator.vertices.size(), violator.neighbours.size())
          : "";
  if (violator.neighbours.empty()) {
    return fmt::format("{} {} {} no neighbour{}", violator.side, set_text(violator.vertices),
                       violator.vertices.size() == 1 ? "has" : "have", count);
  }
  return fmt::format("{} {} {} only the neighbour{} {}{}", violator.side, set_text(violator.vertices),
                     violator.vertices.size() == 1 ? "has" : "have",
                     violator.neighbours.size() == 1 ? "" : "s", set_text(violator.neighbours), count);
}

std::string rules_text(const std::vector<RuleReport>& rules) {
  std::string text;
  for (const RuleReport& rule : rules) {
    if (rule.applied == 0) continue;
    text += fmt::format("{}{} {} (removed {})", text.empty() ? "" : ", ", rule.rule,
                        counted(rule.applied, "time"), rule.removed);
  }
  return text.empty() ? "none applied" : text;
}

std::string checks_text(const std::vector<Check>& checks) {
  std::string passed;
  std::string left_out;
  for (const Check& check : checks) {
    std::string& names = check.ran ? passed : left_out;
    names += (names.empty() ? "" : ", ") + check.name;
  }
  return fmt::format("passed: {}{}", passed.empty() ? "none" : passed,
                     left_out.empty() ? "" : fmt::format("; left out: {} (--checks says why)", left_out));
}

std::string detail_text(const Check& check) {
  constexpr std::string_view left_out = "left out: ";
  std::string_view detail = check.detail;
  if (!check.ran && detail.starts_with(left_out)) detail.remove_prefix(left_out.size());
  return std::string(detail);
}

std::vector<std::pair<std::string, double>> stages_of(const Seconds& seconds) {
  return {{"read", seconds.read}, {"structure", seconds.structure}, {"reduce", seconds.reduce},
          {"plan", seconds.plan}, {"count", seconds.count},         {"verify", seconds.verify}};
}

std::string times_text(const Seconds& seconds) {
  std::string text = format_duration(seconds.total);
  std::string parts;
  for (const auto& [name, value] : stages_of(seconds)) {
    if (value < 0.5e-3) continue;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name, format_duration(value));
  }
  return parts.empty() ? text : fmt::format("{} ({})", text, parts);
}

}  // namespace countpm::words
