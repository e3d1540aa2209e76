#pragma once
// countpm estimate INPUT --signed.
#include "apps/options.hpp"

namespace countpm::app {

/// Writes the sum, its error and what cancels. Throws UsageError for options that it does not know.
int run_signed(const Request& request);

}  // namespace countpm::app
