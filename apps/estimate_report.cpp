#include "apps/estimate_report.hpp"

#include <fmt/format.h>

#include "apps/report_lines.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::app {
namespace {

constexpr std::size_t shown_estimates = 8;

}  // namespace

std::string estimate_line(const EstimateResult& result, bool logarithm) {
  return (logarithm ? words::log_estimate_text(result) : words::estimate_text(result)) + "\n";
}

std::string estimate_report(const EstimateResult& result, bool all_checks) {
  std::string text = line("input", words::input_text(result));
  text += line("estimated", words::estimated_text(result));
  if (result.violator) text += line("why zero", words::violator_text(*result.violator));
  if (!result.violator) text += line("reductions", words::rules_text(result.reductions));
  for (std::size_t b = 0; b < result.blocks.size() && b < shown_estimates; ++b)
    text += line(fmt::format("block {}", b + 1), words::block_text(result.blocks[b]));
  if (result.blocks.size() > shown_estimates)
    text += line("", fmt::format("... and {} more blocks", result.blocks.size() - shown_estimates));
  for (std::size_t b = 0; b < result.blocks.size() && b < shown_estimates; ++b) {
    if (const auto& population = result.blocks[b].population)
      text += line(fmt::format("states {}", b + 1), words::population_text(*population));
    if (const auto& second = result.blocks[b].second)
      text += line(fmt::format("check {}", b + 1), words::second_text(*second));
  }
  for (std::size_t k = 0; k < result.replicates.size() && k < shown_estimates; ++k)
    text += line(fmt::format("run {}", k + 1), words::replicate_text(result.replicates[k]));
  if (result.replicates.size() > shown_estimates)
    text += line("", fmt::format("... and {} more runs", result.replicates.size() - shown_estimates));
  for (const words::Fact& fact : words::facts_of(result)) text += line(fact.head, fact.text);
  if (!result.checks.empty()) text += checks_lines(result.checks, all_checks);
  text += line("time", words::times_text(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace countpm::app
