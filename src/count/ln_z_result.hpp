#pragma once
// ln Z in floating point, with a bound on its error.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

/// ln of the sum over the perfect matchings (cycle covers). Never a count.
struct LnZResult : InputSummary {
  double ln_z = 0;  // -infinity for 0
  /// At most, of ln_z, absolute (kernels/planar/log/log_determinant.hpp, log_torus.hpp).
  double ln_z_error = 0;
  bool of_absolute = false;  // there are negative weights: ln |Z|
  std::uint64_t blocks = 0;  // that were eliminated
  int threads = 1;
  std::string gpu;                         // that did the eliminations; empty: none
  std::optional<ViolatorReport> violator;  // why Z is 0
  Seconds seconds;
  std::vector<std::string> notes;
};

}  // namespace countpm
