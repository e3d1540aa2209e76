// Fuzzes the reader of node-link JSON.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::json, data, size, "fuzz");
  return 0;
}
