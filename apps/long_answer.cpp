#include "apps/long_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/output.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

// A screen of 80 columns and 24 lines.
constexpr std::size_t most_characters = 1920;
constexpr std::ptrdiff_t most_lines = 24;

std::string file_of(const Request& request) {
  if (request.json || request.csv || !output_is_terminal()) return "";
  for (const auto& file : {request.svg, request.sheet, request.html, request.heights}) {
    if (file) return *file;
  }
  return "";
}

}  // namespace

LongAnswer::LongAnswer(const Request& request) : file_(file_of(request)), quiet_(request.quiet) {}

void LongAnswer::write(std::string_view text) {
  if (file_.empty()) return write_output(text);
  if (too_long_) return;
  held_ += text;
  too_long_ = held_.size() > most_characters || std::count(held_.begin(), held_.end(), '\n') > most_lines;
}

void LongAnswer::finish(std::string_view things) {
  if (file_.empty()) return;
  if (!too_long_) {
    write_output(held_);
  } else if (!quiet_) {
    write_error(
        fmt::format("countpm: the list of {} is long and left out on a terminal, since {} shows them; "
                    "--output FILE, --csv, --json or a pipe has it\n",
                    things, quoted(file_, 400)));
  }
  held_.clear();
}

}  // namespace countpm::app
