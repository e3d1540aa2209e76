#include "src/words/result_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/text/format_duration.hpp"
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
      "without {} there are {} odd components, {}, and each needs one of the {} for a vertex of its own",
      set_text(violator.neighbours), violator.odd_components.size(), components,
      counted(violator.neighbours.size(), "removed vertex", "removed vertices"));
}

/// "left vertices", "rows", "tail"
std::string side_text(const std::string& side, bool one) {
  if (side == "vertices") return one ? "vertex" : side;
  if (side == "left" || side == "right") return side + (one ? " vertex" : " vertices");
  return one ? side.substr(0, side.size() - 1) : side;
}

}  // namespace

std::string sets_text(const InputSummary& summary) {
  return summary.input.format == Format::hyper && !summary.input.lattice ? counted(summary.sets, "larger set")
                                                                         : counted(summary.sets, "ring");
}

std::string graph_text(const InputSummary& summary) {
  const InputInfo& input = summary.input;
  return fmt::format("{} graph, {}, {}{} ({}{})", name_of(summary.kind),
                     counted(summary.vertices, "vertex", "vertices"),
                     counted(summary.edges, summary.kind == GraphKind::directed ? "arc" : "edge"),
                     summary.problem == Problem::exact_covers ? ", " + sets_text(summary) : "",
                     input.lattice ? "lattice" : name_of(input.format), input.gzip ? ", gzip" : "");
}

std::string input_text(const InputSummary& summary) {
  return fmt::format("{}: {}", quoted(summary.input.path, 200), graph_text(summary));
}

std::string matching_text(const InputSummary& summary) {
  if (summary.problem == Problem::cycle_covers) return "cycle cover";
  if (summary.problem == Problem::matchings) return "matching";
  return summary.matched && summary.matched->free > 0 ? "maximum matching" : "perfect matching";
}

std::string violator_text(const ViolatorReport& violator) {
  if (!violator.odd_components.empty()) return odd_components_text(violator);
  const bool one = violator.vertices.size() == 1;
  const std::string who =
      fmt::format("the {}{} {} {}", one ? "" : fmt::format("{} ", violator.vertices.size()),
                  side_text(violator.side, one), set_text(violator.vertices), one ? "has" : "have");
  if (violator.neighbours.empty()) return who + " no neighbour";
  return fmt::format("{} only {}, {}", who, counted(violator.neighbours.size(), "neighbour"),
                     set_text(violator.neighbours));
}

std::string problem_name(const InputSummary& summary) {
  if (summary.input.degrees && summary.input.degrees->named > 0) return "factors";
  if (summary.input.degrees) return fmt::format("{}-factors", summary.input.degrees->degree);
  if (summary.input.ground_states)
    return fmt::format("{}s of {} weight", matching_text(summary),
                       name_of(summary.input.ground_states->which));
  if (!summary.matched) return name_of(summary.problem);
  if (summary.matched->which == MatchingSize::smaller_side) return "matchings that cover the smaller side";
  return summary.problem == Problem::general_perfect_matchings ? "maximum matchings of a general graph"
                                                               : "maximum matchings";
}

std::string matched_text(const InputSummary& summary) {
  if (!summary.matched) return "";
  return fmt::format(": {}, {} left free", counted(summary.matched->size, "edge"),
                     counted(summary.matched->free, "vertex", "vertices"));
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
  return fmt::format(
      "passed: {}{}", passed.empty() ? "none" : passed,
      left_out.empty() ? "" : fmt::format("; left out: {} (--report checks says why)", left_out));
}

std::string detail_text(const Check& check) {
  constexpr std::string_view left_out = "left out: ";
  std::string_view detail = check.detail;
  if (!check.ran && detail.starts_with(left_out)) detail.remove_prefix(left_out.size());
  return std::string(detail);
}

std::string ranks_text(int ranks, int lost_ranks) {
  if (ranks <= 1) return {};
  return fmt::format(" on the first of {} ranks", ranks) +
         (lost_ranks == 0
              ? ""
              : fmt::format(", of which {} {} lost", lost_ranks, lost_ranks == 1 ? "was" : "were"));
}

std::vector<std::pair<std::string, double>> stages_of(const Seconds& seconds) {
  return {{"read", seconds.read},  {"structure", seconds.structure}, {"reduce", seconds.reduce},
          {"plan", seconds.plan},  {"count", seconds.count},         {"verify", seconds.verify},
          {"proof", seconds.proof}};
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
