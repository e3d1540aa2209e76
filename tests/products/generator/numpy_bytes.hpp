#pragma once
// A matrix as NumPy's and SciPy's functions store it.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/products/generator/instance.hpp"

namespace countpm::products {

struct StoredMatrix {
  int rows = 0, columns = 0;
  std::vector<Tie> entries;  // those that are not there are 0
  bool integers = true;      // what its numbers are
  bool complex = false;
  bool only_ones = false;  // without --weights: of any type
  std::uint64_t seed = 0;  // chooses width, sign, order of bytes and entries, version
};

/// numpy.save.
std::string npy_bytes(const StoredMatrix& matrix);
/// sparse: scipy.sparse.save_npz in one of its formats; else numpy.savez of one array.
std::string npz_bytes(const StoredMatrix& matrix, bool sparse);

}  // namespace countpm::products
