#pragma once
// One step of the Gray-code walk in any ring: update the row sums, multiply them, add the product. A template
// for host and device, so that a CUDA lane and the CPU test that stands in for it run the same arithmetic.
// Over integers the CPU methods go further (product_sum.hpp, ryser/simd.hpp): they keep the sums exact and
// leave the ring to the end of a unit.
#include <cstdint>

#include "kernels/arithmetic/host_device.hpp"

namespace countpm {

/// sums[i] += column[i] where the column comes in, -= where it goes out. column: already doubled in the
/// halved form.
template <class R>
COUNTPM_HD void flip_column(const R& ring, typename R::Element* sums, const typename R::Element* column,
                            unsigned rows, bool in) {
  for (unsigned i = 0; i < rows; ++i) {
    if (in) {
      ring.add_to(sums[i], column[i]);
    } else {
      ring.sub_to(sums[i], column[i]);
    }
  }
}

template <class R>
COUNTPM_HD typename R::Element product_of_sums(const R& ring, const typename R::Element* sums,
                                               unsigned rows) {
  typename R::Element product = ring.one();
  for (unsigned i = 0; i < rows; ++i) ring.mul_to(product, sums[i]);
  return product;
}

/// Steps first .. first + count - 1 of the Gray code over `columns` (columns[c * rows + i]); sums: the state
/// before step `first`, left as after the last. Step 0 flips nothing. total += sum of (-1)^step prod_i
/// sums_i. first + count <= 2^63.
template <class R>
COUNTPM_HD void gray_steps(const R& ring, typename R::Element* sums, const typename R::Element* columns,
                           unsigned rows, std::uint64_t first, std::uint64_t count,
                           typename R::Accumulator& total) {
  for (std::uint64_t step = first; step < first + count; ++step) {
    if (step != 0) {
      unsigned column = 0;
      while ((step >> column & 1) == 0) ++column;
      flip_column(ring, sums, columns + std::uint64_t{column} * rows, rows, (step >> column & 2) == 0);
    }
    const typename R::Element product = product_of_sums(ring, sums, rows);
    ring.accumulate(total, step % 2 != 0 ? ring.neg(product) : product);
  }
}

}  // namespace countpm
