#include "apps/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "apps/report_lines.hpp"
#include "apps/text.hpp"
#include "src/machine/assume.hpp"
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

/// Methods that cannot count the block, and why: those with the same reason together.
std::string excluded_methods(const BlockForecast& block, std::size_t width) {
  std::vector<std::pair<std::string, std::string>> reasons;  // with the methods
  for (const MethodForecast& method : block.methods) {
    const words::ForecastWords cells = words::forecast_words(method);
    if (cells.time != "-") continue;
    const auto same = std::find_if(reasons.begin(), reasons.end(),
                                   [&](const auto& one) { return one.first == cells.rate; });
    if (same == reasons.end()) {
      reasons.emplace_back(cells.rate, method.method);
    } else {
      same->second += ", " + method.method;
    }
  }
  std::string text;
  for (const auto& [reason, methods] : reasons)
    text += wrap(fmt::format("{}: {}", methods, reason), width, "   ", "      ");
  return text.empty() ? "" : "   cannot count it\n" + text;
}

/// The methods that can count the block, with their figures; below them those that cannot.
std::string methods_table(const BlockForecast& block, std::size_t width) {
  std::vector<std::vector<std::string>> rows{{"", "method", "time", "memory", "work", "unit of work, rate"}};
  for (const MethodForecast& method : block.methods) {
    if (words::forecast_words(method).time != "-") rows.push_back(forecast_row(method));
  }
  // What needs too much memory says so in the last column, in a sentence.
  std::size_t before = 0;
  for (std::size_t column = 0; column + 1 < rows.front().size(); ++column) {
    std::size_t widest = 0;
    for (const auto& row : rows) widest = std::max(widest, display_width(row[column]));
    before += widest + 2;
  }
  constexpr std::size_t narrowest = 20;
  const std::size_t room = std::max(width, before + narrowest) - before;
  std::vector<std::vector<std::string>> lines;
  for (auto& row : rows) {
    std::istringstream parts(wrap(row.back(), room, "", ""));
    std::getline(parts, row.back());
    lines.push_back(row);
    for (std::string part; std::getline(parts, part);) lines.push_back({"", "", "", "", "", part});
  }
  std::string text;
  if (rows.size() > 1) text = format_table(lines, {false, false, true, true, true, false}, "");
  return text + excluded_methods(block, width);
}

std::string block_forecast(const BlockForecast& block, std::size_t number, std::size_t width) {
  std::string text = line(fmt::format("block {}", number), words::block_text(block), width);
  if (!block.modulo.empty()) text += line("residue", block.modulo, width);
  if (block.bounds) text += line("bounds", words::bounds_text(*block.bounds), width);
  text += methods_table(block, width);
  for (const MethodForecast& method : block.methods) {
    if (method.chosen && !method.plan.empty()) text += line("plan", method.plan, width);
  }
  return "\n" + text;
}

}  // namespace

std::string count_report(const CountResult& result, bool all_checks) {
  std::string text = line("input", words::input_text(result));
  text += line("counted", words::counted_text(result));
  if (result.violator) text += line("why zero", words::violator_text(*result.violator));
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
  if (!result.settings.empty()) text += line("settings", words::settings_text(result.settings));
  if (result.audit) text += line("audit", words::audit_text(*result.audit));
  text += checks_lines(result.checks, all_checks);
  text += line("time", words::times_text(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

std::string explain_report(const Explanation& explanation, double time_limit_seconds, std::size_t width) {
  std::string text = line("input", words::input_text(explanation), width);
  text += line("problem", words::problem_text(explanation), width);
  if (explanation.proof) text += line("proof", words::proof_text(*explanation.proof), width);
  for (const std::string& note : explanation.notes) text += line("note", note, width);
  if (explanation.assumed.any()) text += line("assumed", assumed_text(explanation.assumed), width);
  if (!explanation.settings.empty())
    text += line("settings", words::settings_text(explanation.settings), width);
  text += line("structure", words::structure_text(explanation), width);
  if (explanation.violator)
    return text + line("why zero", words::violator_text(*explanation.violator), width);
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
  text += line("factor", factor, width);
  text += line("left", words::left_text(explanation), width);
  for (std::size_t b = 0; b < explanation.blocks.size() && b < shown_blocks; ++b) {
    text += block_forecast(explanation.blocks[b], b + 1, width);
  }
  if (explanation.blocks.size() > shown_blocks) {
    text += fmt::format("\n{}... and {} smaller blocks (--json shows all)\n", indent,
                        explanation.blocks.size() - shown_blocks);
  }
  if (!explanation.blocks.empty()) text += "\n";
  if (explanation.load) text += line("rates", words::load_text(*explanation.load), width);
  return text + line("total", words::total_text(explanation, time_limit_seconds), width);
}

}  // namespace countpm::app
