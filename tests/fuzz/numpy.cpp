// Fuzzes the readers of NumPy's arrays and archives.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using countpm::Format;
  for (const Format format : {Format::npy, Format::npz})
    countpm::fuzz::check_reading(format, data, size, "fuzz");
  return 0;
}
