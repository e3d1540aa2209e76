#pragma once
// What is certain of a count that its limits did not allow.
#include <cstdint>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

/// A block that the reductions left: counted before the limit was met, or bounded.
struct BoundedBlock {
  std::uint64_t rows = 0;
  std::uint64_t entries = 0;
  bool general = false;  // as in BlockReport
  std::string method;    // that counted it; empty: it is not counted
  std::string count;     // as in BlockReport; empty likewise
  BoundsReport bounds;   // of its count; of one that is counted twice that, by "count"
};

/// Of a whole count by theorems alone: bounds() (src/count/bounds.hpp).
struct CertainBounds : BoundsReport {
  std::string lower;  // as of a BoundedCount
  std::string upper;
};

/// The count lies between `lower` and `upper`, both included.
struct BoundedCount : InputSummary {
  std::string reason;  // why there is no count, and what would help
  // Decimal, six digits rounded away from each other: "1.23456e+25". If the count is an integer, then below
  // 10^15 the least and the largest integer between the bounds.
  std::string lower;
  std::string upper;
  BoundsReport bounds;        // the same as logarithms; by the theorems for the largest block not counted
  std::uint64_t counted = 0;  // of the blocks
  std::vector<BoundedBlock> blocks;
  std::vector<std::string> notes;
  double seconds = 0;
};

}  // namespace countpm
