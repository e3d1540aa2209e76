// Fuzzes the readings of tables on the same bytes: told by content, under the names of the plain formats, and
// the formats that are lists of neighbours.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using countpm::Format;
  for (const char* const name : {"fuzz", "fuzz.csv", "fuzz.edges", "fuzz.dense"})
    countpm::fuzz::check_reading(std::nullopt, data, size, name);
  for (const Format format : {Format::metis, Format::adjacency_list, Format::tgf})
    countpm::fuzz::check_reading(format, data, size, "fuzz");
  return 0;
}
