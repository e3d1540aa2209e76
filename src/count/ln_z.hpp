#pragma once
// ln Z of planar inputs, and of graphs on other surfaces, in floating point, with a bound on its error:
// `countpm INPUT --ln-z`.
#include "src/api/entries.hpp"
#include "src/count/ln_z_result.hpp"

namespace countpm {

/// Every block of the input's structure is embedded in the plane or on a torus, oriented, and eliminated in
/// doubles, with more digits where those leave a large error. Of one on another surface the sum is found as
/// an integer, in O(n^2.5) time. Throws as count() does; UnableError for a block that lies on no surface that
/// is known, for complex weights, and where rounding leaves no digit of the result. O(n^1.5) time, O(n log n)
/// memory; with CountOptions::method "condensation" dense, O(n^3) and O(n^2), and on the first GPU that the
/// options ask for, if any, with the same result.
LnZResult ln_z(const Source& source, const ReadOptions& read_options, const CountOptions& options);
/// The same of what has been read, or is in memory.
LnZResult ln_z(ReadResult read, const CountOptions& options);

}  // namespace countpm
