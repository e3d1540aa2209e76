#pragma once
// The lines that reports are made of.
#include <string>
#include <string_view>
#include <vector>

#include "src/api/entries.hpp"

namespace countpm::app {

inline constexpr std::string_view indent = "            ";  // as wide as a line's head

/// "input       text", wrapped: for standard error, or as wide as that.
std::string line(std::string_view head, std::string_view text);
std::string line(std::string_view head, std::string_view text, std::size_t width);
/// One line with the names of the checks; or, for `all`, a line for each with what it compared.
std::string checks_lines(const std::vector<Check>& checks, bool all);

}  // namespace countpm::app
