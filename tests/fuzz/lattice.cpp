// Fuzzes lattice specs, and ranges of them.
#include "graph/lattices/lattice.hpp"

#include <stdexcept>

#include "graph/errors.hpp"
#include "graph/lattices/lattice_range.hpp"
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string spec(reinterpret_cast<const char*>(data), size);
  try {
    if (countpm::is_lattice_range(spec)) {
      // Each is a spec by itself.
      for (const std::string& one : countpm::lattice_range(spec)) {
        if (countpm::is_lattice_range(one)) throw std::logic_error("a range in a range");
        countpm::lattice_info(one);
      }
      return 0;
    }
    // Large lattices are right, and slow.
    if (countpm::lattice_sites(spec) > 20000) return 0;
    countpm::fuzz::check_graph(countpm::lattice_graph(spec));
  } catch (const countpm::UsageError&) {
  }
  return 0;
}
