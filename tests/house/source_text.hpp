#pragma once
// C++ text with what the compiler would not read as code taken out.
#include <string>
#include <vector>

namespace countpm::house {

/// The text with comments blanked and string and character literals emptied; the line structure stays.
/// O(length). Knows escapes, raw strings and digit separators; no trigraphs, no line continued inside a //
/// comment.
std::string code_of(const std::string& text);

/// What the text's #include "..." and #include <...> lines name, comments aside.
struct Include {
  std::string path;
  int line = 0;
  bool quoted = false;
};
std::vector<Include> includes_of(const std::string& text);

}  // namespace countpm::house
