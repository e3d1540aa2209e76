#include "apps/csv.hpp"

namespace countpm::app {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted_text = "\"";
  for (const char c : text) {
    if (c == '"') quoted_text += '"';
    quoted_text += c;
  }
  return quoted_text + '"';
}

}  // namespace countpm::app
