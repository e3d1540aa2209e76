#pragma once
// count --log-only: ln Z alone on standard output.
#include "apps/options.hpp"

namespace countpm::app {

/// The exit code.
int run_log_only(const Request& request);

}  // namespace countpm::app
