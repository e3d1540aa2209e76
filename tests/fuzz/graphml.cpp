// Fuzzes the GraphML reader.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::graphml, data, size, "fuzz");
  return 0;
}
