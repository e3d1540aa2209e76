#include "apps/bounded.hpp"

#include <fmt/format.h>

#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/report_lines.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"
#include "src/words/bounded_words.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

constexpr std::size_t most_blocks_shown = 8;

std::string bounded_report(const BoundedCount& result) {
  std::string text = line("input", words::input_text(result));
  text += line("count", words::bounded_text(result));
  text += line("counted", words::counted_blocks_text(result));
  for (std::size_t b = 0; b < result.blocks.size() && b < most_blocks_shown; ++b)
    text += line(fmt::format("block {}", b + 1), words::block_text(result.blocks[b]));
  if (result.blocks.size() > most_blocks_shown)
    text += line("", fmt::format("... and {} more blocks", result.blocks.size() - most_blocks_shown));
  text += line("time", format_duration(result.seconds));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace

int show_bounds(const Request& request, ReportPage& page, const BoundedCount& result) {
  if (!request.quiet) write_error("countpm: " + printable(result.reason) + "\n");
  if (request.json) {
    write_output(indented(json_of(result)));
  } else {
    write_output(fmt::format("{} .. {}\n", result.lower, result.upper));
  }
  flush_output();
  if (!request.quiet && (error_is_terminal() || request.report || request.checks))
    write_error(bounded_report(result));
  page.refuse_at_limit(
      fmt::format("{}. What is certain of the count: {}", result.reason, words::bounded_text(result)));
  return exit_code::unable;
}

}  // namespace countpm::app
