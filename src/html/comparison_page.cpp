// The page of a comparison of samplers.
#include <fmt/format.h>

#include <algorithm>

#include "src/html/numbers.hpp"
#include "src/html/sections.hpp"
#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/comparison_words.hpp"

namespace countpm::html {
namespace {

void write_estimates(HtmlWriter& html, const ComparedInput& input) {
  const ComparisonStart& start = input.start;
  if (input.estimates.empty()) {
    html.element("p", {{"class", "soft"}}, words::nothing_sampled_text(start));
    return;
  }
  Table table(html, "wide",
              {{"sampler"},
               {"samples", true},
               {"estimate", true},
               {"ratio", true},
               {"claimed", true},
               {words::interval_head(start), true},
               {"covered", true},
               {"seconds", true},
               {""}});
  for (const ComparedEstimate& row : input.estimates) {
    const words::ComparedWords words = words::compared_words(start, row);
    table.row({row.sampler, std::to_string(row.estimate.samples), words.estimate, words.ratio, words.claimed,
               words.interval, words.covered, words.seconds, words.moved});
  }
  table.finish();
}

void write_compared(HtmlWriter& html, const ComparedInput& input) {
  const ComparisonStart& start = input.start;
  const Section section(html, start.input.path, "large");
  html.element("p", {{"class", "soft"}}, words::graph_text(start));
  if (start.exact) {
    write_number(html, start.exact->count, start.exact->log10);
    html.element("p", {{"class", "kind"}},
                 fmt::format("{}by {} in {}", start.exact->exact ? "exactly, " : "", start.exact->method,
                             format_duration(start.exact->seconds.total)));
  } else {
    html.element("p", {{"class", "bad"}}, words::exact_text(start));
  }
  html.open("div", {{"class", "below"}});
  write_estimates(html, input);
  html.close();
}

/// "11 of 12 intervals covered the exact count"
std::string held_chip(const std::vector<ComparedInput>& inputs) {
  std::uint64_t covered = 0;
  std::uint64_t all = 0;
  for (const ComparedInput& input : inputs) {
    for (const ComparedEstimate& row : input.estimates) {
      all += row.covered ? 1 : 0;
      covered += row.covered && *row.covered ? 1 : 0;
    }
  }
  return all == 0 ? "" : fmt::format("{} of {} covered the exact count", covered, counted(all, "interval"));
}

}  // namespace

Fragment comparison_fragment(const ComparisonTable& table, const Beside& beside) {
  std::string title;
  for (const ComparedInput& input : table.inputs)
    title += (title.empty() ? "" : ", ") + input.start.input.path;
  for (const Refused& one : table.refused) title += (title.empty() ? "" : ", ") + one.input;
  Report report("estimates beside exact counts of", title, "");
  HtmlWriter& html = report.html();
  {
    const bool bad = !table.stopped.empty() || !table.refused.empty();
    const Section answer(html, "", bad ? "answer refused" : "answer");
    std::size_t estimates = 0;
    for (const ComparedInput& input : table.inputs) estimates += input.estimates.size();
    html.element("p", {{"class", "number"}}, counted(estimates, "estimate"));
    if (!table.stopped.empty()) html.element("p", {{"class", "kind bad"}}, table.stopped);
    std::vector<std::string> chips{counted(table.inputs.size(), "input")};
    if (const std::string covered = held_chip(table.inputs); !covered.empty()) chips.push_back(covered);
    chips.push_back(fmt::format("seed {}", table.seed));
    write_chips(html, chips);
  }
  std::vector<std::string> warnings;
  for (const ComparedInput& input : table.inputs) {
    const std::vector<std::string>& own = input.start.input.warnings;
    warnings.insert(warnings.end(), own.begin(), own.end());
  }
  write_warnings(html, warnings);
  write_picture(html, beside);
  for (const ComparedInput& input : table.inputs) write_compared(html, input);
  write_refused(html, table.refused);
  write_notes(html, table.notes);
  write_asked(html, nullptr, beside);
  return report.finish("comparison: " + title);
}

}  // namespace countpm::html
