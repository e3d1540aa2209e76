#pragma once
// What the commands about boson sampling have in common.
#include "apps/options.hpp"

namespace countpm::app {

/// How the input is read: its values are amplitudes, and count without --weights.
ReadOptions reading_amplitudes(const Request& request);

}  // namespace countpm::app
