#pragma once
// count --up-to-symmetry: how many matchings there are when symmetric ones count as one.
#include "apps/options.hpp"

namespace countpm::app {

/// The exit code. Throws UsageError for options that do not go with it.
int run_orbits(const Request& request);

}  // namespace countpm::app
