#include "apps/report_lines.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "apps/text.hpp"
#include "graph/text.hpp"

namespace countpm::app {

namespace {

std::string checks_summary(const std::vector<Check>& checks) {
  std::string passed;
  std::string left_out;
  for (const Check& check : checks) {
    std::string& names = check.ran ? passed : left_out;
    names += (names.empty() ? "" : ", ") + check.name;
  }
  return fmt::format("passed: {}{}", passed.empty() ? "none" : passed,
                     left_out.empty() ? "" : fmt::format("; left out: {} (--checks says why)", left_out));
}

}  // namespace

std::string line(std::string_view head, std::string_view text) {
  return wrap(printable(text), report_width, fmt::format("{:<{}}", head, indent.size()), indent);
}

std::string rules_text(const std::vector<RuleReport>& rules) {
  std::string text;
  for (const RuleReport& rule : rules) {
    if (rule.applied == 0) continue;
    text += fmt::format("{}{} {} (removed {})", text.empty() ? "" : ", ", rule.rule,
                        counted(rule.applied, "time"), rule.removed);
  }
  return text.empty() ? "none applied" : text;
}

std::string checks_lines(const std::vector<Check>& checks, bool all) {
  if (!all) return line("checks", checks_summary(checks));
  std::string text;
  constexpr std::string_view left_out = "left out: ";
  for (const Check& check : checks) {
    std::string_view detail = check.detail;
    if (!check.ran && detail.starts_with(left_out)) detail.remove_prefix(left_out.size());
    text += line(check.ran ? "check ok" : "left out",
                 detail.empty() ? check.name : fmt::format("{}: {}", check.name, detail));
  }
  return text;
}

std::string times_text(const Seconds& seconds) {
  std::string text = format_duration(seconds.total);
  std::string parts;
  for (const auto& [name, value] :
       {std::pair{"read", seconds.read}, std::pair{"structure", seconds.structure},
        std::pair{"reduce", seconds.reduce}, std::pair{"plan", seconds.plan},
        std::pair{"count", seconds.count}, std::pair{"verify", seconds.verify}}) {
    if (value < 0.5e-3) continue;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name, format_duration(value));
  }
  return parts.empty() ? text : fmt::format("{} ({})", text, parts);
}

}  // namespace countpm::app
