// Fuzzes the dense 0/1 reader.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::dense, data, size, "fuzz");
  return 0;
}
