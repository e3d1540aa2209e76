#pragma once
// The lines that reports are made of.
#include <string>
#include <string_view>
#include <vector>

#include "src/api/countpm.hpp"

namespace countpm::app {

inline constexpr std::size_t report_width = 100;
inline constexpr std::string_view indent = "            ";  // as wide as a line's head

/// "input       text", wrapped.
std::string line(std::string_view head, std::string_view text);
/// The rules that did something.
std::string rules_text(const std::vector<RuleReport>& rules);
/// One line with the names of the checks; or, for `all`, a line for each with what it compared.
std::string checks_lines(const std::vector<Check>& checks, bool all);
/// "3.2 s (read 1.1 s, count 2.1 s)"
std::string times_text(const Seconds& seconds);

}  // namespace countpm::app
