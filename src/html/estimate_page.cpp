// The page of an estimate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/html/numbers.hpp"
#include "src/html/sections.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/estimate_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::html {
namespace {

std::string error_text(const EstimatedBlock& block) {
  if (block.exact) return "exact";
  return std::isfinite(block.relative_error) ? words::percent(block.relative_error) : "unknown";
}

void write_sampled_blocks(HtmlWriter& html, const std::vector<EstimatedBlock>& blocks) {
  if (blocks.empty()) return;
  html.element("h3", {}, counted(blocks.size(), "block"));
  double longest = 0;
  for (const EstimatedBlock& block : blocks) longest = std::max(longest, block.seconds);
  Table table(html, "",
              {{"block", false, true},
               {"by"},
               {"value", true},
               {"standard error", true},
               {"samples", true},
               {""},
               {"time", true}});
  for (std::size_t b = 0; b < blocks.size() && b < most_blocks; ++b) {
    const EstimatedBlock& block = blocks[b];
    table.row({words::size_text(block), block.method, format_log10(block.log10, block.exact ? 6 : 4),
               error_text(block), block.exact ? "" : with_commas(block.samples),
               blocks.size() > 1 && longest > 0 ? Cell(Bar{block.seconds / longest}) : Cell(""),
               format_duration(block.seconds)});
  }
  table.finish();
  write_more_blocks(html, blocks.size(), most_blocks);
  const Within details(html, "details");
  html.element("summary", {}, "in words, with second opinions");
  std::vector<words::Fact> facts;
  for (std::size_t b = 0; b < blocks.size() && b < most_blocks; ++b) {
    facts.push_back({fmt::format("block {}", b + 1), words::block_text(blocks[b])});
    if (blocks[b].population)
      facts.push_back({fmt::format("states {}", b + 1), words::population_text(*blocks[b].population)});
    if (blocks[b].second)
      facts.push_back({fmt::format("check {}", b + 1), words::second_text(*blocks[b].second)});
  }
  write_facts(html, facts, "below");
}

void write_replicates(HtmlWriter& html, const std::vector<Replicate>& replicates) {
  if (replicates.empty()) return;
  html.element("h3", {}, counted(replicates.size(), "replicate"));
  std::vector<words::Fact> facts;
  for (std::size_t k = 0; k < replicates.size() && k < most_blocks; ++k)
    facts.push_back({fmt::format("run {}", k + 1), words::replicate_text(replicates[k])});
  write_facts(html, facts, "below");
}

void write_estimate(HtmlWriter& html, const EstimateResult& result) {
  const bool doubt = result.estimate && !result.estimate->doubt.empty();
  const Section answer(html, "", doubt ? "answer refused" : "answer");
  if (result.exact_count) {
    write_number(html, *result.exact_count, result.exact_log10);
    html.element("p", {{"class", "kind"}}, "exactly: nothing had to be sampled");
  } else {
    const words::EstimateWords words = words::estimate_words(result);
    html.element("p", {{"class", "number"}}, words.value);
    html.element("p", {{"class", doubt ? "kind bad" : "kind"}}, words.range);
  }
  std::vector<std::string> chips{result.exact_count ? "exact" : "an estimate, not an exact count"};
  if (result.estimate) {
    chips.push_back(result.sampler);
    chips.push_back(with_commas(result.estimate->samples) +
                    (result.estimate->guarantee ? " trials" : " samples"));
  }
  chips.push_back(format_duration(result.seconds.total));
  write_chips(html, chips);
  write_facts(html, words::facts_of(result), "below");
}

}  // namespace

Fragment estimate_fragment(const EstimateResult& result, const Beside& beside) {
  const std::string what = result.weighted
                               ? fmt::format("sum over all {}, by weight,", words::problem_name(result))
                               : fmt::format("number of {}", words::problem_name(result));
  Report report(fmt::format("{}{} of", result.exact_count ? "" : "estimated ", what), result.input.path,
                words::graph_text(result));
  HtmlWriter& html = report.html();
  write_estimate(html, result);
  write_warnings(html, result.input.warnings);
  write_violator(html, result.violator);
  write_picture(html, beside);
  {
    const Section section(html, "How it was found", "large");
    if (!result.violator) write_rules(html, result.reductions);
    write_sampled_blocks(html, result.blocks);
    write_replicates(html, result.replicates);
  }
  write_checks(html, result.checks);
  write_times(html, result.seconds);
  write_notes(html, result.notes);
  write_asked(html, &result, beside);
  const std::string value = result.exact_count ? short_number(*result.exact_count, result.exact_log10)
                                               : words::estimate_text(result);
  return report.finish(fmt::format("{}: {} of {}", value, words::problem_name(result), result.input.path));
}

}  // namespace countpm::html
