// Fuzzes lattice specs.
#include "graph/lattice.hpp"

#include "graph/errors.hpp"
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string spec(reinterpret_cast<const char*>(data), size);
  try {
    // Large lattices are right, and slow.
    if (countpm::lattice_sites(spec) > 20000) return 0;
    countpm::fuzz::check_graph(countpm::lattice_graph(spec));
  } catch (const countpm::UsageError&) {
  }
  return 0;
}
