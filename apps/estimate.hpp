#pragma once
// What `countpm estimate` and `countpm INPUT --on-limit estimate` share.
#include <string>

#include "apps/options.hpp"
#include "apps/report_page.hpp"

namespace countpm::app {

/// Estimates the first argument and writes the result; `note` goes into the report, unless it is empty.
int show_estimate(const Request& request, ReportPage& page, const std::string& note);

}  // namespace countpm::app
