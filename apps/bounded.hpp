#pragma once
// countpm INPUT --on-limit bounds: what is certain of a count beyond its limits.
#include "apps/options.hpp"
#include "apps/report_page.hpp"
#include "src/count/bounded_result.hpp"

namespace countpm::app {

/// Writes "LOWER .. UPPER", or the object of --json, and on standard error why there is no count. Returns the
/// exit code: there is none.
int show_bounds(const Request& request, ReportPage& page, const BoundedCount& result);

}  // namespace countpm::app
