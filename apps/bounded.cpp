#include "apps/bounded.hpp"

#include <fmt/format.h>

#include "apps/answer.hpp"
#include "apps/exit_codes.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"
#include "src/words/bounded_words.hpp"

namespace countpm::app {
namespace {

constexpr std::size_t most_blocks_shown = 8;

std::vector<words::Fact> bounded_facts(const BoundedCount& result) {
  std::vector<words::Fact> facts{{"count", words::bounded_text(result)},
                                 {"counted", words::counted_blocks_text(result)}};
  for (std::size_t b = 0; b < result.blocks.size() && b < most_blocks_shown; ++b)
    facts.push_back({fmt::format("block {}", b + 1), words::block_text(result.blocks[b])});
  if (result.blocks.size() > most_blocks_shown)
    facts.push_back({"", fmt::format("... and {} more blocks", result.blocks.size() - most_blocks_shown)});
  facts.push_back({"time", format_duration(result.seconds)});
  return facts;
}

}  // namespace

int show_bounds(const Request& request, ReportPage& page, const BoundedCount& result) {
  if (!request.quiet) write_error("countpm: " + printable(result.reason) + "\n");
  show(
      request, result, [&] { return fmt::format("{} .. {}\n", result.lower, result.upper); },
      [&] { return report_of(result, bounded_facts(result)); });
  page.refuse_at_limit(
      fmt::format("{}. What is certain of the count: {}", result.reason, words::bounded_text(result)));
  return exit_code::unable;
}

}  // namespace countpm::app
