#pragma once
// Another machine than this one, for forecasts.
#include <string>

namespace countpm {

/// What explain() is to forecast for; what is not given is as it is here.
struct AssumedMachine {
  std::string gpu;   // "h100", "h200": those whose rates were measured; empty: what GPUs are here
  int gpus = 1;      // of `gpu`, on each machine
  int machines = 1;  // that count together, each like the first
  int threads = 0;   // on each, as fast as one is here; 0: as many as here

  bool any() const { return !gpu.empty() || machines > 1 || threads > 0; }
};

}  // namespace countpm
