#pragma once
// What of a sampler goes to a device.
#include <cstdint>
#include <vector>

#include "kernels/estimate/samples/sample_matrix.hpp"
#include "kernels/estimate/walks/gpu/tail_layout.hpp"
#include "kernels/estimate/walks/walk.hpp"

namespace countpm {

class BetheStart;

/// Matrices of so many rows go into bit sets.
inline constexpr std::uint32_t most_bit_rows = 128;

struct WalkTask {
  const SampleMatrix* matrix = nullptr;
  WalkSettings settings;
  bool bits = false;               // bit_walk.hpp, not estimate/walks/walk.hpp
  bool prune = false;              // pruning.hpp
  bool lists = false;              // where sets would do, for comparisons
  std::vector<double> start_rows;  // where the factors of a scaling walk begin
  std::vector<double> start_columns;
  const BetheStart* bethe = nullptr;  // estimate/bethe/walk.hpp, where there is a perfect matching
  TailLayout tail;                    // of the last rows, counted exactly; no rows: there are no tails
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
};

}  // namespace countpm
