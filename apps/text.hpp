#pragma once
// Numbers and tables for people. Nothing here looks at the locale.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countpm::app {

/// Time that has passed or is left: "800 us", "12.5 ms", "3.2 s", "5 min 20 s", "2 h 5 min", "3 d 4 h".
/// (Predictions: src/text/format_quantity.hpp.)
std::string format_duration(double seconds);
/// 10^log10 as "1234", "5.1e+07" or "10^123".
std::string format_power(double log10_value);
/// Columns that a text takes on a terminal: code points, for what we print.
std::size_t display_width(std::string_view text);
/// "1 edge", "2 edges".
std::string counted(std::uint64_t number, std::string_view singular, std::string_view plural = "");

/// A table with aligned columns, two blanks apart, each line after `indent`; the first row is the head.
/// right[c]: column c is flush right.
std::string format_table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right,
                         std::string_view indent);
/// How wide help and lists of methods are.
inline constexpr std::size_t help_width = 100;
/// Text broken at blanks into lines of at most `width`, the first after `first`, the others after `rest`.
std::string wrap(std::string_view text, std::size_t width, std::string_view first, std::string_view rest);

}  // namespace countpm::app
