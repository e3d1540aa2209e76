// Fuzzes the readers of molecules, plane graphs, pictures and lists of sets on the same bytes, and what parts
// files of many.
#include "tests/fuzz/check_reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using countpm::Format;
  for (const Format format : {Format::mol, Format::sdf, Format::xyz, Format::planar_code, Format::vax,
                              Format::board, Format::hyper})
    countpm::fuzz::check_reading(format, data, size, "fuzz");
  for (const Format format : {Format::sdf, Format::planar_code})
    countpm::fuzz::check_entries(format, data, size);
  return 0;
}
