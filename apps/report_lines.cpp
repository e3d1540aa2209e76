#include "apps/report_lines.hpp"

#include <fmt/format.h>

#include "apps/output.hpp"
#include "apps/text.hpp"
#include "graph/text.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {

std::string line(std::string_view head, std::string_view text, std::size_t width) {
  return wrap(printable(text), width, fmt::format("{:<{}}", head, indent.size()), indent);
}

std::string line(std::string_view head, std::string_view text) {
  return line(head, text, error_width());
}

std::string checks_lines(const std::vector<Check>& checks, bool all) {
  if (!all) return line("checks", words::checks_text(checks));
  std::string text;
  for (const Check& check : checks) {
    const std::string detail = words::detail_text(check);
    text += line(check.ran ? "check ok" : "left out",
                 detail.empty() ? check.name : fmt::format("{}: {}", check.name, detail));
  }
  return text;
}

}  // namespace countpm::app
