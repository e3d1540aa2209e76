#include "apps/csv.hpp"

#include <string_view>

#include "graph/text.hpp"

namespace countpm::app {

namespace {

// What a spreadsheet takes for a number too: -3.5, +2, 1e5, -1/2.
bool is_number(std::string_view text) {
  std::size_t at = 0;
  const auto sign = [&] { at += at < text.size() && (text[at] == '+' || text[at] == '-') ? 1 : 0; };
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - start;
  };
  const auto takes = [&](char c, char other) {
    const bool is_there = at < text.size() && (text[at] == c || text[at] == other);
    at += is_there ? 1 : 0;
    return is_there;
  };
  sign();
  std::size_t mantissa = digits();
  if (takes('.', '.')) mantissa += digits();
  if (mantissa == 0) return false;
  if (takes('e', 'E')) {
    sign();
    if (digits() == 0) return false;
  } else if (takes('/', '/') && digits() == 0) {
    return false;
  }
  return at == text.size();
}

// Spreadsheets run what begins so.
bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos &&
         !is_number(text);
}

}  // namespace

std::string csv_field(const std::string& raw) {
  std::string text = escaped(raw);
  if (is_formula(text) || text.starts_with('\'')) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char c : text) {
    if (c == '"') quoted_text += '"';
    quoted_text += c;
  }
  return quoted_text + '"';
}

}  // namespace countpm::app
