#pragma once
// Numbers of any length, so that they can be read and copied.
#include <cstdint>
#include <string>

#include "src/html/html_writer.hpp"

namespace countpm::html {

/// Longer ones are rounded, with all digits behind.
inline constexpr std::size_t longest_in_line = 24;  // of a table
inline constexpr std::size_t longest_answer = 60;   // of the answer

/// "126,494"
std::string with_commas(std::uint64_t number);
/// "12988816"; beyond longest_in_line "1.298881e+126493".
std::string short_number(const std::string& count, double log10);
/// The answer: an integer's digits in groups of three, which are copied as one number; beyond longest_answer
/// rounded, with all digits folded below.
void write_number(HtmlWriter& html, const std::string& count, double log10);
/// Folded behind the summary; one click marks all of them.
void write_folded_digits(HtmlWriter& html, const std::string& count, std::string_view summary);

}  // namespace countpm::html
