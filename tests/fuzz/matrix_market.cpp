// Fuzzes the Matrix Market reader.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::matrix_market, data, size, "fuzz");
  return 0;
}
