#pragma once
// ln Z of planar inputs, and of lattices on a torus, in floating point, with a bound on its error: `countpm
// INPUT --log-only`.
#include "src/api/countpm.hpp"

namespace countpm {

/// ln of the sum over the perfect matchings (cycle covers). Never a count.
struct LogCountResult : InputSummary {
  bool weighted = false;
  double ln_z = 0;  // -infinity for 0
  /// At most, of ln_z, absolute (kernels/planar/log/log_determinant.hpp, log_torus.hpp).
  double error_estimate = 0;
  bool of_absolute = false;  // there are negative weights: ln |Z|
  std::uint64_t blocks = 0;  // that were eliminated
  int threads = 1;
  std::string gpu;                         // that did the eliminations; empty: none
  std::optional<ViolatorReport> violator;  // why Z is 0
  Seconds seconds;
  std::vector<std::string> notes;
};

/// Every block of the input's structure is embedded in the plane or on a torus, oriented, and eliminated in
/// doubles, with more digits where those leave a large error. Throws as count() does; UnableError for a block
/// that is neither planar nor a lattice on a torus, for complex weights, and where rounding leaves no digit
/// of the result. O(n^1.5) time, O(n log n) memory; with CountOptions::method "condensation" dense, O(n^3)
/// and O(n^2), and on the first GPU that the options ask for, if any, with the same result.
LogCountResult log_count(const Source& source, const ReadOptions& read_options, const CountOptions& options);

}  // namespace countpm
