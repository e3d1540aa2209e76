// Fuzzes decompression: gzip around edge lists.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_reading(countpm::Format::edge_list, data, size, "fuzz.gz");
  return 0;
}
