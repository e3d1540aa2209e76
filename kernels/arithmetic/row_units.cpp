#include "kernels/arithmetic/row_units.hpp"

#include <type_traits>
#include <utility>

namespace countpm {
namespace {

/// What makes a row whole, and what it has in common then.
class RowUnit {
 public:
  explicit RowUnit(unsigned bits) : bits_(bits) {}

  /// Whether the row may still become small enough.
  bool take(const mpq_class& part) {
    if (part == 0) return true;
    denominator_ = lcm(denominator_, part.get_den());
    // part * denominator is whole, and at least 2^(these bits - 1): no common factor of a row makes it less,
    // but where its numerators have one.
    divisor_ = gcd(divisor_, part.get_num());
    return bits_of(denominator_) + bits_of(part.get_num()) <=
           bits_of(part.get_den()) + bits_of(divisor_) + bits_ + 2;
  }
  mpq_class unit() const {
    mpq_class unit(divisor_, denominator_);
    unit.canonicalize();
    return unit;
  }

 private:
  static std::size_t bits_of(const mpz_class& value) { return mpz_sizeinbase(value.get_mpz_t(), 2); }

  unsigned bits_;
  mpz_class denominator_ = 1;
  mpz_class divisor_ = 0;
};

bool take(RowUnit& unit, const mpq_class& value) {
  return unit.take(value);
}
bool take(RowUnit& unit, const ComplexRational& value) {
  return unit.take(value.re) && unit.take(value.im);
}

mpq_class divided(const mpq_class& value, const mpq_class& unit) {
  return value / unit;
}
ComplexRational divided(const ComplexRational& value, const mpq_class& unit) {
  return {value.re / unit, value.im / unit};
}

mpq_class size_of(const mpq_class& value) {
  return abs(value);
}
mpq_class size_of(const ComplexRational& value) {
  return abs(value.re) + abs(value.im);
}

template <class Value>
std::optional<RowUnits> units_of(const Block<Value>& given, unsigned bits) {
  using Exact = std::conditional_t<std::is_same_v<Value, ComplexRational>, ComplexRational, mpq_class>;
  const SparsePattern& pattern = given.matrix;
  std::vector<mpq_class> units;
  units.reserve(pattern.rows);
  for (Index i = 0; i < pattern.rows; ++i) {
    RowUnit row(bits);
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      if (!take(row, given.matrix.value[k])) return std::nullopt;
    }
    units.push_back(row.unit());
  }
  Block<Exact> block;
  static_cast<SparsePattern&>(block.matrix) = pattern;
  block.multiplicity = given.multiplicity;
  block.matrix.value.assign(given.matrix.value.begin(), given.matrix.value.end());
  mpz_class most = 1;
  most <<= bits;
  RowUnits result;
  for (Index i = 0; i < block.matrix.rows; ++i) {
    const std::uint64_t first = block.matrix.row_start[i];
    const std::uint64_t last = block.matrix.row_start[i + std::uint64_t{1}];
    const mpq_class& unit = units[i];
    if (unit == 0) continue;  // a row of zeros, or of nothing
    mpq_class twice;
    for (std::uint64_t k = first; k < last; ++k) {
      Exact& value = block.matrix.value[k];
      value = divided(value, unit);
      twice += size_of(value) * mpz_class(2 * mpz_class(block.multiplicity_of(block.matrix.column[k])));
    }
    if (twice > most) return std::nullopt;
    result.factor *= unit;
  }
  result.block = std::move(block);
  return result;
}

}  // namespace

std::optional<RowUnits> in_row_units(const AnyBlock& block, unsigned bits) {
  return std::visit([&](const auto& given) { return units_of(given, bits); }, block);
}

}  // namespace countpm
