#pragma once
// Tables and lines for people. Nothing here looks at the locale.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countpm::app {

/// Columns that a text takes on a terminal: code points, for what we print.
std::size_t display_width(std::string_view text);
/// A table with aligned columns, two blanks apart, each line after `indent`; the first row is the head.
/// right[c]: column c is flush right.
std::string format_table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                         std::string_view indent);
/// Text broken at blanks into lines of at most `width`, the first after `first`, the others after `rest`.
std::string wrap(std::string_view text, std::size_t width, std::string_view first, std::string_view rest);

}  // namespace countpm::app
