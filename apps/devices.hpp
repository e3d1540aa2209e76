#pragma once
// --device and --gpus against what this build and machine have.
#include "apps/options.hpp"

namespace countpm::app {

/// Throws UnableError where a GPU is asked for: no method has a GPU kernel yet. `auto` means the CPU.
void refuse_missing_devices(const Request& request);

}  // namespace countpm::app
