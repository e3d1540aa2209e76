// Fuzzes the reader of GEXF.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::gexf, data, size, "fuzz");
  return 0;
}
