// Fuzzes the readers of graph6, digraph6 and sparse6, on the same bytes.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::graph6, data, size, "fuzz");
  countpm::fuzz::check_reading(countpm::Format::digraph6, data, size, "fuzz");
  countpm::fuzz::check_reading(countpm::Format::sparse6, data, size, "fuzz");
  return 0;
}
