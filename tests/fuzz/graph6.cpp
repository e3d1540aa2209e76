// Fuzzes the readers of graph6, digraph6 and sparse6, on the same bytes, and what parts files of
// many lines.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using countpm::Format;
  for (const Format format : {Format::graph6, Format::digraph6, Format::sparse6}) {
    countpm::fuzz::check_reading(format, data, size, "fuzz");
    countpm::fuzz::check_entries(format, data, size);
  }
  return 0;
}
