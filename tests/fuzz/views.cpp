// Fuzzes arrays of a program's own, as Python hands them over.
#include "tests/fuzz/check_views.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  countpm::fuzz::check_views(data, size);
  return 0;
}
