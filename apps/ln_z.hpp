#pragma once
// --ln-z: what goes with it.
#include "apps/options.hpp"

namespace countpm::app {

/// Throws UsageError for methods and devices without a form for logarithms.
void check_ln_z(const Request& request);

}  // namespace countpm::app
