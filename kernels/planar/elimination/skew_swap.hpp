#pragma once
// Skew-symmetric matrices of which the entries above the diagonal are kept.
#include <cstddef>

namespace countpm::planar {

/// Vertices a < b change places, in rows and columns at once, which changes the Pfaffian's sign. `swap(i, j,
/// k, l)` exchanges two entries, `negate(i, j)` negates one; rows before `first` are left as they are.
template <class Swap, class Negate>
void swap_in_upper_triangle(std::size_t first, std::size_t size, std::size_t a, std::size_t b,
                            const Swap& swap, const Negate& negate) {
  for (std::size_t row = first; row < a; ++row) swap(row, a, row, b);
  for (std::size_t k = a + 1; k < b; ++k) {
    swap(a, k, k, b);
    negate(a, k);
    negate(k, b);
  }
  negate(a, b);
  for (std::size_t k = b + 1; k < size; ++k) swap(a, k, b, k);
}

}  // namespace countpm::planar
