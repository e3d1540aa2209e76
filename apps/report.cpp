#include "apps/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/report_lines.hpp"
#include "apps/text.hpp"
#include "src/text/format_quantity.hpp"

namespace countpm::app {
namespace {

constexpr std::size_t shown_labels = 12;
constexpr std::size_t shown_blocks = 8;
constexpr std::size_t shown_components = 8;

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

std::string value_kind(const CountResult& result) {
  if (!result.exact) return fmt::format("floating point, error at most {}", result.error_bound);
  return result.proved ? "exact, proved" : "exact";
}

// Of a block or its forecast.
template <class AnyReport>
std::string size_text(const AnyReport& block) {
  if (block.general)
    return fmt::format("{}, {}", counted(block.rows, "vertex", "vertices"), counted(block.entries, "edge"));
  return fmt::format("{}, {}", counted(block.rows, "row"), counted(block.entries, "entry", "entries"));
}

std::string block_text(const BlockReport& block) {
  if (block.arithmetic.empty())
    return fmt::format("{} by {}: {}", size_text(block), block.method, block.work_name);
  return fmt::format("{} by {}, {}; {} {}, {} (predicted {})", size_text(block), block.method,
                     block.arithmetic, format_power(std::log10(block.work)), block.work_name,
                     format_duration(block.seconds), format_seconds(block.predicted_seconds));
}

std::string audit_text(const AuditReport& audit) {
  if (audit.of == 0) return "no units to run again";
  std::string how;
  for (const std::string& path : audit.how) how += (how.empty() ? "" : "; ") + path;
  return fmt::format("{} of {} run again, {:.3g} % of the work, seed {}, {}: {}", audit.units,
                     counted(audit.of, "unit"), 100 * audit.work, audit.seed, format_duration(audit.seconds),
                     how);
}

std::string entropy_text(const Entropy& entropy) {
  std::string text = fmt::format("ln Z {:.10g}: {:.10g} a vertex, {:.10g} a dimer", entropy.ln_z,
                                 entropy.per_vertex, entropy.per_dimer);
  if (entropy.limit) {
    text += fmt::format("; grown without end {:.10g} a vertex ({})", entropy.limit->per_vertex,
                        entropy.limit->lattice);
  }
  return text;
}

std::vector<std::string> forecast_row(const MethodForecast& method) {
  if (method.obstacle && method.obstacle->kind == RefusalKind::memory) {
    return {"",
            method.method,
            format_log10_seconds(method.log10_seconds),
            format_bytes(method.memory_bytes),
            format_power(method.log10_work),
            method.obstacle->text};
  }
  if (method.obstacle) return {method.chosen ? "*" : "", method.method, "-", "-", "-", method.obstacle->text};
  return {method.chosen ? "*" : "",
          method.method,
          format_log10_seconds(method.log10_seconds),
          format_bytes(method.memory_bytes),
          format_power(method.log10_work),
          fmt::format("{} ({}{})", method.work_name, method.measured ? "measured" : "nominal",
                      method.device == "cpu" ? "" : ", " + method.device)};
}

std::string block_forecast(const BlockForecast& block, std::size_t number) {
  std::string text =
      wrap(fmt::format("{}, count below 2^{:.1f}, {}", size_text(block), block.log2_bound, block.arithmetic),
           report_width, fmt::format("{:<{}}", fmt::format("block {}", number), indent.size()), indent);
  if (block.bounds) {
    const BoundsReport& bounds = *block.bounds;
    text += line("bounds", fmt::format("from 10^{:.2f} ({}) to 10^{:.2f} ({}), for certain",
                                       std::floor(bounds.log10_lower * 100) / 100, bounds.lower_by,
                                       std::ceil(bounds.log10_upper * 100) / 100, bounds.upper_by));
  }
  std::vector<std::vector<std::string>> rows{{"", "method", "time", "memory", "work", "unit of work, rate"}};
  for (const MethodForecast& method : block.methods) rows.push_back(forecast_row(method));
  // Obstacles are sentences: cut so that a line keeps within the width.
  const std::vector<bool> right{false, false, true, true, true, false};
  std::size_t before = indent.size() - 3;
  for (std::size_t column = 0; column + 1 < right.size(); ++column) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, display_width(row[column]));
    before += widest + 2;
  }
  const std::size_t room = report_width > before + 20 ? report_width - before : 20;
  for (auto& row : rows) {
    const std::string more = " ...";
    if (display_width(row.back()) <= room) continue;
    const std::string wrapped = wrap(row.back(), room - more.size(), "", "");
    row.back() = wrapped.substr(0, wrapped.find('\n')) + more;
  }
  text += format_table(rows, right, indent.substr(0, indent.size() - 3));
  for (const MethodForecast& method : block.methods) {
    if (method.chosen && !method.plan.empty())
      text += wrap(method.plan, report_width, fmt::format("{:<{}}", "plan", indent.size()), indent);
  }
  return "\n" + text;
}

}  // namespace

