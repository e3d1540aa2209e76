#pragma once
// The lines that reports are made of.
#include <string>
#include <string_view>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm::app {

inline constexpr std::size_t report_width = 100;
inline constexpr std::string_view indent = "            ";  // as wide as a line's head

/// "input       text", wrapped.
std::string line(std::string_view head, std::string_view text);
/// One line with the names of the checks; or, for `all`, a line for each with what it compared.
std::string checks_lines(const std::vector<Check>& checks, bool all);

}  // namespace countpm::app
