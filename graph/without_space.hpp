#pragma once
// A text without what is blank around it.
#include <string_view>

namespace countpm {

/// Without blanks, tabs and line ends around it; a part of the text, even where nothing is left.
inline std::string_view without_space(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return text.substr(text.size());
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// The bracket that closes the one that opens; '\0' where it opens none.
inline char closing_bracket(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : open == '<' ? '>' : '\0';
}

}  // namespace countpm
