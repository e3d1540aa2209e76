#pragma once
// Comma-separated values.
#include <string>

namespace countpm::app {

/// RFC 4180: quoted where a comma, a quote or a line end stands in it.
std::string csv_field(const std::string& text);

}  // namespace countpm::app
