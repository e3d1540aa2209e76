// Fuzzes the reader of comma-separated edges.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::csv, data, size, "fuzz");
  countpm::fuzz::check_reading(std::nullopt, data, size, "fuzz.csv");
  return 0;
}
