#include "apps/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/report_lines.hpp"
#include "apps/text.hpp"
#include "src/words/count_words.hpp"
#include "src/words/explain_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

constexpr std::size_t shown_blocks = 8;

std::vector<std::string> forecast_row(const MethodForecast& method) {
  const words::ForecastWords cells = words::forecast_words(method);
  return {method.chosen ? "*" : "", method.method, cells.time, cells.memory, cells.work, cells.rate};
}

std::string block_forecast(const BlockForecast& block, std::size_t number) {
  std::string text = wrap(words::block_text(block), report_width,
                          fmt::format("{:<{}}", fmt::format("block {}", number), indent.size()), indent);
  if (block.bounds) text += line("bounds", words::bounds_text(*block.bounds));
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

std::string count_report(const CountResult& result, bool all_checks) {
  std::string text = line("input", words::input_text(result));
  text += line("counted", words::counted_text(result));
  if (result.violator) text += line("zero since", words::violator_text(*result.violator));
  if (result.entropy) text += line("entropy", words::entropy_text(*result.entropy));
  if (!result.violator) text += line("reductions", words::rules_text(result.reductions));
  for (std::size_t b = 0; b < result.blocks.size() && b < shown_blocks; ++b) {
    text += line(result.blocks.size() == 1 ? "block" : fmt::format("block {}", b + 1),
                 words::block_text(result.blocks[b]));
    if (!result.blocks[b].kernel.empty()) text += line("kernel", result.blocks[b].kernel);
  }
  if (result.blocks.size() > shown_blocks)
    text += line("", fmt::format("... and {} more blocks", result.blocks.size() - shown_blocks));
  text += line("method", words::method_text(result));
  if (result.audit) text += line("audit", words::audit_text(*result.audit));
  text += checks_lines(result.checks, all_checks);
  text += line("time", words::times_text(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

std::string explain_report(const Explanation& explanation, double time_limit_seconds) {
  std::string text = line("input", words::input_text(explanation));
  text += line("problem", words::problem_text(explanation));
  for (const std::string& note : explanation.notes) text += line("note", note);
  text += line("structure", words::structure_text(explanation));
  if (explanation.violator) return text + line("zero since", words::violator_text(*explanation.violator));
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
  text += line("left", words::left_text(explanation));
  for (std::size_t b = 0; b < explanation.blocks.size() && b < shown_blocks; ++b) {
    text += block_forecast(explanation.blocks[b], b + 1);
  }
  if (explanation.blocks.size() > shown_blocks) {
    text += fmt::format("\n{}... and {} smaller blocks (--json shows all)\n", indent,
                        explanation.blocks.size() - shown_blocks);
  }
  if (!explanation.blocks.empty()) text += "\n";
  return text + line("total", words::total_text(explanation, time_limit_seconds));
}

}  // namespace countpm::app