std::string input_text(const InputSummary& summary) {
  const InputInfo& input = summary.input;
  return fmt::format("{}: {} graph, {}, {} ({}{})", quoted(input.path, 200), name_of(summary.kind),
                     counted(summary.vertices, "vertex", "vertices"),
                     counted(summary.edges, summary.kind == GraphKind::directed ? "arc" : "edge"),
                     input.lattice ? "lattice" : name_of(input.format), input.gzip ? ", gzip" : "");
}

namespace {

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

std::string count_report(const CountResult& result, bool all_checks) {
  std::string text = line("input", input_text(result));
  text += line("counted", fmt::format("{}{}; {}", name_of(result.problem),
                                      result.weighted ? ", weighted" : "", value_kind(result)));
  if (result.violator) text += line("zero since", violator_text(*result.violator));
  if (result.entropy) text += line("entropy", entropy_text(*result.entropy));
  if (!result.violator) text += line("reductions", rules_text(result.reductions));
  for (std::size_t b = 0; b < result.blocks.size() && b < shown_blocks; ++b) {
    text += line(result.blocks.size() == 1 ? "block" : fmt::format("block {}", b + 1),
                 block_text(result.blocks[b]));
    if (!result.blocks[b].kernel.empty()) text += line("kernel", result.blocks[b].kernel);
  }
  if (result.blocks.size() > shown_blocks)
    text += line("", fmt::format("... and {} more blocks", result.blocks.size() - shown_blocks));
  const std::string threads = counted(static_cast<std::uint64_t>(result.threads), "thread");
  text +=
      line("method", fmt::format("{} on {}{}", result.method, result.device,
                                 result.device == "gpu" ? "" : " with " + threads) +
                         (result.ranks > 1 ? fmt::format(" on the first of {} ranks", result.ranks) : ""));
  if (result.audit) text += line("audit", audit_text(*result.audit));
  text += checks_lines(result.checks, all_checks);
  text += line("time", times_text(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

std::string explain_report(const Explanation& explanation, double time_limit_seconds) {
  std::string text = line("input", input_text(explanation));
  const bool general = explanation.problem == Problem::general_perfect_matchings;
  text +=
      line("problem", fmt::format("{}: the {} of a {} x {} matrix", name_of(explanation.problem),
                                  general ? "hafnian" : "permanent", explanation.rows, explanation.columns));
  for (const std::string& note : explanation.notes) text += line("note", note);
  if (explanation.violator) {
    text += line("structure", fmt::format("the largest matching has {}: none is perfect, and the count is 0",
                                          counted(explanation.matching_size, "edge")));
    return text + line("zero since", violator_text(*explanation.violator));
  }
  text += line("structure", fmt::format("a perfect matching of {}; {}; {} in no perfect matching dropped",
                                        counted(explanation.matching_size, "edge"),
                                        counted(explanation.structure_blocks, "block"),
                                        general ? counted(explanation.entries_dropped, "edge")
                                                : counted(explanation.entries_dropped, "entry", "entries")));
  std::vector<std::vector<std::string>> rows{{"rule", "applied", "removed"}};
  for (const RuleReport& rule : explanation.reductions) {
    rows.push_back({rule.rule, std::to_string(rule.applied), std::to_string(rule.removed)});
  }
  std::string table = format_table(rows, {false, true, true}, indent);
  table.replace(0, indent.size(), fmt::format("{:<{}}", "reductions", indent.size()));
  text += table;
  const std::string factor =
      explanation.factor.size() > 60
          ? fmt::format("{}... ({} characters)", explanation.factor.substr(0, 40), explanation.factor.size())
          : explanation.factor;
  text += line("factor", factor);
  text +=
      line("left", explanation.blocks.empty() ? "nothing: the factor is the count"
                                              : counted(explanation.blocks.size(), "block") + " to count");
  for (std::size_t b = 0; b < explanation.blocks.size() && b < shown_blocks; ++b) {
    text += block_forecast(explanation.blocks[b], b + 1);
  }
  if (explanation.blocks.size() > shown_blocks) {
    text += fmt::format("\n{}... and {} smaller blocks (--json shows all)\n", indent,
                        explanation.blocks.size() - shown_blocks);
  }
  if (!explanation.blocks.empty()) text += "\n";
  if (!explanation.blocks.empty() && std::isinf(explanation.log10_total_seconds)) {
    return text + line("total", "out of reach: a block has no method that can count it");
  }
  const std::string total =
      explanation.blocks.empty() ? "no counting" : format_log10_seconds(explanation.log10_total_seconds);
  return text + line("total", fmt::format("{}; {} the time limit of {}", total,
                                          explanation.feasible ? "within" : "beyond",
                                          format_seconds(time_limit_seconds)));
}

}  // namespace countpm::app
