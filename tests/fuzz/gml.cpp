// Fuzzes the reader of GML.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::gml, data, size, "fuzz");
  return 0;
}
