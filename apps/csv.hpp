#pragma once
// Comma-separated values.
#include <string>

namespace countpm::app {

/// RFC 4180: quoted where a comma or a quote stands in it. Control characters are escaped as escaped() of
/// graph/text.hpp has it; what a spreadsheet would run (=, +, -, @ first, and no number), and what begins
/// with an apostrophe, has an apostrophe before it.
std::string csv_field(const std::string& text);

}  // namespace countpm::app
