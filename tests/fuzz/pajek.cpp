// Fuzzes the reader of Pajek.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::pajek, data, size, "fuzz");
  return 0;
}
