#include "kernels/published/sparse/gpu/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace countpm::gray {

PackedChoice packed_form(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                         const Arithmetic& arithmetic) {
  if (has_twins(columns.multiplicity)) return {{}, no_gpu_form_for_twins};
  std::int64_t bound = 0;
  double log2_sum = plan.log2_terms;
  for (const std::int64_t row : columns.row_bound) {
    bound = std::max(bound, row);
    log2_sum += std::log2(static_cast<double>(std::max<std::int64_t>(row, 1)));
  }
  PackedForm form;
  form.bits = bound <= PackedSums<8, 4>::largest_sum ? 8 : 16;
  if (bound > PackedSums<16, 16>::largest_sum)
    return {{},
            fmt::format("rows' sums there are at most {}, and one is {}", PackedSums<16, 16>::largest_sum,
                        bound)};
  const unsigned rows_in_word = 32 / form.bits;
  constexpr unsigned most_words = 32;
  if (columns.rows > most_words * rows_in_word)
    return {{}, fmt::format("it takes up to {} rows of such sums there", most_words * rows_in_word)};
  form.words = std::max(1U, (columns.rows + rows_in_word - 1) / rows_in_word);
  // Wrapping around modulo 2^(64 width) does no harm modulo a smaller power of two.
  double bits = log2_sum + 2;
  if (std::all_of(arithmetic.moduli.begin(), arithmetic.moduli.end(),
                  [](const Modulus& modulus) { return modulus.prime == 0; })) {
    unsigned wanted = 0;
    for (const Modulus& modulus : arithmetic.moduli) wanted = std::max(wanted, modulus.power_of_two);
    bits = std::min(bits, static_cast<double>(wanted));
  }
  for (const unsigned width : {2U, 4U, 8U}) {
    if (bits > 64 * width) continue;
    form.width = width;
    return {form, {}};
  }
  return {{}, fmt::format("sums there have at most 512 bits, and {:.0f} are needed", std::ceil(bits))};
}

}  // namespace countpm::gray
