// Fuzzes the choice of a format by content, and then that format's reader.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(std::nullopt, data, size, "fuzz");
  return 0;
}
