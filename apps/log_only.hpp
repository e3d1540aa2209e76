#pragma once
// count --log-only: ln Z alone on standard output.
#include "apps/options.hpp"

namespace countpm::app {

/// Throws UsageError for options that do not go with --log-only.
void check_log_only(const Request& request);

/// The exit code.
int run_log_only(const Request& request);

}  // namespace countpm::app
