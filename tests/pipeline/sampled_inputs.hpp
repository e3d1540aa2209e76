#pragma once
// Inputs and options of tests that draw matchings.
#include <cstdint>
#include <string>

#include "graph/read.hpp"
#include "src/api/options.hpp"

namespace countpm::testing {

inline CountOptions with_seed(std::uint64_t seed, int threads = 2) {
  CountOptions options;
  options.seed = seed;
  options.threads = threads;
  return options;
}

/// A lattice by its name, or an edge list.
inline ReadResult read(const std::string& input, bool weights = false, const char* monomers = nullptr) {
  ReadOptions reading;
  reading.weights = weights;
  if (monomers != nullptr) reading.monomers = monomers;
  const bool lattice = input.starts_with("lattice:");
  return read_graph(lattice ? Source::from_argument(input) : Source::from_bytes(input), reading);
}

}  // namespace countpm::testing
