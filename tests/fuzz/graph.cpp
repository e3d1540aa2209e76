// Fuzzes the library's own entries, with graphs and options made of bytes.
#include "tests/fuzz/check_graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_entries(data, size);
  return 0;
}
