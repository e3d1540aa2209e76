#include "kernels/arithmetic/ring_values.hpp"

#include "kernels/arithmetic/up_float.hpp"

namespace countpm {

namespace {

UpFloat magnitude(std::int64_t value) {
  return UpFloat::of(mpz_class(value));
}
UpFloat magnitude(const mpq_class& value) {
  return UpFloat::of(value);
}
UpFloat magnitude(const ComplexRational& value) {
  return UpFloat::of(value.re) + UpFloat::of(value.im);
}  // |re| + |im| >= |z|

}  // namespace

std::vector<std::int64_t> row_exponents(const AnyBlock& any_block) {
  return std::visit(
      [](const auto& block) {
        std::vector<std::int64_t> exponents;
        exponents.reserve(block.matrix.rows);
        for (Index i = 0; i < block.matrix.rows; ++i) {
          UpFloat sum;
          for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}];
               ++k) {
            sum = sum + magnitude(block.matrix.value[k]) *
                            UpFloat::of(mpz_class(block.multiplicity_of(block.matrix.column[k])));
          }
          exponents.push_back(sum.mantissa == 0.5 ? sum.exponent - 1 : sum.exponent);
        }
        return exponents;
      },
      any_block);
}

mpq_class divided_by_power_of_two(const mpq_class& value, std::int64_t exponent) {
  mpq_class result;
  if (exponent >= 0) {
    mpq_div_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_mul_2exp(result.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  }
  return result;
}

}  // namespace countpm
