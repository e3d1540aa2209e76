#pragma once
// What the commands about boson sampling have in common.
#include "apps/options.hpp"

namespace countpm::app {

/// How the input is read: its values are amplitudes, and count without --weights.
inline ReadOptions reading_amplitudes(const Request& request) {
  ReadOptions read = request.read;
  read.weights = true;
  read.hash = request.json;
  return read;
}

}  // namespace countpm::app
