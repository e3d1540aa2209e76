#include "kernels/published/codegen/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "kernels/arithmetic/to_mpz.hpp"

namespace countpm::codegen {
namespace {

std::uint32_t magnitude_of(std::int32_t value) {
  return value < 0 ? 0U - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
}

constexpr unsigned limb_bits = 32;

}  // namespace

mpz_class sum_of_totals(const std::vector<std::uint32_t>& totals, unsigned limbs) {
  const std::size_t threads = totals.size() / limbs;
  mpz_class sum;
  for (unsigned limb = limbs; limb-- > 0;) {
    std::uint64_t column = 0;
    for (std::size_t t = 0; t < threads; ++t) column += totals[limb * threads + t];
    sum <<= limb_bits;
    sum += static_cast<std::uint64_t>(column);
  }
  mpz_fdiv_r_2exp(sum.get_mpz_t(), sum.get_mpz_t(), limb_bits * limbs);
  return from_twos_complement(std::move(sum), limb_bits * limbs);
}

Interpreter::Interpreter(const Program& program)
    : program_(program),
      sums_(program.registers),
      shift_(std::size_t{1} << program.unrolled.size(), std::vector<std::int32_t>(program.rows, 0)) {
  for (std::size_t state = 0; state < shift_.size(); ++state) {
    for (std::size_t c = 0; c < program.unrolled.size(); ++c) {
      if ((state >> c & 1) == 0) continue;
      for (const RowAdd& add : program.unrolled[c]) shift_[state][add.row] += add.delta;
    }
  }
}

void Interpreter::add_item(const std::int32_t* starts, std::uint64_t choice, bool minus,
                           const GlobalRows& globals, std::uint32_t* total) {
  std::copy_n(starts, program_.registers, sums_.begin());
  for (unsigned place = program_.registers; place < program_.rows; ++place)
    globals[place - program_.registers] = starts[place];
  for (unsigned c = 0; c < program_.chosen(); ++c) {
    if ((choice >> c & 1) != 0) flip(program_.columns[program_.walked + c], 1, globals);
  }
  minus ^= std::popcount(choice) % 2 != 0;
  bool stale = true;
  const std::uint32_t steps = std::uint32_t{1} << program_.walked;
  for (std::uint32_t step = 0; step < steps; ++step) {
    if (step != 0) {
      const auto column = static_cast<unsigned>(std::countr_zero(step));
      flip(program_.columns[column], ((step >> column) & 2) != 0 ? -1 : 1, globals);
      stale |= program_.touches_global(program_.columns[column]);
    }
    if (stale) refresh(globals);
    stale = false;
    add_term(minus != (step % 2 != 0), total);
  }
}

void Interpreter::flip(const std::vector<RowAdd>& column, int sign, const GlobalRows& globals) {
  for (const RowAdd& add : column) {
    std::int32_t& sum = add.row < program_.registers ? sums_[add.row] : globals[add.row - program_.registers];
    sum += sign * add.delta;
  }
}

std::int32_t Interpreter::group_product(const Group& group, const GlobalRows& globals) const {
  std::int32_t product = 1;
  for (const unsigned place : group)
    product *= place < program_.registers ? sums_[place] : globals[place - program_.registers];
  return product;
}

void Interpreter::multiply(Limbs& product, const Limbs& factor) {
  scratch_.assign(std::min<std::size_t>(product.size() + factor.size(), program_.limbs), 0);
  for (std::size_t j = 0; j < factor.size(); ++j) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i + j < scratch_.size(); ++i) {
      const std::uint64_t limb = i < product.size() ? product[i] : 0;
      const std::uint64_t sum = limb * factor[j] + scratch_[i + j] + carry;
      scratch_[i + j] = static_cast<std::uint32_t>(sum);
      carry = sum >> limb_bits;
    }
  }
  product.swap(scratch_);
}

void Interpreter::multiply_group(Signed& product, std::int32_t group) {
  product.minus ^= group < 0;
  multiply(product.magnitude, {magnitude_of(group)});
}

void Interpreter::multiply_unrolled(Signed& product) {
  std::int64_t sum = 0;
  for (std::size_t state = 0; state < shift_.size(); ++state) {
    std::int64_t part = std::popcount(state) % 2 != 0 ? -1 : 1;
    for (const unsigned place : program_.unrolled_rows) part *= sums_[place] + shift_[state][place];
    sum += part;
  }
  product.minus ^= sum < 0;
  const std::uint64_t magnitude =
      sum < 0 ? 0ULL - static_cast<std::uint64_t>(sum) : static_cast<std::uint64_t>(sum);
  multiply(product.magnitude,
           {static_cast<std::uint32_t>(magnitude), static_cast<std::uint32_t>(magnitude >> limb_bits)});
}

void Interpreter::refresh(const GlobalRows& globals) {
  global_product_.minus = false;
  global_product_.magnitude = {1};
  for (const Group& group : program_.global_groups)
    multiply_group(global_product_, group_product(group, globals));
}

void Interpreter::add_term(bool minus, std::uint32_t* total) {
  product_ = global_product_;
  for (const Group& group : program_.register_groups) multiply_group(product_, group_product(group, {}));
  if (!program_.unrolled.empty()) multiply_unrolled(product_);
  // Two's complement: -x = ~x + 1.
  const bool negative = product_.minus != minus;
  const std::uint32_t mask = negative ? ~std::uint32_t{0} : 0;
  std::uint64_t carry = negative ? 1 : 0;
  for (unsigned i = 0; i < program_.limbs; ++i) {
    const std::uint32_t limb = i < product_.magnitude.size() ? product_.magnitude[i] : 0;
    const std::uint64_t sum = std::uint64_t{total[i]} + (limb ^ mask) + carry;
    total[i] = static_cast<std::uint32_t>(sum);
    carry = sum >> limb_bits;
  }
}

}  // namespace countpm::codegen
